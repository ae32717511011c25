import type { Call, StateSnapshot } from '@bank/fixtures/sandbox';
import type { INodeExecutionData, ITaskData } from 'n8n-workflow';

import { type Case, casesOf } from '../../../src/chaos/cases.ts';
import { certaintyOf, EvidenceByCase, type Stored } from '../../../src/chaos/parseExecutions.ts';

const row = (more: object) => ({ nspkBankId: '1', sequence: '', paymentDescription: 'chaos 4;', ...more });
const rows = [row({ amount: 10, phone: '+79000000001' }), row({ amount: 20, phone: '+79000000002' })];
const [one] = casesOf(7, 1).map((each): Case => ({
	...each,
	number: 4,
	settings: { log: 'kept', isShared: false, isNamed: false },
	then: [],
	kind: { ...each.kind, shape: 'plain' },
}));
if (one === undefined) throw new Error('There is no case');
const evidenceOfCase = () => new EvidenceByCase([one]);
const items = (all: object[]) => all.map((json, item) => ({ json, pairedItem: { item } }) as INodeExecutionData);
const task = (more: Partial<ITaskData>): ITaskData => ({
	startTime: 1000,
	executionTime: 1,
	executionIndex: 0,
	source: [{ previousNode: 'Rows' }],
	...more,
});

/** An execution of a payment node with the rows. */
function executionOf(sendRun: Partial<ITaskData>, node = 'Send'): Stored {
	const runData = {
		Rows: [task({ source: [], data: { main: [items(rows)] } })],
		[node]: [task(sendRun)],
	};
	return { id: '5', status: 'success', data: { resultData: { runData } } as unknown as Stored['data'] & object };
}

function read(execution: Stored) {
	const evidence = evidenceOfCase();
	expect(evidence.addExecution(execution)).toBe(4);
	return evidence.of(4);
}

test('what was paid and what failed, on both outputs, goes to its rows by sequence', () => {
	const { visits, unclear } = read(
		executionOf({
			data: {
				main: [
					items([{ outcome: 'accepted', sequence: '1', phone: '+79000000001', transactionId: 'tx' }]),
					items([{ error: 'x', details: { outcome: 'unknown', sequence: '2' } }]),
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
				{ key: '0001', outcome: 'accepted', transactionId: 'tx' },
				{ key: '0002', outcome: 'unknown' },
			],
		},
	]);
});

test('an error that stops the node reports the sequences that it names, and what was carried out', () => {
	const details = { outcome: 'conflict', sequence: '2', carriedOut: [{ sequence: '1', transactionId: 'tx' }] };
	const error = { message: 'No', context: { details } } as never;
	const { visits, unclear } = read(executionOf({ error }, 'Final'));
	expect(unclear).toEqual([]);
	const reports = [
		{ key: '0002', outcome: 'conflict' },
		{ key: '0001', outcome: 'alreadyAccepted' },
	];
	expect(visits).toMatchObject([{ isFinal: true, reports }]);
	expect(visits[0]?.said).toContain('No');
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

test('an execution of which nothing is kept but its call belongs to its case', () => {
	const data = {
		executionData: { nodeExecutionStack: [{ data: { main: [items(rows)] } }] },
		resultData: { runData: {} },
	};
	const evidence = evidenceOfCase();
	expect(evidence.addExecution({ id: '6', status: 'crashed', data: data as never })).toBe(4);
	expect(evidence.of(4).visits).toEqual([]);
});

test('requests and payments belong to the run that signed them', () => {
	const payment = { amount: 10, phone: '+79000000001', sequence: '1', paymentDescription: 'chaos 4;' };
	const evidence = evidenceOfCase();
	evidence.addCalls([
		{ id: 1, time: new Date(7).toISOString(), operation: 'oauth.token' },
		{
			id: 2,
			time: new Date(8).toISOString(),
			operation: 'payment.sendPackage',
			status: 200,
			body: { payments: [payment], signedBody: 'visit 5 Send 0' },
		},
	] as Call[]);
	evidence.addLedger([
		{
			receivedAt: new Date(9).toISOString(),
			call: 2,
			payPackage: '7',
			payments: [{ ...payment, transactionId: 'tx' }],
		},
	] as unknown as StateSnapshot['ledger']);
	expect(evidence.of(4)).toMatchObject({
		sent: [{ visit: '5 Send 0', at: 8, keys: ['0001'], certainty: 'accepted' }],
		paid: [{ visit: '5 Send 0', at: 9, key: '0001', entry: '0001 10', transactionId: 'tx', payPackage: '7' }],
	});
});

test('what a caller can know follows from what it was answered', () => {
	expect(certaintyOf({ status: 200 })).toBe('accepted');
	expect(certaintyOf({ status: 200, fault: 'wrongContentType' })).toBe('accepted');
	for (const fault of ['truncatedJson', 'resetMidBody', 'drip', 'tooLarge', 'tooDeep'])
		expect(certaintyOf({ status: 200, fault })).toBe('uncertain');
	for (const fault of ['hang', 'resetBefore', 'resetAfter', 'resetHalfway'])
		expect(certaintyOf({ fault })).toBe('uncertain');
	expect(certaintyOf({ status: 101, fault: 'switchingProtocols' })).toBe('uncertain');
	for (const status of [500, 502, 503, 504]) expect(certaintyOf({ status })).toBe('uncertain');
	for (const status of [400, 401, 403, 404, 429]) expect(certaintyOf({ status })).toBe('rejected');
	for (const status of [408, 409, 422]) expect(certaintyOf({ status })).toBe('uncertain');
	const error = { code: 'duplicate_payment', description: '' };
	expect(certaintyOf({ status: 400, error })).toBe('uncertain');
	expect(certaintyOf({ status: 307 })).toBe('either');
});
