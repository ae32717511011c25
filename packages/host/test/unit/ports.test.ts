import { type AddressInfo, createServer } from 'node:net';
import { freePort, isPortFree } from '../../src/ports.ts';

test('a free port is one that can be listened on', async () => {
	const port = await freePort();
	expect(await isPortFree(port)).toBe(true);
});

test.each(['127.0.0.1', '0.0.0.0'])('a port with a server on %s is not free', async (host) => {
	const server = createServer();
	await new Promise<void>((resolve) => server.listen(0, host, resolve));
	expect(await isPortFree((server.address() as AddressInfo).port)).toBe(false);
	await new Promise((resolve) => server.close(resolve));
});
