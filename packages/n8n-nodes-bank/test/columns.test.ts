/** Recipients from columns of the input items: which columns match, and which are rejected. */
import { recipientFields } from '@bank/core';
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { Bank } from '../nodes/Bank/Bank.node.ts';
import { FakeDatabase } from '../../fixtures/src/processedDataStore.ts';
import { jsonOf, mapped, outcomesOf, refusalOf, run, type RunOptions, useBank } from './support/bank.ts';
import { fieldOf } from './support/forms.ts';
import { acceptEverything, packageIn, payoutForm, recipient, sender } from './support/payout.ts';

type Json = Record<string, unknown>;

const bank = useBank();
const row = (index: number, more: Json = {}): Json => recipient(index, more);
const without = (name: string, from: Json): Json =>
	Object.fromEntries(Object.entries(from).filter(([key]) => key !== name));

const sentPayments = () => bank().seen.flatMap((seen) => packageIn(seen).payments);
beforeEach(() => (bank().answer = acceptEverything(bank)));

const form = { recipientsFrom: 'columns', signedBody: 'c2ln', ...sender };
const byName = (items: Json[], parameters: Json = {}, options: RunOptions = {}) =>
	run('payment.sendPackage', { ...form, ...parameters }, { items, ...options });
const byHand = (items: Json[], value: Json, options: RunOptions = {}) =>
	byName(items, { columns: { mappingMode: 'defineBelow', value, matchingColumns: [], schema: [] } }, options);

describe('the fields that can be mapped', () => {
	it('are those of the form for input items, with the same labels', async () => {
		const { fields } = await new Bank().methods.resourceMapping.recipientColumns.call({} as ILoadOptionsFunctions);
		const known = fields.map(({ id, displayName, required }) => ({ id, displayName, required }));
		const inForm = known.map(({ id }) => {
			const { displayName, required = false } = fieldOf('payment.sendPackage', id.replace('name.', ''), {
				recipientsFrom: 'items',
			});
			return { id, displayName, required };
		});
		expect(known).toEqual(inForm);
		const names = ['name.first', 'name.middle', 'name.last'];
		expect(known.map(({ id }) => id).sort()).toEqual([...Object.keys(mapped), ...names].sort());
	});

	it('are listed in the form, required fields first', () => {
		const { displayName } = fieldOf('payment.sendPackage', 'matching', { recipientsFrom: 'columns' });
		const names = displayName.replace(/ \(.*?\)/, '');
		const named = /needs (.*?)\. Optional: (.*?)\./.exec(names)?.slice(1) ?? [];
		const titles = (required: boolean) =>
			recipientFields.filter((field) => field.required === required).map(({ title }) => title);
		const ownField = 'Income Kind Code';
		const needed = titles(true).filter((title) => title !== ownField);
		expect(named.map((list) => list.split(', '))).toEqual([needed, titles(false)]);
		expect(fieldOf('payment.sendPackage', 'ric', { recipientsFrom: 'columns' })).toMatchObject({
			displayName: ownField,
		});
	});

	it('have names that cannot be confused', () => {
		const plain = (name: string) => name.toLowerCase().replace(/[^a-z]|recipient/g, '');
		for (const { name, title } of recipientFields)
			for (const other of recipientFields.filter((field) => field.name !== name))
				expect([name, title].map(plain)).not.toEqual(
					expect.arrayContaining([expect.stringMatching(`^(?:${plain(other.name)}|${plain(other.title)})$`)]),
				);
	});
});

const required = recipientFields.filter((field) => field.required).map(({ title }) => title);

describe('columns that are matched by name', () => {
	it('send the same as mapped fields', async () => {
		const items = [row(1, { sequence: 'a-1' }), row(2, { sequence: 'a-2' })];
		await byName(items);
		await run('payment.sendPackage', payoutForm, { items });
		const [matched, fields] = bank().seen.map(({ text }) => text);
		expect(matched).toBe(fields);
	});

	it('match in any letter case, with spaces, underscores or the label of the form', async () => {
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
		const name = { first: 'Ivan', middle: 'Ivanovich', last: 'Ivanov' };
		expect(sentPayments()).toEqual([{ ...row(1), amount: 1, sequence: '1', name }]);
	});

	it.each([false, 'false', 'FALSE'])(
		'have no sequence of their own if they are an earlier output, where it was the position: %j',
		async (sequenceGiven) => {
			await byName([row(1, { sequence: '2', sequenceGiven })]);
			expect(sentPayments()).toEqual([{ ...row(1), sequence: '1' }]);
		},
	);

	it('may have a name that is an object', async () => {
		await byName([row(1, { name: { first: 'Ivan', last: 'Ivanov' } })]);
		expect(sentPayments()[0]?.name).toEqual({ first: 'Ivan', last: 'Ivanov' });
	});

	it('are the only ones that are sent', async () => {
		await byName([row(1, { salary: 5000, last: 'login', first: true, name: 'Ivan Ivanov', fee: { amount: 3 } })]);
		expect(Object.keys(sentPayments()[0] ?? {}).sort()).toEqual([...Object.keys(row(1)), 'sequence'].sort());
	});

	it('may have Russian names, as in a file saved by Excel', async () => {
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

	it.each([
		['by name', byName],
		['by hand', (items: Json[], more: Json, options: RunOptions) => byHand(items, mapped, options)],
	])('that are all empty in a row, as Excel leaves them below a table, are no payment: %s', async (_how, pay) => {
		const empty = { ...Object.fromEntries(Object.keys(row(1)).map((name) => [name, ''])), sequence: ' ', note: null };
		const hints: { message: string }[] = [];
		const rows = [row(1, { sequence: 'a' }), empty, row(2, { sequence: 'b' }), empty];
		await pay(rows, {}, { hints });
		expect(sentPayments().map(({ sequence }) => sequence)).toEqual(['a', 'b']);
		expect(hints.map(({ message }) => message)).toContain('2 empty rows skipped: item 1, 3.');
	});

	it('that are missing in one item are reported as an empty field', async () => {
		const { message } = await refusalOf(byName([row(1), without('phone', row(2))]));
		expect(message).toBe('Phone is required (item 1)');
		expect(bank().seen).toEqual([]);
	});

	it('that are missing in all items are reported once, with the existing columns', async () => {
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

	it('may lack the income kind code, which the form then has for all rows', async () => {
		await byName([without('ric', row(1)), row(2, { ric: ' ' }), row(3, { ric: 4 })], { ric: '2' });
		expect(sentPayments().map(({ ric }) => ric)).toEqual([2, 2, 4]);
	});

	it.each([
		[
			'an income kind code',
			Object.keys(without('ric', row(1))),
			'Missing: Income Kind Code. Enter it in the node, or add a column for it',
		],
		['the delimiter of a file', ['Телефон;Банк;Сумма'], 'Set the delimiter of the file in Extract From File'],
		['the comma of a file', ['Phone,Bank,Amount'], 'Set the delimiter of the file in Extract From File'],
		['the encoding of a file', ['\uFFFD\uFFFD', '\uFFFD'], 'Set the encoding of the file in Extract From File'],
		['everything', ['note'], `Missing: ${required.join(', ')}. Your columns: note.`],
	])('that lack %s are refused with advice', async (_, columns, advice) => {
		const { text } = await refusalOf(byName([Object.fromEntries(columns.map((column) => [column, '1']))]));
		expect(text).toContain(advice);
		expect(bank().seen).toEqual([]);
	});

	it.each([[[{}]], [[{}, {}]]])('that are all missing are reported as an input without rows: %j', async (items) => {
		const { message } = await refusalOf(byName(items));
		expect(message).toBe(
			'The input has no rows, only empty items. Check the node before this one, or turn off its Always Output Data',
		);
		expect(bank().seen).toEqual([]);
	});

	it.each([
		['Bank', 'Sample Bank'],
		['Банк', 'Sample Bank'],
		['Description', 'Sold 3 items'],
	])('may have the heading %s beside a clear one, and then it is something else', async (heading, text) => {
		await byName([{ [heading]: text, ...row(1) }]);
		await byName([{ ...row(2), [heading]: text }]);
		expect(sentPayments()).toEqual([1, 2].map((index) => ({ ...row(index), sequence: '1' })));
	});

	it('are refused if two match one field', async () => {
		const { message } = await refusalOf(byName([row(1), row(2, { Phone: '+79000000009' })]));
		expect(message).toBe('Phone is in two columns, "phone" and "Phone". Rename or remove one of them before this node');
		expect(bank().seen).toEqual([]);
	});

	describe('beside another that may be meant', () => {
		const russian = {
			Сумма: 1500.5,
			Телефон: '+79000000001',
			'ID банка': '100000000111',
			'За что': 'Reward',
			'Код дохода': 1,
		};
		const english = { Amount: 1500.5, Phone: '+79000000001', 'Bank ID': '100000000111', Purpose: 'Reward', ric: 1 };
		const numbered = { ...russian, Договор: 'Д-1' };

		it.each<[string, Json, Json]>([
			['Amount', russian, { 'Сумма к выплате': 1305.44 }],
			['Amount', russian, { 'Сумма к выплате, руб.': '1 305,44 руб.' }],
			['Amount', russian, { Сумма_1: 1305.44 }],
			['Amount', russian, { Сумма_1: 1305.44, Сумма_2: 1 }],
			['Amount', english, { 'Net Amount': '1305.44' }],
			['Amount', english, { netAmount: 1305.44 }],
			['Amount', english, { 'Amount USD': 15 }],
			['Amount', english, { sum_total: 3 }],
			['Phone', russian, { Телефон_1: '+79000000002' }],
			['Phone', russian, { 'Рабочий телефон': '8 (900) 000-00-02' }],
			['Phone', english, { 'Work Phone': 79000000002 }],
			['Recipient Bank ID', russian, { 'ID банка_1': '100000000112' }],
			['Recipient Bank ID', english, { 'Second Bank': '100000000112' }],
			['Sequence', numbered, { Договор_1: 'Д-2' }],
			['Sequence', numbered, { 'Номер договора ГПХ': 'Д-2' }],
			['Sequence', { ...english, Contract: 'C-1' }, { 'Old Contract Number': 7 }],
		])('are refused, naming all: %s in %j with %j', async (label, table, more) => {
			const next = { ...table, ...more, ...(label === 'Sequence' ? { Договор: 'Д-9', Contract: 'C-9' } : {}) };
			const own = Object.keys(table);
			const later = Object.fromEntries(Object.entries(next).filter(([name]) => own.includes(name) || name in more));
			for (const items of [[{ ...table, ...more }], [{ ...more, ...table }], [table, later]]) {
				const { message } = await refusalOf(byName(items));
				expect(message).toMatch(new RegExp(`^${label} may be in (?:two|3) columns: `));
				for (const column of Object.keys(more)) expect(message).toContain(`"${column}"`);
				expect(message.length).toBeLessThan(300);
			}
			expect(bank().seen).toEqual([]);
			await byHand([{ ...row(1), ...more }], mapped);
			expect(sentPayments()).toHaveLength(1);
		});

		it.each<[string, Json, Json]>([
			['an empty column', russian, { Сумма_1: '', 'Сумма к выплате': null }],
			['the amount in words', russian, { 'Сумма прописью': 'Одна тысяча пятьсот рублей 50 копеек' }],
			[
				'the name of the bank',
				russian,
				{ Банк: 'Sample Bank', 'Наименование банка': 'Sample Bank', 'БИК банка': '044525000' },
			],
			[
				'a date',
				numbered,
				{ 'Дата договора': '31.01.2026', 'Дата выплаты': '31.01.2026', 'Предмет договора': 'Reward' },
			],
			['an extension', english, { 'Phone Extension': 12 }],
			['other columns', english, { Salary: 2000, Tax: 195.06, Contact: 'x@example.com' }],
			['fields of an object', english, { fee: { amount: 3 } }],
		])('are sent if that is %s', async (_what, table, more) => {
			await byName([{ ...table, ...more }]);
			expect(sentPayments()).toMatchObject([{ amount: 1500.5, phone: '+79000000001', nspkBankId: '100000000111' }]);
		});
	});

	it('are read without expressions: an earlier manual mapping is not evaluated', async () => {
		const evaluated = jest.fn();
		const value = Object.fromEntries(Object.keys(mapped).map((field) => [field, evaluated]));
		await byName([row(1)], { columns: { mappingMode: 'autoMapInputData', value, matchingColumns: [], schema: [] } });
		expect(sentPayments()).toEqual([{ ...row(1), sequence: '1' }]);
		expect(evaluated).not.toHaveBeenCalled();
	});
});

describe('columns that are mapped manually', () => {
	const value = {
		...mapped,
		phone: '={{ $json.tel }}',
		paymentDescription: 'Reward',
		sequence: null,
		'name.last': '={{ $json.surname }}',
	};

	it('send the values of their expressions', async () => {
		await byHand([{ ...row(1), phone: 'none', tel: '+79000000007', surname: 'Ivanov' }], value);
		const sent = { phone: '+79000000007', name: { last: 'Ivanov' }, sequence: '1' };
		expect(sentPayments()).toEqual([expect.objectContaining(sent)]);
	});

	it('are not replaced by columns of the same name', async () => {
		const { message } = await refusalOf(byHand([row(1)], {}));
		expect(message).toContain('Correct Amount, Recipient Bank ID, Phone');
		expect(bank().seen).toEqual([]);
	});
});

describe('a payment', () => {
	it('is the same one, however its columns are mapped', async () => {
		const remembered = new FakeDatabase();
		await byName([row(1)], {}, { remembered });
		const again = [byHand([row(1)], mapped, { remembered }), byName([row(1)], payoutForm, { remembered })];
		for (const sending of again) expect(outcomesOf(jsonOf(await sending))).toEqual(['alreadyAccepted']);
		expect(bank().seen).toHaveLength(1);
	});

	it('that was already sent is named by its row', async () => {
		const remembered = new FakeDatabase();
		const items = [row(1, { Получатель: 'Ivanov I. I.' })];
		await byName(items, {}, { remembered });
		const changed = items.map((item) => ({ ...item, amount: 99 }));
		const { message } = await refusalOf(byName(changed, {}, { remembered }));
		expect(message).toContain('The payment to Ivanov I. I. (+*******0001)');
	});
});
