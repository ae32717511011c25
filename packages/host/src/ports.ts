import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, createServer } from 'node:net';

const loopback = '127.0.0.1';

/**
 * A port nobody listens on now, reserved until this process ends. Not one that the system picks: those also serve every outgoing
 * connection, and until n8n has come so far as to listen, a busy machine would have given it away again.
 */
export async function freePort(): Promise<number> {
	for (let attempt = 0; attempt < 100; attempt++) {
		const port = randomInt(20_000, 32_768);
		if ((await isPortFree(port)) && (await reserve(port))) return port;
	}
	throw new Error('No free port was found on 127.0.0.1.');
}

/** Listening alone does not tell on every system: macOS lets 127.0.0.1 be taken beside a server on all addresses. */
export async function isPortFree(port: number): Promise<boolean> {
	return !(await answers(port)) && (await canListen(port));
}

/** Several test runs look for ports at once. Binding the UDP port of the same number reserves it without blocking TCP. */
function reserve(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = createSocket('udp4');
		socket.once('error', () => resolve(false));
		socket.bind({ port, address: loopback, exclusive: true }, () => {
			socket.unref();
			resolve(true);
		});
	});
}

function answers(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const socket = connect({ port, host: loopback });
		const done = (answer: boolean) => {
			socket.destroy();
			resolve(answer);
		};
		socket.once('connect', () => done(true));
		socket.once('error', () => done(false));
	});
}

function canListen(port: number): Promise<boolean> {
	return new Promise((resolve) => {
		const server = createServer();
		server.once('error', () => resolve(false));
		server.listen(port, loopback, () => server.close(() => resolve(true)));
	});
}
