/** The order of the steps for all jobs of a run. */
import { InputError, operationById, type Operation } from '@bank/core';
import { existing } from '../../../fixtures/src/existing.ts';
import type { INodeExecutionData, ITaskMetadata } from 'n8n-workflow';

import { FakeDatabase } from '../../../fixtures/src/processedDataStore.ts';
import { type ActionNode, runOperation } from '../../nodes/shared/execute.ts';
import { type OperationHooks, bindHooks } from '../../nodes/shared/form/operationHooks.ts';
import { BankSession } from '../../nodes/shared/http/bankSession.ts';
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

const nextTick = () => new Promise((resolve) => setImmediate(resolve));
const kindOf = ({ request }: Asked) => request.url.slice(request.url.lastIndexOf('/') + 1);
const ofKinds = (...kinds: string[]) => kinds.map((kind) => ({ kind }));

/** A bank that responds after a moment with the requested kind, or as the test says. */
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
	const parameters = {
		kind: '={{ $json.kind }}',
		name: 'x',
		preview: '={{ $json.preview }}',
		...options.parameters,
	};
	const run = runOf(operation, { ...options, parameters });
	return inJobOrder(run, await runPlanned(run, form));
}

async function runPlanned(run: ReturnType<typeof runOf>, form: OperationHooks): ReturnType<typeof runJobs> {
	const planned = await plan(run, form);
	const bank = new BankSession(run.context, run, () => 'bankGatewayApi', paymentsIn(planned));
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
	])('that read go a few at a time, with %s parallel requests exactly %i', async (concurrency, most) => {
		const wire = new MomentBank();
		const options = concurrency === undefined ? {} : { concurrency };
		const items = await walked(withEffect('read'), { items: kinds, wire, parameters: { options } });
		expect(wire.most).toBe(most);
		expect(toldBy(items)).toEqual(kinds.map(({ kind }, item) => [kind, item]));
	});

	it.each([1, 2, 5])('that read are all answered by a bank that takes only %i a second', async (most) => {
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

	it.each(effects)('with an effect go strictly one at a time and in order (%s)', async (effect) => {
		const wire = new MomentBank();
		const options = { concurrency: 20 };
		const items = await walked(withEffect(effect), { items: kinds, wire, parameters: { options } });
		expect(wire.most).toBe(1);
		expect(wire.kinds).toEqual(kinds.map(({ kind }) => kind));
		expect(items.map(({ pairedItem }) => pairedItem)).toEqual(kinds.map((_, item) => ({ item })));
	});

	it('keep the order of the input, whatever comes first', async () => {
		const wire = new MomentBank();
		wire.exceptions.a = async () => {
			for (let tick = 0; tick < 20; tick++) await nextTick();
		};
		const items = await walked(withEffect('read'), { items: kinds, wire });
		expect(toldBy(items)).toEqual(kinds.map(({ kind }, item) => [kind, item]));
	});

	it('that are none ask nobody', async () => {
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

	it.each(effects)('stops the rest, and says how many were carried out (%s)', async (effect) => {
		const wire = refusing('c');
		const error = await thrownBy(() => walked(withEffect(effect), { items, wire }));
		expect(error).toMatchObject({ name: 'NodeApiError', context: { itemIndex: 2 } });
		expect(error).toHaveProperty(
			'description',
			expect.stringContaining('Of 4 requests, 2 were carried out before this one; the rest were not sent.'),
		);
		expect(wire.kinds).toEqual(['a', 'b', 'c']);
	});

	it('counts one as one', async () => {
		const error = await thrownBy(() => walked(make, { items, wire: refusing('b') }));
		expect(error).toHaveProperty('description', expect.stringContaining('Of 4 requests, 1 was carried out before'));
	});

	it('of a payment tells what the run did, and the fields that name what was accepted', async () => {
		const payments: OperationHooks['payments'] = (_run, { items: [item = 0] }, { path }) => {
			const { kind: name } = path as { kind: string };
			return [{ field: 'sequence', name, own: [name], item, content: {} }];
		};
		const form: OperationHooks = { payments, receiptFields: ['number'] };
		const error = await thrownBy(() => walked(withEffect('money'), { items, wire: refusing('c'), form }));
		const { description, context } = error as { description: string; context: { details: object } };
		expect(description).toMatch(/^2 of 4 accepted; 1 rejected, 1 not sent\. /);
		expect(context.details).toMatchObject({ sequence: 'c', carriedOut: [{ number: 'a' }, { number: 'b' }] });
	});

	it('of what is only shown is that of its item, or stops the node', async () => {
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

	it('of the only request says nothing of others, nor does that of a read', async () => {
		const alone = await thrownBy(() => walked(make, { items: ofKinds('c'), wire: refusing('c') }));
		const read = await thrownBy(() => walked(withEffect('read'), { items, wire: refusing('c') }));
		for (const error of [alone, read]) {
			const { description, context } = error as { description: string; context: { details: { description: string } } };
			expect(description).toBe(context.details.description);
		}
	});

	it('of several reads at a time is that of the first item, and no more are begun after it', async () => {
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

	it('does not count what was to be shown only', async () => {
		const mixed = [
			{ kind: 'a', preview: true },
			{ kind: 'b', preview: false },
			{ kind: 'c', preview: false },
		];
		const form: OperationHooks = { preview: true };
		const error = await thrownBy(() => walked(make, { items: mixed, wire: refusing('c'), form }));
		expect(error).toHaveProperty('description', expect.stringContaining('Of 2 requests, 1 was carried out before'));
	});

	it.each(['read', ...effects] as const)('lets all others go on where the node does (%s)', async (effect) => {
		const wire = refusing('a', 'c');
		const told = toldBy(await walked(withEffect(effect), { items, wire, continueOnFail: true }));
		const outcome = effect === 'read' ? 'nothingChanged' : 'rejected';
		expect(wire.kinds).toEqual(['a', 'b', 'c', 'd']);
		expect(told.map(([, item]) => item)).toEqual([0, 1, 2, 3]);
		expect([told[0]?.[0], told[2]?.[0]]).toEqual([outcome, outcome]);
	});

	it('of the plan keeps its place, where the node goes on', async () => {
		const wire = new MomentBank();
		const told = toldBy(await walked(make, { items: [{}, { kind: 'b' }], wire, continueOnFail: true }));
		expect(told).toEqual([
			['notSent', 0],
			['b', 1],
		]);
		expect(wire.kinds).toEqual(['b']);
	});

	it('of all of the plan asks for no credential', async () => {
		const told = toldBy(await walked(make, { items: [{}, {}], continueOnFail: true, credentials: {} }));
		expect(told).toEqual([
			['notSent', 0],
			['notSent', 1],
		]);
	});

	it("after sending that is nobody's is unknown, and not sent again", async () => {
		const operation: Operation = {
			...withEffect('money'),
			dialect: {
				...existing(operationById('courier.authorize').dialect),
				isRejection: () => {
					throw new RangeError('Maximum call stack size exceeded');
				},
			},
		};
		const [wire, context] = [new MomentBank(), {}];
		for (let rerun = 0; rerun < 2; rerun++)
			expect(toldBy(await walked(operation, { items: ofKinds('a'), wire, context, continueOnFail: true }))).toEqual([
				['unknown', 0],
			]);
		expect(wire.kinds).toEqual(['a']);
	});
});

describe('what is learnt before sending', () => {
	const amend: OperationHooks['amend'] = async (_run, _job, _prepared, read) => ({
		added: {
			found: (await read(operationById('taxpayerAccount.get'), { path: { requestId: 'r' } }, 'skipReading')).status,
		},
	});

	it('is there for the output, and the credential is opened once for all of it', async () => {
		const wire = new MomentBank();
		const run = runOf(make, { items: ofKinds('a', 'b'), wire, parameters: { kind: '={{ $json.kind }}', name: 'x' } });
		const form: OperationHooks = { amend, extraFields: ({ added }) => added };
		const opened = jest.spyOn(run.context, 'getCredentials');
		expect(inJobOrder(run, await runPlanned(run, form))).toMatchObject([
			{ json: { number: 'a', found: 200 } },
			{ json: { number: 'b', found: 200 } },
		]);
		expect(wire.kinds).toEqual(['r', 'a', 'r', 'b']);
		expect(opened).toHaveBeenCalledTimes(1);
	});
});

describe('a read before sending', () => {
	it('is tried again where the bank is busy, and falls on the days of the time zone', async () => {
		const wire = new MomentBank();
		const busy = [reply(503, '', { 'retry-after': '0' })];
		wire.answer = async (asked) => busy.pop() ?? reply(200, { number: '1', operations: [], asked });
		const amend: OperationHooks['amend'] = async (_run, _job, _prepared, read) => {
			const query = { dateFrom: '2026-03-31T20:00:00Z', dateTo: '2026-04-02' };
			await read(operationById('accountOperation.getMany'), { query }, 'skipReading');
			return {};
		};
		await walked(make, { items: ofKinds('a'), wire, form: { amend }, timezone: 'Asia/Tokyo' });
		expect(wire.asked.map(({ request }) => request.method)).toEqual(['GET', 'GET', 'POST']);
		expect(new URL(existing(wire.urls[0])).searchParams.get('dateFrom')).toBe('2026-04-01');
	});
});

describe('a stopped execution', () => {
	it.each([
		['read', 2],
		['order', 1],
		['money', 1],
	] as const)('begins no more, and what was under way counts as stopped (%s)', async (effect, begun) => {
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

	it('ends as stopped where it does not go on after errors', async () => {
		const [wire, stop] = [new MomentBank(), new AbortController()];
		wire.exceptions.a = () => stop.abort();
		const walking = walked(make, { items: ofKinds('a', 'b'), wire, signal: stop.signal });
		await expect(walking).rejects.toThrow('(canceled)');
		expect(wire.asked).toHaveLength(1);
	});

	it('that was stopped before it began sends nothing', async () => {
		const wire = new MomentBank();
		expect(await walked(make, { items: ofKinds('a'), wire, signal: AbortSignal.abort() })).toEqual([]);
		expect(wire.asked).toEqual([]);
	});
});

describe('the memory', () => {
	it.each(effects)(
		'holds a claim while the request is under way: whoever finds it does not send (%s)',
		async (effect) => {
			const operation = withEffect(effect);
			const [wire, context] = [new MomentBank(), {}];
			let found = {};
			wire.exceptions.a = () => {
				found = structuredClone(context);
			};
			await walked(operation, { items: ofKinds('a'), wire, context });
			// The process crashed during the request, so only what was stored before it remains.
			const told = await walked(operation, { items: ofKinds('a'), wire, context: found, continueOnFail: true });
			expect(toldBy(told)).toEqual([['unknown', 0]]);
			expect(wire.kinds).toEqual(['a']);
		},
	);

	it.each(effects)('answers a rerun, however often, with what was sent the first time (%s)', async (effect) => {
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

	it('holds nothing of what the form refuses before it is sealed', async () => {
		const once: Operation = { ...make, oncePerPath: true };
		const [wire, context, remembered] = [new MomentBank(), {}, new Set<string>()];
		const form: OperationHooks = {
			amend: () => Promise.reject(new InputError([{ path: 'host', message: 'is another one' }])),
		};
		const options = { items: ofKinds('a'), wire, context, remembered, continueOnFail: true };
		const [item] = await walked(once, { ...options, form });
		expect(item?.json).toMatchObject({ error: 'host is another one', details: { outcome: 'notSent' } });
		// Only that the attempt has ended; the request itself is not claimed.
		expect(remembered.size).toBe(1);
		expect(wire.asked).toEqual([]);
		expect(toldBy(await walked(once, options))).toEqual([['a', 0]]);
	});

	it('gives back what the bank allows once, where it was rejected', async () => {
		const once: Operation = { ...make, oncePerPath: true };
		const [wire, remembered] = [new MomentBank(), new Set<string>()];
		wire.exceptions.a = refuse;
		const options = { items: ofKinds('a'), wire, remembered, continueOnFail: true };
		for (const executionId of ['1', '2'])
			expect(toldBy(await walked(once, { ...options, executionId }))).toEqual([['rejected', 0]]);
		expect(wire.kinds).toEqual(['a', 'a']);
		wire.exceptions.a = breakDown;
		expect(toldBy(await walked(once, { ...options, executionId: '3' }))).toEqual([['unknown', 0]]);
		expect(toldBy(await walked(once, { ...options, executionId: '4' }))).toEqual([['unknown', 0]]);
	});

	it('that cannot release it says that it still counts as sent', async () => {
		const once: Operation = { ...make, oncePerPath: true };
		const wire = new MomentBank();
		wire.exceptions.a = refuse;
		const remembered = new (class extends Set<string> {
			override delete(): never {
				throw new Error('Connection terminated');
			}
		})();
		const options = { items: ofKinds('a'), wire, remembered, continueOnFail: true };
		const told = await walked(once, { ...options, executionId: '1' });
		expect(told).toMatchObject([{ json: { error: 'The payment was not made, but still counts as sent' } }]);
		expect(toldBy(await walked(once, { ...options, executionId: '2' }))).toEqual([['unknown', 0]]);
		expect(wire.kinds).toEqual(['a']);
	});
});

describe('a payment', () => {
	const payments: OperationHooks['payments'] = (_run, { items: [item = 0] }, { path }) => {
		const { kind: name } = path as { kind: string };
		return [{ field: 'sequence', name, own: [name], item, content: {} }];
	};
	const money = withEffect('money');
	afterEach(() => jest.restoreAllMocks());

	it('that took too long to prepare is not sent, and goes out in the next run', async () => {
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

	it('whose response cannot be read as results may have been made', async () => {
		const [wire, remembered] = [new MomentBank(), new FakeDatabase()];
		const form: OperationHooks = {
			payments,
			results: () => Promise.reject(new RangeError('Maximum call stack size exceeded')),
		};
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
			payments: () => names.map((name) => ({ field: 'sequence', name, own: [name], item: 0, content: {} })),
			results: async () => names.map((name) => ({ name, item: 0, json: { outcome: 'accepted' } })),
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

it('what was sent leaves its trace: the operation, what became of it, and by what the bank finds it', async () => {
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
	expect(tracing).toEqual([
		{ 'bank.operation': make.id, 'bank.outcome': 'unknown, accepted', 'bank.requestId': 'trace-1' },
	]);
});

describe('a preview', () => {
	const form: OperationHooks = { preview: true };
	const items = [
		{ kind: 'a', preview: true },
		{ kind: 'b', preview: false },
		{ kind: 'c', preview: 'true' },
	];
	const shownOf = (told: INodeExecutionData[]) => told.map(({ json }) => json.preview ?? json.number);

	it('needs no credential, and reaches neither memory nor network', async () => {
		const [wire, context, remembered] = [new MomentBank(), {}, new Set<string>()];
		const told = await walked(
			{ ...make, oncePerPath: true },
			{ items: [existing(items[0]), existing(items[2])], wire, context, remembered, form, credentials: {} },
		);
		expect(shownOf(told)).toEqual([true, true]);
		expect(told.map(({ pairedItem }) => pairedItem)).toEqual([[{ item: 0 }], [{ item: 1 }]]);
		expect([wire.asked, context, [...remembered]]).toEqual([[], {}, []]);
	});

	it('of some items leaves the others to be sent, each at its place', async () => {
		const wire = new MomentBank();
		expect(shownOf(await walked(make, { items, wire, form }))).toEqual([true, 'b', true]);
		expect(wire.kinds).toEqual(['b']);
	});

	it('goes before everything that is sent: where it fails, nothing is', async () => {
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

	const amend: OperationHooks['amend'] = async (_run, _job, _prepared, read) => ({
		added: {
			found: String(
				(await read(operationById('taxpayerAccount.get'), { path: { requestId: 'r' } }, 'skipReading')).status,
			),
		},
	});

	it('may read from the bank what it shows, and then needs a credential', async () => {
		const wire = new MomentBank();
		expect(await walked(make, { items: items.slice(0, 1), wire, form: { ...form, amend } })).toMatchObject([
			{ json: { preview: true, found: '200' } },
		]);
		expect(wire.asked.map(({ request }) => request.method)).toEqual(['GET']);
		const error = await thrownBy(() =>
			walked(make, { items: items.slice(0, 1), form: { ...form, amend }, credentials: {} }),
		);
		expect(error).toMatchObject({ message: 'No credential of the type Bank Gateway API is chosen' });
	});

	it('is told of a read that failed as of a failure of its own operation, and how to do without', async () => {
		const wire = new MomentBank();
		wire.exceptions.r = refuse;
		const [item] = await walked(make, { items: ofKinds('a'), wire, form: { amend }, continueOnFail: true });
		expect(item?.json).toMatchObject({
			details: {
				operation: 'thing.make',
				outcome: 'notSent',
				description: expect.stringContaining('Read Before Update'),
			},
		});
		expect(wire.kinds).toEqual(['r']);
	});
});

describe('the entrance', () => {
	const node: ActionNode = { name: 'bank', credentialFor: () => 'bankGatewayApi', forms: [] };
	const period = { dateBegin: '2026-01-01', dateEnd: '2026-01-31', accountIds: ['40702810000000000001'] };
	const order = { resource: 'statement', operation: 'orderAccount', ...period };
	const entered = async (options: ContextOptions, own: Partial<ActionNode> = {}) =>
		await runOperation(contextOf({ parameters: order, ...options }), { ...node, ...own });
	const answering = (body: unknown) => Object.assign(new Wire(), { answer: () => reply(200, body) });

	it('finds the operation that is chosen, and gives its items to the first output', async () => {
		const wire = answering({ id: 5 });
		expect(await entered({ wire })).toEqual([[{ json: { id: '5' }, pairedItem: { item: 0 } }]]);
		expect(wire.urls).toEqual([`${baseUrl}/api/pp/v1/reports/type/account`]);
	});

	it('finds the form of the operation, and the credential that goes with what is chosen', async () => {
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

	it('says a fault that is the only one once', async () => {
		const dateEnd = (_json: unknown, item: number) => ['2026-01-31', ''][item];
		const error = await thrownBy(() => entered({ items: [{}, {}], parameters: { ...order, dateEnd } }));
		expect(error).toMatchObject({
			message: 'End Date is required (item 1)',
			description: 'Nothing was sent.',
		});
	});

	it.each([
		['statement', 'orderNothing'],
		['nothing', 'orderAccount'],
		// An operation of another node.
		['unifiedCheck', 'run'],
		['__CUSTOM_API_CALL__', '__CUSTOM_API_CALL__'],
	])('refuses what is no operation of the node by name: %s, %s', async (resource, operation) => {
		const error = await thrownBy(() => entered({ parameters: { ...order, resource, operation } }));
		expect(error).toMatchObject({
			name: 'NodeOperationError',
			message: `There is no operation "${operation}" for the resource "${resource}"`,
			description: expect.stringContaining('Nothing was sent.'),
		});
	});

	const agent = { type: 'n8n-nodes-bank.bankTool' };

	it('is closed to an AI agent with money, whatever else it gives', async () => {
		const wire = new Wire();
		const parameters = { resource: 'payment', operation: 'sendPackage', preview: true };
		expect(await thrownBy(() => entered({ wire, parameters, node: agent }))).toMatchObject({
			message: 'Send Package is not available to AI agents',
			description: expect.stringContaining('Nothing was sent.'),
		});
		expect(wire.asked).toEqual([]);
	});

	it('is closed to an AI agent with an order, and open with what only reads', async () => {
		expect(await thrownBy(() => entered({ wire: answering({ id: 5 }), node: agent }))).toMatchObject({
			message: 'Order Account Statement is not available to AI agents',
		});
		const parameters = { resource: 'taxpayerAccount', operation: 'get', requestId: '1' };
		expect(await entered({ wire: answering({ status: 'x' }), node: agent, parameters })).toHaveLength(1);
	});

	it.each([
		[{ resource: 'payment', operation: 'sendPackage' }, 'Send Package'],
		[{ resource: 'webhook', operation: 'delete' }, 'Delete'],
		[{ resource: 'payment', operation: 'resolve' }, 'Resolve'],
	])('is closed to a node that stands alone, where nothing can be taken back: %j', async (parameters, name) => {
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
	])('tells every item that %s, where the node goes on', async (_name, options, operation) => {
		const [told] = await entered({ items: [{}, {}], continueOnFail: true, ...options });
		expect(told).toMatchObject([
			{ json: { details: { operation, outcome: 'notSent' } }, pairedItem: { item: 0 } },
			{ json: { details: { operation, outcome: 'notSent' } }, pairedItem: { item: 1 } },
		]);
		expect(told?.map(({ json }) => Object.keys(json))).toEqual([
			['error', 'message', 'details'],
			['error', 'message', 'details'],
		]);
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
	])('puts nothing of the form into the error that n8n stores, but what was chosen: %s', async (_name, options) => {
		const error = await thrownBy(() => entered(options));
		expect(Object.keys((error as { node: { parameters: object } }).node.parameters)).toEqual(['resource', 'operation']);
		expect(JSON.stringify(error)).not.toContain('40702810000000000001');
	});
});
