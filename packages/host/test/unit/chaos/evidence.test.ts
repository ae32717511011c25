import type { Call, StateSnapshot } from '@bank/fixtures/sandbox';
import type { INodeExecutionData, ITaskData } from 'n8n-workflow';

import { type Case, casesOf } from '../../../src/chaos/cases.ts';
import { atTheBank, certaintyOf, logOf, numberOf, type Stored, visitOf } from '../../../src/chaos/evidence.ts';

const [first] = casesOf(7, 1);
const one = { ...first, number: 4 } as Case;
const phones = ['+79000000001', '+79000000002'];
const items = (all: object[]) => all.map((json, item) => ({ json, pairedItem: { item } }) as INodeExecutionData);
const task = (more: Partial<ITaskData>): ITaskData => ({
	startTime: 1000,
	executionTime: 1,
	executionIndex: 0,
	source: [],
	...more,
});

function executionOf(sendRun: Partial<ITaskData>): Stored {
	const rows = phones.map((phone) => ({ phone, paymentDescription: 'chaos 4;' }));
	const runData = { Rows: [task({ data: { main: [items(rows)] } })], Send: [task(sendRun)] };
	return { id: '5', data: { resultData: { runData } } as unknown as Stored['data'] & object };
}

function read(sendRun: Partial<ITaskData>) {
	const unclear: string[] = [];
	const visit = visitOf(executionOf(sendRun), false, (text) => unclear.push(text));
	return { visit, unclear };
}

test('paid and failed payments are assigned to their rows', () => {
	const accepted = { outcome: 'accepted', phone: phones[0], transactionId: 'tx' };
	const unknown = { error: 'x', details: { outcome: 'unknown', code: 'c', payment: 'id' } };
	const { visit, unclear } = read({ data: { main: [items([accepted, unknown])] } });
	expect(unclear).toEqual([]);
	expect(visit).toEqual({
		execution: '5',
		begun: 1000,
		isFinal: false,
		reports: [
			{ key: phones[0], outcome: 'accepted', transactionId: 'tx' },
			{ key: phones[1], outcome: 'unknown', code: 'c', payment: 'id' },
		],
	});
});

test.each<[string, Partial<ITaskData>]>([
	['an item without an outcome', { data: { main: [items([{ phone: phones[0] }])] } }],
	['an item of no row', { data: { main: [[{ json: { outcome: 'unknown' } }]] } }],
	['a payment of another', { data: { main: [items([{ outcome: 'accepted', phone: phones[1] }])] } }],
	['an error that stops the node', { error: { message: 'Something', context: {} } as never }],
])('%s is passed over by nobody', (_what, run) => {
	expect(read(run).unclear).toHaveLength(1);
});

test('a stopped run has no reports; its execution belongs to its case', () => {
	const run = { error: { message: 'The execution was cancelled manually' } as never };
	expect(read(run)).toEqual({ visit: undefined, unclear: [] });
	expect(numberOf(executionOf(run))).toBe(4);
});

test('requests, payments and log rows belong to their case and execution', () => {
	const payment = { phone: phones[0], paymentDescription: 'chaos 4;' };
	const foreign = { ...payment, paymentDescription: 'chaos 44;' };
	const call = (id: number, sent: object) => ({
		id,
		time: new Date(8).toISOString(),
		status: 200,
		body: { payments: [sent], signedBody: 'visit 5' },
	});
	const calls = [{ id: 1 }, call(2, payment), call(3, foreign)] as unknown as Call[];
	const ledger = [payment, foreign].map((each, index) => ({
		receivedAt: new Date(9).toISOString(),
		call: index + 2,
		payments: [{ ...each, transactionId: 'tx' }],
	}));
	expect(atTheBank(one, calls, ledger as unknown as StateSnapshot['ledger'])).toEqual({
		sent: [{ execution: '5', at: 8, keys: [phones[0]], certainty: 'accepted' }],
		paid: [{ execution: '5', at: 9, key: phones[0], transactionId: 'tx' }],
	});
	const row = { execution: '5', workflow: 'w', outcome: 'accepted', transactionId: 'tx', until: '' };
	const rows = ['payout c4', 'payout c44'].map((paymentRun) => ({ ...row, paymentRun }));
	expect(logOf(one, rows)).toEqual([row]);
});

test('the certainty of a sender follows from the response', () => {
	expect(certaintyOf({ status: 200 })).toBe('accepted');
	expect(certaintyOf({ status: 200, fault: 'latency' })).toBe('accepted');
	expect(certaintyOf({ status: 400 })).toBe('rejected');
	for (const status of [409, 500, 504]) expect(certaintyOf({ status })).toBe('uncertain');
	for (const fault of ['hang', 'resetBefore', 'resetAfter', 'resetHalfway'])
		expect(certaintyOf({ fault })).toBe('uncertain');
});
