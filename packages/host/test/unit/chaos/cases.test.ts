import { casesOf, describeCase, mark, shuffled, timeoutOf } from '../../../src/chaos/cases.ts';
import { keyOf } from '../../../src/chaos/evidence.ts';

const cases = casesOf(7, 300);

test('the same seed gives the same cases, however many are asked for; another seed gives others', () => {
	expect(casesOf(7, 40)).toEqual(cases.slice(0, 40));
	expect(casesOf(8, 40).map(({ number: _, ...one }) => one)).not.toEqual(
		casesOf(7, 40).map(({ number: _, ...one }) => one),
	);
});

test('a few hundred cases hold every shape, mode, source, trouble and way on', () => {
	const found = (of: (one: (typeof cases)[number]) => readonly string[]) => new Set(cases.flatMap((one) => of(one)));
	expect(found(({ kind }) => [kind.shape])).toEqual(
		new Set(['plain', 'copy', 'loop', 'subWorkflow', 'sharedMemory', 'debit']),
	);
	expect(found(({ kind }) => [kind.mode])).toEqual(new Set(['stop', 'continue', 'errorOutput']));
	expect(found(({ kind }) => [kind.from])).toEqual(new Set(['items', 'list', 'prepared']));
	expect(found(({ trouble }) => [trouble])).toEqual(new Set(['none', 'stopAtOnce', 'stopAtTheBank', 'kill']));
	expect(found(({ then }) => then.map((step) => step.do))).toEqual(new Set(['call', 'retry', 'executeStep']));
	expect(found(({ faults }) => faults.map(({ kind }) => kind)).size).toBe(17);
});

test('of equal payments there are some, with sequences every payment is one of its own', () => {
	const equals = cases.filter(({ rows }) => new Set(rows.map(keyOf)).size < rows.length);
	expect(equals.length).toBeGreaterThan(0);
	expect(equals.every(({ rows }) => rows.every(({ sequence }) => sequence === ''))).toBe(true);
	for (const { rows } of cases) expect(new Set(rows.map(({ sequence }) => sequence === '')).size).toBe(1);
});

test('what marks the requests of a case is in those of no other', () => {
	const marks = cases.map(({ number }) => mark(number));
	for (const one of marks) expect(marks.filter((other) => other.includes(one))).toEqual([one]);
});

test('another order holds the same rows', () => {
	const rows = cases.find((one) => one.rows.length > 3)?.rows ?? [];
	const other = shuffled(rows, 5);
	expect(other).not.toEqual(rows);
	expect(other.map(keyOf).sort()).toEqual(rows.map(keyOf).sort());
});

test('who is to be caught at the bank waits there; otherwise nobody waits long for what never answers', () => {
	expect(timeoutOf({ trouble: 'kill', faults: [{ kind: 'hang' }] }, true)).toBe(30);
	expect(timeoutOf({ trouble: 'kill', faults: [{ kind: 'hang' }] }, false)).toBe(2);
	expect(timeoutOf({ trouble: 'none', faults: [{ kind: 'drip' }] }, true)).toBe(2);
	expect(timeoutOf({ trouble: 'none', faults: [{ kind: 'unavailable' }] }, true)).toBe(30);
});

test('a case is told in one line', () => {
	const row = { amount: 1, phone: '+79000000001', nspkBankId: '1', sequence: '' };
	expect(
		describeCase({
			number: 3,
			kind: { shape: 'plain', mode: 'stop', retryOnFail: true, from: 'list' },
			rows: [row, row],
			packaging: { packagePerItem: false, maxPayments: 2 },
			faults: [
				{ kind: 'hang', applied: true },
				{ kind: 'html', status: 502 },
			],
			times: 2,
			trouble: 'kill',
			then: [
				{ do: 'retry', saved: true },
				{
					do: 'call',
					times: 1,
					shuffled: true,
					packaging: { packagePerItem: true, maxPayments: 0 },
					sendAgain: 'second',
				},
			],
		}),
	).toBe(
		'case 3: plain, stop, Retry On Fail, from list; 2 payments to 1 people; packages of 2; 2 at once; ' +
			'meets hang applied, html 502; kill; then retry with the saved workflow, ' +
			'1 at once a package per item other order Send Again "second"',
	);
});
