import { runInNewContext } from 'node:vm';

import {
	type INode,
	type INodeParameters,
	type IWebhookDescription,
	resolveWebhookDescriptionField,
	webhookDescriptionIsNativelyResolvable,
} from 'n8n-workflow';

import { BankCourierOrderTrigger } from '../nodes/BankCourierOrderTrigger/BankCourierOrderTrigger.node.ts';
import { refusalOf } from './support/bank.ts';
import { FakeWorkflow, inbound, withDefaults } from './support/trigger.ts';

type Json = Record<string, unknown>;

const headerKey = { checks: ['header'], headerName: 'X-Api-Key', headerSecret: 'Bearer of the key' };
const fromBank = { 'x-api-key': 'Bearer of the key' };

interface Delivery {
	headers?: Json;
	mode?: string;
	/** The response of the workflow, with this status. */
	workflow?: { status?: number; body: unknown };
	/** Whether n8n can store the execution. A promise: n8n takes some time to store it. */
	stored?: boolean | Promise<boolean>;
}

interface Instance {
	workflow?: string;
	memory?: Json;
	credential?: Json;
}

/** A workflow with the trigger. Several instances can share a workflow: n8n after a restart, or the test listener. */
function trigger(parameters: INodeParameters = {}, { workflow, memory, credential = headerKey }: Instance = {}) {
	const node = new BankCourierOrderTrigger();
	const flow = new FakeWorkflow(withDefaults(node, { identifierField: 'number', ...parameters }), inbound(credential));
	flow.id = workflow ?? flow.id;
	flow.staticData = memory ?? flow.staticData;
	return {
		memory: flow.staticData,
		log: flow.log,
		activate: () => node.webhookMethods.default.checkExists.call(flow.hook('activate')),
		/** The body from the bank; text is sent byte for byte. */
		async deliver(body: unknown, { headers = fromBank, mode, workflow: answer, stored = true }: Delivery = {}) {
			// n8n reads the `webhookResponse` of the result only after it has stored the execution.
			const { result, response, items } = await flow.receive(node, body, { headers, mode });
			// The response comes from the workflow or from the trigger.
			if (result.noWebhookResponse !== true) {
				if (await stored) response.status(answer?.status ?? 200).json(answer?.body ?? result.webhookResponse ?? {});
				else response.status(500).json({ message: 'There was a problem executing the workflow' });
			}
			const sent = JSON.parse(response.text ?? '{}');
			return {
				status: response.statusCode,
				body: sent,
				code: sent.errorInfo?.errorCode,
				orders: result.workflowData === undefined ? undefined : items,
			};
		},
	};
}

const order = (number: unknown, more: object = {}) => ({ number, ...more });

describe('an order that passes the checks', () => {
	it('is accepted at once and starts the workflow unchanged', async () => {
		const { deliver } = trigger();
		const answer = await deliver('{"number":12345678901234567890,"address":{"lines":["x",null]}}');
		expect(answer).toMatchObject({ status: 200, body: {} });
		expect(answer.orders).toEqual([
			{
				orderId: '12345678901234567890',
				receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
				order: { number: '12345678901234567890', address: { lines: ['x', null] } },
			},
		]);
	});

	it('keeps the fields around the list of orders', async () => {
		const { deliver } = trigger({ options: { ordersField: 'orders' } });
		expect((await deliver({ request: 'r-1', orders: [order('A')] })).orders).toMatchObject([
			{ orderId: 'A', order: order('A'), envelope: { request: 'r-1' } },
		]);
	});

	it.each([
		['the option', { options: { successResponse: '{"accepted":[1]}' } }, undefined, { accepted: [1] }],
		['the workflow, where asked to,', { respond: 'lastNode' }, { body: { taken: true } }, { taken: true }],
	])('is answered as %s says', async (_who, parameters, workflow, body) => {
		const answer = await trigger(parameters).deliver(order('A'), workflow && { workflow });
		expect(answer).toMatchObject({ status: 200, body, orders: [{ orderId: 'A' }] });
	});
});

describe('a refusal', () => {
	it.each([
		['003', order('A'), { headers: { 'x-api-key': 'forged' } }],
		['003', order('A'), { headers: {} }],
		['007', [], {}],
		['007', '', {}],
		['004', {}, {}],
		['008', order('A', { phone: ' ' }), {}],
		['008', '{"number":', {}],
	])('%s for %j starts nothing', async (code, body, delivery) => {
		for (const refusalStatus of [200, 400]) {
			const { deliver, log, memory } = trigger({ requiredFields: ['phone'], options: { refusalStatus } });
			const answer = await deliver(body, delivery);
			expect(answer).toMatchObject({ status: refusalStatus, code });
			expect(answer.orders).toBeUndefined();
			expect(Object.keys(answer.body)).toEqual(['errorInfo']);
			expect(log.join()).toContain(`refused a courier order with ${code}`);
			expect(memory).toEqual({});
		}
	});

	it('of the sender comes before all other checks, and only the log gives the reason', async () => {
		const { deliver, log } = trigger();
		const { body } = await deliver('{"number":', { headers: { 'x-api-key': 'forged' } });
		expect(body).toEqual({ errorInfo: { errorCode: '003', errorString: 'Authorization error' } });
		expect(log.join()).toContain('X-Api-Key');
		expect(log.join()).not.toMatch(/forged|Bearer of the key/);
	});
});

describe('a repeat', () => {
	it('is refused with 009, or left out of a list with new orders', async () => {
		const { deliver } = trigger();
		await deliver(order('A'));
		expect(await deliver(order('A'))).toMatchObject({ status: 400, code: '009' });
		const { orders } = await deliver([order('B'), order('A'), order('C')]);
		expect(orders).toMatchObject([{ orderId: 'B' }, { orderId: 'C' }]);
		expect(await deliver([order('A'), order('C')])).toMatchObject({ status: 400, code: '009' });
	});

	it('does not count as a repeat if the first execution could not be stored, and nothing of it is kept', async () => {
		const { deliver, memory } = trigger();
		expect(await deliver(order('A'), { stored: false })).toMatchObject({ status: 500 });
		expect(memory).toEqual({});
		expect((await deliver(order('A'))).orders).toHaveLength(1);
	});

	it('from an unverified sender is a repeat only if all of its fields are equal', async () => {
		const { deliver } = trigger({ verifySender: false });
		await deliver(order('A', { to: 'a stranger' }));
		expect((await deliver(order('A', { to: 'a customer' }))).orders).toHaveLength(1);
		expect((await deliver({ to: 'a customer', number: 'A' })).code).toBe('009');
	});

	it('does not count as a repeat of an order from an unverified sender', async () => {
		const workflow = 'with Verify Sender off, then on';
		const memory = {};
		await trigger({ verifySender: false }, { workflow, memory }).deliver(order('A'));
		expect((await trigger({}, { workflow, memory }).deliver(order('A'))).orders).toHaveLength(1);
	});

	it('is recognized from static data by a process that has not received the order', async () => {
		const { deliver, memory } = trigger();
		await Promise.all([deliver(order('A')), deliver(order('B'))]);
		const elsewhere = trigger({}, { memory: structuredClone(memory) });
		expect((await elsewhere.deliver([order('A'), order('B')])).code).toBe('009');
		expect((await elsewhere.deliver(order('C'))).orders).toHaveLength(1);
	});

	it('is accepted in a test, which does not use up the identifier', async () => {
		const { deliver, memory } = trigger();
		await deliver(order('A'), { mode: 'manual' });
		expect((await deliver(order('A'), { mode: 'manual' })).orders).toHaveLength(1);
		expect(memory).toEqual({});
		expect((await deliver(order('A'))).orders).toHaveLength(1);
	});
});

describe('an answer of the workflow', () => {
	const geocoding = { errorInfo: { errorCode: '011', errorString: 'Address geocoding error' } };

	it.each(['lastNode', 'responseNode'])('that refuses the order leaves the identifier free (%s)', async (respond) => {
		const { deliver } = trigger({ respond });
		expect((await deliver(order('A'), { workflow: { body: geocoding } })).code).toBe('011');
		expect((await deliver(order('A'), { workflow: { body: { taken: true } } })).orders).toHaveLength(1);
		expect((await deliver(order('A'), { workflow: { body: { taken: true } } })).code).toBe('009');
	});

	it.each([
		['of the last node has the status of refusals', { respond: 'lastNode' }, 400],
		['of the last node has the status of refusals', { respond: 'lastNode', options: { refusalStatus: 200 } }, 200],
		['of the Respond to Webhook node has the status that this node gives', { respond: 'responseNode' }, 200],
	])('%s: %j, %i', async (_which, parameters, status) => {
		expect(await trigger(parameters).deliver(order('A'), { workflow: { body: geocoding } })).toMatchObject({ status });
	});

	it('that failed leaves the identifier free', async () => {
		const { deliver } = trigger({ respond: 'lastNode' });
		await deliver(order('A'), { workflow: { status: 500, body: { message: 'Error in workflow' } } });
		expect((await deliver(order('A'))).orders).toHaveLength(1);
	});
});

it('shows a test order before the bank has said which field identifies it', async () => {
	const { deliver } = trigger({ identifierField: '' });
	const sent = [order('A'), order('A', { more: 1 })];
	const { orders } = await deliver(sent, { mode: 'manual' });
	expect(orders).toEqual(sent.map((one) => ({ receivedAt: expect.any(String), order: one })));
});

describe('activation', () => {
	it('warns if nothing distinguishes the bank from other senders', async () => {
		const { activate, log, deliver } = trigger({ verifySender: false });
		expect(await activate()).toBe(true);
		expect(log.join()).toContain('anyone who knows its URL can start the workflow');
		expect((await deliver(order('A'), { headers: {} })).orders).toHaveLength(1);
	});

	it.each([
		['Identifier Field is empty', { identifierField: ' ' }, headerKey],
		['Success Response is not JSON', { options: { successResponse: '{' } }, headerKey],
		['The credential Bank Triggers (Inbound) API is not complete', {}, { checks: [] }],
		[
			'The path does not contain the secret',
			{ pathPrefix: 'courier/another' },
			{ checks: ['path'], pathSecret: 'abcdefghijklmnopqrst' },
		],
	])('is refused when: %s', async (message, parameters, credential) => {
		expect((await refusalOf(trigger(parameters, { credential }).activate())).message).toBe(message);
	});

	it('takes the last part of the prefix for the secret in the path', async () => {
		const { activate, deliver } = trigger(
			{ pathPrefix: '/courier/abcdefghijklmnopqrst/' },
			{ credential: { checks: ['path'], pathSecret: 'abcdefghijklmnopqrst' } },
		);
		expect(await activate()).toBe(true);
		expect((await deliver(order('A'))).orders).toHaveLength(1);
	});
});

describe('where it listens and when it answers', () => {
	const [webhook] = new BankCourierOrderTrigger().description.webhooks as [IWebhookDescription];
	const node = (parameters: Json) => ({ parameters, typeVersion: 2 }) as unknown as INode;
	const natively = (field: 'path' | 'responseMode' | 'responseData', parameters: Json) =>
		resolveWebhookDescriptionField(node(parameters), webhook, field);
	/** n8n's default value. */
	const asExpression = (field: 'path' | 'responseMode' | 'responseData', parameters: Json): unknown =>
		runInNewContext(String(webhook[field]).replace(/^={{|}}$/g, ''), { $parameter: parameters });

	it.each([
		[{ pathPrefix: '', respond: 'onReceived' }, ['deliveryapi/order', 'onReceived', '']],
		[{ respond: 'lastNode' }, ['deliveryapi/order', 'lastNode', 'firstEntryJson']],
		[
			{ pathPrefix: '/a//b c/', respond: 'responseNode' },
			['a/b c/deliveryapi/order', 'responseNode', 'firstEntryJson'],
		],
	])('is the same with an expression engine and without: %j', (parameters, wanted) => {
		const fields = ['path', 'responseMode', 'responseData'] as const;
		const resolved = wanted.map((value) => ({ resolved: true, value }));
		expect(fields.map((field) => natively(field, parameters))).toEqual(resolved);
		expect(fields.map((field) => asExpression(field, parameters))).toEqual(wanted);
	});

	// With an expression that n8n must evaluate, each call would occupy an expression engine until its body has
	// arrived.
	it('needs none before the body of a call was read', () => {
		expect(webhookDescriptionIsNativelyResolvable(webhook)).toBe(true);
		expect(new BankCourierOrderTrigger().description.defaultVersion).toBeGreaterThan(1);
	});
});
