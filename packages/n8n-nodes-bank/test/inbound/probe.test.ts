/** A bank may check by GET or HEAD that `callbackUri` is accessible before it accepts it (P10). */
import type { INodeType } from 'n8n-workflow';

import { BankCourierOrderTrigger } from '../../nodes/BankCourierOrderTrigger/BankCourierOrderTrigger.node.ts';
import { BankTrigger } from '../../nodes/BankTrigger/BankTrigger.node.ts';
import { FakeWorkflow, inbound } from '../support/trigger.ts';

const triggers: [string, INodeType][] = [new BankTrigger(), new BankCourierOrderTrigger()].map((node) => [
	node.description.name,
	node,
]);

describe.each(triggers)('%s', (_name, node) => {
	const webhooks = (node.description.webhooks ?? []).flatMap((webhook, order) =>
		webhook.httpMethod.split(',').map((method) => ({ ...webhook, method, order })),
	);

	it('takes probes at every URL that takes deliveries, registered before the bank learns the URL', () => {
		const posts = webhooks.filter(({ method }) => method === 'POST');
		const registration = webhooks.find(({ name }) => name === 'default')?.order ?? -1;
		expect(posts.length).toBeGreaterThan(0);
		for (const { path } of posts)
			for (const probe of ['GET', 'HEAD'])
				expect(
					webhooks.filter(({ method, order, ...one }) => method === probe && one.path === path && order < registration),
				).toHaveLength(1);
	});

	// n8n calls the hooks for each method of a webhook, and edits of the subscription must happen once.
	it('registers once', () => {
		expect(webhooks.filter(({ name }) => name === 'default')).toHaveLength(1);
	});

	it.each(['GET', 'HEAD'])(
		'answers %s with 200 and nothing else, whether the secret is right or wrong',
		async (method) => {
			const credential = {
				checks: ['path', 'header'],
				pathSecret: 'abcdefgh-0123456789',
				headerName: 'x',
				headerSecret: 'y',
			};
			for (const mode of ['webhook', 'manual'])
				for (const params of [{}, { secret: 'abcdefgh-0123456789' }, { secret: 'wrong' }]) {
					const flow = new FakeWorkflow({ verifySender: true, identifierField: 'number' }, inbound(credential));
					const { result, response } = await flow.receive(node, '', { mode, params, webhook: 'setup', method });
					expect(result).toEqual({ noWebhookResponse: true });
					expect(response).toMatchObject({ statusCode: 200, headersSent: true, text: undefined });
					expect([flow.staticData, flow.log]).toEqual([{}, []]);
				}
		},
	);
});
