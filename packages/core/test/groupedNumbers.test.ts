/** Account and card numbers in groups of digits are joined or rejected in every request. */
import { seededRandom } from '../../fixtures/src/seededRandom.ts';
import { docsOf } from '../src/docs.ts';
import { fieldAt, fieldsOf, type OperationInput, operations, prepare, splitList, unwrap } from '../src/index.ts';
import { hintsOf } from '../src/schemas/fields.ts';
import { issuesOf } from './support/bank.ts';
import { sampleOf, withValue } from './support/samples.ts';

const { below } = seededRandom(11);
const digits = (length: number) => Array.from({ length }, () => below(10)).join('');

/** The digits with spaces in between, as people and banks write them. */
function grouped(number: string): string {
	const blanks = [' ', '\u00a0', ' \u200b', '\t'];
	let text = number[0] ?? '';
	let blank = 0;
	for (const digit of number.slice(1)) {
		if (below(4) === 0) text += blanks[below(blanks.length)];
		blank = text.length;
		text += digit;
	}
	return /\s/.test(text) ? text : `${text.slice(0, blank)} ${text.slice(blank)}`;
}

/** Request fields for accounts and cards. */
const places = operations.flatMap((operation) =>
	(['query', 'body', 'pathFields'] as const).flatMap((group) =>
		fieldsOf(operation[group])
			.filter(([path]) => /(?:^|\.)(?:accounts?|accountIds|cards|cardId)$/.test(path))
			.map(([path, entry]) => {
				const { schema } = unwrap(entry);
				const steps = [group === 'pathFields' ? 'path' : group, ...path.split('.')];
				const name = `${operation.id} ${steps.join('.')}`;
				return { name, operation, steps, isList: schema.type === 'array', holds: hintsOf(schema).holds };
			}),
	),
);

test('P1, P4 to P8 and P10 have fields for grouped numbers', () => {
	const taking = places.map(({ operation }) => docsOf(operation).spec);
	expect(taking).toEqual(expect.arrayContaining(['4, P1', '4, P4', '4, P5', '4, P6', '4, P7', '4, P8', '4, P10']));
});

describe.each(places)('$name', ({ operation, steps, isList, holds }) => {
	const of = holds === 'card' ? 'card' : 'account';
	/** A sample with another value in this field. */
	const inputWith = (value: unknown) =>
		withValue(sampleOf(operation.id, 'all fields').input, steps, value) as OperationInput;
	const lengths = of === 'card' ? [16, 17, 18, 19] : [20];

	test('joins the groups of a number', () => {
		for (let round = 0; round < 50; round++) {
			const number = digits(lengths[below(lengths.length)] ?? 20);
			for (const given of isList
				? [grouped(number), [grouped(number)], JSON.stringify([grouped(number)])]
				: [grouped(number)]) {
				const { input } = prepare(operation, inputWith(given));
				expect(fieldAt(input, steps.join('.'))).toEqual(isList ? [number] : number);
			}
		}
	});

	test('refuses groups that do not form a number, and a number that a spreadsheet cut off, and names field and value', () => {
		const wrong = [4, 9, 15, 21, ...(of === 'card' ? [] : [39])].map((length) => grouped(digits(length)));
		for (const value of [...wrong, '4.07028E+19', '4,07028e+19']) {
			const [fault] = issuesOf(operation, inputWith(value));
			expect(fault?.path).toContain(steps.at(-1));
			expect(fault?.message).toMatch(/^is ".+": (?:these groups of digits do not make up|a spreadsheet cut off its) /);
		}
	});
});

test('whole numbers stay apart, and numbers in groups are separated by commas or lines', () => {
	const [first, second] = [digits(20), digits(20)];
	expect(splitList(`${grouped(first)}, ${second}\n${grouped(second)}`, 'account')).toEqual([first, second, second]);
	expect(splitList(`${first} ${second}`, 'account')).toEqual([first, second]);
	expect(splitList('card-0001 card-0002', 'card')).toEqual(['card-0001', 'card-0002']);
});

test('an ambiguous grouping is refused', () => {
	for (const text of ['1234567890123456 1 1234567890123456', '2200 0000 0000 0017 2200 0000 0000 0025'])
		expect(splitList(text, 'card')).toEqual([text]);
});
