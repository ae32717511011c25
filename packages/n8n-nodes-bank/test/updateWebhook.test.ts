/** P10 replaces the whole subscription. Its rules are checked first, some of them against the registered subscription. */
import { jsonOf, refusalOf, run, type RunOptions, useBank } from './support/bank.ts';

const bank = useBank();
const id = '123e4567-e89b-42d3-a456-426614174000';
const present = {
	id,
	object: 'ul_transaction_default',
	enabled: true,
	data: { accounts: ['1', '2'] },
	callbackUri: 'https://n8n.example.com/webhook/old',
	version: 1,
};
const incoming = 'jp_sbp_incoming_payments';

beforeEach(() => {
	bank().answer = ({ method, body }) => [
		200,
		method === 'GET' ? present : { ...present, ...(body as object), organizationIdHash: 'h', statusDescriptions: [] },
	];
});
const update = (parameters: Record<string, unknown> = {}, options: RunOptions = {}) =>
	run('webhook.update', { id, accounts: ['1', '2'], ...parameters }, options);
const calls = () => bank().seen.map(({ method, path }) => `${method} ${path}`);
const put = () => bank().seen.find(({ method }) => method === 'PUT')?.body;
const read = `GET /api/v1/webhooks/${id}`;
const write = `PUT /api/v2/webhooks/${id}`;

describe('an update', () => {
	it('reads the subscription, sends only what the form says, and lists what it replaced', async () => {
		const additionalFields = { enabled: false, callbackUri: 'https://n8n.example.com/webhook/new' };
		const output = await update({ accounts: ['1', '3'], additionalFields });
		expect(calls()).toEqual([read, write]);
		expect(bank().seen[0]?.query).toEqual([['object', 'ul_transaction_default']]);
		const sent = { object: 'ul_transaction_default', data: { accounts: ['1', '3'] }, ...additionalFields };
		expect(put()).toEqual(sent);
		const replaces = [
			{ field: 'enabled', from: true, to: false },
			{ field: 'callbackUri', from: present.callbackUri, to: additionalFields.callbackUri },
			{ field: 'data.accounts', from: ['1', '2'], to: ['1', '3'] },
		];
		const json = { ...present, ...sent, organizationIdHash: 'h', statusDescriptions: [], replaces };
		expect(output).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	it('may skip reading', async () => {
		const [json] = jsonOf(await update({ options: { readBefore: false } }));
		expect(calls()).toEqual([write]);
		expect(json).not.toHaveProperty('replaces');
	});

	it('is not sent if the subscription cannot be read', async () => {
		bank().answer = () => [404, { error: 'unknown_route' }];
		const refusal = await refusalOf(update());
		expect(calls()).toEqual([read]);
		expect(refusal.message).toContain('the endpoint was not found or is not active (404 unknown_route)');
	});
});

describe('incoming payments (rule 3)', () => {
	it('are updated without data, and cannot be read before', async () => {
		await update({ object: incoming, accounts: ['1'], additionalFields: { enabled: true } });
		expect(calls()).toEqual([write]);
		expect(put()).toEqual({ object: incoming, enabled: true });
	});

	it('may change their path if the registered address is given', async () => {
		await update({
			object: incoming,
			additionalFields: { callbackUri: 'https://a.test/new', registeredCallbackUri: 'https://A.test/old' },
		});
		expect(put()).toEqual({ object: incoming, callbackUri: 'https://a.test/new' });
	});

	it('say that the host was not compared if the registered address is not known', async () => {
		const additionalFields = { callbackUri: 'https://b.test/new' };
		const said = async (parameters: Record<string, unknown>) => jsonOf(await update(parameters))[0]?.notChecked;
		expect(await said({ object: incoming, additionalFields })).toMatch(/^callbackUri: .*Registered Callback URI/);
		expect(await said({ object: incoming, additionalFields, preview: true })).toMatch(/^callbackUri: /);
		expect(await said({ additionalFields, options: { readBefore: false } })).toMatch(/^callbackUri: /);
		expect(await said({ object: incoming, additionalFields: { enabled: true } })).toBeUndefined();
		const both = { ...additionalFields, registeredCallbackUri: 'https://b.test/old' };
		expect(await said({ object: incoming, additionalFields: both })).toBeUndefined();
	});
});

describe('the address (rule 4)', () => {
	it('is refused only for its item if the node continues on errors', async () => {
		const items = [{ to: 'https://evil.example.com/' }, { to: 'https://n8n.example.com/new' }];
		const additionalFields = { callbackUri: '={{ $json.to }}' };
		const output = await update({ additionalFields }, { items, continueOnFail: true });
		expect(calls()).toEqual([read, read, write]);
		expect(output).toMatchObject([
			{ json: { details: { outcome: 'notSent' } }, pairedItem: { item: 0 } },
			{ json: { callbackUri: 'https://n8n.example.com/new' }, pairedItem: { item: 1 } },
		]);
	});
});

describe('a preview', () => {
	it('reads, changes nothing, and returns the request with what it would replace', async () => {
		const output = await update({ preview: true, accountsMode: 'all', accounts: undefined });
		expect(calls()).toEqual([read]);
		const body = { object: 'ul_transaction_default', data: { accounts: [] } };
		const request = { method: 'PUT', url: `/api/v2/webhooks/${id}`, body };
		const replaces = [{ field: 'data.accounts', from: ['1', '2'], to: [] }];
		expect(output).toMatchObject([{ json: { preview: true, replaces, request }, pairedItem: [{ item: 0 }] }]);
		expect(output[0]?.json.bodyText).toBe('{"object":"ul_transaction_default","data":{"accounts":[]}}');
	});

	it('refuses what updating would refuse', async () => {
		const additionalFields = { callbackUri: 'https://evil.example.com/' };
		const { message } = await refusalOf(update({ preview: true, additionalFields }));
		expect(message).toContain('Callback URI may change only in its path');
	});
});
