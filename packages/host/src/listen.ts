import { once } from 'node:events';
import type { Server as HttpServer } from 'node:http';
import type { Server } from 'node:net';

import { portOf } from '../../fixtures/src/portOf.ts';

/** Starts a server on a free port of 127.0.0.1 and returns the port. */
export async function listen(server: Server): Promise<number> {
	await once(server.listen(0, '127.0.0.1'), 'listening');
	return portOf(server);
}

/** Stops a server and ends its connections. */
export async function stopListening(server: HttpServer): Promise<void> {
	server.closeAllConnections();
	await once(server.close(), 'close');
}
