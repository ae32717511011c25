import * as v from 'valibot';

import { keysOf } from '../keys.ts';
import type { GroupedNumber } from '../list.ts';

/** Metadata for input coercion, response coercion and the form generator. */
export type Hints = {
	placeholder?: string;
	/**
	 * `day`: a calendar day sent as yyyy-MM-dd. `phone`: separators are removed. `verbatim`: not trimmed. `lines`: may have line breaks.
	 * `amount`: of money, so that text such as 1.500 is ambiguous. `whole`: a number without decimals.
	 * `identifiers`: a list whose values contain no commas. `codes`: several values in one text, joined by commas.
	 */
	kind?: 'day' | 'phone' | 'verbatim' | 'amount' | 'whole' | 'identifiers' | 'codes' | 'lines';
	/** Numbers that are often written in groups of digits, which are joined. */
	holds?: GroupedNumber;
	/** Other names of the field that the bank has been seen to send. */
	aliases?: readonly string[];
	/** Option labels, in the order of the form. */
	labels?: Readonly<Record<string, string>>;
	/** Default in the form. An empty text forces the user to choose. */
	initial?: string | number | boolean;
};

/** Cached, because it is called for each field of thousands of rows. */
const hintsBySchema = new WeakMap<v.GenericSchema, Hints>();

export function hintsOf(schema: v.GenericSchema): Hints {
	const hints = hintsBySchema.get(schema) ?? v.getMetadata(schema);
	hintsBySchema.set(schema, hints);
	return hints;
}

const described = <S extends v.GenericSchema>(schema: S, title: string, description: string, hints: Hints = {}) =>
	v.pipe(schema, v.title(title), v.description(description), v.metadata(hints));

export const text = (title: string, description: string, hints?: Hints) =>
	described(v.string(), title, description, hints);

export const optionalText = (title: string, description: string, hints?: Hints) =>
	v.optional(text(title, description, hints));

export const flag = (title: string, description: string, hints?: Hints) =>
	described(v.boolean(), title, description, hints);

export const decimal = (title: string, description: string, hints?: Hints) =>
	described(v.pipe(v.number(), v.finite('must be a finite number')), title, description, hints);

export const whole = (title: string, description: string, hints?: Hints) =>
	described(v.pipe(v.number(), v.safeInteger('must be a whole number')), title, description, {
		...hints,
		kind: 'whole',
	});

export const count = (title: string, description: string) =>
	v.pipe(whole(title, description), v.minValue(0, 'must not be negative'));

export const day = (title: string, description: string) =>
	described(
		v.pipe(
			v.string(),
			v.isoDate('must be a day such as 2026-01-31'),
			v.check(isRealDay, 'is not a day of the calendar'),
		),
		title,
		description,
		{ kind: 'day' },
	);

export const uuid = (title: string, description: string) =>
	described(
		v.pipe(v.string(), v.uuid('must be a UUID such as 123e4567-e89b-42d3-a456-426614174000')),
		title,
		description,
		{ placeholder: 'e.g. 123e4567-e89b-42d3-a456-426614174000' },
	);

/** Spreadsheets and numbers drop a leading zero. */
const lostZero = (lengths: readonly number[], { length }: string): string =>
	lengths.includes(length + 1) ? '. A leading 0 may have been lost: enter it as text' : '';

/** A tax number of the given lengths (parts 2.4 and 8: 12 digits for a sole proprietor, 10 for a legal entity). */
export const taxNumber = (lengths: readonly number[], title: string, description: string) =>
	described(
		v.pipe(
			v.string(),
			v.regex(new RegExp(`^(?:${lengths.map((length) => `\\d{${length}}`).join('|')})$`), ({ input }) =>
				/^\d+$/.test(input)
					? `must have ${lengths.join(' or ')} digits, got ${input.length}${lostZero(lengths, input)}`
					: 'must contain digits only',
			),
		),
		title,
		description,
		{ placeholder: lengths.includes(10) ? 'e.g. 7700000000' : 'e.g. 770000000000' },
	);

/** An identifier of a bank: digits, with their leading zeros. Not a BIK: 9 digits from 04, of which spreadsheets drop the 0. */
export const bankNumber = (title: string, description: string, message: string, hints: Hints) =>
	described(v.pipe(v.string(), v.regex(/^(?!0?4\d{7}$)\d+$/, message)), title, description, hints);

/** No format is described. An account number in Russia has 20 digits. */
export const accountNumber = (title: string, description: string) =>
	described(v.pipe(v.string(), v.regex(/^\d{20}$/, 'must be an account number of 20 digits')), title, description, {
		placeholder: 'e.g. 40702810000000000001',
		holds: 'account',
	});

/**
 * A phone number. No format is described: 10 to 15 digits, with or without a leading plus. In the country of +7 numbers
 * have 11 digits: another length after +7, or more digits after 7 or 8 without a plus, are a typing error.
 */
export const phone = (title: string, description: string) =>
	described(
		v.pipe(
			v.string(),
			v.regex(/^(?!\+7(?!\d{10}$)|[78]\d{11})\+?\d{10,15}$/, ({ input }) =>
				/^\+?\d{10,15}$/.test(input)
					? 'must have 11 digits, such as +79000000001 (write numbers of other countries with +)'
					: 'must be a phone number of 10 to 15 digits, with or without a leading +',
			),
		),
		title,
		description,
		{ placeholder: 'e.g. +79000000001', kind: 'phone' },
	);

export const oneOf = <const Values extends readonly string[]>(values: Values) =>
	v.picklist(values, `must be one of ${values.join(', ')}`);

export const choice = <const Labels extends Readonly<Record<string, string>>>(
	labels: Labels,
	title: string,
	description: string,
	hints?: Hints,
) => described(oneOf(keysOf(labels)), title, description, { ...hints, labels });

/** A list of identifiers: an array, several values, or comma-separated text. */
export const identifiers = (item: string, title: string, description: string, hints: Hints) =>
	described(v.array(text(item, item)), title, description, { ...hints, kind: 'identifiers' });

/** Several codes in one text, "comma-separated without spaces" (4.14). */
export const codes = (title: string, description: string, hints: Hints) =>
	described(v.string(), title, description, { ...hints, kind: 'codes' });

export const listOf = <S extends v.GenericSchema>(item: S, title: string, description: string, hints?: Hints) =>
	described(v.array(item), title, description, hints);

/** A request object; unknown fields are rejected. */
export const group = <E extends v.ObjectEntries>(entries: E, title: string, description: string) =>
	described(v.strictObject(entries, unknownField), title, description);

/** The body, query or path of a request. */
export const fields = <E extends v.ObjectEntries>(entries: E) => v.strictObject(entries, unknownField);

/** A response object; unknown fields are kept. */
export const responseObject = <E extends v.ObjectEntries>(entries: E) => v.looseObject(entries);

export const unknownField = 'is not a field of this operation';

export function isRealDay(value: string): boolean {
	const [year = 0, month = 0, dayOfMonth = 0] = value.split('-').map(Number);
	const date = new Date(Date.UTC(year, month - 1, dayOfMonth));
	// Rejects days that the month does not have.
	return date.getUTCFullYear() === year && date.getUTCMonth() === month - 1;
}
