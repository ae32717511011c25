/**
 * Reruns, retries, crashes and parallel runs must not pay twice. Each situation is tested with n8n's storage and without it, where it
 * does pay twice. The host's tests show that n8n's tables work as this storage.
 */
import { FakeDatabase, InlineWorkflowRunner } from '../../../fixtures/src/processedDataStore.ts';
import { BankPartnerServices } from '../../nodes/BankPartnerServices/BankPartnerServices.node.ts';
import { jsonOf, outcomesOf, type Run, run, runOf, type RunOptions, useBank } from '../support/bank.ts';
import { payoutForm, recipient } from '../support/payout.ts';

const bank = useBank();

const row = recipient(1, { sequence: 'a' });
const payout = { ...payoutForm, recipientsFrom: 'list', payments: () => [row] };
const tranche = {
	path: '/direct-debit/debits',
	transactionId: 'T-1',
	purpose: 'Repayment',
	names: { purpose: 'purpose' },
	payload: '{"amount": 10}',
};

const accepted = (): [number, unknown] => [
	200,
	{ client: { partnerId: 1001 }, payPackage: 7, payments: [{ ...row, transactionId: 'tx', feeAmount: 0 }] },
];
const lost = (): [number, unknown] => [500, { error: 'internal_error' }];

/** Runs one execution, or one try of it. Errors are ignored, because n8n shows them. */
type Execute = (options?: RunOptions, parameters?: object) => Promise<void>;

/** Situations, how often each would pay without protection, and how to cause it. Each execution has its own ID and node context. */
const situations: [string, number, (execute: Execute) => Promise<void>][] = [
	[
		'20 webhook executions at once with the same row',
		20,
		async (execute) => void (await Promise.all(Array.from({ length: 20 }, () => execute()))),
	],
	['a schedule with the same rows, 14 ticks', 14, (execute) => times(14, execute)],
	[
		'a caller that times out and calls again while the first call is under way',
		2,
		async (execute) => {
			bank().answer = slowly;
			const first = execute();
			await reached(1);
			await execute();
			await first;
		},
	],
	[
		'Retry On Fail of the node after a lost response',
		3,
		async (execute) => {
			bank().answer = lost;
			const context = {};
			await times(3, () => execute({ context, executionId: '7' }));
		},
	],
	[
		'error output, Wait, the same node in one execution',
		2,
		async (execute) => {
			const context = {};
			bank().answer = lost;
			await execute({ context, executionId: '7', runIndex: 0 });
			bank().answer = accepted;
			await execute({ context, executionId: '7', runIndex: 1 });
		},
	],
	['a copy of the node', 2, async (execute) => times(2, () => execute({ context: {}, executionId: '7' }))],
	[
		'the process killed in flight, restart, Retry',
		2,
		async (execute) => {
			// A killed execution never continues, and n8n has stored nothing about it.
			bank().answer = () => new Promise(() => undefined);
			void execute();
			await reached(1);
			bank().answer = accepted;
			await execute();
		},
	],
	[
		'Stop in flight, Retry',
		2,
		async (execute) => {
			const stop = new AbortController();
			bank().answer = () => (stop.abort(), new Promise(() => undefined));
			await execute({ signal: stop.signal });
			bank().answer = accepted;
			await execute();
		},
	],
];

async function times(count: number, execute: () => Promise<void>): Promise<void> {
	for (let left = count; left > 0; left--) await execute();
}

/** Waits until the bank has received this many requests. */
async function reached(count: number): Promise<void> {
	while (bank().seen.length < count) await new Promise(setImmediate);
}

async function slowly(): Promise<[number, unknown]> {
	for (let left = 200; left > 0; left--) await new Promise(setImmediate);
	return accepted();
}

type Send = (options: RunOptions, parameters: object) => ReturnType<Run>;

/** Executions of one workflow. */
function executions(database: () => FakeDatabase, send: Send): Execute {
	let number = 0;
	return async (options = {}, parameters = {}) => {
		const own = { context: {}, executionId: String(++number), ...options, remembered: database() };
		await send(own, parameters).catch(() => undefined);
	};
}

const sends: [string, Send][] = [
	['A package', (options, more) => run('payment.sendPackage', { ...payout, ...more }, options)],
	['A debit', (options, more) => runOf(BankPartnerServices)('directDebit.debit', { ...tranche, ...more }, options)],
];

describe.each(sends)('%s', (_kind, send) => {
	beforeEach(() => (bank().answer = accepted));

	it.each(situations)('is sent once; without protection %s would send it %i times', async (_what, without, happen) => {
		const remembered = new FakeDatabase();
		await happen(executions(() => remembered, send));
		expect(bank().seen).toHaveLength(1);
		bank().seen.length = 0;
		bank().answer = accepted;
		// Each execution has a database of its own.
		await happen(executions(() => new FakeDatabase(), send));
		expect(bank().seen).toHaveLength(without);
	});

	it.each([0, 1, 2, 3, 4, 5])(
		'is sent at most once if the process is killed after %i inline workflows',
		async (dieAfter) => {
			const remembered = new FakeDatabase();
			const execute = executions(() => remembered, send);
			void execute({ dieAfter });
			for (let left = 50; left > 0; left--) await new Promise(setImmediate);
			const before = bank().seen.length;
			const outcomes: unknown[] = [];
			for (const isLater of [false, true]) {
				if (isLater) for (const one of remembered.log()) one.until = one.until === '' ? '' : '1';
				const items = jsonOf(await send({ remembered, executionId: '9', continueOnFail: true, context: {} }, {}));
				outcomes.push(...outcomesOf(items));
			}
			expect(bank().seen.length).toBeLessThanOrEqual(1);
			for (const outcome of outcomes) expect(['accepted', 'alreadyAccepted', 'unknown', undefined]).toContain(outcome);
			// A payment that did not reach the bank and left no claim is sent by the next run.
			if (before === 0 && outcomes[0] !== 'unknown') expect(bank().seen).toHaveLength(1);
		},
	);

	// The tests of core have all statuses and texts.
	it.each([
		[409, {}],
		[400, { error: 'invalid_request', error_description: 'Duplicate request' }],
		[400, { error: 'invalid_request', transactionId: 'tx-1' }],
		[403, { message: 'Платёж уже принят' }],
		[302, {}],
		[500, {}],
	] as const)('that is rejected with %i %j is unknown, and not sent again', async (status, body) => {
		const remembered = new FakeDatabase();
		const outcomeOf = async (executionId: string) => {
			const [outcome] = outcomesOf(jsonOf(await send({ remembered, executionId, continueOnFail: true }, {})));
			return outcome;
		};
		bank().answer = () => [status, body];
		expect(await outcomeOf('1')).toBe('unknown');
		bank().answer = accepted;
		expect(await outcomeOf('2')).toBe('unknown');
		expect(bank().seen).toHaveLength(1);
	});

	it.each([400, 401, 403, 404, 429])('that is rejected with %i is sent by the next run', async (status) => {
		const remembered = new FakeDatabase();
		const execute = executions(() => remembered, send);
		bank().answer = () => [status, { error: 'invalid_request', error_description: 'Amount is not valid' }];
		await execute();
		bank().answer = accepted;
		await times(2, execute);
		expect(bank().seen).toHaveLength(2);
	});
});

it('A run of many debits reads their own rows of the log, not those of all debits', async () => {
	const remembered = new FakeDatabase();
	bank().answer = accepted;
	const debit = async (from: number) => {
		const items = Array.from({ length: 21 }, (_, index) => ({ id: `T-${from + index}` }));
		const parameters = { ...tranche, transactionId: '={{ $json.id }}' };
		await runOf(BankPartnerServices)('directDebit.debit', parameters, { items, remembered });
	};
	await debit(0);
	const inline = jest.spyOn(InlineWorkflowRunner.prototype, 'run');
	await debit(20);
	const outputs = await Promise.all(
		inline.mock.results.map((one) => one.value as ReturnType<InlineWorkflowRunner['run']>),
	);
	const reads = outputs.filter((_, index) => inline.mock.calls[index]?.[0].nodes.some(({ name }) => name === 'get'));
	inline.mockRestore();
	expect(bank().seen).toHaveLength(41);
	const earlier = reads[0]?.[0]?.filter(({ json }) => json.outcome === 'accepted') ?? [];
	expect(earlier.map(({ json }) => json.sequence)).toEqual(['T-20']);
});
