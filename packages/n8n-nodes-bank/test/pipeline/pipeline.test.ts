/** The order of the steps for all jobs of a run. */
import { InputError, operationById, type Operation } from '@bank/core';
import { existing } from '../../../fixtures/src/existing.ts';
import type { IExecuteFunctions, INodeExecutionData, ITaskMetadata } from 'n8n-workflow';

import { FakeDatabase } from '../../../fixtures/src/processedDataStore.ts';
import { type ActionNode, actionOf } from '../../nodes/shared/execute.ts';
import { type OperationHooks, bindHooks } from '../../nodes/shared/pipeline/operationHooks.ts';
import { createSession } from '../../nodes/shared/pipeline/bankSession.ts';
import { runJobs } from '../../nodes/shared/pipeline/pipeline.ts';
import { paymentsIn, plan } from '../../nodes/shared/pipeline/plan.ts';
import { inJobOrder } from '../../nodes/shared/pipeline/present.ts';
import {
	type Asked,
	baseUrl,
	contextOf,
	type ContextOptions,
	effects,
	make,
	reply,
	runOf,
	thrownBy,
	Wire,
	withEffect,
} from './support.ts';

// These tests wait, on fake timers.
jest.mock('n8n-workflow', () => jest.requireActual<object>('n8n-workflow'));

const nextTick = () => new Promise((resolve) => setImmediate(resolve));
const kindOf = ({ request }: Asked) => request.url.slice(request.url.lastIndexOf('/') + 1);
const ofKinds = (...kinds: string[]) => kinds.map((kind) => ({ kind }));

/** A bank that responds after a moment: with the `kind` of the request, or as the test says. */
class MomentBank extends Wire {
	most = 0;
	#underWay = 0;
	readonly exceptions: Record<string, () => unknown> = {};

	override answer = async (asked: Asked) => {
		this.most = Math.max(this.most, ++this.#underWay);
		await nextTick();
		this.#underWay--;
		const kind = kindOf(asked);
		return (await this.exceptions[kind]?.()) ?? reply(200, { number: kind });
	};

	get kinds(): string[] {
		return this.asked.map(kindOf);
	}
}

interface WalkOptions extends ContextOptions {
	form?: OperationHooks;
	wire?: MomentBank;
}

/** Runs plan and pipeline of `make`, or of another operation, for each item. */
async function walked(operation: Operation, { form = {}, ...options }: WalkOptions): Promise<INodeExecutionData[]> {
	const columns = { kind: '={{ $json.kind }}', preview: '={{ $json.preview }}' };
	const parameters = { ...columns, name: 'x', ...options.parameters };
	const run = runOf(operation, { ...options, parameters });
	return inJobOrder(run, await runPlanned(run, form));
}

async function runPlanned(run: ReturnType<typeof runOf>, form: OperationHooks): ReturnType<typeof runJobs> {
	const planned = await plan(run, form);
	const bank = createSession(run.context, run, () => 'bankGatewayApi', paymentsIn(planned));
	return await runJobs(run, form, planned, bank);
}
const toldBy = (items: INodeExecutionData[]) =>
	items.map(({ json, pairedItem }) => [
		(json.details as { outcome?: string } | undefined)?.outcome ?? json.number,
		(pairedItem as { item: number }).item,
	]);
const refuse = () => reply(403, { error: 'access_denied' });
const breakDown = () => reply(500, { error: 'internal_error' });

describe('jobs', () => {
	const kinds = ofKinds('a', 'b', 'c', 'd', 'e', 'f', 'g');

	it.each([
		[undefined, 5],
		[1, 1],
		[3, 3],
		[20, 7],
	])('that read run in parallel: with the option %s, %i at a time', async (concurrency, most) => {
		const wire = new MomentBank();
		const options = concurrency === undefined ? {} : { concurrency };
		const items = await walked(withEffect('read'), { items: kinds, wire, parameters: { options } });
		expect(wire.most).toBe(most);
		expect(toldBy(items)).toEqual(kinds.map(({ kind }, item) => [kind, item]));
	});

	it.each([1, 2, 5])('that read all succeed at a bank that accepts only %i requests a second', async (most) => {
		jest.useFakeTimers();
		const wire = new MomentBank();
		const many = ofKinds(...Array.from({ length: 40 }, (_, index) => `kind-${index}`));
		let latest: number[] = [];
		for (const { kind } of many)
			wire.exceptions[kind] = () => {
				latest = [...latest.filter((at) => at > Date.now() - 1000), Date.now()];
				return latest.length > most ? reply(429) : undefined;
			};
		const end = walked(withEffect('read'), { items: many, wire, parameters: { options: { concurrency: 10 } } }).then(
			toldBy,
			(error: Error) => error.message,
		);
		await jest.runAllTimersAsync();
		jest.useRealTimers();
		expect(await end).toEqual(many.map(({ kind }, item) => [kind, item]));
	});

	it.each(effects)('with an effect run one at a time and in order (%s)', async (effect) => {
		const wire = new MomentBank();
		const options = { concurrency: 20 };
		const items = await walked(withEffect(effect), { items: kinds, wire, parameters: { options } });
		expect(wire.most).toBe(1);
		expect(wire.kinds).toEqual(kinds.map(({ kind }) => kind));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(kinds.map((_, item) => ({ item })));
	});

	it('return items in the order of the input, whichever response comes first', async () => {
		const wire = new MomentBank();
		wire.exceptions.a = async () => {
			for (let tick = 0; tick < 20; tick++) await nextTick();
		};
		const items = await walked(withEffect('read'), { items: kinds, wire });
		expect(toldBy(items)).toEqual(kinds.map(({ kind }, item) => [kind, item]));
	});

	it('are not needed: without items nothing is sent', async () => {
		const wire = new MomentBank();
		expect(await walked(make, { items: [], wire, credentials: {} })).toEqual([]);
		expect(wire.asked).toEqual([]);
	});
});

describe('a failure', () => {
	const items = ofKinds('a', 'b', 'c', 'd');
	const refusing = (...kinds: string[]) => {
		const wire = new MomentBank();
		for (const kind of kinds) wire.exceptions[kind] = refuse;
		return wire;
	};

	it.each(effects)('stops the rest and says how many requests were carried out (%s)', async (effect) => {
		const wire = refusing('c');
		const error = await thrownBy(() => walked(withEffect(effect), { items, wire }));
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 2 } });
		expect(error).toHaveProperty(
			'description',
			expect.stringContaining('Of 4 requests, 2 were carried out before this one; the rest were not sent.'),
		);
		expect(wire.kinds).toEqual(['a', 'b', 'c']);
	});

	it('of a preview is an error of its item, or stops the node', async () => {
		const form: OperationHooks = {
			preview: true,
			previewItems: (_run, { items: [item] }) => {
				if (item === 1) throw new InputError([{ path: 'name', message: 'is not fit to be seen' }]);
				return [{ json: { number: 'shown' }, pairedItem: { item: 0 } }];
			},
		};
		const options = { items: ofKinds('a', 'b'), form, parameters: { preview: true } };
		expect(toldBy(await walked(make, { ...options, continueOnFail: true }))).toEqual([
			['shown', 0],
			['notSent', 1],
		]);
		const error = await thrownBy(() => walked(make, options));
		expect(error).toMatchObject({ context: { itemIndex: 1 }, message: expect.stringContaining('fit to be seen') });
	});

	it('of the only request, or of a read, does not mention other requests', async () => {
		const alone = await thrownBy(() => walked(make, { items: ofKinds('c'), wire: refusing('c') }));
		const read = await thrownBy(() => walked(withEffect('read'), { items, wire: refusing('c') }));
		for (const error of [alone, read]) {
			const { description, context } = error as { description: string; context: { details: { description: string } } };
			expect(description).toBe(context.details.description);
		}
	});

	it('of parallel reads is the one of the first item, and no further read starts', async () => {
		const wire = refusing('a', 'b');
		wire.exceptions.a = async () => {
			for (let tick = 0; tick < 5; tick++) await nextTick();
			return refuse();
		};
		const parameters = { options: { concurrency: 2 } };
		const error = await thrownBy(() => walked(withEffect('read'), { items, wire, parameters }));
		expect(error).toMatchObject({ context: { itemIndex: 0 } });
		expect(wire.kinds).toEqual(['a', 'b']);
	});

	it('does not count previews', async () => {
		const mixed = [
			{ kind: 'a', preview: true },
			{ kind: 'b', preview: false },
			{ kind: 'c', preview: false },
		];
		const form: OperationHooks = { preview: true };
		const error = await thrownBy(() => walked(make, { items: mixed, wire: refusing('c'), form }));
		expect(error).toHaveProperty('description', expect.stringContaining('Of 2 requests, 1 was carried out before'));
	});

	it.each(['read', ...effects] as const)(
		'does not stop other items if the node continues on errors (%s)',
		async (effect) => {
			const wire = refusing('a', 'c');
			const told = toldBy(await walked(withEffect(effect), { items, wire, continueOnFail: true }));
			const outcome = effect === 'read' ? 'nothingChanged' : 'rejected';
			expect(wire.kinds).toEqual(['a', 'b', 'c', 'd']);
			expect(told.map(([, item]) => item)).toEqual([0, 1, 2, 3]);
			expect([told[0]?.[0], told[2]?.[0]]).toEqual([outcome, outcome]);
		},
	);

	it('of all items needs no credential', async () => {
		const told = toldBy(await walked(make, { items: [{}, {}], continueOnFail: true, credentials: {} }));
		expect(told).toEqual([
			['notSent', 0],
			['notSent', 1],
		]);
	});
});

/** Reads from the bank before a request is sent. */
const amend: OperationHooks['amend'] = async (_run, _job, _prepared, read) => ({
	added: {
		found: (await read(operationById('taxpayerAccount.get'), { path: { requestId: 'r' } }, 'skipReading')).status,
	},
});

describe('a read before sending', () => {
	it('adds to the output; the credential is read once for each item, not for each request', async () => {
		const wire = new MomentBank();
		const run = runOf(make, { items: ofKinds('a', 'b'), wire, parameters: { kind: '={{ $json.kind }}', name: 'x' } });
		const opened = jest.spyOn(run.context, 'getCredentials');
		expect(inJobOrder(run, await runPlanned(run, { amend }))).toMatchObject([
			{ json: { number: 'a', found: 200 } },
			{ json: { number: 'b', found: 200 } },
		]);
		expect(wire.kinds).toEqual(['r', 'a', 'r', 'b']);
		expect(opened).toHaveBeenCalledTimes(2);
	});

	it('is repeated if the bank is busy, and uses the days of the time zone', async () => {
		const wire = new MomentBank();
		const busy = [reply(503, '', { 'retry-after': '0' })];
		wire.answer = async (asked) => busy.pop() ?? reply(200, { number: '1', operations: [], asked });
		const readOperations: OperationHooks['amend'] = async (_run, _job, _prepared, read) => {
			const query = { dateFrom: '2026-03-31T20:00:00Z', dateTo: '2026-04-02' };
			await read(operationById('accountOperation.getMany'), { query }, 'skipReading');
			return {};
		};
		await walked(make, { items: ofKinds('a'), wire, form: { amend: readOperations }, timezone: 'Asia/Tokyo' });
		expect(wire.asked.map(({ request }) => request.method)).toEqual(['GET', 'GET', 'POST']);
		expect(new URL(existing(wire.urls[0])).searchParams.get('dateFrom')).toBe('2026-04-01');
	});

	it('that fails is reported as a failure of the operation, with how to skip it', async () => {
		const wire = new MomentBank();
		wire.exceptions.r = refuse;
		const [item] = await walked(make, { items: ofKinds('a'), wire, form: { amend }, continueOnFail: true });
		const description = expect.stringContaining('Read Before Update');
		expect(item?.json).toMatchObject({ details: { operation: 'thing.make', outcome: 'notSent', description } });
		expect(wire.kinds).toEqual(['r']);
	});
});

describe('a stopped execution', () => {
	it.each([
		['read', 2],
		['order', 1],
		['money', 1],
	] as const)('starts no further request, and reports the current one as stopped (%s)', async (effect, begun) => {
		const [wire, stop] = [new MomentBank(), new AbortController()];
		wire.exceptions.a = () => stop.abort();
		const items = await walked(withEffect(effect), {
			items: ofKinds('a', 'b', 'c', 'd'),
			wire,
			continueOnFail: true,
			signal: stop.signal,
			parameters: { options: { concurrency: 2 } },
		});
		expect(wire.asked).toHaveLength(begun);
		expect(items).toHaveLength(begun);
		expect(items[0]?.json).toMatchObject({ details: { code: 'ERR_CANCELED' } });
	});

	it('that is stopped before it begins sends nothing', async () => {
		const wire = new MomentBank();
		expect(await walked(make, { items: ofKinds('a'), wire, signal: AbortSignal.abort() })).toEqual([]);
		expect(wire.asked).toEqual([]);
	});
});

describe('the stored state', () => {
	it.each(effects)('returns on every rerun the response to what was sent first (%s)', async (effect) => {
		const [wire, context] = [new MomentBank(), {}];
		let name = 0;
		const form: OperationHooks = {
			output: (_run, { sent, result }) => [{ json: { sent: JSON.stringify(sent.body), ...(result.data as object) } }],
		};
		const options = { items: ofKinds('a'), wire, context, form, parameters: { name: () => `try ${++name}` } };
		for (let rerun = 0; rerun < 3; rerun++)
			expect(await walked(withEffect(effect), options)).toEqual([{ json: { sent: '{"name":"try 1"}', number: 'a' } }]);
		expect(wire.kinds).toEqual(['a']);
	});
});

describe('a payment', () => {
	const payments: OperationHooks['payments'] = (_run, { items: [item = 0] }, { path }) => {
		const { kind: name } = path as { kind: string };
		return [{ field: 'sequence', name, identity: [name], item, content: {} }];
	};
	const money = withEffect('money');
	afterEach(() => jest.restoreAllMocks());

	it('that took too long to prepare is not sent, and is sent by the next run', async () => {
		const [wire, remembered] = [new MomentBank(), new FakeDatabase()];
		const options = { items: ofKinds('a'), wire, remembered, continueOnFail: true };
		const amend: OperationHooks['amend'] = async () => {
			const late = Date.now() + 130_000;
			jest.spyOn(Date, 'now').mockReturnValue(late);
			return {};
		};
		const [item] = await walked(money, { ...options, form: { payments, amend } });
		expect(item?.json).toMatchObject({
			error: 'The payments were not sent: preparing them took more than two minutes',
			details: { outcome: 'notSent', code: 'too_late' },
		});
		expect(wire.asked).toEqual([]);
		expect(toldBy(await walked(money, { ...options, executionId: '2', form: { payments } }))).toEqual([['a', 0]]);
	});

	it('whose response cannot be processed is unknown', async () => {
		const [wire, remembered] = [new MomentBank(), new FakeDatabase()];
		const results = () => Promise.reject(new RangeError('Maximum call stack size exceeded'));
		const form: OperationHooks = { payments, results };
		for (const executionId of ['1', '2']) {
			const options = { items: ofKinds('a'), wire, remembered, continueOnFail: true, executionId };
			expect(toldBy(await walked(money, { ...options, form }))).toEqual([['unknown', 0]]);
		}
		expect(wire.kinds).toEqual(['a']);
	});

	it('that an earlier run sent returns its item; the items of a request are built once, not once for each payment', async () => {
		const [wire, remembered, names] = [new MomentBank(), new FakeDatabase(), ['x', 'y', 'z']];
		let calls = 0;
		const form: OperationHooks = {
			payments: () => names.map((name) => ({ field: 'sequence', name, identity: [name], item: 0, content: {} })),
			results: async () => ({
				payments: new Map(names.map((name) => [name, { items: [{ json: { outcome: 'accepted' } }] }])),
				others: [],
			}),
			earlierItems: async () => {
				calls++;
				return new Map(names.map((name) => [name, { row: name }]));
			},
		};
		const outcomes = async (executionId: string) => {
			const items = await walked(money, { items: ofKinds('a'), wire, remembered, executionId, form });
			return items.map(({ json }) => [json.row, json.outcome]);
		};
		expect(await outcomes('1')).toEqual(names.map(() => [undefined, 'accepted']));
		expect(await outcomes('2')).toEqual(names.map((name) => [name, 'alreadyAccepted']));
		expect(calls).toBe(1);
	});
});

it('a run stores operation, outcomes and the request ID of the bank with the execution', async () => {
	const wire = new MomentBank();
	wire.exceptions.a = () => reply(200, { number: 'a' }, { 'X-Request-Id': 'trace-1' });
	wire.exceptions.b = breakDown;
	const tracing: unknown[] = [];
	const run = runOf(make, {
		items: ofKinds('a', 'b'),
		wire,
		continueOnFail: true,
		parameters: { kind: '={{ $json.kind }}', name: 'x' },
	});
	Object.assign(run.context, { setMetadata: (metadata: ITaskMetadata) => void tracing.push(metadata.tracing) });
	await runPlanned(run, {});
	const stored = { 'bank.operation': make.id, 'bank.outcome': 'unknown, accepted', 'bank.requestId': 'trace-1' };
	expect(tracing).toEqual([stored]);
});

describe('a preview', () => {
	const form: OperationHooks = { preview: true };
	const items = [
		{ kind: 'a', preview: true },
		{ kind: 'b', preview: false },
		{ kind: 'c', preview: 'true' },
	];
	const shownOf = (told: INodeExecutionData[]) => told.map(({ json }) => json.preview ?? json.number);

	it('needs no credential, stores nothing and sends nothing', async () => {
		const [wire, context, remembered] = [new MomentBank(), {}, new Set<string>()];
		const told = await walked(make, {
			items: [existing(items[0]), existing(items[2])],
			wire,
			context,
			remembered,
			form,
			credentials: {},
		});
		expect(shownOf(told)).toEqual([true, true]);
		expect(told.map(({ pairedItem }) => pairedItem)).toEqual([[{ item: 0 }], [{ item: 1 }]]);
		expect([wire.asked, context, [...remembered]]).toEqual([[], {}, []]);
	});

	it('of some items does not keep the others from being sent, in order', async () => {
		const wire = new MomentBank();
		expect(shownOf(await walked(make, { items, wire, form }))).toEqual([true, 'b', true]);
		expect(wire.kinds).toEqual(['b']);
	});

	it('runs before anything is sent; if it fails, nothing is sent', async () => {
		const wire = new MomentBank();
		const amend: OperationHooks['amend'] = async (_run, { items: [item] }) => {
			if (item === 2) throw new InputError([{ path: 'host', message: 'is another one' }]);
			return {};
		};
		const error = await thrownBy(() => walked(make, { items, wire, form: { ...form, amend } }));
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: 'host is another one (item 2)',
			description: expect.stringContaining('Nothing was sent.'),
		});
		expect(wire.asked).toEqual([]);
		const told = await walked(make, { items, wire, form: { ...form, amend }, continueOnFail: true });
		expect(toldBy(told)[2]).toEqual(['notSent', 2]);
		expect(wire.kinds).toEqual(['b']);
	});

	it('may read from the bank, and then needs a credential', async () => {
		const wire = new MomentBank();
		expect(await walked(make, { items: items.slice(0, 1), wire, form: { ...form, amend } })).toMatchObject([
			{ json: { preview: true, found: 200 } },
		]);
		expect(wire.asked.map(({ request }) => request.method)).toEqual(['GET']);
		const error = await thrownBy(() =>
			walked(make, { items: items.slice(0, 1), form: { ...form, amend }, credentials: {} }),
		);
		expect(error).toMatchObject({ message: 'No credential of the type Bank Partner Services (Gateway) API is chosen' });
	});
});

describe('running an operation', () => {
	const node: ActionNode = { name: 'bank', credentialFor: () => 'bankGatewayApi', forms: [] };
	const period = { dateBegin: '2026-01-01', dateEnd: '2026-01-31', accountIds: ['40702810000000000001'] };
	const order = { resource: 'statement', operation: 'orderAccount', ...period };
	const entered = async (options: ContextOptions, own: Partial<ActionNode> = {}) =>
		await actionOf({ ...node, ...own }, []).execute.call(
			contextOf({ parameters: order, ...options }) as unknown as IExecuteFunctions,
		);
	const answering = (body: unknown) => Object.assign(new Wire(), { answer: () => reply(200, body) });

	it('runs the chosen operation and returns its items in the first output', async () => {
		const wire = answering({ id: 5 });
		expect(await entered({ wire })).toEqual([[{ json: { id: '5' }, pairedItem: { item: 0 } }]]);
		expect(wire.urls).toEqual([`${baseUrl}/api/pp/v1/reports/type/account`]);
	});

	it('uses the hooks of the operation, and the credential of the chosen authentication', async () => {
		const operation = operationById('statement.orderAccount');
		const form: OperationHooks = { output: () => [{ json: { own: true } }] };
		const asked: unknown[] = [];
		const credentialFor: ActionNode['credentialFor'] = ({ id }, parameter) => {
			asked.push([id, parameter('flow'), parameter('nothing')]);
			return 'bankGatewayApi';
		};
		const parameters = { ...order, flow: 'hostToHost' };
		const forms = [bindHooks(operationById('statement.orderCredit'), {}), bindHooks(operation, form)];
		expect(await entered({ wire: answering({ id: 5 }), parameters }, { forms, credentialFor })).toEqual([
			[{ json: { own: true } }],
		]);
		expect(asked).toEqual([['statement.orderAccount', 'hostToHost', null]]);
	});

	it.each([
		['statement', 'orderNothing'],
		['nothing', 'orderAccount'],
		// An operation of another node.
		['unifiedCheck', 'run'],
		['__CUSTOM_API_CALL__', '__CUSTOM_API_CALL__'],
	])('refuses an operation that the node does not have: %s, %s', async (resource, operation) => {
		const error = await thrownBy(() => entered({ parameters: { ...order, resource, operation } }));
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: `There is no operation "${operation}" for the resource "${resource}"`,
			description: expect.stringContaining('Nothing was sent.'),
		});
	});

	const agent = { type: 'n8n-nodes-bank.bankTool' };

	it.each([
		['Send Package', { resource: 'payment', operation: 'sendPackage', preview: true }],
		['Order Account Statement', order],
		['Resolve', { resource: 'payment', operation: 'resolve' }],
	])('refuses AI agents: %s', async (name, parameters) => {
		const wire = new Wire();
		expect(await thrownBy(() => entered({ wire, parameters, node: agent }))).toMatchObject({
			message: `${name} is not available to AI agents`,
			description: expect.stringContaining('Nothing was sent.'),
		});
		expect(wire.asked).toEqual([]);
	});

	it('lets AI agents read', async () => {
		const parameters = { resource: 'taxpayerAccount', operation: 'get', requestId: '1' };
		expect(await entered({ wire: answering({ status: 'x' }), node: agent, parameters })).toHaveLength(1);
	});

	it.each([
		[{ resource: 'payment', operation: 'sendPackage' }, 'Send Package'],
		[{ resource: 'webhook', operation: 'delete' }, 'Delete'],
		[{ resource: 'payment', operation: 'resolve' }, 'Resolve'],
	])('refuses irreversible operations outside of a workflow: %j', async (parameters, name) => {
		const wire = new Wire();
		expect(await thrownBy(() => entered({ wire, parameters, parents: [] }))).toMatchObject({
			message: `${name} runs only in a workflow`,
			description: expect.stringContaining('Nothing was sent.'),
		});
		expect(wire.asked).toEqual([]);
		expect(await entered({ wire: answering({ id: 5 }), parents: [] })).toHaveLength(1);
	});

	it.each([
		['there is no such operation', { parameters: { ...order, operation: 'x' } }, 'statement.x'],
		['the credential is not ready', { credentials: {} }, 'statement.orderAccount'],
	])('reports to every item that %s, if the node continues on errors', async (_name, options, operation) => {
		const [told] = await entered({ items: [{}, {}], continueOnFail: true, ...options });
		expect(told).toMatchObject([
			{ json: { details: { operation, outcome: 'notSent' } }, pairedItem: { item: 0 } },
			{ json: { details: { operation, outcome: 'notSent' } }, pairedItem: { item: 1 } },
		]);
		for (const { json } of told ?? []) expect(Object.keys(json)).toEqual(['error', 'message', 'details']);
	});

	const failing = () => {
		throw new Error('Referenced node is not there');
	};

	it.each([
		['no operation', { parameters: { ...order, operation: 'x' } }],
		['money for an agent', { parameters: { ...order, resource: 'payment', operation: 'sendPackage' }, node: agent }],
		['a fault', { parameters: { ...order, dateEnd: 'never' } }],
		['an expression', { parameters: { ...order, dateEnd: failing } }],
		['a credential', { credentials: { bankGatewayApi: {} } }],
		['a refusal', { wire: Object.assign(new Wire(), { answer: refuse }) }],
	])('stores only resource and operation of the form with an error: %s', async (_name, options) => {
		const error = await thrownBy(() => entered(options));
		expect(Object.keys((error as { node: { parameters: object } }).node.parameters)).toEqual(['resource', 'operation']);
		expect(JSON.stringify(error)).not.toContain('40702810000000000001');
	});
});
