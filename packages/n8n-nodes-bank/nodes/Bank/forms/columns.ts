import {
	type ValidationIssue,
	isBlank,
	isRecord,
	type RecipientField,
	recipientFields,
	textOrNumber,
} from '@bank/core';

import type { Run } from '../../shared/form/run.ts';
import { joinNames } from '../../shared/base/messages.ts';
import type { Recipient } from './package.ts';

export interface RecipientTable {
	recipientOf(item: number): Recipient;
	/** Reasons why columns cannot be matched to fields. */
	issues: readonly ValidationIssue[];
	/** Required fields without a column. */
	missing: readonly string[];
}

const ofName = recipientFields.filter(({ name }) => name.startsWith('name.'));
const ofPayment = recipientFields.filter((field) => !ofName.includes(field));

/** @param name the object with the parts of the name */
export const recipientOf = (valueOf: (field: string) => unknown, name: unknown): Recipient => ({
	...Object.fromEntries(ofPayment.map((field) => [field.name, valueOf(field.name)])),
	name,
});

/** Makes `Phone`, `PHONE` and `Recipient Phone` equal; also handles `bank_id`, `Amount, RUB` and `Сумма, ₽`, but not `Сумма, $`. */
const normalizeName = (name: string): string =>
	name
		.normalize()
		.toLowerCase()
		.replaceAll('ё', 'е')
		.replace(/[^\p{L}\p{N}\p{Sc}%]+/gu, '')
		.replace(/^recipient|получателя$/, '')
		.replace(/(?<=amount|сумма|плате|платы|платежа|руки)(?:rub|рублей|руб|р|₽)$/, '');

/** Common column headings in English and Russian. */
const commonNames: Readonly<Record<string, string>> = {
	amount: 'Sum, Сумма, Сумма выплаты, Сумма платежа, Сумма к выплате, Сумма к оплате, К выплате, К оплате, На руки',
	nspkBankId: 'Bank, Bank Code, Банк, ID банка, Код банка, Идентификатор банка',
	phone: 'Mobile, Mobile Phone, Phone Number, Телефон, Номер телефона, Мобильный телефон, Моб. телефон',
	paymentDescription: 'Description, Purpose, За что, Назначение, Назначение платежа',
	ric: 'Код дохода, Вид дохода, Код вида дохода',
	// № is not among these names: it is usually the position of the row, which changes when a row is removed.
	sequence: 'Contract, Contract Number, Договор, Номер договора, № договора, Табельный номер, Таб. номер, Лицевой счёт',
	'name.first': 'Имя',
	'name.middle': 'Отчество',
	'name.last': 'Фамилия',
};

const bySpelling: ReadonlyMap<string, string> = new Map(
	recipientFields.flatMap(({ name, title }) =>
		[name, title, ...(commonNames[name]?.split(', ') ?? [])].map((one) => [normalizeName(one), name] as const),
	),
);

interface Candidates {
	/**
	 * Words separated by commas. A heading that contains one of them is a candidate; an entry of several words counts
	 * only if the heading contains all of them.
	 */
	words: string;
	/** Whether a value fits the field. Default: any value does. */
	isPossible?: (value: string) => boolean;
}

/**
 * Headings that may mean the same as another column, such as `Сумма к выплате` beside `Сумма`, or `Net Amount` beside
 * `Amount`. Their values are never sent. A column with the field's own heading is refused beside one of them, because
 * only the user knows which amount to pay.
 */
const candidates: Readonly<Record<string, Candidates>> = {
	amount: {
		words:
			'amount,sum,total,net,due,payable,to pay,take home,сумма,итого,всего,выплате,оплате,доплате,выдаче,перечислению,' +
			'зачислению,чистыми,нетто,руки',
		isPossible: (value) =>
			/\d/.test(value) && !/\p{L}{4}/u.test(value) && !/^\d{1,4}([./-])\d{1,2}\1\d/.test(value.trim()),
	},
	phone: {
		words: 'phone,mobile,cell,contact,телефон,тел,мобильный,моб,сотовый,контакт,контакты,сбп',
		isPossible: (value) => value.replace(/\D/g, '').length >= 10,
	},
	nspkBankId: {
		words: 'bank,банк,банка',
		isPossible: (value) => /^\d{12}$/.test(value.trim()),
	},
	sequence: { words: 'sequence number,contract number,номер договора' },
};

/** What was earned or paid: refused beside `Сумма`, but not beside what is to be paid, such as `К выплате`. */
const earned =
	'salary,wages,gross,payout,advance,paid,зарплата,оклад,начислено,доход,брутто,выплата,оплата,аванс,выплачено,оплачено';
const isPayable = (column: string): boolean => /выплат|оплат|руки/i.test(column);

const hasWords = (column: string, lists = ''): boolean => {
	const words = wordsOf(column);
	return lists.split(',').some((all) => all.split(' ').every((word) => words.includes(word)));
};

/** `netAmount`, `Net Amount` and `net_amount` have the words `net` and `amount`. */
const wordsOf = (name: string): readonly string[] =>
	name
		.replace(/(?<=[\p{Ll}\d])(?=\p{Lu})/gu, ' ')
		.toLowerCase()
		.split(/[^\p{L}\p{N}]+/u);

/** The field of a numbered heading: `Сумма 2`, or `Сумма_1`, as n8n calls the second column `Сумма`. */
const fieldOfNumbered = (name: string): string | undefined =>
	bySpelling.get(normalizeName(name).replace(/\d{1,3}$/, ''));

/**
 * Whether a column has no heading. Under a merged heading, only the first column has the heading; n8n calls the next
 * ones `__EMPTY`, or in a CSV file nothing.
 */
const isUnnamed = (name: string): boolean => /^(?:__EMPTY|$)/.test(name);

function candidateFieldOf(column: string): string | undefined {
	// Columns of this node's own output.
	if (/^(?:total|feeAmount)$/.test(column)) return undefined;
	const repeated = fieldOfNumbered(column);
	if (repeated !== undefined) return repeated;
	const field = Object.keys(candidates).find((name) => hasWords(column, candidates[name]?.words));
	return field ?? (hasWords(column, earned) ? 'amount' : undefined);
}

const currencyName = /(?<!\p{L})(?:curr?|currency|ccy|вал|валют[аы])(?!\p{L})/iu;

/**
 * Whether a value names rubles. A package has no field for the currency (2.2). Accounting still writes 810, the former
 * code of 643.
 */
const isRubles = (value: string): boolean =>
	/^(?:rub|rur|643|810|₽|р|руб|рубл[ьия]|рублей|rubles?)$/i.test(value.replace(/[\s.]/g, ''));

/**
 * Whether a column gives way to another one for the same field: `Bank` may hold the name of the bank beside a column
 * with its ID.
 */
const isVague = (column: string): boolean => /^(?:bank|банк|description)$/.test(normalizeName(column));

/**
 * Reads the items directly, without n8n's engine. Columns with other names are never sent.
 * @param optional required fields that need no column, because they have one value for all rows
 */
export function recipientsByName({ context }: Run, optional: readonly string[]): RecipientTable {
	const repeated = new Map<string, ValidationIssue>();
	const matched = new Map<string, string>();
	const rivals = new Map<string, Set<string>>();
	// A table has the same columns in every row.
	const fields = new Map<string, string | undefined>();
	const fieldOf = (column: string): string | undefined => {
		if (!fields.has(column)) fields.set(column, bySpelling.get(normalizeName(column)));
		return fields.get(column);
	};
	const candidateFields = new Map<string, string | undefined>();
	const noteCandidate = (column: string, value: unknown, left: string | undefined): void => {
		if (!candidateFields.has(column)) candidateFields.set(column, candidateFieldOf(column));
		const field = isUnnamed(column) ? left : candidateFields.get(column);
		if (field === undefined || isBlank(value)) return;
		if (candidates[field]?.isPossible?.(textOrNumber(value)) !== false)
			rivals.set(field, (rivals.get(field) ?? new Set()).add(column));
	};
	const foreign: ValidationIssue[] = [];
	let amountColumn: string | undefined;
	const recipients = context.getInputData().map(({ json }, item) => {
		const found = new Map<string, readonly [column: string, value: unknown]>();
		/** Field of the column with a heading to the left, which columns without a heading may belong to. */
		let left: string | undefined;
		for (const [column, value, isInner] of columnsOf(json)) {
			const field = fieldOf(column);
			if (!isUnnamed(column)) left = ['amount', 'phone', 'nspkBankId'].find((name) => name === field);
			if (field === undefined) {
				if (isInner) continue;
				noteCandidate(column, value, left);
				foreign.push(...currencyIssues(column, value, item));
				continue;
			}
			const earlier = found.get(field);
			// An empty second column does no harm.
			if (earlier !== undefined && isBlank(value)) continue;
			if (earlier !== undefined && !isBlank(earlier[1])) {
				if (isVague(column) && !isVague(earlier[0])) continue;
				if (isVague(column) === isVague(earlier[0]))
					repeated.set(field, { path: field, message: inSeveral([earlier[0], column]) });
			}
			if (field === 'amount' && !isBlank(value) && (amountColumn ??= column) !== column)
				repeated.set(field, { path: field, message: inSeveral([amountColumn, column]) });
			found.set(field, [column, value]);
			matched.set(field, column);
		}
		const names = namesIn(json);
		const valueOf = (field: string) => (field in names && !hasName(found) ? names[field] : found.get(field)?.[1]);
		return recipientOf(
			valueOf,
			Object.fromEntries(ofName.map(({ name }) => [name.slice('name.'.length), valueOf(name)])),
		);
	});
	for (const [field, columns] of rivals) {
		const column = matched.get(field);
		if (column === undefined || repeated.has(field)) continue;
		const others = [...columns].filter((name) => isRival(name, column, field));
		if (others.length > 0) repeated.set(field, { path: field, message: inSeveral([column, ...others]) });
	}
	const missing = recipientFields.filter(
		({ name, required }) => required && !matched.has(name) && !optional.includes(name),
	);
	return {
		recipientOf: (item) => recipients[item] ?? {},
		issues: [...repeated.values(), ...foreign, ...(missing.length === 0 ? [] : [missingIssue(missing, fields)])],
		missing: missing.map(({ name }) => name),
	};
}

/** The issue of an amount in another currency, which a column beside it names. */
function currencyIssues(column: string, value: unknown, item: number): ValidationIssue[] {
	const text = textOrNumber(value).trim();
	// A number with decimals is an exchange rate.
	if (text === '' || isRubles(text) || /\d[.,]\d/.test(text) || !currencyName.test(column)) return [];
	const given = `the column "${column}" has ${JSON.stringify(text.slice(0, 20))}`;
	const message = `is sent without a currency, but ${given}. Convert the amounts, then remove that column`;
	return [{ path: 'amount', message, item }];
}

/** Whether a candidate may mean the same as the column that was matched to the field. */
const isRival = (name: string, column: string, field: string): boolean =>
	!isPayable(column) ||
	fieldOfNumbered(name) === field ||
	!hasWords(name, earned) ||
	hasWords(name, candidates[field]?.words);

const hasName = (found: ReadonlyMap<string, unknown>): boolean => ofName.some(({ name }) => found.has(name));

/** The full name in a column ФИО: surname, first name, patronymic. Initials and longer names are not split. */
function namesIn(json: object): Record<string, string> {
	const [, value] = Object.entries(json).find(([column]) => normalizeName(column) === 'фио') ?? [];
	const words = textOrNumber(value).split(/\s+/);
	const isFull = (words.length === 2 || words.length === 3) && words.every((word) => /^\p{L}[\p{L}'’-]+$/u.test(word));
	const [last = '', first = '', middle = ''] = isFull ? words : [];
	return isFull ? { 'name.last': last, 'name.first': first, 'name.middle': middle } : {};
}

type Column = readonly [name: string, value: unknown, isInner: boolean];

/** Includes fields of nested objects, such as `name.first`. */
function columnsOf(json: object): Column[] {
	return Object.entries(json).flatMap(([name, value]: [string, unknown]): Column[] =>
		isRecord(value)
			? Object.entries(value).map(([inner, own]): Column => [`${name}.${inner}`, own, true])
			: [[name, value, false]],
	);
}

const inSeveral = (columns: readonly string[]): string =>
	`may be in ${columns.length === 2 ? 'two' : columns.length} columns: ${joinNames(
		columns.map((column) => `"${column}"`),
		5,
	)}. Rename or remove the others, or choose "Recipients From: Fields Below"`;

function missingIssue(
	missing: readonly RecipientField[],
	fields: ReadonlyMap<string, string | undefined>,
): ValidationIssue {
	const columns = [...fields.keys()];
	if (columns.length === 0)
		return {
			path: '',
			message:
				'The input has no rows, only empty items. Check the node before this one, or turn off its "Always Output Data"',
		};
	const hasDefault = ({ name }: RecipientField) => name === 'ric' || name === 'paymentDescription';
	const all = missing.filter(hasDefault).map(({ title }) => title);
	const forAll = all.length === 0 ? '' : `, or enter ${all.join(' and ')} for all rows under "Options"`;
	const signs: [isWrong: boolean, advice: string][] = [
		// A file with another delimiter has a single column.
		[columns.length === 1 && /[;,\t|]/.test(columns.join()), 'Set the delimiter of the file in "Extract From File"'],
		// n8n reads no CSV file in Windows-1251.
		[columns.some((column) => column.includes('\uFFFD')), 'Save the file as CSV UTF-8 or XLSX'],
		// n8n's name for a column without a heading: the headings are in a row below.
		[columns.includes('__EMPTY'), 'Set the range of the file in "Extract From File"'],
	];
	const ofFile = signs.find(([isWrong]) => isWrong)?.[1];
	const correct = ofFile ?? `Add or rename columns${forAll}, or choose "Fields Below" as "Recipients From"`;
	const titleOf = new Map(recipientFields.map(({ name, title }) => [name, title]));
	const understood = columns.flatMap((column) => {
		const title = titleOf.get(fields.get(column) ?? '');
		return title === undefined ? [] : [`${column} → ${title}`];
	});
	const others = columns.filter((column) => fields.get(column) === undefined);
	const known = understood.length === 0 ? '' : `Understood: ${joinNames(understood, 8)}. `;
	const rest = others.length === 0 ? '' : `Your other columns: ${joinNames(others, 8)}. `;
	const advice = missing.every(hasDefault)
		? 'Enter it for all rows under "Options" or in the credential, or add a column for it'
		: `${rest}${correct}`;
	return { path: '', message: `${known}Missing: ${missing.map(({ title }) => title).join(', ')}. ${advice}` };
}
