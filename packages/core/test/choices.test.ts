/** Reading the possible values of a field from a response. */
import { type ChoiceSource, readChoices, operationById } from '../src/index.ts';
import { sampleOf } from './support/samples.ts';

/** The rows are not described. */
const offers: ChoiceSource = { from: operationById('offer.getMany'), value: 'offerId' };
const rows = [
	null,
	{ note: 'of no offer' },
	{ offerId: ' ', name: 'None' },
	{ name: 'Gold', offerId: 'o-1', creditLimit: 100, tags: ['a', 2], note: ' ', inner: {} },
	{ offerId: 7 },
];

test.each([
	['themselves', rows],
	['in a field', { appId: 'a-1', other: [{ number: 1 }], offers: rows }],
	['further in', { items: [{}], result: { text: 'x', found: rows } }],
])('rows whose place is not described are found by the name of the value: %s', (_, answer) => {
	expect(readChoices(offers, answer)).toEqual([
		{ value: 'o-1', text: 'o-1: Gold, creditLimit 100, a 2' },
		{ value: '7', text: '7' },
	]);
});

test.each([[undefined], ['offerId'], [[]], [{ offers: [{ number: 1 }] }], [{ offerId: 'o-1' }]])(
	'a response without such rows gives undefined and not an empty list: %j',
	(answer) => {
		expect(readChoices(offers, answer)).toBeUndefined();
	},
);

test('described rows are labelled by the fields chosen for it', () => {
	const limits = operationById('cardLimit.delete').choices?.limitId as ChoiceSource;
	expect(readChoices(limits, sampleOf('cardLimit.getMany', 'all fields').response.body)).toEqual([
		{ value: '1001', text: expect.stringMatching(/^1001: monthly, .*, max \d+, RUB$/) },
	]);
	expect(readChoices(limits, { limits: [] })).toEqual([]);
	for (const answer of [{}, [], null, { others: [{ id: 1 }] }]) expect(readChoices(limits, answer)).toBeUndefined();
});
