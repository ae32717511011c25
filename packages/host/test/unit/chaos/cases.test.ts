import { casesOf, mark } from '../../../src/chaos/cases.ts';

const cases = casesOf(7, 100);

test('the same seed gives the same cases, however many are asked for; another seed gives others', () => {
	expect(casesOf(7, 40)).toEqual(cases.slice(0, 40));
	expect(casesOf(8, 40)).not.toEqual(casesOf(7, 40));
});

test('a hundred cases contain every variant', () => {
	const found = (of: (one: (typeof cases)[number]) => readonly unknown[]) => new Set(cases.flatMap((one) => of(one)));
	expect(found(({ workflows }) => [workflows])).toEqual(new Set([1, 2]));
	expect(found(({ sequences }) => [sequences])).toEqual(new Set(['mapped', 'empty', 'both']));
	expect(found(({ times }) => [times])).toEqual(new Set([1, 2, 4]));
	expect(found(({ interruption }) => [interruption])).toEqual(new Set(['none', 'stopAtOnce', 'stopAtTheBank', 'kill']));
	expect(found(({ then }) => then.map((step) => `${step.do} ${step.times}`)).size).toBe(4);
	expect(found(({ faults }) => faults.map(({ kind }) => kind)).size).toBe(6);
});

test('the marker of a case is in no request of another case', () => {
	const marks = cases.map(({ number }) => mark(number));
	for (const one of marks) expect(marks.filter((other) => other.includes(one))).toEqual([one]);
});
