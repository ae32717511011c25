import type { Row } from '../../../src/chaos/cases.ts';
import {
	certaintyOf,
	type Entry,
	type Evidence,
	type Outcome,
	type Paid,
	type Sent,
	type Visit,
} from '../../../src/chaos/evidence.ts';
import { type Judged, judge, type Signal } from '../../../src/chaos/oracle.ts';

const key = '+79000000001';
const row: Row = { amount: 10, phone: key, paymentDescription: 'chaos 1;', sequence: 'payment-n1' };

const visit = (execution: string, begun: number, outcome?: Outcome, more: Partial<Visit> = {}): Visit => ({
	execution,
	begun,
	reports:
		outcome === undefined
			? []
			: [{ key, outcome, ...(outcome === 'accepted' ? { transactionId: `tx ${execution}` } : {}) }],
	isFinal: false,
	...more,
});
const final = (outcome?: Outcome) => visit('9', 900, outcome, { isFinal: true });
const paid = (execution: string, at: number, more: Partial<Paid> = {}): Paid => ({
	key,
	execution,
	at,
	transactionId: `tx ${execution}`,
	...more,
});
const lost = (execution: string, at: number): Sent => ({ execution, at, keys: [key], certainty: 'uncertain' });
const entry = (execution: string, outcome: string, more: Partial<Entry> = {}): Entry => ({
	execution,
	workflow: 'one',
	outcome,
	transactionId: outcome === 'accepted' ? `tx ${execution}` : '',
	until: '',
	...more,
});

function signalsOf(evidence: Partial<Evidence>, interruption: Judged['interruption'] = 'none'): Signal[] {
	const none = { sent: [], paid: [], visits: [], resolved: [], log: [], unclear: [] };
	return judge({ number: 1, rows: [row], interruption }, { ...none, ...evidence }).map(({ signal }) => signal);
}

const accepted: Partial<Evidence> = {
	paid: [paid('1', 10)],
	visits: [visit('1', 5, 'accepted'), final('alreadyAccepted')],
	log: [entry('1', 'begun'), entry('1', 'accepted')],
};

test.each<[string, Partial<Evidence>]>([
	['paid and accepted', accepted],
	[
		'lost at the bank, answered, and then shown as accepted',
		{
			paid: [paid('1', 10)],
			sent: [lost('1', 10)],
			resolved: [{ key, bankHasIt: true, at: 20 }],
			visits: [visit('1', 5, 'unknown'), visit('2', 15, 'unknown'), final('alreadyAccepted')],
			log: [entry('1', 'unknown'), entry('3', 'has')],
		},
	],
	[
		'lost before the bank, answered, and sent by the next run',
		{
			paid: [paid('2', 30)],
			sent: [lost('1', 10)],
			resolved: [{ key, bankHasIt: false, at: 20 }],
			visits: [visit('1', 5, 'unknown'), visit('2', 25, 'accepted'), final('alreadyAccepted')],
			log: [entry('1', 'unknown'), entry('3', 'hasNot'), entry('2', 'accepted')],
		},
	],
	[
		'refused because the run identifies payments in the other way',
		{
			...accepted,
			visits: [
				...(accepted.visits ?? []),
				visit('2', 15, undefined, { reports: [{ key, outcome: 'notSent', code: 'other_identification' }] }),
			],
		},
	],
])('%s: nothing is wrong', (_what, evidence) => {
	expect(signalsOf(evidence)).toEqual([]);
});

test.each<[Signal, string, Partial<Evidence>]>([
	['paidTwice', 'by two runs', { ...accepted, paid: [paid('1', 10), paid('2', 20)] }],
	['deniedButPaid', 'by the same run', { paid: [paid('1', 10)], visits: [visit('1', 5, 'notSent')] }],
	['deniedButPaid', 'by a run before', { paid: [paid('1', 10)], visits: [visit('2', 15, 'rejected')] }],
	['acceptedButNotPaid', 'at all', { visits: [visit('1', 5, 'accepted')] }],
	['acceptedButNotPaid', 'and never was', { visits: [visit('1', 5, 'alreadyAccepted')] }],
	[
		'acceptedButNotPaid',
		'under this ID',
		{ paid: [paid('1', 10, { transactionId: 'another' })], visits: [visit('1', 5, 'accepted')] },
	],
	['reportedNowhere', 'by the run that paid', { paid: [paid('1', 10)], visits: [visit('1', 5)] }],
	['uncertainNotUnknown', 'for the run itself', { sent: [lost('1', 10)], visits: [visit('1', 5, 'rejected')] }],
	['uncertainNotUnknown', 'for a later run', { sent: [lost('1', 10)], visits: [visit('2', 15, 'notSent')] }],
	[
		'uncertainNotUnknown',
		'and paid by a later run',
		{ ...accepted, sent: [lost('0', 1)], visits: [visit('1', 5, 'accepted')] },
	],
	['deadEnd', 'unknown', { visits: [final('unknown')] }],
	['deadEnd', 'refused', { visits: [final('notSent')] }],
	['logOtherwise', 'than the ledger', { log: [entry('1', 'accepted')] }],
	['logOtherwise', 'than the screen', { ...accepted, log: [] }],
	['logOtherwise', 'about the start of the run', { ...accepted, log: [...(accepted.log ?? []), entry('2', 'begun')] }],
	['leftRows', 'of an attempt', { log: [entry('1', 'sending', { until: '99' })] }],
])('%s: %s', (signal, _what, evidence) => {
	expect(signalsOf(evidence)).toEqual([signal]);
});

test('an interrupted attempt may leave rows, and each of two copies begins the payment run', () => {
	expect(signalsOf({ log: [entry('1', 'sending', { until: '99' })] }, 'kill')).toEqual([]);
	expect(signalsOf({ log: [entry('1', 'begun'), entry('2', 'begun', { workflow: 'two' })] })).toEqual([]);
});

test('the certainty of a sender follows from the response', () => {
	expect(certaintyOf({ status: 200 })).toBe('accepted');
	expect(certaintyOf({ status: 200, fault: 'latency' })).toBe('accepted');
	expect(certaintyOf({ status: 400 })).toBe('rejected');
	for (const status of [409, 500, 504]) expect(certaintyOf({ status })).toBe('uncertain');
	for (const fault of ['hang', 'resetBefore', 'resetAfter', 'resetHalfway'])
		expect(certaintyOf({ fault })).toBe('uncertain');
});
