/**
 * How often somebody is paid in what happens around a run, each with the memory that claims are kept in and without it: without it the
 * same thing pays as often as was once measured. That n8n's own table is such a memory is proved in the host: `npm run claims`.
 */
import { run, runOf, type RunOptions, useBank } from './support/bank.ts';
import { BankPartnerServices } from '../nodes/BankPartnerServices/BankPartnerServices.node.ts';

// Between two looks at what is claimed.
jest.mock('n8n-workflow', () => ({ ...jest.requireActual<object>('n8n-workflow'), sleep: async () => undefined }));

const bank = useBank();

const row = { amount: 10, phone: '+79000000001', nspkBankId: '100000000111', paymentDescription: 'Reward', ric: 1 };
const payout = {
	paymentRun: 'salary-2026-11',
	partnerId: 1,
	inn: '7700000000',
	account: '40702810000000000001',
	signedBody: 'c2ln',
	recipientsFrom: 'list',
	payments: () => [{ ...row, sequence: 'a' }],
};
const tranche = {
	path: '/direct-debit/debits',
	transactionId: 'T-1',
	purpose: 'Repayment',
	purposeField: 'purpose',
	payload: '{"amount": 10}',
};

/** Takes nothing in. */
class Forgetful extends Set<string> {
	override add() {
		return this;
	}
}

/** One execution, or one try of one: it keeps what n8n keeps of it, and its failure is n8n's to show. */
type Execute = (options?: RunOptions, parameters?: object) => Promise<void>;

const lost = () => [500, { error: 'internal_error' }] as [number, unknown];
const accepted = () =>
	[
		200,
		{
			client: { partnerId: 1 },
			payPackage: 7,
			payments: [{ ...row, sequence: 'a', transactionId: 'tx', feeAmount: 0 }],
		},
	] as [number, unknown];

/** What happened, how often it paid, and how it happens. A new execution has a number and a node's context of its own. */
const situations: [string, number, (execute: Execute) => Promise<void>][] = [
	[
		'20 webhook executions at once with the same row',
		20,
		async (execute) => void (await Promise.all(Array.from({ length: 20 }, () => execute()))),
	],
	[
		'20 executions at once with the same row and the same word in Send Again',
		20,
		async (execute) =>
			void (await Promise.all(Array.from({ length: 20 }, () => execute({}, { options: { sendAgain: 'once' } })))),
	],
	[
		'executed twice with a word in Send Again',
		2,
		(execute) => times(2, () => execute({}, { options: { sendAgain: 'once' } })),
	],
	['executed twice', 2, (execute) => times(2, execute)],
	['a schedule with the same rows, 14 ticks', 14, (execute) => times(14, execute)],
	[
		'a caller that times out and calls again while the first call is under way',
		2,
		async (execute) => {
			bank().answer = async () => await slowly();
			const first = execute();
			await reached(1);
			await execute();
			await first;
		},
	],
	[
		'Retry On Fail of an Execute Sub-workflow node around it',
		3,
		async (execute) => {
			bank().answer = lost;
			await times(3, execute);
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
	[
		'a copy of the node in the workflow',
		2,
		async (execute) => {
			await execute({ context: {}, executionId: '7' });
			await execute({ context: {}, executionId: '7' });
		},
	],
	[
		'the process killed in flight, restart, Retry',
		2,
		async (execute) => {
			// What was killed never comes back, and n8n has kept nothing of it.
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
	[
		'unknown, Max Payments changed, Retry',
		2,
		async (execute) => {
			bank().answer = lost;
			await execute();
			bank().answer = accepted;
			await execute({}, { options: { maxPayments: 1 } });
		},
	],
	[
		'unknown, the rows sent by another execution, Retry of the original',
		3,
		async (execute) => {
			bank().answer = lost;
			await execute();
			bank().answer = accepted;
			await execute();
			await execute({ context: {}, executionId: '8' });
		},
	],
	['Execute step in the editor while a later step is built', 2, (execute) => times(2, execute)],
];

async function times(count: number, execute: Execute): Promise<void> {
	for (let left = count; left > 0; left--) await execute();
}

/** Until so many requests are at the bank. */
async function reached(count: number): Promise<void> {
	while (bank().seen.length < count) await new Promise(setImmediate);
}

async function slowly(): Promise<[number, unknown]> {
	for (let left = 200; left > 0; left--) await new Promise(setImmediate);
	return accepted();
}

/** Executions of one workflow, with the memory or without. */
function executions(
	remembered: Set<string>,
	send: (options: RunOptions, parameters: object) => Promise<unknown>,
): Execute {
	let number = 0;
	return async (options = {}, parameters = {}) => {
		await send({ context: {}, executionId: String(++number), ...options, remembered }, parameters).catch(
			() => undefined,
		);
	};
}

const kinds = [
	['a package', (options: RunOptions, more: object) => run('payment.sendPackage', { ...payout, ...more }, options)],
	[
		'a debit',
		(options: RunOptions, more: object) =>
			runOf(BankPartnerServices)('directDebit.debit', { ...tranche, ...more }, options),
	],
] as const;

describe.each(kinds)('%s', (_kind, send) => {
	beforeEach(() => (bank().answer = accepted));

	it.each(situations)('is sent once, and %s would send it %i times', async (_what, without, happen) => {
		await happen(executions(new Set(), send));
		expect(bank().seen).toHaveLength(1);
		bank().seen.length = 0;
		bank().answer = accepted;
		await happen(executions(new Forgetful(), send));
		expect(bank().seen).toHaveLength(without);
	});
});

describe('in one run', () => {
	beforeEach(() => (bank().answer = accepted));

	it.each([{ maxPayments: 1 }, { packagePerItem: true }])(
		'the same row and sequence twice is refused: %j',
		async (options) => {
			const twice = [
				{ ...row, sequence: 'a' },
				{ ...row, sequence: 'a' },
			];
			const parameters = options.packagePerItem
				? { ...payout, recipientsFrom: 'items', ...row, sequence: 'a', options }
				: { ...payout, payments: () => twice, options };
			await expect(run('payment.sendPackage', parameters, { items: [{}, {}] })).rejects.toThrow('sequence');
			expect(bank().seen).toEqual([]);
		},
	);

	it('the same transaction ID twice is refused', async () => {
		const both = runOf(BankPartnerServices)('directDebit.debit', tranche, { items: [{}, {}] });
		await expect(both).rejects.toThrow('transactionId');
		expect(bank().seen).toEqual([]);
	});
});
