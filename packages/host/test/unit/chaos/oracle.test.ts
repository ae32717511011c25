import type { Row } from '../../../src/chaos/cases.ts';
import type { Entry, Evidence, Outcome, Paid, Sent, Visit } from '../../../src/chaos/evidence.ts';
import { entryKeyOf, keyOf } from '../../../src/chaos/evidence.ts';
import { judge, type Signal } from '../../../src/chaos/oracle.ts';

const row: Row = { amount: 10, phone: '+79000000001', nspkBankId: '1', sequence: 'a' };
const other: Row = { ...row, phone: '+79000000002', sequence: 'b' };
const key = keyOf(row);

/** One payment node in the execution `name`; what it reports of the row, in the order of its items. */
const visit = (name: string, begun: number, outcomes: Outcome[], more: Partial<Visit> = {}): Visit => ({
	name,
	begun,
	rows: [row],
	reports: outcomes.map((outcome) => ({
		key,
		outcome,
		...(outcome === 'accepted' ? { transactionId: `tx of ${name}` } : {}),
	})),
	said: '',
	sendAgain: '',
	isFinal: false,
	...more,
});
const final = (outcomes: Outcome[]) => visit('9 Final 0', 900, outcomes, { isFinal: true });
const paid = (by: string, at: number, more: Partial<Paid> = {}): Paid => ({
	key,
	visit: by,
	sendAgain: '',
	at,
	transactionId: `tx of ${by}`,
	payPackage: `package of ${by}`,
	...more,
});
const sent = (by: string, at: number, certainty: Sent['certainty'], more: Partial<Sent> = {}): Sent => ({
	visit: by,
	sendAgain: '',
	at,
	keys: [key],
	certainty,
	...more,
});

function signalsOf(evidence: Partial<Evidence>, rows: Row[] = [row]): Signal[] {
	const whole = { sent: [], paid: [], visits: [], unclear: [], ...evidence };
	return judge({ number: 1, rows }, whole).map(({ signal }) => signal);
}

describe('nothing is wrong', () => {
	test.each<[string, Partial<Evidence>]>([
		['paid and accepted', { paid: [paid('1', 10)], visits: [visit('1', 5, ['accepted']), final(['unknown'])] }],
		[
			'refused, and paid by a later run',
			{
				paid: [paid('2', 20)],
				visits: [visit('1', 5, ['rejected']), visit('2', 15, ['accepted']), final(['unknown'])],
			},
		],
		[
			'paid after somebody else said that it had not sent it',
			{ paid: [paid('1', 10)], visits: [visit('2', 5, ['notSent']), visit('1', 4, ['accepted'])] },
		],
		[
			'lost at the bank, and unknown ever after',
			{
				paid: [paid('1', 10)],
				sent: [sent('1', 10, 'uncertain')],
				visits: [visit('1', 5, ['unknown']), final(['unknown'])],
			},
		],
		[
			'killed, and unknown to the next',
			{ paid: [paid('1', 10)], sent: [sent('1', 10, 'uncertain')], visits: [final(['unknown'])] },
		],
		[
			'stopped by an error that names the package paid before',
			{ paid: [paid('1', 10)], visits: [visit('1', 5, [], { said: 'carried out: package of 1' }), final(['unknown'])] },
		],
		[
			'sent again on purpose',
			{
				paid: [paid('1', 10), paid('2', 20, { sendAgain: 'w' })],
				visits: [visit('1', 5, ['accepted']), visit('2', 15, ['accepted'], { sendAgain: 'w' }), final(['unknown'])],
			},
		],
	])('%s', (_what, evidence) => {
		expect(signalsOf(evidence)).toEqual([]);
	});

	test('equal payments are paid as often as they stand in the rows', () => {
		const both = [paid('1', 10), paid('1', 11)];
		expect(signalsOf({ paid: both, visits: [visit('1', 5, ['accepted', 'accepted'])] }, [row, row])).toEqual([]);
	});
});

describe('paid twice', () => {
	test('once more than the rows say', () => {
		const twice = [paid('1', 10), paid('2', 20)];
		expect(signalsOf({ paid: twice, visits: [visit('1', 5, ['accepted']), visit('2', 15, ['accepted'])] })).toEqual([
			'paidTwice',
		]);
		expect(signalsOf({ paid: [...twice, paid('3', 30)] }, [row, row])).toContain('paidTwice');
	});

	test('the same word of Send Again twice', () => {
		const again = { sendAgain: 'w' };
		const visits = [visit('2', 15, ['accepted'], again), visit('3', 25, ['accepted'], again)];
		const payments = [paid('1', 10), paid('2', 20, again), paid('3', 30, again)];
		expect(signalsOf({ paid: payments, visits })).toContain('paidTwice');
		expect(signalsOf({ paid: payments.slice(1), visits })).toEqual(['paidTwice']);
	});
});

describe('denied but paid', () => {
	test.each<Outcome>(['rejected', 'notSent'])('by the same run that says %s', (outcome) => {
		expect(signalsOf({ paid: [paid('1', 10)], visits: [visit('1', 5, [outcome])] })).toContain('deniedButPaid');
	});

	test('by a run before', () => {
		expect(signalsOf({ paid: [paid('1', 10)], visits: [visit('2', 15, ['notSent'])] })).toEqual(['deniedButPaid']);
	});

	test('one of two equal payments may be denied, where the other was paid', () => {
		const evidence = { paid: [paid('1', 10)], visits: [visit('2', 15, ['unknown', 'notSent'])] };
		expect(signalsOf(evidence, [row, row])).toEqual([]);
		expect(signalsOf({ ...evidence, visits: [visit('2', 15, ['notSent', 'notSent'])] }, [row, row])).toEqual([
			'deniedButPaid',
		]);
	});
});

describe('accepted but not paid', () => {
	test('without any payment, or under a number that the bank gave to none or to somebody else', () => {
		expect(signalsOf({ visits: [visit('1', 5, ['accepted'])] })).toEqual(['acceptedButNotPaid']);
		const of = (transactionId: string) =>
			signalsOf({ paid: [paid('1', 10, { transactionId })], visits: [visit('1', 5, ['accepted'])] });
		expect(of('tx of nobody')).toEqual(['acceptedButNotPaid']);
		const foreign = paid('1', 10, { key: keyOf(other) });
		expect(signalsOf({ paid: [foreign], visits: [visit('1', 5, ['accepted'])] }, [row])).toEqual([
			'acceptedButNotPaid',
		]);
	});

	test('more often than it was paid', () => {
		const visits = [visit('1', 5, ['accepted', 'accepted'])];
		expect(signalsOf({ paid: [paid('1', 10)], visits }, [row, row])).toEqual(['acceptedButNotPaid']);
	});
});

describe('paid and reported nowhere', () => {
	test('by the run that paid, of which n8n keeps something', () => {
		const visits = [visit('1', 5, [], { said: 'another package was refused' }), final(['unknown'])];
		expect(signalsOf({ paid: [paid('1', 10)], visits })).toEqual(['reportedNowhere']);
	});

	test('at the end', () => {
		expect(signalsOf({ paid: [paid('1', 10)], visits: [final([])] })).toEqual(['reportedNowhere']);
	});
});

describe('uncertain and not unknown', () => {
	test.each<Outcome>(['rejected', 'notSent', 'accepted'])('the run that sent it says %s', (outcome) => {
		const evidence = { sent: [sent('1', 10, 'uncertain')], visits: [visit('1', 5, [outcome])] };
		expect(signalsOf(evidence)).toContain('uncertainNotUnknown');
	});

	test('a later run denies it, or pays it anew', () => {
		const first = { sent: [sent('1', 10, 'uncertain')], visits: [visit('1', 5, ['unknown'])] };
		expect(signalsOf({ ...first, visits: [...first.visits, visit('2', 15, ['notSent'])] })).toEqual([
			'uncertainNotUnknown',
		]);
		const anew = { ...first, visits: [...first.visits, visit('2', 15, ['accepted'])], paid: [paid('2', 20)] };
		expect(signalsOf(anew)).toEqual(['uncertainNotUnknown']);
	});

	test('what a run says that was there before does not count, nor what the bank refused', () => {
		const at = (certainty: Sent['certainty'], begun: number) =>
			signalsOf({ sent: [sent('1', 10, certainty)], visits: [visit('2', begun, ['notSent'])] });
		expect(at('uncertain', 5)).toEqual([]);
		expect(at('rejected', 15)).toEqual([]);
		expect(at('either', 15)).toEqual([]);
		expect(at('uncertain', 15)).toEqual(['uncertainNotUnknown']);
	});
});

test('a signal names the case and the payment', () => {
	const whole: Evidence = { sent: [], unclear: [], paid: [paid('1', 10), paid('2', 20)], visits: [] };
	expect(judge({ number: 17, rows: [row] }, whole)).toEqual([
		{
			case: 17,
			signal: 'paidTwice',
			text: '+79000000001 10 a: paid 2 times instead of 1, by 1 (tx of 1), 2 (tx of 2)',
		},
	]);
});

describe('the journal', () => {
	const entry = (outcome: Outcome, more: Partial<Entry> = {}): Entry => ({
		execution: '1',
		key: entryKeyOf(row),
		outcome,
		transactionId: outcome === 'accepted' ? 'tx of 1 Send 0' : '',
		...more,
	});
	const accepted = { paid: [paid('1 Send 0', 10)], visits: [visit('1 Send 0', 5, ['accepted'])] };

	test.each<[string, Partial<Evidence>]>([
		['it says what was paid', { ...accepted, journal: [entry('accepted')] }],
		['it says that nobody knows', { ...accepted, journal: [entry('unknown')] }],
		['it says nothing of a run that was killed', { paid: accepted.paid, visits: [], journal: [] }],
		['there is none', accepted],
	])('is right where %s', (_what, evidence) => {
		expect(signalsOf(evidence)).toEqual([]);
	});

	test.each<[string, Partial<Evidence>]>([
		['calls accepted what the bank has not', { journal: [entry('accepted')] }],
		[
			'calls another payment by a transaction',
			{ ...accepted, journal: [entry('accepted'), entry('accepted', { key: 'x' })] },
		],
		['says nothing of what was paid', { ...accepted, journal: [] }],
		['denies what was paid', { ...accepted, journal: [entry('rejected')] }],
	])('is a signal where it %s', (_what, evidence) => {
		expect(signalsOf(evidence)).toEqual(['journalOtherwise']);
	});
});
