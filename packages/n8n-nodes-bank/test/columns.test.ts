/** Recipients from columns of the input items: which columns match, and which are rejected. */
import { acceptEverything, packageIn } from './support/payout.ts';
import { recipientFields } from '@bank/core';
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { jsonOf, mapped, refusalOf, run, type RunOptions, useBank } from './support/bank.ts';
import { fieldOf } from './support/forms.ts';
import { Bank } from '../nodes/Bank/Bank.node.ts';

type Json = Record<string, unknown>;

const bank = useBank();
const sender = {
	paymentRun: 'salary-2026-11',
	partnerId: 1001,
	inn: '7700000000',
	account: '40702810000000000001',
};
const row = (index: number, more: Json = {}): Json => ({
	amount: 10.5 * index,
	phone: `+7900000000${index}`,
	nspkBankId: '100000000111',
	paymentDescription: 'Reward',
	ric: 1,
	...more,
});
const without = (name: string, from: Json): Json =>
	Object.fromEntries(Object.entries(from).filter(([key]) => key !== name));

const sentPayments = () => bank().seen.flatMap((seen) => packageIn(seen).payments);
beforeEach(() => (bank().answer = acceptEverything(bank)));

const byName = (items: Json[], parameters: Json = {}, options: RunOptions = {}) =>
	run(
		'payment.sendPackage',
		{ recipientsFrom: 'columns', signedBody: 'c2ln', ...sender, ...parameters },
		{ items, ...options },
	);
const byHand = (items: Json[], value: Json, options: RunOptions = {}) =>
	byName(items, { columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] } }, options);

describe('the fields that can be mapped', () => {
	it('are those of the form for input items, by their labels, and required where they are there', async () => {
		const { fields } = await new Bank().methods.resourceMapping.recipientColumns.call({} as ILoadOptionsFunctions);
		const known = fields.map(({ id, displayName, required }) => ({ id, displayName, required }));
		const inForm = known.map(({ id }) => {
			const { displayName, required = false } = fieldOf('payment.sendPackage', id.replace('name.', ''), {
				recipientsFrom: 'items',
			});
			return { id, displayName, required };
		});
		expect(known).toEqual(inForm);
		expect(known.map(({ id }) => id).sort()).toEqual(
			[...Object.keys(mapped), 'name.first', 'name.middle', 'name.last'].sort(),
		);
	});

	it('are named in the form where columns are matched, what is required first', () => {
		const { displayName } = fieldOf('payment.sendPackage', 'matching', { recipientsFrom: 'columns' });
		const names = displayName.replace(/ \(.*?\)/, '');
		const named = /needs (.*?)\. Optional: (.*?)\./.exec(names)?.slice(1) ?? [];
		const titles = (required: boolean) =>
			recipientFields.filter((field) => field.required === required).map(({ title }) => title);
		const ownField = 'Income Kind Code';
		expect(named.map((list) => list.split(', '))).toEqual([
			titles(true).filter((title) => title !== ownField),
			titles(false),
		]);
		expect(fieldOf('payment.sendPackage', 'ric', { recipientsFrom: 'columns' })).toMatchObject({
			displayName: ownField,
		});
	});

	it('have names of which none can be taken for another field', () => {
		const plain = (name: string) => name.toLowerCase().replace(/[^a-z]|recipient/g, '');
		for (const { name, title } of recipientFields)
			for (const other of recipientFields.filter((field) => field.name !== name))
				expect([name, title].map(plain)).not.toEqual(
					expect.arrayContaining([expect.stringMatching(`^(?:${plain(other.name)}|${plain(other.title)})$`)]),
				);
	});
});

describe('columns that are matched by name', () => {
	it('need nothing else than to be there, and send what mapped fields send', async () => {
		const items = [row(1, { sequence: 'a-1' }), row(2, { sequence: 'a-2' })];
		await byName(items);
		await run('payment.sendPackage', { signedBody: 'c2ln', ...sender, ...mapped }, { items });
		const [matched, fields] = bank().seen.map(({ text }) => text);
		expect(matched).toBe(fields);
	});

	it('match in any case, with spaces, underscores or the label of the form', async () => {
		await byName([
			{
				'\uFEFFAMOUNT': '1',
				'Recipient Phone': '+79000000001',
				'Bank ID': '100000000111',
				payment_description: 'Reward',
				'Income Kind Code': 1,
				'First Name': 'Ivan',
				'name.middle': 'Ivanovich',
				surname: 'Ivanov',
			},
		]);
		expect(sentPayments()).toEqual([
			{
				amount: 1,
				phone: '+79000000001',
				nspkBankId: '100000000111',
				paymentDescription: 'Reward',
				ric: 1,
				sequence: '1',
				name: { first: 'Ivan', middle: 'Ivanovich', last: 'Ivanov' },
			},
		]);
	});

	it('take a name that is an object, as lists of recipients have it', async () => {
		await byName([row(1, { name: { first: 'Ivan', last: 'Ivanov' } })]);
		expect(sentPayments()[0]?.name).toEqual({ first: 'Ivan', last: 'Ivanov' });
	});

	it('are the only ones that are sent', async () => {
		await byName([row(1, { salary: 5000, last: 'login', first: true, name: 'Ivan Ivanov', fee: { amount: 3 } })]);
		expect(Object.keys(sentPayments()[0] ?? {}).sort()).toEqual([...Object.keys(row(1)), 'sequence'].sort());
	});

	it('may have their usual names in Russian, as in a file saved by Excel', async () => {
		const table = {
			'\uFEFFДоговор': 'Д-17',
			ФИО: 'Fakeman I. I.',
			Телефон: '+79000000001',
			Банк: '100000000111',
			'Сумма, руб.': '1 222,50',
			'За что': 'Reward',
			'Код дохода': '1',
		};
		await byName([table]);
		expect(sentPayments()).toEqual([{ ...row(1), amount: 1222.5, sequence: 'Д-17' }]);
	});

	it('may be missing in one item, which is refused as any empty field is', async () => {
		const { message } = await refusalOf(byName([row(1), without('phone', row(2))]));
		expect(message).toBe('Phone is required (item 1)');
		expect(bank().seen).toEqual([]);
	});

	it('are refused where no item has one that is required, with the names that would match and those that are there', async () => {
		const { message, description } = await refusalOf(
			byName([1, 2].map((index) => ({ ...without('nspkBankId', row(index)), 'bic, or swift': '044525000' }))),
		);
		expect(message).toBe(
			'Missing: Recipient Bank ID. Your columns: amount, phone, paymentDescription, ric, bic, or swift. ' +
				'Add or rename columns, or choose Map Each Column Manually',
		);
		expect(description).toContain('Nothing was sent.');
		expect(bank().seen).toEqual([]);
	});

	it('may have no income kind code: the form then has one for all rows', async () => {
		await byName([without('ric', row(1)), row(2, { ric: ' ' }), row(3, { ric: 4 })], { ric: '2' });
		expect(sentPayments().map(({ ric }) => ric)).toEqual([2, 2, 4]);
	});

	it.each([
		[
			'an income kind code',
			Object.keys(without('ric', row(1))),
			'Missing: Income Kind Code. Enter it in the form, or add a column for it',
		],
		['the delimiter of a file', ['Телефон;Банк;Сумма'], 'Set the delimiter of the file in Extract From File'],
		['the encoding of a file', ['\uFFFD\uFFFD', '\uFFFD'], 'Set the encoding of the file in Extract From File'],
	])('that lack %s say where to enter it', async (_, columns, advice) => {
		const { text } = await refusalOf(byName([Object.fromEntries(columns.map((column) => [column, '1']))]));
		expect(text).toContain(advice);
		expect(bank().seen).toEqual([]);
	});

	it('are refused all at once, also where there are no columns at all', async () => {
		const { text } = await refusalOf(byName([{}]));
		const titles = recipientFields.filter(({ required }) => required).map(({ title }) => title);
		expect(text).toContain(`Missing: ${titles.join(', ')}. Your columns: none.`);
	});

	it('are refused where two match one field, whatever stands in them', async () => {
		const { message } = await refusalOf(byName([row(1), row(2, { Phone: '+79000000009' })]));
		expect(message).toBe('Phone is in two columns, "phone" and "Phone". Rename or remove one of them before this node');
		expect(bank().seen).toEqual([]);
	});

	it('are read without an expression: what was mapped by hand before is not looked at', async () => {
		const evaluated = jest.fn();
		const value = Object.fromEntries(Object.keys(mapped).map((field) => [field, evaluated]));
		await byName([row(1)], { columns: { mappingMode: 'autoMapInputData', value, matchingColumns: [], schema: [] } });
		expect(sentPayments()).toEqual([{ ...row(1), sequence: '1' }]);
		expect(evaluated).not.toHaveBeenCalled();
	});

	it('are told for each item where the node goes on', async () => {
		const items = await byName(
			[1, 2].map((index) => without('phone', row(index))),
			{},
			{ continueOnFail: true },
		);
		expect(jsonOf(items).map(({ error }) => error)).toEqual([
			expect.stringContaining('Missing: Phone. Your columns: amount,'),
			expect.stringContaining('Missing: Phone. Your columns: amount,'),
		]);
		expect(bank().seen).toEqual([]);
	});

	it('make one package per item where that is asked for', async () => {
		await byName([row(1), row(2)], { options: { packagePerItem: true } });
		expect(bank().seen).toHaveLength(2);
	});
});

describe('columns that a person has mapped', () => {
	const value = {
		...mapped,
		phone: '={{ $json.tel }}',
		paymentDescription: 'Reward',
		sequence: null,
		'name.last': '={{ $json.surname }}',
	};

	it('send what their expressions give', async () => {
		await byHand([{ ...row(1), phone: 'none', tel: '+79000000007', surname: 'Ivanov' }], value);
		expect(sentPayments()).toEqual([
			expect.objectContaining({ phone: '+79000000007', name: { last: 'Ivanov' }, sequence: '1' }),
		]);
	});

	it('are refused where one that is required was left out', async () => {
		const { message } = await refusalOf(byHand([row(1), row(2)], without('nspkBankId', mapped)));
		expect(message).toBe('Recipient Bank ID is required (all 2 items)');
		expect(bank().seen).toEqual([]);
	});

	it('do not fall back on columns of the same name', async () => {
		const { message } = await refusalOf(byHand([row(1)], {}));
		expect(message).toContain('Amount, Recipient Bank ID, Phone are empty');
		expect(bank().seen).toEqual([]);
	});
});

describe('a payment', () => {
	it('is the same one, however its columns came to it', async () => {
		const remembered = new Set<string>();
		await byName([row(1)], {}, { remembered });
		await expect(byHand([row(1)], mapped, { remembered })).rejects.toThrow(/sent before|already/i);
		await expect(
			run('payment.sendPackage', { signedBody: 'c2ln', ...sender, ...mapped }, { items: [row(1)], remembered }),
		).rejects.toThrow(/sent before|already/i);
		expect(bank().seen).toHaveLength(1);
	});

	it('is called by the name in its row where it was sent before', async () => {
		const remembered = new Set<string>();
		const items = [row(1, { Получатель: 'Ivanov I. I.' })];
		await byName(items, {}, { remembered });
		const { message } = await refusalOf(byName(items, {}, { remembered }));
		expect(message).toContain('The payment to Ivanov I. I. (+*******0001)');
	});

	it('can be prepared by columns, and is then sent as it was prepared', async () => {
		const prepared = jsonOf(
			await run('payment.preparePackage', { recipientsFrom: 'columns', ...sender }, { items: [row(1), row(2)] }),
		);
		expect(bank().seen).toEqual([]);
		const byItems = jsonOf(await run('payment.preparePackage', { ...sender, ...mapped }, { items: [row(1), row(2)] }));
		expect(prepared).toEqual(byItems);
		await run('payment.sendPackage', { recipientsFrom: 'prepared', signedBody: 'c2ln' }, { items: prepared });
		expect(sentPayments()).toHaveLength(2);
	});
});
