import type { Row, Step } from '../../../src/chaos/cases.ts';
import type { Entry, Evidence, Outcome, Paid, Resolved, Sent, Visit } from '../../../src/chaos/evidence.ts';
import { entryOf, keyOf } from '../../../src/chaos/evidence.ts';
import { type Judged, judge, type Signal } from '../../../src/chaos/oracle.ts';

const row: Row = {
	amount: 10,
	phone: '+79000000001',
	nspkBankId: '1',
	paymentDescription: 'chaos 1;',
	ric: '1',
	sequence: 'payment-1',
};
const other: Row = { ...row, phone: '+79000000002', sequence: 'payment-2' };
const key = keyOf(row, false);

/** A payment node in the execution `name`, with its results for the row in item order. */
const visit = (name: string, begun: number, outcomes: Outcome[], more: Partial<Visit> = {}): Visit => ({
	name,
	begun,
	reports: outcomes.map((outcome) => ({
		key,
		outcome,
		...(outcome === 'accepted' ? { transactionId: `tx of ${name}` } : {}),
	})),
	said: '',
	isFinal: false,
	...more,
});
const final = (outcomes: Outcome[]) => visit('9 Final 0', 900, outcomes, { isFinal: true });
const paid = (by: string, at: number, more: Partial<Paid> = {}): Paid => ({
	key,
	entry: entryOf(row),
	visit: by,
	at,
	transactionId: `tx of ${by}`,
	payPackage: `package of ${by}`,
	...more,
});
const sent = (by: string, at: number, certainty: Sent['certainty']): Sent => ({
	visit: by,
	at,
	keys: [key],
	certainty,
});
const resolved = (at: number, bankHasIt: boolean): Resolved => ({ key, name: 'attempt payment-1', bankHasIt, at });

const judged: Judged = {
	number: 1,
	rows: [row],
	settings: { log: 'kept', isShared: false, isNamed: false },
	then: [],
	kind: { shape: 'plain', mode: 'continue', retryOnFail: false, from: 'items' },
	interruption: 'none',
};

const call: Step = {
	do: 'call',
	times: 1,
	reversed: false,
	packaging: { packagePerItem: false, maxPayments: 0 },
	correction: null,
	...judged.settings,
};

function signalsOf(evidence: Partial<Evidence>, rows: Row[] = [row], more: Partial<Judged> = {}): Signal[] {
	const whole = { sent: [], paid: [], visits: [], resolved: [], unclear: [], ...evidence };
	return judge({ ...judged, rows, ...more }, whole).map(({ signal }) => signal);
}

describe('nothing is wrong', () => {
	test.each<[string, Partial<Evidence>]>([
		['paid and accepted', { paid: [paid('1', 10)], visits: [visit('1', 5, ['accepted']), final(['alreadyAccepted'])] }],
		[
			'lost at the bank, and unknown ever after',
			{
				paid: [paid('1', 10)],
				sent: [sent('1', 10, 'uncertain')],
				visits: [visit('1', 5, ['unknown']), final(['unknown'])],
			},
		],
		[
			'stopped by an error that names the package paid before',
			{
				paid: [paid('1', 10)],
				visits: [visit('1', 5, [], { said: 'carried out: package of 1' }), final(['alreadyAccepted'])],
			},
		],
		[
			'resolved as what the bank does not have, and sent by the next',
			{
				paid: [paid('2', 20)],
				sent: [sent('1', 10, 'uncertain')],
				resolved: [resolved(15, false)],
				visits: [visit('1', 5, ['unknown']), visit('2', 17, ['accepted']), final(['alreadyAccepted'])],
			},
		],
		[
			'part of a prepared package that is outdated',
			{
				paid: [paid('1', 10)],
				visits: [
					visit('1', 5, ['accepted']),
					visit('2', 15, [], { reports: [{ key, outcome: 'notSent', code: 'prepared_package_outdated' }] }),
				],
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

	test('by its sequence, where every run maps one: also with another phone', () => {
		const isNamed = { settings: { ...judged.settings, isNamed: true } };
		const of = (by: string, at: number) => paid(by, at, { key: 'payment-1' });
		expect(signalsOf({ paid: [of('1', 10), of('2', 20)] }, [row], isNamed)).toEqual(['paidTwice']);
	});

	test('another person, whom a corrected phone without a sequence makes, is paid once as well', () => {
		const then: Step[] = [{ ...call, correction: 'phone' }];
		const of = (by: string, at: number) => paid(by, at, { key: '9001' });
		expect(signalsOf({ paid: [paid('1', 10), of('2', 20)] }, [row], { then })).toEqual([]);
		expect(signalsOf({ paid: [of('1', 10), of('2', 20)] }, [row], { then })).toEqual(['paidTwice']);
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
		const foreign = paid('1', 10, { key: keyOf(other, false) });
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
		const visits = [visit('1', 5, [], { said: 'another package was refused' }), final(['alreadyAccepted'])];
		expect(signalsOf({ paid: [paid('1', 10)], visits })).toEqual(['reportedNowhere']);
	});

	test('at the end', () => {
		expect(signalsOf({ paid: [paid('1', 10)], visits: [final([])] })).toEqual(['reportedNowhere']);
		expect(signalsOf({ paid: [paid('1', 910)], visits: [final([])] })).toEqual([]);
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

describe('not recognized', () => {
	const quiet = { paid: [paid('1', 10)], sent: [sent('1', 10, 'accepted')] };

	test('what was certain is unknown at the end, though the log was kept', () => {
		const visits = [visit('1', 5, ['accepted']), final(['unknown'])];
		expect(signalsOf({ ...quiet, visits })).toEqual(['notRecognized']);
		expect(signalsOf({ ...quiet, visits }, [row], { interruption: 'kill' })).toEqual([]);
		expect(signalsOf({ ...quiet, visits }, [row], { settings: { ...judged.settings, log: 'off' } })).toEqual([]);
	});

	test('a conflict that nobody has caused', () => {
		const visits = [visit('1', 5, ['accepted']), final(['conflict'])];
		expect(signalsOf({ ...quiet, visits })).toEqual(['notRecognized']);
		expect(signalsOf({ ...quiet, visits }, [row], { then: [{ ...call, correction: 'ric' }] })).toEqual([]);
	});
});

test('one attempt is resolved once', () => {
	expect(signalsOf({ resolved: [resolved(1, false)] })).toEqual([]);
	expect(signalsOf({ resolved: [resolved(1, false), resolved(2, false)] })).toEqual(['resolvedTwice']);
});

describe('the payment log', () => {
	const entry = (outcome: Outcome, more: Partial<Entry> = {}): Entry => ({
		execution: '1',
		entry: entryOf(row),
		outcome,
		transactionId: outcome === 'accepted' ? 'tx of 1 Send 0' : '',
		...more,
	});
	const accepted = { paid: [paid('1 Send 0', 10)], visits: [visit('1 Send 0', 5, ['accepted'])] };

	test.each<[string, Partial<Evidence>]>([
		['it says what was paid', { ...accepted, log: [entry('accepted')] }],
		['it says that nobody knows', { ...accepted, log: [entry('unknown')] }],
		['a person has resolved it', { ...accepted, log: [entry('accepted', { transactionId: '' })] }],
		['it says nothing of a run that was killed', { paid: accepted.paid, visits: [], log: [] }],
		['there is none', accepted],
	])('is right where %s', (_what, evidence) => {
		expect(signalsOf(evidence)).toEqual([]);
	});

	test.each<[string, Partial<Evidence>]>([
		['calls accepted what the bank has not', { log: [entry('accepted')] }],
		[
			'calls another payment by a transaction',
			{ ...accepted, log: [entry('accepted'), entry('accepted', { entry: 'x' })] },
		],
		['says nothing of what was paid', { ...accepted, log: [] }],
		['denies what was paid', { ...accepted, log: [entry('rejected')] }],
	])('is a signal where it %s', (_what, evidence) => {
		expect(signalsOf(evidence)).toEqual(['logOtherwise']);
	});
});
