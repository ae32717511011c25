import { createServer } from 'node:http';

import { listen, stopListening } from '../../src/listen.ts';
import { N8nRest } from '../../src/n8nRest.ts';

// n8n reads its database twice: for the end of the publication, and for the result of each trigger.
test('an activation that ends while n8n reads its status is active', async () => {
	const statuses = [
		{ status: 'in_progress', triggers: [] },
		{ status: 'not_published', triggers: [] },
		{ status: 'published', triggers: [{ status: 'activated', errorMessage: null }] },
	];
	const server = createServer((request, response) => {
		request.resume();
		const data = request.url?.endsWith('/publication-status') ? statuses.shift() : { versionId: '1' };
		response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify({ data }));
	});
	const rest = new N8nRest(`http://127.0.0.1:${await listen(server)}`);
	const ended = await rest.activateToEnd('any');
	await stopListening(server);
	expect(ended).toEqual({ active: true, message: '' });
});
