/** Reads recipients from the columns of the input items: matches columns to fields, and rejects ambiguous ones. */
import { recipientFields } from '@bank/core';

import { FakeDatabase } from '../../fixtures/src/processedDataStore.ts';
import { credentials, jsonOf, mapped, outcomesOf, refusalOf, run, type RunOptions, useBank } from './support/bank.ts';
import { acceptEverything, packageIn, payoutForm, recipient, sender } from './support/payout.ts';

type Json = Record<string, unknown>;

const bank = useBank();
const row = (index: number, more: Json = {}): Json => recipient(index, more);
const without = (name: string, from: Json): Json =>
	Object.fromEntries(Object.entries(from).filter(([key]) => key !== name));

const sentPayments = () => bank().seen.flatMap((seen) => packageIn(seen).payments);
beforeEach(() => (bank().answer = acceptEverything(bank)));

const payer = 'bankClientCredentialsOAuth2Api';
const holding = (more: Json) => ({ ...credentials, [payer]: { ...credentials[payer], ...more } });

const form = { recipientsFrom: 'columns', signedBody: 'c2ln', ...sender };
const byName = (items: Json[], parameters: Json = {}, options: RunOptions = {}) =>
	run('payment.sendPackage', { ...form, ...parameters }, { items, ...options });
const byHand = (items: Json[], more: Json, options: RunOptions = {}) =>
	byName(items, { ...payoutForm, ...more }, options);

describe('the fields of a recipient', () => {
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
		await byName([row(1, { bonus: 5000, last: 'login', first: true, name: 'Ivan Ivanov', fee: { amount: 3 } })]);
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
		['by hand', byHand],
	])('that are all empty in a row, as Excel leaves them below a table, are no payment: %s', async (_how, pay) => {
		const empty = { ...Object.fromEntries(Object.keys(row(1)).map((name) => [name, ''])), sequence: ' ', note: null };
		const hints: { message: string }[] = [];
		const rows = [row(1, { sequence: 'a' }), empty, row(2, { sequence: 'b' }), empty];
		await pay(rows, {}, { hints });
		expect(sentPayments().map(({ sequence }) => sequence)).toEqual(['a', 'b']);
		expect(hints.map(({ message }) => message)).toContain('2 empty rows skipped: item 1, 3.');
	});

	const sum = (more: Json): Json => ({ amount: 2445, note: '', phone: '', nspkBankId: null, ...more });

	it.each<[string, typeof byHand, Json, string]>([
		['by name', byName, sum({ note: 'Итого' }), 'Итого'],
		['by hand', byHand, sum({ note: 'ИТОГО к выплате:' }), 'ИТОГО к выплате:'],
		['by hand', byHand, sum({ note: 'Total', 'number of rows': 2 }), 'Total'],
		['by name', byName, sum({ note: 'Grand total' }), 'Grand total'],
		['by name', byName, sum({ phone: 'Всего по ведомости' }), 'Всего по ведомости'],
		['by name', byName, sum({ nspkBankId: ' Итого: 2 чел.' }), 'Итого: 2 чел.'],
		['by name', byName, sum({}), '2445'],
	])('that hold a total below the table are named as that: %s, %#', async (_how, pay, total, label) => {
		const { message, description } = await refusalOf(pay([row(1), row(2), total], { paymentDescription: 'Reward' }));
		expect(message).toBe(
			`Phone is missing in a row that looks like a total: "${label}". If it is one, remove the row before this node (item 2)`,
		);
		expect(description).toContain('Nothing was sent.');
		expect(bank().seen).toEqual([]);
	});

	it.each([
		{ note: 'Totally new' },
		{ note: 'Total', phone: '+79000000009' },
		{ note: 'Итого', amount: '' },
		{ note: 'Ivanov' },
	])('that are no total are checked like all others: %j', async (more) => {
		const { text } = await refusalOf(byName([row(1), sum(more)]));
		expect(text).not.toContain('looks like a total');
		expect(text).toContain('is required');
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
			'Understood: amount → Amount, phone → Phone, paymentDescription → Payment Description, ric → Income Kind Code. ' +
				'Missing: Recipient Bank ID. Your other columns: bic, or swift. Add or rename columns, or choose "Fields Below" as "Recipients From"',
		);
		expect(description).toContain('Nothing was sent.');
		expect(bank().seen).toEqual([]);
	});

	it.each([
		['ric', 'the options', { options: { ric: '2' } }, {}, 2],
		['ric', 'the credential', {}, { ric: '2' }, 2],
		['ric', 'the options, not the credential', { options: { ric: '2' } }, { ric: '3' }, 2],
		['paymentDescription', 'the options', { options: { paymentDescription: 'Bonus' } }, {}, 'Bonus'],
		['paymentDescription', 'the credential', {}, { paymentDescription: 'Bonus' }, 'Bonus'],
	])('may lack %s, which %s then have for all rows', async (name, _where, parameters, ofCredential, expected) => {
		const own = name === 'ric' ? 4 : 'Own';
		const items = [without(name, row(1)), row(2, { [name]: ' ' }), row(3, { [name]: own })];
		await byName(items, parameters, { credentials: holding(ofCredential) });
		expect(sentPayments().map((payment) => payment[name])).toEqual([expected, expected, own]);
	});

	it.each([
		['amount', ['Сумма к выплате', 'К выплате', 'На руки']],
		['phone', ['Моб. телефон', 'МОБ.ТЕЛЕФОН']],
		['paymentDescription', ['Назначение']],
		['sequence', ['Табельный номер', 'Таб. номер', 'Лицевой счет', 'Лицевой счёт'.normalize('NFD')]],
	])('for %s may have a heading of a payroll', async (name, headings) => {
		for (const heading of headings) {
			const { [name]: value, ...others } = row(1, { sequence: '17' });
			await byName([{ ...others, [heading]: value, '№': 3 }], { paymentRun: heading });
		}
		expect(sentPayments()).toEqual(headings.map(() => ({ ...row(1), sequence: '17' })));
	});

	it.each([
		['Иванова Анна Петровна', { last: 'Иванова', first: 'Анна', middle: 'Петровна' }],
		['Салтыков-Щедрин  Михаил', { last: 'Салтыков-Щедрин', first: 'Михаил' }],
		['Иванова А. П.', undefined],
		['Алиев Али Вели оглы', undefined],
		['', undefined],
	])('may have a full name, which is split only if that is certain: %s', async (name, expected) => {
		await byName([row(1, { 'Ф.И.О.': name })]);
		await byName([row(1, { ФИО: name, Фамилия: 'Fakeman' })], { paymentRun: 'own columns' });
		expect(sentPayments().map((payment) => payment.name)).toEqual([expected, { last: 'Fakeman' }]);
	});

	it('may have two columns for the sequence if the form has it', async () => {
		await byName([row(1, { 'Таб. номер': '17', Договор: 'Д-1' })], { sequence: '={{ $json["Таб. номер"] }}' });
		expect(sentPayments().map(({ sequence }) => sequence)).toEqual(['17']);
	});

	it('may have the sequence of the form instead of a column', async () => {
		const items = [row(1, { invoice: 'a' }), row(2, { invoice: 'b', sequence: 'x' })];
		await byName(items, { sequence: '={{ $json.invoice }}' });
		expect(sentPayments().map(({ sequence }) => sequence)).toEqual(['a', 'b']);
	});

	it.each([
		[
			'an income kind code',
			Object.keys(without('ric', row(1))),
			'Missing: Income Kind Code. Enter it for all rows under "Options" or in the credential, or add a column for it',
		],
		['the delimiter of a file', ['Телефон;Банк;Сумма'], 'Set the delimiter of the file in "Extract From File"'],
		['the comma of a file', ['Phone,Bank,Amount'], 'Set the delimiter of the file in "Extract From File"'],
		[
			'the headings of a sheet',
			['Payroll of March', '__EMPTY', '__EMPTY_1'],
			'Set the range of the file in "Extract From File"',
		],
		['the encoding of a file', ['\uFFFD\uFFFD', '\uFFFD'], 'Save the file as CSV UTF-8 or XLSX'],
		['everything', ['note'], `Missing: ${required.join(', ')}. Your other columns: note.`],
	])('that lack %s are refused with advice', async (_, columns, advice) => {
		const { text } = await refusalOf(byName([Object.fromEntries(columns.map((column) => [column, '1']))]));
		expect(text).toContain(advice);
		expect(bank().seen).toEqual([]);
	});

	it.each([[[{}]], [[{}, {}]]])('that are all missing are reported as an input without rows: %j', async (items) => {
		const { message } = await refusalOf(byName(items));
		expect(message).toBe(
			'The input has no rows, only empty items. Check the node before this one, or turn off its "Always Output Data"',
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
		expect(message).toContain('Phone may be in two columns: "phone", "Phone". Rename or remove the others');
		expect(bank().seen).toEqual([]);
	});

	it('are refused if the amount is in one for some rows and in another for others', async () => {
		const { amount: _, ...others } = row(2);
		const { message } = await refusalOf(byName([row(1), { ...others, amount: '', 'К выплате': 5 }]));
		expect(message).toContain('Amount may be in two columns: "amount", "К выплате". Rename or remove the others');
		expect(bank().seen).toEqual([]);
		await byName([1, 2].map((index) => ({ ...row(index), amount: '', 'К выплате': index })));
		expect(sentPayments().map(({ amount }) => amount)).toEqual([1, 2]);
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
		const withoutAmount = without('Сумма', russian);

		it.each<[string, Json, Json]>([
			['Amount', russian, { 'Сумма к выплате': 1305.44 }],
			['Amount', russian, { 'Сумма к выплате, руб.': '1 305,44' }],
			['Amount', russian, { Сумма_1: 1305.44, Сумма_2: 1 }],
			['Amount', english, { 'Net Amount': '1305.44' }],
			['Amount', english, { netAmount: 1305.44 }],
			['Amount', english, { 'Amount USD': 15 }],
			['Amount', english, { sum_total: 3 }],
			...['Net', 'Net Pay', 'Total', 'Payable', 'To Pay', 'Balance Due', 'Take-home pay'].map(
				(heading): [string, Json, Json] => ['Amount', english, { [heading]: '1,305.44' }],
			),
			...['Итого', 'Итого к выплате', 'Всего к выплате', 'К выдаче', 'К перечислению', 'На руки, руб'].map(
				(heading): [string, Json, Json] => ['Amount', russian, { [heading]: '1 305,44' }],
			),
			...['К оплате', 'К доплате', 'К зачислению', 'Нетто', 'Чистыми'].map((heading): [string, Json, Json] => [
				'Amount',
				russian,
				{ [heading]: '1 305,44' },
			]),
			...['Salary', 'Gross', 'Payout', 'Wages', 'Advance', 'Amount Paid'].map((heading): [string, Json, Json] => [
				'Amount',
				english,
				{ [heading]: 2000 },
			]),
			...['Зарплата', 'Оклад, руб.', 'Начислено', 'Доход', 'Брутто', 'Выплата', 'Оплата', 'Аванс', 'Выплачено'].map(
				(heading): [string, Json, Json] => ['Amount', russian, { [heading]: '2 000,00' }],
			),
			['Phone', english, { Cell: 79000000002 }],
			['Phone', russian, { 'Моб.': '8 (900) 000-00-02' }],
			['Phone', russian, { 'Номер для СБП': '+79000000002' }],
			['Phone', russian, { 'Рабочий телефон': '8 (900) 000-00-02' }],
			['Phone', russian, { Контакт: '8 (900) 000-00-02' }],
			['Phone', english, { 'Work Phone': 79000000002 }],
			['Recipient Bank ID', english, { 'Second Bank': '100000000112' }],
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
		});

		it.each(['__EMPTY', '__EMPTY_3', ''])(
			'are refused if a merged heading names only one of both: %j',
			async (unnamed) => {
				const { Телефон: phone, ...others } = russian;
				const split = [
					{ ...withoutAmount, Сумма: 1500.5, [unnamed]: 1305.44 },
					{ ...others, Телефон: phone, [unnamed]: '+79000000002' },
				];
				for (const [index, label] of ['Amount', 'Phone'].entries())
					expect((await refusalOf(byName([split[index] ?? {}]))).message).toContain(`${label} may be in two columns`);
				expect(bank().seen).toEqual([]);
				await byName([
					{ [unnamed]: 1, ...russian },
					{ ...russian, Телефон: '+79000000003', [unnamed]: 'Note' },
				]);
				expect(sentPayments()).toMatchObject([{ amount: 1500.5 }, { amount: 1500.5 }]);
			},
		);

		const numbers = ['_1', '2', ' (2)', ' №2'];

		it.each<[string, string[], unknown]>([
			['Amount', ['amount', 'Сумма', 'К выплате'], 1305.44],
			['Phone', ['Phone', 'Телефон', 'Моб. телефон'], '+79000000002'],
			['Recipient Bank ID', ['nspkBankId', 'Bank', 'ID банка'], '100000000112'],
			['Sequence', ['sequence', 'Договор', 'Табельный номер'], 'Д-2'],
		])('are refused if it is the same with a number: %s', async (label, headings, other) => {
			const fieldOf: Record<string, string> = { Amount: 'amount', Phone: 'phone', Sequence: 'sequence' };
			const field = fieldOf[label] ?? 'nspkBankId';
			const { [field]: own, ...others } = row(1, { sequence: 'Д-1' });
			for (const heading of headings)
				for (const number of numbers) {
					const table = { ...others, [heading]: own, [`${heading}${number}`]: other };
					const { message } = await refusalOf(byName([table]));
					expect(message).toMatch(`${label} may be in two columns: "${heading}", "${heading}${number}". Rename`);
				}
			expect(bank().seen).toEqual([]);
		});

		it.each(['Сумма, $', 'Сумма (€)', 'Amount $', 'Amount, %', 'Сумма, тыс. руб.', 'Сумма, коп.', 'Amount (USD)'])(
			'or in another unit are no amount: %s',
			async (heading) => {
				const { message } = await refusalOf(byName([{ ...withoutAmount, [heading]: 100 }]));
				expect(message).toContain(`Missing: Amount. Your other columns: ${heading}.`);
				expect(bank().seen).toEqual([]);
			},
		);

		it.each(['Сумма, ₽', 'Сумма (руб.)', 'Amount RUB', 'К выплате, р.', 'К оплате, руб.'])(
			'or in rubles are one: %s',
			async (heading) => {
				await byName([{ ...withoutAmount, [heading]: 100 }]);
				expect(sentPayments()).toMatchObject([{ amount: 100 }]);
			},
		);

		it.each(['Currency', 'Ccy', 'Валюта', 'Вал.', 'Код валюты', 'Валюта платежа'])(
			'are refused if the column %s names another currency',
			async (heading) => {
				const items = [russian, { ...russian, Телефон: '+79000000002', [heading]: 'USD' }];
				const { message } = await refusalOf(byName(items));
				expect(message).toBe(
					`Amount is sent without a currency, but the column "${heading}" has "USD". Convert the amounts, then remove that column (item 1)`,
				);
				expect(bank().seen).toEqual([]);
			},
		);

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
			['a date of payment', { ...russian, 'К выплате с': '2026-01-31', 'К выдаче до': '31.01.2026' }, {}],
			['rubles', { ...russian, Валюта: 'руб.' }, { Currency: 'RUB', 'Код валюты': 643, 'Курс валюты': 1.5 }],
			['an earlier output', english, { total: 3000, feeAmount: 1 }],
			['an extension', english, { 'Phone Extension': 12 }],
			['other columns', english, { Bonus: 2000, Tax: 195.06, Contact: 'x@example.com' }],
			[
				'what the employee earned',
				{ ...withoutAmount, 'К выплате': 1500.5 },
				{ Оклад: 2000, Начислено: 2000, Удержано: 499.5 },
			],
			['fields of an object', english, { fee: { amount: 3 } }],
		])('are sent if that is %s', async (_what, table, more) => {
			await byName([{ ...table, ...more }]);
			expect(sentPayments()).toMatchObject([{ amount: 1500.5, phone: '+79000000001', nspkBankId: '100000000111' }]);
		});
	});
});

describe('a payment', () => {
	it('is the same one, however its columns are mapped', async () => {
		const remembered = new FakeDatabase();
		await byName([row(1)], {}, { remembered });
		const again = [byHand([row(1)], mapped, { remembered })];
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

describe('Bank Names of the credential', () => {
	const known = holding({ bankNames: 'Пример-Банк\t100000000111\nExample Bank\t100000000222' });

	it('give the number of a bank that the rows name', async () => {
		const items = ['«Пример Банк»', 'example bank', '100000000333'].map((nspkBankId, index) =>
			row(index + 1, { nspkBankId }),
		);
		await byName(items, {}, { credentials: known });
		await byHand(items, { paymentRun: 'other' }, { credentials: known });
		const numbers = ['100000000111', '100000000222', '100000000333'];
		expect(sentPayments().map(({ nspkBankId }) => nspkBankId)).toEqual([...numbers, ...numbers]);
	});

	it('refuse other names, and list theirs', async () => {
		const items = [row(1, { nspkBankId: 'Example' }), row(2), row(3, { nspkBankId: 'Example' })];
		expect((await refusalOf(byName(items, {}, { credentials: known }))).message).toBe(
			'Recipient Bank ID is not in "Bank Names" of the credential, which are Пример-Банк, Example Bank: "Example" (item 0; item 2)',
		);
		expect(bank().seen).toEqual([]);
	});

	it('are refused if a line has no number', async () => {
		const credentials = holding({ bankNames: 'Example Bank 1' });
		expect((await refusalOf(byName([row(1)], {}, { credentials }))).message).toContain(
			'Bank Names: "Example Bank 1" must be a name and a number, separated by a tab, comma or semicolon',
		);
		expect(bank().seen).toEqual([]);
	});
});
