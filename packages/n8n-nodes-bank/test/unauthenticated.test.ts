/** Requests of unauthenticated callers to the triggers: limited in size, and without effect on other events. */
import { BoundedSet, parseLossless } from '@bank/core';
import fc from 'fast-check';
import type { INodeType } from 'n8n-workflow';

import { BankCourierOrderTrigger } from '../nodes/BankCourierOrderTrigger/BankCourierOrderTrigger.node.ts';
import { BankTrigger } from '../nodes/BankTrigger/BankTrigger.node.ts';
import { type Delivery, FakeWorkflow, inbound } from './support/trigger.ts';

const triggers: Record<string, { node: INodeType; parameters: Record<string, unknown> }> = {
	'Bank Trigger': { node: new BankTrigger(), parameters: { object: 'ul_transaction_default' } },
	'Bank Courier Order Trigger': { node: new BankCourierOrderTrigger(), parameters: { identifierField: 'eventId' } },
};
const key = { 'x-api-key': 'the key of the bank' };
const checks = inbound({ checks: ['header'], headerName: 'X-Api-Key', headerSecret: key['x-api-key'] });

/** n8n itself limits bodies to this size (N8N_PAYLOAD_SIZE_MAX). */
const mostOfN8n = 16 * 1024 * 1024;

class Listener {
	readonly flow: FakeWorkflow;
	readonly #node: INodeType;

	constructor(name: string, verifySender: boolean) {
		const { node, parameters } = triggers[name] ?? { node: new BankTrigger(), parameters: {} };
		this.#node = node;
		this.flow = new FakeWorkflow({ ...parameters, verifySender }, checks);
	}

	/** Delivers a body as n8n does, and responds after the execution is stored. */
	async deliver(body: unknown, more: Delivery = {}) {
		if (typeof body === 'string' && body.length > mostOfN8n) throw new Error('n8n would not have taken it');
		const { result, response, items } = await this.flow.receive(this.#node, body, { headers: key, ...more });
		if (result.noWebhookResponse !== true) response.json(result.webhookResponse ?? '');
		return { status: response.statusCode, text: response.text ?? '', items };
	}
}

const everySender = Object.keys(triggers).flatMap((name) => [
	[name, 'verified', true] as const,
	[name, 'not verified', false] as const,
]);

describe.each(everySender)('%s, sender %s', (name, _sender, isVerified) => {
	const listener = () => new Listener(name, isVerified);

	test('keeps little of identifiers of a megabyte: in memory, in static data, in the log, in its answers, in an item', async () => {
		const kept: string[] = [];
		const add = jest.spyOn(BoundedSet.prototype, 'add');
		const one = listener();
		for (let index = 0; index < 4; index++) {
			const eventId = `${index} ${'x'.repeat(1024 * 1024)}`;
			const { items } = await one.deliver({ eventId });
			kept.push(JSON.stringify({ ...items[0], payload: undefined, order: undefined }));
			kept.push((await one.deliver({ eventId })).text);
		}
		kept.push(...add.mock.calls.map(([entry]) => entry));
		add.mockRestore();
		expect(kept.length).toBeGreaterThanOrEqual(12);
		expect(JSON.stringify(one.flow.staticData).length).toBeLessThan(4 * 100);
		for (const text of [...kept, ...one.flow.log]) expect(text.length).toBeLessThan(400);
	});

	test.each([
		['16 MB', `{"eventId":"a","text":"${'x'.repeat(mostOfN8n - 100)}"}`],
		['nested 120,000 deep', `${'['.repeat(120_000)}${']'.repeat(120_000)}`],
		['nested 120,000 deep in an event', `{"eventId":"a","x":${'['.repeat(120_000)}${']'.repeat(120_000)}}`],
		['nested 300 deep', `{"eventId":"a","x":${'{"a":'.repeat(300)}1${'}'.repeat(300)}}`],
		['a list of 100,000', `[${Array.from({ length: 100_000 }, (_, index) => `{"eventId":${index}}`).join()}]`],
	])('refuses what is %s, and says so in the log', async (_what, body) => {
		const one = listener();
		const { status, text, items } = await one.deliver(body);
		expect(items).toEqual([]);
		expect(status).toBeGreaterThanOrEqual(400);
		expect(text.length).toBeLessThan(200);
		expect(one.flow.log).toHaveLength(1);
		expect(one.flow.log[0]).toMatch(/refused .*(limit|deep|more than|large)/);
		expect((await one.deliver({ eventId: 'a' })).items).toHaveLength(1);
	});

	test('takes any JSON and any bytes of any type, or refuses them, and never breaks', async () => {
		const one = listener();
		const types = fc.constantFrom('text/plain', 'application/octet-stream', 'application/vnd.bank+json');
		const bytes = fc.record({ body: fc.string({ unit: 'binary' }), type: types });
		const json = fc.record({ body: fc.json({ maxDepth: 6 }) });
		await fc.assert(
			fc.asyncProperty(fc.oneof(json, bytes), async ({ body, ...more }) => {
				const { status, items } = await one.deliver(body, more);
				expect(items.length > 0 ? status === 200 : status >= 200 && status < 500).toBe(true);
			}),
			{ numRuns: 500 },
		);
	});
});

describe('what stands around many events', () => {
	const events = Array.from({ length: 5000 }, (_, eventId) => ({ eventId }));
	const enveloped = events.map((event) => ({ events: [event] }));
	const around = 'x'.repeat(100_000);

	test.each([
		['an envelope', { events, around }],
		['an envelope of envelopes', { events: enveloped, around }],
	])('does not go with each of them where that is too much (%s)', async (_what, body) => {
		const one = new Listener('Bank Trigger', true);
		expect(await one.deliver(body)).toMatchObject({ status: 413, items: [] });
		expect(one.flow.log.join()).toContain('too large to be copied to each event');
	});

	test('goes with each where it is little', async () => {
		const { items } = await new Listener('Bank Trigger', true).deliver({ events, around: 1 });
		expect(items).toHaveLength(5000);
		expect(items[4999]).toMatchObject({ payload: { eventId: 4999 }, envelope: { around: 1 } });
	});
});

test('an event of any shape comes through whole, one item for each', async () => {
	const one = new Listener('Bank Trigger', true);
	let serial = 0;
	await fc.assert(
		fc.asyncProperty(fc.array(fc.jsonValue({ maxDepth: 4 }), { minLength: 1, maxLength: 20 }), async (contents) => {
			const events = contents.map((content) => ({ eventId: `e${serial++}`, content }));
			const text = JSON.stringify(events);
			const { items } = await one.deliver(text);
			expect(items.map(({ payload }) => payload)).toEqual(parseLossless(text).value);
		}),
		{ numRuns: 100 },
	);
});
