import { randomInt } from 'node:crypto';
import { createSocket } from 'node:dgram';
import { connect, createServer } from 'node:net';

const loopback = '127.0.0.1';

/**
 * A free port, reserved until this process ends. Not one chosen by the system: such ports also serve outgoing connections, so on a
 * busy machine it could be taken before n8n listens on it.
 */
export async function freePort(): Promise<number> {
	for (let attempt = 0; attempt < 100; attempt++) {
		const port = randomInt(20_000, 32_768);
		if ((await isPortFree(port)) && (await reserve(port))) return port;
	}
	throw new Error('No free port was found on 127.0.0.1.');
}

/**
 * Whether nothing uses the port. A test by listening is not enough on every system: macOS allows 127.0.0.1 next to a
 * server on all addresses.
 */
export async function isPortFree(port: number): Promise<boolean> {
	return !(await answers(port)) && (await canListen(port));
}

/** Several test runs look for ports at the same time. Binding the UDP port with the same number reserves it without blocking TCP. */
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
