import crypto from 'node:crypto';
import { type AddressInfo, createServer } from 'node:net';
import { freePort, isPortFree } from '../../src/ports.ts';

test('a free port is one that can be listened on', async () => {
	const port = await freePort();
	expect(await isPortFree(port)).toBe(true);
});

test('a port is not given a second time, before anybody listens on it', async () => {
	const given = await freePort();
	const random = jest.spyOn(crypto, 'randomInt').mockImplementationOnce(() => given);
	const next = await freePort();
	expect(random.mock.calls.length).toBeGreaterThan(1);
	expect(next).not.toBe(given);
	expect(await isPortFree(given)).toBe(true);
	random.mockRestore();
});

test.each(['127.0.0.1', '0.0.0.0'])('a port with a server on %s is not free', async (host) => {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	expect(await isPortFree((server.address() as AddressInfo).port)).toBe(false);
	await new Promise((resolve) => server.close(resolve));
});
