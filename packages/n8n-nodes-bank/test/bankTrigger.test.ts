/** The Bank Trigger: how it changes the subscription, and how it reads deliveries. */
import { existing } from '../../fixtures/src/existing.ts';

import { BankTrigger } from '../nodes/BankTrigger/BankTrigger.node.ts';
import { refusalOf, type SeenRequest, useBank } from './support/bank.ts';
import { type Delivery, type FakeResponse, FakeWorkflow, host, inbound } from './support/trigger.ts';

const bank = useBank();
const trigger = new BankTrigger();
const hooks = trigger.webhookMethods.default;
const id = '123e4567-e89b-42d3-a456-426614174000';
const object = 'ul_transaction_default';
const incoming = 'jp_sbp_incoming_payments';
const own = `${host}/webhook/hook-id/bank`;

/** The subscription registered with the bank; PUT changes it like P10. */
let registered: Record<string, unknown>;
const original = {
	id,
	object,
	enabled: false,
	data: { accounts: ['1', '2'] },
	callbackUri: `${host}/webhook/old`,
	version: 1,
};

beforeEach(() => {
	registered = { ...original };
	bank().answer = ordinary;
});

function ordinary({ method, body }: SeenRequest): [number, unknown?] {
	if (method === 'DELETE') return [204];
	if (method === 'GET') return [200, registered];
	registered = { ...registered, ...(body as object) };
	return [200, { ...registered, organizationIdHash: 'hash', statusDescriptions: [] }];
}

/** The bank's responses to these methods differ from the registered subscription. */
function responding(change: object, ...methods: string[]): void {
	bank().answer = (request) => {
		const [status, answer] = ordinary(request);
		return [status, methods.includes(request.method) ? { ...(answer as object), ...change } : answer];
	};
}

/** The bank responds to edits with this and carries none out. */
const refusing = (...response: [number, unknown?]): void => {
	bank().answer = (request) => (request.method === 'PUT' ? response : ordinary(request));
};

const workflow = (parameters: Record<string, unknown> = {}, credentials?: Record<string, Record<string, unknown>>) =>
	new FakeWorkflow({ id, object, verifySender: false, ...parameters }, credentials);
/** A trigger that verifies deliveries. */
const key = { 'x-api-key': 'the key of the bank' };
const trusting = (parameters: Record<string, unknown> = {}) =>
	workflow(
		{ verifySender: true, ...parameters },
		inbound({ checks: ['header'], headerName: 'X-Api-Key', headerSecret: key['x-api-key'] }),
	);
const calls = () =>
	bank()
		.seen.splice(0)
		.map(({ method }) => method);
const put = () =>
	bank()
		.seen.filter(({ method }) => method === 'PUT')
		.at(-1)?.body;

/** Activates like n8n: after an error it calls `delete`. */
async function activate(flow: FakeWorkflow, activation = 'activate'): Promise<boolean> {
	try {
		return await hooks.create.call(flow.hook(activation));
	} catch (error) {
		// n8n shows only the message of such an error.
		const { message } = error as Error;
		expect(message).toMatch(/\. The workflow does not listen until you publish it again\.$/);
		expect(message).not.toMatch(/run again|before you repeat|Parallel Requests/i);
		await hooks.delete.call(flow.hook('update'));
		throw error;
	}
}
async function activated(flow = workflow()): Promise<FakeWorkflow> {
	await activate(flow);
	return flow;
}
const deactivate = (flow: FakeWorkflow) => hooks.delete.call(flow.hook('update'));

describe('activation', () => {
	it('reads the subscription, then sends all of it with the address of this workflow; a restart of n8n sends no edit', async () => {
		const flow = await activated();
		expect(put()).toEqual({ object, enabled: true, data: { accounts: ['1', '2'] }, callbackUri: own, version: 1 });
		expect(calls()).toEqual(['GET', 'PUT']);
		await activate(flow, 'init');
		expect(calls()).toEqual(['GET']);
	});

	it('uses the credential of the flow that was chosen (P9: authorization code, or host to host)', async () => {
		await activate(workflow());
		await activate(workflow({ flow: 'hostToHost' }));
		const tokens = bank().seen.map(({ headers }) => headers.authorization);
		expect([...new Set(tokens)]).toEqual([
			'Bearer token of bankAuthorizationCodeOAuth2Api',
			'Bearer token of bankHostToHostOAuth2Api',
		]);
	});

	it.each([
		[{ accountsMode: 'all' }, []],
		[{ accountsMode: 'listed', accounts: ['7, 8', 9] }, ['7', '8', '9']],
		[{ accountsMode: 'listed', accounts: '40702 810 9 00000000001' }, ['40702810900000000001']],
	])('sends the accounts of %j', async (parameters, accounts) => {
		await activate(workflow(parameters));
		expect(put()).toMatchObject({ data: { accounts } });
	});

	it.each([
		[
			'40702 810',
			/^Account Numbers is "40702 810": these groups of digits do not make up account numbers of 20 digits/,
		],
		[[' '], /^Account Numbers is empty, which would mean all accounts/],
	])('refuses the accounts %j before any edit', async (accounts, message) => {
		await expect(activate(workflow({ accountsMode: 'listed', accounts }))).rejects.toThrow(message);
		expect(calls()).not.toContain('PUT');
	});

	it('is refused without a subscription', async () => {
		await expect(activate(workflow({ id: '' }))).rejects.toThrow(/^Subscription ID is required/);
		expect(calls()).toEqual([]);
	});

	it('refuses another host, names both, and leaves the subscription alone', async () => {
		registered = { ...original, enabled: true, callbackUri: 'https://other.example.com/webhook/old' };
		await expect(activate(workflow({ onDeactivation: 'delete' }))).rejects.toThrow(
			/https:\/\/other\.example\.com, not https:\/\/n8n\.example\.com/,
		);
		expect(calls()).toEqual(['GET']);
	});

	it('keeps the query of the registered address, which the bank does not allow to change', async () => {
		registered = { ...original, callbackUri: `${host}/webhook/old?partner=42` };
		const flow = await activated();
		expect(put()).toMatchObject({ callbackUri: `${own}?partner=42` });
		calls();
		await activate(flow, 'init');
		expect(calls()).toEqual(['GET']);
		await deactivate(flow);
		expect(registered).toMatchObject({ callbackUri: `${host}/webhook/old?partner=42` });

		await activate(
			workflow({ object: incoming, options: { registeredCallbackUri: `${host}/webhook/old?partner=42` } }),
		);
		expect(put()).toMatchObject({ callbackUri: `${own}?partner=42` });
	});

	it('fails if the bank keeps the subscription disabled, says why, and is undone', async () => {
		const old = { ...original, enabled: true };
		registered = old;
		bank().answer = (request) => {
			const [status, answer] = ordinary(request);
			if (request.method !== 'PUT' || registered.callbackUri !== own) return [status, answer];
			registered = { ...registered, enabled: false };
			return [
				200,
				{ ...registered, statusDescriptions: [{ cause: 'REVOKED', description: 'The agreement was revoked' }] },
			];
		};
		await expect(activate(workflow({ onDeactivation: 'delete' }))).rejects.toThrow(
			/disabled \(REVOKED: The agreement was revoked\)/,
		);
		expect(calls()).toEqual(['GET', 'PUT', 'GET', 'PUT']);
		expect(registered).toMatchObject({ enabled: true, callbackUri: old.callbackUri, data: old.data });
	});

	it.each([
		['may or may not have been carried out', [500, { error: 'internal_error' }]],
		['is answered without saying how it stands now', [200, { version: 1 }]],
	] as const)('of an edit that %s looks again', async (_what, [status, response]) => {
		bank().answer = (request) => {
			const answer = ordinary(request);
			return request.method === 'PUT' ? [status, response] : answer;
		};
		expect(await activate(workflow())).toBe(true);
		expect(calls()).toEqual(['GET', 'PUT', 'GET']);
	});

	it.each([
		[200, 'got status 200'],
		[404, 'got status 404'],
		[undefined, 'got no response (connect ECONNREFUSED)'],
	])(
		'of an address that the bank cannot reach says what was called and what n8n answers there (%j)',
		async (status, text) => {
			refusing(403, { error: 'insufficient_privileges' });
			const secured = workflow(
				{ verifySender: true },
				inbound({ checks: ['path'], pathSecret: 'abcdefgh-0123456789' }),
			);
			const called: string[] = [];
			secured.responseAt = (url) => (called.push(url), status);
			const { message } = await refusalOf(activate(secured));
			expect(message).toContain(`A GET from n8n to ${host}/webhook/hook-id/hook-id/bank/… ${text}. `);
			expect(called).toEqual([`${host}/webhook/hook-id/hook-id/bank/abcdefgh-0123456789`]);
		},
	);

	it('of incoming payments sends an edit without data and trusts the response, because these subscriptions cannot be read', async () => {
		registered = { ...original, object: incoming, data: undefined };
		await activate(workflow({ object: incoming, accounts: ['1'] }));
		expect(put()).toEqual({ object: incoming, enabled: true, callbackUri: own, version: 1 });
		expect(calls()).toEqual(['PUT']);
	});

	it('registers an address that ends in the secret, which n8n does not keep', async () => {
		const flow = await activated(
			workflow({ verifySender: true }, inbound({ checks: ['path'], pathSecret: 'abcdefgh-0123456789' })),
		);
		expect(put()).toMatchObject({ callbackUri: `${host}/webhook/hook-id/hook-id/bank/abcdefgh-0123456789` });
		expect(JSON.stringify(flow.staticData)).not.toContain('abcdefgh');
	});

	it('shows no secret of the address, even if the error text of the bank contains it', async () => {
		registered = { ...original, callbackUri: `${host}/webhook/old?partner=42` };
		const address = `${host}/webhook/hook-id/hook-id/bank/abcdefgh-0123456789`;
		const statusDescriptions = [{ cause: 'UNREACHABLE', description: `No response at ${address}` }];
		responding({ enabled: false, statusDescriptions }, 'PUT');
		const secured = inbound({ checks: ['path'], pathSecret: 'abcdefgh-0123456789' });
		const { message } = await refusalOf(activate(workflow({ verifySender: true }, secured)));
		expect(message).toContain(`UNREACHABLE: No response at ${host}/`);
		expect(message).not.toContain('abcdefgh');
	});

	it('refuses checks of the sender that no delivery could pass', async () => {
		await expect(
			activate(workflow({ verifySender: true }, inbound({ checks: ['header'], headerName: 'x', headerSecret: '' }))),
		).rejects.toThrow('Header Secret is empty');
		expect(calls()).toEqual([]);
	});
});

describe('a test run', () => {
	it('never touches the bank, neither when it begins nor when it ends', async () => {
		const flow = workflow();
		await activate(flow, 'manual');
		await deactivate(flow);
		expect(calls()).toEqual([]);
	});

	it('that cannot begin leaves the bank alone, too, and says only why', async () => {
		const flow = workflow({ verifySender: true, onDeactivation: 'delete' }, {});
		const { setup } = new BankTrigger().webhookMethods;
		const [first] = new BankTrigger().description.webhooks ?? [];
		expect(first?.name).toBe('setup');
		await expect(setup.checkExists.call(flow.hook('manual'))).rejects.toThrow(
			'No credential of the type Bank Triggers',
		);
		// n8n calls `delete` for the webhooks that it has created so far, with other static data.
		flow.staticData = { subscription: { id, object } };
		expect(await setup.delete.call(flow.hook('update'))).toBe(true);
		expect(calls()).toEqual([]);
	});
});

describe('deactivation', () => {
	const after = async (
		parameters: Record<string, unknown>,
		before = original,
		meanwhile: Record<string, unknown> = {},
	) => {
		registered = { ...before };
		const flow = await activated(workflow(parameters));
		calls();
		registered = { ...registered, ...meanwhile };
		await deactivate(flow);
		return calls();
	};

	it('restores the address that was registered before', async () => {
		expect(await after({ accountsMode: 'all' }, { ...original, enabled: true })).toEqual(['GET', 'PUT']);
		expect(registered).toMatchObject({
			enabled: true,
			callbackUri: original.callbackUri,
			data: original.data,
			organizationIdHash: 'hash',
		});
	});

	it('does not enable a subscription that the bank has disabled meanwhile', async () => {
		await after({}, { ...original, enabled: true }, { enabled: false });
		expect(registered).toMatchObject({ enabled: false, callbackUri: original.callbackUri });
	});

	it('restores the address from before the first activation if the bank does not show the registered one', async () => {
		registered = { ...original, enabled: false };
		responding({ callbackUri: null }, 'GET');
		const flow = workflow();
		for (const activation of ['activate', 'init']) await activate(flow, activation);
		await deactivate(flow);
		expect(registered).toMatchObject({ enabled: false });
	});

	it.each([
		['disables the subscription', 'disable', ['GET', 'PUT'], { enabled: false, callbackUri: own }],
		['leaves it as it is', 'leave', [], { enabled: true, callbackUri: own }],
		['deletes it', 'delete', ['GET', 'DELETE'], {}],
	])('%s, where that is wished', async (_what, onDeactivation, requests, left) => {
		expect(await after({ onDeactivation }, { ...original, enabled: true })).toEqual(requests);
		expect(registered).toMatchObject({ ...left, data: original.data });
	});

	it.each(['restore', 'disable', 'delete'])(
		'with %s keeps away from a subscription that leads elsewhere by now',
		async (onDeactivation) => {
			expect(await after({ onDeactivation }, original, { callbackUri: `${host}/webhook/elsewhere` })).toEqual(['GET']);
		},
	);

	it.each(['restore', 'disable', 'delete'])(
		'with %s does nothing to a subscription that was never ours',
		async (onDeactivation) => {
			await deactivate(workflow({ onDeactivation }));
			const payments = workflow({ onDeactivation, object: incoming });
			await deactivate(payments);
			expect(calls()).toEqual(['GET']);
			expect(payments.log.join()).toContain('n8n has no record that this workflow changed the subscription');
		},
	);

	it.each([object, incoming])(
		'does not touch a subscription that only an earlier setting meant (%s)',
		async (given) => {
			registered = { ...original, object: given };
			const flow = await activated(workflow({ object: given, onDeactivation: 'leave' }));
			await deactivate(flow);
			calls();
			const other = '123e4567-e89b-42d3-a456-426614174001';
			flow.parameters = { ...flow.parameters, id: other, onDeactivation: 'delete' };
			registered = { ...original, id: other, object: given, callbackUri: `${host}/webhook/another` };
			await deactivate(flow);
			expect(calls().filter((method) => method !== 'GET')).toEqual([]);
		},
	);

	it.each([
		[{ accountsMode: 'all' }, []],
		[{ accountsMode: 'listed', accounts: ['7'] }, ['7']],
	])(
		'sends the accounts that it has registered where the bank does not say which are (%j)',
		async (given, accounts) => {
			responding({ data: undefined }, 'GET', 'PUT');
			const flow = await activated(workflow(given));
			await deactivate(flow);
			expect(put()).toMatchObject({ enabled: false, callbackUri: original.callbackUri, data: { accounts } });
		},
	);

	it.each([null, ''])('disables the subscription if no address was registered before (%j)', async (callbackUri) => {
		registered = { ...original, enabled: true, callbackUri };
		const flow = await activated();
		await deactivate(flow);
		expect(registered).toMatchObject({ enabled: false, callbackUri: own });
	});

	it('disables the subscription if the address before was that of this workflow', async () => {
		await after(
			{},
			{
				...original,
				enabled: true,
				data: { accounts: ['1'] },
				callbackUri: `${host}/webhook/hook-id/hook-id/bank/older-secret-000`,
			},
		);
		expect(registered).toMatchObject({ enabled: false });
	});

	it('disables incoming payments', async () => {
		registered = { ...original, object: incoming, data: undefined };
		const flow = await activated(workflow({ object: incoming }));
		await deactivate(flow);
		expect(put()).toEqual({ object: incoming, enabled: false, organizationIdHash: 'hash', version: 1 });
	});

	it.each([{}, { object: incoming, onDeactivation: 'delete' }])(
		'succeeds if the subscription no longer exists (%j)',
		async (given) => {
			registered = { ...original, ...given };
			const flow = await activated(workflow(given));
			bank().answer = () => [404, { error: 'unknown_route' }];
			expect(await deactivate(flow)).toBe(true);
			// With a wrong base URL the bank would also respond with 404.
			if (!('object' in given)) expect(flow.log.join()).toContain('or the base URL of the credential is wrong');
		},
	);

	it('restores the address that was found last, not an older one that somebody else has replaced since', async () => {
		const flow = await activated();
		bank().answer = () => [500];
		await expect(deactivate(flow)).rejects.toThrow('may still point to it');
		bank().answer = ordinary;
		const moved = { ...original, callbackUri: `${host}/webhook/other`, data: { accounts: ['9'] } };
		registered = moved;
		await activate(flow);
		await deactivate(flow);
		expect(registered).toMatchObject({ callbackUri: moved.callbackUri, data: moved.data });
	});

	it('that fails says which address is registered, and can be tried again', async () => {
		const flow = await activated();
		bank().answer = () => [503];
		await expect(deactivate(flow)).rejects.toThrow('the subscription at the bank may still point to it');
		bank().answer = ordinary;
		await deactivate(flow);
		expect(registered).toMatchObject({ callbackUri: original.callbackUri });
	});

	it('does not happen after a failed start of n8n: the subscription stays', async () => {
		const flow = await activated(workflow({ onDeactivation: 'delete' }));
		calls();
		bank().answer = () => [401, { error: 'invalid_token' }];
		await expect(activate(flow, 'init')).rejects.toThrow('access token');
		expect(calls()).toEqual(['GET']);
	});
});

/** A person publishes and unpublishes two workflows in every order, and n8n restarts in between. */
describe('of two workflows with one subscription', () => {
	const published = new Set<FakeWorkflow>();
	const address = ({ webhookId }: FakeWorkflow) => `${host}/webhook/${webhookId}`;
	const isOf = (flow: FakeWorkflow, url: unknown) => String(url).startsWith(`${address(flow)}/`);
	const pair = (parameters: Record<string, unknown> = {}): [FakeWorkflow, FakeWorkflow] => {
		published.clear();
		const flows: [FakeWorkflow, FakeWorkflow] = [workflow(parameters), workflow(parameters)];
		for (const [index, flow] of flows.entries()) {
			flow.webhookId = `hook-${index}`;
			flow.responseAt = (url) => ([...published].some((one) => isOf(one, url)) ? 200 : 404);
		}
		return flows;
	};
	const publish = async (flow: FakeWorkflow, options: Record<string, unknown> = {}) => {
		flow.parameters.options = options;
		published.add(flow);
		await activate(flow).catch((error: unknown) => {
			published.delete(flow);
			throw error;
		});
	};
	const unpublish = async (flow: FakeWorkflow) => {
		// n8n removes its webhooks first.
		published.delete(flow);
		await deactivate(flow);
	};
	const receiver = (flows: readonly FakeWorkflow[]) =>
		registered.enabled === true ? flows.find((flow) => isOf(flow, registered.callbackUri)) : undefined;

	type Step = 'publish 0' | 'publish 1' | 'take 0' | 'take 1' | 'unpublish 0' | 'unpublish 1' | 'start';
	const possible = (flows: readonly FakeWorkflow[]): Step[] =>
		([0, 1] as const).flatMap((index): Step[] =>
			published.has(existing(flows[index])) ? [`unpublish ${index}`] : [`publish ${index}`, `take ${index}`],
		);

	it('no event is taken unasked or sent to an unpublished workflow, and a published one gets them back', async () => {
		const seen = { refused: 0, taken: 0, givenBack: 0, started: 0 };
		/** Replays the steps, checks the last one and returns the steps that may follow. */
		const replay = async (steps: readonly Step[]): Promise<Step[]> => {
			registered = { ...original, enabled: true };
			const flows = pair();
			/** Published workflows whose events the other workflow has taken over. */
			const waiting = new Set<FakeWorkflow>();
			for (const step of steps) {
				const before = { ...registered };
				const holder = receiver(flows);
				if (step === 'start') {
					for (const flow of published) await activate(flow, 'init');
					expect(registered).toEqual(before);
					seen.started++;
					continue;
				}
				const [what, index] = step.split(' ');
				const flow = existing(flows[Number(index)]);
				if (what === 'unpublish') {
					await unpublish(flow);
					const [other] = published;
					if (other !== undefined && holder === flow && waiting.has(other)) {
						expect(receiver(flows)).toBe(other);
						seen.givenBack++;
					}
					waiting.delete(flow);
				} else if (what === 'publish' && holder !== undefined) {
					await expect(publish(flow)).rejects.toThrow(`at ${address(holder)}/bank. Unpublish that workflow`);
					expect(registered).toEqual(before);
					seen.refused++;
				} else {
					await publish(flow, what === 'take' ? { takeOver: true } : {});
					expect(receiver(flows)).toBe(flow);
					if (holder !== undefined) waiting.add(holder);
					waiting.delete(flow);
					if (holder !== undefined) seen.taken++;
				}
				const now = receiver(flows);
				expect(now === undefined || published.has(now)).toBe(true);
			}
			return [...possible(flows), ...(steps.at(-1) === 'start' ? [] : ['start' as const])];
		};
		// The workflows are equal, so only one of them needs to be the first.
		let histories: Step[][] = [['publish 0'], ['take 0']];
		for (let length = 1; length <= 4; length++) {
			const next: Step[][] = [];
			for (const steps of histories) for (const step of await replay(steps)) next.push([...steps, step]);
			histories = next;
		}
		expect(Object.values(seen).every((count) => count > 2)).toBe(true);
	});

	it('takes over without asking if the other workflow no longer exists or its address does not respond', async () => {
		for (const response of [404, 502, undefined]) {
			registered = { ...original, enabled: true };
			const [first, second] = pair();
			await publish(first);
			second.responseAt = () => response;
			await publish(second);
			expect(receiver([first, second])).toBe(second);
		}
	});

	it('shows no secret of the other workflow', async () => {
		const [first, second] = pair();
		registered = {
			...original,
			enabled: true,
			callbackUri: `${address(first)}/${first.webhookId}/bank/the-secret?partner=42`,
		};
		published.add(first);
		const { message } = await refusalOf(publish(second));
		expect(message).toContain(`at ${address(first)}/${first.webhookId}/bank/…`);
		await publish(second, { takeOver: true });
		await unpublish(second);
		expect(message + second.log.join()).not.toContain('the-secret');
		expect(second.log.join()).toContain('gives the subscription back to another Bank Trigger');
	});

	it('incoming payments, which cannot be read, are taken over according to the address that the user entered', async () => {
		registered = { ...original, object: incoming, data: undefined, enabled: true };
		const [first, second] = pair({ object: incoming });
		await publish(first);
		const options = { registeredCallbackUri: String(registered.callbackUri) };
		await expect(publish(second, options)).rejects.toThrow('Another workflow receives the events');
		await publish(second, { ...options, takeOver: true });
		expect(receiver([first, second])).toBe(second);
		calls();
		for (const flow of [first, second]) await activate(flow, 'init');
		expect(calls()).toEqual([]);
		await unpublish(second);
		expect(receiver([first, second])).toBe(first);
	});
});

describe('a failed activation', () => {
	/** The bank carries out the edit, but its response is an error. */
	const lost = (request: SeenRequest): [number, unknown?] => {
		const answer = ordinary(request);
		return request.method === 'PUT' ? [500, { error: 'internal_error' }] : answer;
	};
	/** After the first edit the bank can no longer be reached. */
	const lostThenAway = () => {
		let isAway = false;
		return (request: SeenRequest): [number, unknown?] => {
			if (isAway) return [503];
			isAway = request.method === 'PUT';
			return lost(request);
		};
	};

	it.each(['restore', 'disable', 'leave', 'delete'])(
		'that could not be undone at once is undone when n8n calls delete again (%s)',
		async (onDeactivation) => {
			registered = { ...original, enabled: true };
			const flow = workflow({ onDeactivation });
			bank().answer = lostThenAway();
			await expect(activate(flow)).rejects.toThrow('may still point to it');
			expect(registered).toMatchObject({ callbackUri: own });
			bank().answer = ordinary;
			calls();
			await deactivate(flow);
			expect(calls()).toEqual(['GET', 'PUT']);
			expect(registered).toMatchObject({ enabled: true, callbackUri: original.callbackUri });
		},
	);

	it.each([
		['is refused', 400, { error: 'invalid_request' }],
		['is confirmed as disabled', 200, { enabled: false }],
	])('whose edit %s deletes nothing, though n8n calls delete again', async (_what, status, answer) => {
		registered = { ...original, callbackUri: own };
		refusing(status, answer);
		const flow = workflow({ onDeactivation: 'delete' });
		await expect(activate(flow)).rejects.toThrow('does not listen');
		bank().answer = ordinary;
		calls();
		await deactivate(flow);
		expect(calls()).not.toContain('DELETE');
		expect(registered).toMatchObject({ enabled: false });
		// After a successful activation, unpublishing deletes.
		await activate(flow);
		await deactivate(flow);
		expect(calls()).toContain('DELETE');
	});

	it('that could never be undone leaves the earlier address to the next activation', async () => {
		registered = { ...original, enabled: true };
		const flow = workflow();
		bank().answer = lostThenAway();
		await expect(activate(flow)).rejects.toThrow('may still point to it');
		bank().answer = ordinary;
		calls();
		await activate(flow);
		expect(calls()).toEqual(['GET']);
		await deactivate(flow);
		expect(registered).toMatchObject({ enabled: true, callbackUri: original.callbackUri });
	});

	it('leaves the subscription of another Bank Trigger enabled, which still runs', async () => {
		const [running, failing] = [workflow(), workflow({ accountsMode: 'all' })];
		running.webhookId = 'hook-of-another';
		await activate(running);
		const before = registered;
		responding({ data: { accounts: ['1'] } }, 'PUT');
		await expect(activate(failing)).rejects.toThrow('the bank has kept other accounts');
		expect(registered).toMatchObject({ enabled: true, callbackUri: before.callbackUri, data: before.data });
		expect(failing.log.join()).not.toContain('another Bank Trigger');
	});

	it('sends the hash of the organization when it is undone, as every edit does', async () => {
		for (const given of [object, incoming]) {
			registered = { ...original, object: given };
			responding({ enabled: false }, 'PUT');
			const flow = workflow({ object: given, options: { organizationIdHash: 'of the option' } });
			await expect(activate(flow)).rejects.toThrow('keeps the subscription disabled');
			expect(put()).toMatchObject({ enabled: false, organizationIdHash: 'of the option' });
		}
	});
});

interface Delivered {
	status?: number;
	text?: string;
	items: Record<string, unknown>[];
	response: FakeResponse;
}

/** @param options `answer`: n8n's response after the execution was stored, or could not be; undefined while it is being stored */
async function deliver(
	flow: FakeWorkflow,
	body: unknown,
	options: Delivery & { answer?: number | undefined } = {},
): Promise<Delivered> {
	const { answer, ...delivery } = { answer: 200, headers: key, ...options };
	const { result, response, items } = await flow.receive(trigger, body, delivery);
	if (items.length > 0) {
		if (answer !== undefined) response.answer(answer);
		return { items, response };
	}
	expect(result).toEqual({ noWebhookResponse: true });
	expect(response.headersSent).toBe(true);
	return { status: response.statusCode, text: response.text, items, response };
}

describe('a delivery', () => {
	it('becomes one item per event, with its payload unchanged', async () => {
		const event = { actionType: 'create', object: 'other_object', data: { text: 'ё', n: 1.5 } };
		const { items } = await deliver(trusting(), [event, { eventId: 'e1' }]);
		expect(items).toEqual([
			{
				eventId: expect.stringMatching(/^[\da-f]{64}$/),
				object: 'other_object',
				receivedAt: expect.stringMatching(/^\d{4}-.*Z$/),
				payload: event,
			},
			{ eventId: 'e1', object, receivedAt: expect.any(String), payload: { eventId: 'e1' } },
		]);
	});

	it.each(['application/vnd.bank+json', 'application/octet-stream', 'text/plain', ''])(
		'of the type %j is read as JSON all the same',
		async (type) => {
			expect((await deliver(trusting(), '\uFEFF{"a":1}', { type, lazy: true })).items).toMatchObject([
				{ payload: { a: 1 } },
			]);
		},
	);

	it.each([
		['{"a":', 'application/vnd.bank+json'],
		['hello', 'text/plain'],
		['a=1', 'application/x-www-form-urlencoded'],
	])('cut off or unreadable (%j) is refused', async (body, type) => {
		const flow = trusting();
		expect(await deliver(flow, body, { type })).toMatchObject({ status: 422, items: [] });
		expect(flow.log.join()).toContain('not valid JSON');
	});

	/** Calls the trigger with a request that `FakeWorkflow.receive` cannot describe. */
	async function call(request: Record<string, unknown>) {
		const flow = workflow();
		const { context, response } = flow.delivery({ request: { headers: {}, ...request } });
		const { workflowData } = await trigger.webhook.call(context);
		return {
			log: flow.log.join(),
			status: response.statusCode,
			payloads: workflowData?.[0]?.map(({ json }) => json.payload),
		};
	}

	it('that breaks off while it is read is refused, and the log says why', async () => {
		const readRawBody = () => Promise.reject(new Error('request entity too large'));
		expect(await call({ contentType: 'application/octet-stream', readRawBody })).toEqual({
			status: 422,
			log: expect.stringContaining('request entity too large'),
			payloads: undefined,
		});
	});

	it('that is a form with files is refused', async () => {
		expect(await call({ contentType: 'multipart/form-data' })).toMatchObject({ status: 422, payloads: undefined });
	});

	it('in another charset is decoded with that charset', async () => {
		const rawBody = Buffer.from('{"t":"caf\u00e9","account":40702810000000000001}', 'latin1');
		expect(await call({ encoding: 'latin1', contentType: 'application/json', rawBody })).toMatchObject({
			payloads: [{ t: 'caf\u00e9', account: '40702810000000000001' }],
		});
	});
});

describe('a repeat', () => {
	it('is dropped whatever the order of its keys, also within one delivery', async () => {
		const flow = trusting();
		expect(
			(
				await deliver(flow, [
					{ a: 1, b: 2 },
					{ b: 2, a: 1 },
				])
			).items,
		).toHaveLength(1);
		expect(await deliver(flow, { b: 2, a: 1 })).toMatchObject({ status: 200, items: [] });
		expect((await deliver(flow, [{ b: 2, a: 1 }, { b: 3 }])).items).toMatchObject([{ payload: { b: 3 } }]);
		expect(flow.log.join()).toContain('left out 1 of 2 events');
	});

	it("is recognized by the event's own identifier", async () => {
		const flow = trusting();
		await deliver(flow, { eventId: 'a', attempt: 1 });
		expect((await deliver(flow, { eventId: 'a', attempt: 2 })).items).toEqual([]);
		const twice = [2, 1].map((attempt) => ({ eventId: 'b', attempt }));
		expect((await deliver(flow, twice)).items).toMatchObject([{ payload: { attempt: 2 } }]);
	});

	it.each(['id', 'uuid'])(
		'is not an event that only shares the %s of its operation, here and in Skip Repeats',
		async (name) => {
			const flow = trusting();
			const legs = ['EXPENSE', 'INCOME'].map((direction) => ({ [name]: '1', direction }));
			const { items } = await deliver(flow, legs);
			expect(new Set(items.map(({ eventId }) => eventId)).size).toBe(2);
			expect((await deliver(flow, legs)).items).toEqual([]);
			expect((await deliver(trusting(), legs)).items.map(({ eventId }) => eventId)).toEqual(
				items.map(({ eventId }) => eventId),
			);
		},
	);

	it('does not count as a repeat if the first execution could not be stored', async () => {
		const flow = trusting();
		await deliver(flow, { eventId: 'a' }, { answer: 500 });
		const again = await deliver(flow, { eventId: 'a' }, { answer: undefined });
		expect(again.items).toHaveLength(1);
		// The sender disconnected before the response, but the execution was stored.
		again.response.close();
		again.response.answer(200);
		expect((await deliver(flow, { eventId: 'a' })).items).toEqual([]);
	});

	it('counts only for the same trigger, and never in a test', async () => {
		const flow = trusting();
		await deliver(flow, { eventId: 'a' });
		expect((await deliver(trusting(), { eventId: 'a' })).items).toHaveLength(1);
		flow.nodeId = 'another trigger of it';
		expect((await deliver(flow, { eventId: 'a' })).items).toHaveLength(1);
		for (let i = 0; i < 2; i++)
			expect((await deliver(flow, { eventId: 'a' }, { mode: 'manual' })).items).toHaveLength(1);
	});
});

describe('a stranger, where Verify Sender is off', () => {
	it('who knows the identifier of a real event cannot make that event look like a repeat, in the trigger or in later nodes', async () => {
		const flow = workflow();
		const [forged] = (await deliver(flow, { eventId: 'e1', amount: 1 })).items;
		const [real] = (await deliver(flow, { eventId: 'e1', amount: 2 })).items;
		expect(real).toMatchObject({ payload: { amount: 2 } });
		expect(real?.eventId).not.toBe(forged?.eventId);
		expect((await deliver(flow, { amount: 2, eventId: 'e1' })).items).toEqual([]);
	});

	it.each([{ eventId: 'e1' }, { text: 'the same' }])(
		'leaves nothing that matters once Verify Sender is on (%j)',
		async (event) => {
			const flow = workflow();
			const [forged] = (await deliver(flow, event)).items;
			const verified = trusting();
			flow.parameters = verified.parameters;
			flow.credentials = verified.credentials;
			const [real] = (await deliver(flow, event)).items;
			expect(real).toMatchObject({ payload: event });
			expect(real?.eventId).not.toBe(forged?.eventId);
		},
	);

	it('is mentioned in the log when the workflow is published', async () => {
		const flow = await activated();
		expect(flow.log.join()).toContain('anyone who knows its URL can start the workflow');
		const verified = trusting();
		await activate(verified);
		expect(verified.log).toEqual([]);
	});
});

describe('a sender', () => {
	it('is verified unless Verify Sender is off', () => {
		expect(trigger.description.properties.find(({ name }) => name === 'verifySender')?.default).toBe(true);
	});

	it('must use the address with the secret', async () => {
		const flow = workflow({ verifySender: true }, inbound({ checks: ['path'], pathSecret: 'abcdefgh-0123456789' }));
		expect(
			(await deliver(flow, { a: 1 }, { webhook: 'setup', params: { secret: 'abcdefgh-0123456789' } })).items,
		).toHaveLength(1);
		expect(await deliver(flow, { a: 2 }, { webhook: 'setup', params: { secret: 'x' } })).toMatchObject({ status: 401 });
		expect(await deliver(flow, { a: 3 }, { params: { secret: 'abcdefgh-0123456789' } })).toMatchObject({ status: 401 });
	});

	it.each([true, '', 'false', 0, null])(
		'is never let in without the credential, if the setting is not switched off: %j',
		async (verifySender) => {
			expect(await deliver(workflow({ verifySender }), { a: 1 })).toMatchObject({ status: 503, items: [] });
		},
	);
});
