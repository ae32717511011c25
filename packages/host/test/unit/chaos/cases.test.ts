import { casesOf, isAlwaysNamed, isMixed, mark } from '../../../src/chaos/cases.ts';

const cases = casesOf(7, 300);

test('the same seed gives the same cases, however many are asked for; another seed gives others', () => {
	expect(casesOf(7, 40)).toEqual(cases.slice(0, 40));
	expect(casesOf(8, 40)).not.toEqual(casesOf(7, 40));
});

test('a few hundred cases hold every shape, mode, source, interruption and way on', () => {
	const found = (of: (one: (typeof cases)[number]) => readonly string[]) => new Set(cases.flatMap((one) => of(one)));
	expect(found(({ kind }) => [kind.shape])).toEqual(
		new Set(['plain', 'copy', 'loop', 'subWorkflow', 'shared', 'debit']),
	);
	expect(found(({ kind }) => [kind.mode])).toEqual(new Set(['stop', 'continue', 'errorOutput']));
	expect(found(({ kind }) => [kind.from])).toEqual(new Set(['items', 'list', 'prepared']));
	expect(found(({ interruption }) => [interruption])).toEqual(new Set(['none', 'stopAtOnce', 'stopAtTheBank', 'kill']));
	expect(found(({ then }) => then.map((step) => step.do))).toEqual(
		new Set(['call', 'retry', 'executeStep', 'resolve', 'deleteLog']),
	);
	expect(found(({ settings }) => [settings.log])).toEqual(new Set(['kept', 'deleted', 'off']));
	const corrections = cases.flatMap(({ then }) =>
		then.flatMap((step) => (step.do === 'call' ? [step.correction] : [])),
	);
	expect(new Set(corrections).size).toBe(9);
	expect(cases.filter(isMixed).length).toBeGreaterThan(10);
	expect(cases.filter(isAlwaysNamed).length).toBeGreaterThan(50);
	expect(found(({ faults }) => faults.map(({ kind }) => kind)).size).toBe(18);
});

test('what marks the requests of a case is in those of no other', () => {
	const marks = cases.map(({ number }) => mark(number));
	for (const one of marks) expect(marks.filter((other) => other.includes(one))).toEqual([one]);
});
