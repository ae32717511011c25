/** Errors of recipients name the rows, wherever the recipients come from. */
import { masked } from '../nodes/Bank/forms/package.ts';
import { jsonOf, mapped, refusalOf, run, useBank } from './support/bank.ts';
import { recipient, sender } from './support/payout.ts';

type Json = Record<string, unknown>;

const bank = useBank();
const form = { ...sender, signedBody: 'c2ln' };
const rows: Json[] = [1, 2, 3, 4, 5].map((number) => recipient(number, number % 2 === 0 ? { phone: '' } : {}));
const named = (more: (number: number) => Json) => rows.map((row, index) => ({ ...row, ...more(index + 1) }));
const list = (recipients: Json[]) =>
	[{ ...form, recipientsFrom: 'list', payments: JSON.stringify(recipients) }, [{}]] as const;
const columns = (items: Json[], value?: Json) =>
	[
		{
			...form,
			recipientsFrom: 'columns',
			...(value && { columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] } }),
		},
		items,
	] as const;
const fields = (items: Json[]) => [{ ...form, recipientsFrom: 'items', ...mapped }, items] as const;
const sequences = named((number) => ({ sequence: `s-${number}` }));
const names = named((number) => ({ name: { first: 'Anna', last: `No${number}` } }));
const full = named((number) => ({ ФИО: `Anna ${number}` }));
const withoutSequence = { ...mapped, sequence: '' };

describe.each([
	['a list with sequences', list(sequences), ['s-2', 's-4']],
	['a list with names', list(names), ['No2 Anna', 'No4 Anna']],
	['a list with neither', list(rows), ['Payments[1]', 'Payments[3]']],
	['columns with sequences', columns(sequences), ['s-2', 's-4']],
	['columns with names', columns(full), ['Anna 2', 'Anna 4']],
	['columns that are mapped manually', columns(full, withoutSequence), ['Anna 2', 'Anna 4']],
	['items', fields(sequences), ['s-2', 's-4']],
] as [string, readonly [Json, Json[]], string[]][])('%s', (_from, [parameters, items], expected) => {
	it.each(['payment.sendPackage', 'payment.preparePackage'])('are named: %s', async (id) => {
		const error = await refusalOf(run(id, parameters, { items }));
		for (const name of expected) expect(error.message).toContain(name);
		const output = jsonOf(await run(id, parameters, { items, continueOnFail: true }));
		const errors = output.map(({ error: text }) => String(text)).filter((text) => text.startsWith('Phone is required'));
		expect(errors).toHaveLength(items.length === 1 ? 1 : expected.length);
		for (const name of expected) expect(errors.join()).toContain(name);
		expect(bank().seen).toEqual([]);
	});
});

it.each(['+79000000001', '89000000001', '9000000001', '+7 900 000-00-01', '8 (900) 000 00 01', '+*******0001'])(
	'a phone is masked in one style: %s',
	(phone) => expect(masked(phone)).toBe('+*******0001'),
);
