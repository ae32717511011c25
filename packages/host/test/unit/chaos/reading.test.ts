import type { Call, SandboxState } from '@bank/fixtures/sandbox';
import type { INodeExecutionData, ITaskData } from 'n8n-workflow';

import { certaintyOf, EvidenceByCase, type Stored } from '../../../src/chaos/reading.ts';

const rows = [
	{ amount: 10, phone: '+79000000001', nspkBankId: '1', sequence: '', mark: 'chaos 4;', sendAgain: '' },
	{ amount: 20, phone: '+79000000002', nspkBankId: '1', sequence: '', mark: 'chaos 4;', sendAgain: '' },
];
const items = (all: object[]) => all.map((json, item) => ({ json, pairedItem: { item } }) as INodeExecutionData);
const task = (more: Partial<ITaskData>): ITaskData => ({
	startTime: 1000,
	executionTime: 1,
	executionIndex: 0,
	source: [{ previousNode: 'Rows' }],
	...more,
});

/** An execution in which the rows went into a payment node. */
function executionOf(sendRun: Partial<ITaskData>, node = 'Send', input: object[] = rows): Stored {
	const runData = {
		Rows: [task({ source: [], data: { main: [items(input)] } })],
		[node]: [task(sendRun)],
	};
	return { id: '5', status: 'success', data: { resultData: { runData } } as unknown as Stored['data'] & object };
}

function read(execution: Stored) {
	const evidence = new EvidenceByCase();
	expect(evidence.addExecution(execution)).toBe(4);
	return evidence.of(4);
}

test('what was paid and what failed, on both outputs, goes to its rows by sequence', () => {
	const { visits, unclear } = read(
		executionOf({
			data: {
				main: [
					items([{ outcome: 'accepted', sequence: '1', phone: '+79000000001', transactionId: 'tx' }]),
					items([{ error: 'x', details: { outcome: 'unknown', sequences: ['2'] } }]),
				],
			},
		}),
	);
	expect(unclear).toEqual([]);
	expect(visits).toMatchObject([
		{
			name: '5 Send 0',
			begun: 1000,
			isFinal: false,
			reports: [
				{ key: '+79000000001 10', outcome: 'accepted', transactionId: 'tx' },
				{ key: '+79000000002 20', outcome: 'unknown' },
			],
		},
	]);
});

test('an error that stops the node reports the sequences that it names', () => {
	const error = { message: 'No', context: { details: { outcome: 'rejected', sequences: ['2'] } } } as never;
	const { visits, unclear } = read(executionOf({ error }, 'Final'));
	expect(unclear).toEqual([]);
	expect(visits).toMatchObject([{ isFinal: true, reports: [{ key: '+79000000002 20', outcome: 'rejected' }] }]);
	expect(visits[0]?.said).toContain('No');
});

test('rows of a list are those of the call', () => {
	const [one, ...others] = rows.map(({ mark: _, sendAgain: __, ...row }) => row);
	const body = { rows: [one, ...others], mark: 'chaos 4;', sendAgain: 'word' };
	const refused = { error: 'x', details: { outcome: 'notSent' } };
	const { visits } = read(executionOf({ data: { main: [items([refused])] } }, 'Send', [{ body }]));
	expect(visits).toMatchObject([
		{
			sendAgain: 'word',
			reports: [
				{ key: '+79000000001 10', outcome: 'notSent' },
				{ key: '+79000000002 20', outcome: 'notSent' },
			],
		},
	]);
});

test('rows that were prepared have the sequences of the user, or none', () => {
	const prepared = rows.map(({ mark: _, sendAgain: __, ...row }, index) => ({
		...row,
		sequence: String(index + 1),
		sequenceGiven: false,
		paymentDescription: 'chaos 4; 5 Send 0 word;',
	}));
	const paid = { outcome: 'accepted', sequence: '2', phone: '+79000000002', transactionId: 'tx' };
	const { visits } = read(executionOf({ data: { main: [items([paid])] } }, 'Send', prepared));
	expect(visits).toMatchObject([{ sendAgain: 'word', reports: [{ key: '+79000000002 20', outcome: 'accepted' }] }]);
});

test.each<[string, Partial<ITaskData>]>([
	['an item without an outcome', { data: { main: [items([{ phone: '+79000000001' }])] } }],
	['a sequence that no row has', { data: { main: [items([{ outcome: 'accepted', sequence: '3' }])] } }],
	[
		'a payment under the sequence of another',
		{ data: { main: [items([{ outcome: 'accepted', sequence: '1', phone: '+79000000002' }])] } },
	],
	['an error that names no payment', { error: { message: 'Something', context: {} } as never }],
])('%s is passed over by nobody', (_what, run) => {
	expect(read(executionOf(run)).unclear).toHaveLength(1);
});

test('of what was stopped nothing is expected', () => {
	const error = { message: 'The execution was cancelled manually' } as never;
	expect(read(executionOf({ error }))).toMatchObject({ visits: [], unclear: [] });
});

test('an execution of which nothing is kept but its call belongs to its case', () => {
	const data = {
		executionData: { nodeExecutionStack: [{ data: { main: [items(rows)] } }] },
		resultData: { runData: {} },
	};
	const evidence = new EvidenceByCase();
	expect(evidence.addExecution({ id: '6', status: 'crashed', data: data as never })).toBe(4);
	expect(evidence.of(4).visits).toEqual([]);
});

test('requests and payments belong to the run that made them', () => {
	const payment = { amount: 10, phone: '+79000000001', sequence: '1', paymentDescription: 'chaos 4; 5 Send 0 word;' };
	const evidence = new EvidenceByCase();
	evidence.addCalls([
		{ id: 1, time: new Date(7).toISOString(), operation: 'oauth.token' },
		{
			id: 2,
			time: new Date(8).toISOString(),
			operation: 'payment.sendPackage',
			status: 200,
			body: { payments: [payment] },
		},
	] as Call[]);
	evidence.addLedger([
		{
			receivedAt: new Date(9).toISOString(),
			outcome: 'accepted',
			payPackage: '7',
			payments: [{ ...payment, transactionId: 'tx' }],
		},
		{ receivedAt: new Date(9).toISOString(), outcome: 'rejected', payments: [] },
	] as unknown as SandboxState['ledger']);
	const origin = { visit: '5 Send 0', sendAgain: 'word' };
	expect(evidence.of(4)).toMatchObject({
		sent: [{ ...origin, at: 8, keys: ['+79000000001 10'], certainty: 'accepted' }],
		paid: [{ ...origin, at: 9, key: '+79000000001 10', transactionId: 'tx', payPackage: '7' }],
	});
});

test('a payment of no case is an error', () => {
	const stray = { receivedAt: '', payments: [{ paymentDescription: 'Reward' }] };
	expect(() => new EvidenceByCase().addLedger([stray] as unknown as SandboxState['ledger'])).toThrow('no case');
});

test('what a caller can know follows from what it was answered', () => {
	expect(certaintyOf({ status: 200 })).toBe('accepted');
	expect(certaintyOf({ status: 200, fault: 'wrongContentType' })).toBe('accepted');
	for (const fault of ['truncatedJson', 'resetMidBody', 'drip', 'tooLarge', 'tooDeep'])
		expect(certaintyOf({ status: 200, fault })).toBe('uncertain');
	for (const fault of ['hang', 'resetBefore', 'resetAfter']) expect(certaintyOf({ fault })).toBe('uncertain');
	expect(certaintyOf({ status: 101, fault: 'switchingProtocols' })).toBe('uncertain');
	for (const status of [500, 502, 503, 504]) expect(certaintyOf({ status })).toBe('uncertain');
	for (const status of [400, 401, 403, 404, 422, 429]) expect(certaintyOf({ status })).toBe('rejected');
	for (const status of [307, 408, 409]) expect(certaintyOf({ status })).toBe('either');
});
