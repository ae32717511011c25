import * as v from 'valibot';

import { type Fault, joinPath } from '../faults.ts';
import { exactNumber, isRecord, jsonOrText } from '../json.ts';
import { groupFault, type GroupedNumber, valuesIn } from '../list.ts';
import { invisibleIn } from '../text.ts';
import { hintsOf, isRealDay } from './fields.ts';
import { dateOf, dayIn, momentOf, writtenDate } from './instant.ts';
import { withPoint } from './money.ts';
import { type Shape, unwrap } from './unwrap.ts';

/**
 * Coerces input to the schema of a request: people and other nodes give numbers for identifiers, dates of several kinds and
 * comma-separated text for lists. Empty values become absent; a value that cannot be coerced is a fault.
 */

export interface RequestContext {
	/** IANA name; decides which day an instant falls on. */
	timeZone: string;
	faults: Fault[];
	/** Where the value is that is looked at: a path is made of it where there is a fault, and not for each field of thousands of rows. */
	at: (string | number)[];
	/** Set where a list has rows that hold nothing: see `withoutEmptyRows`. */
	hasEmptyRows?: boolean;
}

const isEmpty = (value: unknown): boolean =>
	value === undefined || value === null || (typeof value === 'string' && value.trim() === '');

/** What a form holds where something was added and nothing filled in: of whatever kind, it is no information. */
export function isNothing(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return isEmpty(value);
	return !('toJSON' in value) && Object.values(value).every(isNothing);
}

export function toRequest(outer: v.GenericSchema, value: unknown, context: RequestContext): unknown {
	if (isEmpty(value)) return undefined;
	const { schema, optional } = unwrap(outer);
	switch (schema.type) {
		case 'string':
		case 'picklist':
			return toText(schema, value, context);
		case 'number':
			return toNumber(schema, value, context);
		case 'boolean':
			return toBoolean(value, context);
		case 'array': {
			const list = toList(schema, value, context);
			return optional && Array.isArray(list) && list.length === 0 ? undefined : list;
		}
		case 'strict_object': {
			const object = toObject(schema.entries ?? {}, value, context);
			return optional && isBare(object) ? undefined : object;
		}
		case 'union': {
			const options = schema.options ?? [];
			const list = options.find((option) => unwrap(option).schema.type === 'array');
			const other = options.find((option) => option !== list);
			const chosen = Array.isArray(value) ? (list ?? other) : (other ?? list);
			const shaped = chosen === undefined ? value : toRequest(chosen, value, context);
			return optional && Array.isArray(shaped) && shaped.length === 0 ? undefined : shaped;
		}
		default:
			return value;
	}
}

/** The same for what stands in the value under a name or a number. */
function within(context: RequestContext, key: string | number, schema: v.GenericSchema, value: unknown): unknown {
	context.at.push(key);
	const shaped = toRequest(schema, value, context);
	context.at.pop();
	return shaped;
}

function isBare(value: unknown): boolean {
	return typeof value === 'object' && value !== null && !Array.isArray(value) && Object.keys(value).length === 0;
}

function fault({ at, faults }: RequestContext, message: string): undefined {
	faults.push({ path: at.reduce<string>(joinPath, ''), message });
	return undefined;
}

function toObject(entries: Record<string, v.GenericSchema>, value: unknown, context: RequestContext): unknown {
	const given = typeof value === 'string' ? jsonOrText(value) : value;
	if (typeof given !== 'object' || given === null || Array.isArray(given))
		return context.at.length > 0 && isNothing(given)
			? undefined
			: fault(context, `must be an object, got ${kindOf(given)}`);
	const fields: Record<string, unknown> = { ...given };
	const keys = Object.keys(fields);
	const shapedFields: unknown[] = [];
	let isInShape = true;
	for (const key of keys) {
		const schema = Object.hasOwn(entries, key) ? entries[key] : undefined;
		const field = fields[key];
		// A field that the description does not name stays, for the schema to refuse it by name.
		const shaped = schema === undefined ? field : within(context, key, schema, field);
		shapedFields.push(shaped);
		isInShape &&= shaped !== undefined && shaped === field;
	}
	// Most rows of a large package are in shape: of those none is made anew.
	if (isInShape) return fields;
	// Not by assignment: a field that is named __proto__ would vanish, and bring its own fields along.
	return Object.fromEntries(
		keys.flatMap((key, index) => (shapedFields[index] === undefined ? [] : [[key, shapedFields[index]] as const])),
	);
}

function toList(list: v.GenericSchema & Shape, value: unknown, context: RequestContext): unknown {
	const { item = v.unknown() } = list;
	if (unwrap(item).schema.type === 'string') return toTexts(list, item, value, context);
	const given = typeof value === 'string' ? jsonOrText(value) : value;
	if (!Array.isArray(given))
		return isNothing(given) ? undefined : fault(context, `must be a list, got ${kindOf(given)}`);
	// Rows keep their places until everything is checked, so that a fault names the row the user sees: see `withoutEmptyRows`.
	return given.map((element: unknown, index) => {
		const row = within(context, index, item, element) ?? {};
		context.hasEmptyRows ||= isBare(row);
		return row;
	});
}

function toTexts(
	list: v.GenericSchema,
	item: v.GenericSchema,
	value: unknown,
	context: RequestContext,
): unknown[] | undefined {
	const given = typeof value === 'string' && value.trim().startsWith('[') ? jsonOrText(value) : value;
	// In a field of several identifiers each value may itself be a list: an expression, JSON, or text with separators.
	const { kind, holds = 'identifier' } = hintsOf(list);
	const areIdentifiers = kind === 'identifiers';
	const values = Array.isArray(given) && !areIdentifiers ? given : valuesIn(given, areIdentifiers ? holds : 'name');
	// Nothing but empty values is no information. It must not become an empty list, which can mean "all" (P10, rule 2).
	if (values.every(isEmpty) && !(Array.isArray(given) && given.length === 0)) return undefined;
	// A value with a fault keeps its place: the list is not too short for it.
	return values.flatMap((value, index) => {
		const wrong = groupFault(value, holds);
		if (wrong !== undefined) fault(context, wrong);
		return isEmpty(value) ? [] : [within(context, index, item, value) ?? ''];
	});
}

/**
 * The checked input without rows that hold nothing, such as the empty last row of a form, and without the optional
 * lists and objects that are empty then. A row with required fields is never empty once it has passed the checks.
 */
export function withoutEmptyRows(outer: v.GenericSchema, value: unknown): unknown {
	const { schema, optional } = unwrap(outer);
	if (Array.isArray(value) && schema.item !== undefined) {
		const { item } = schema;
		const rows = value.map((row) => withoutEmptyRows(item, row)).filter((row) => !isBare(row));
		return optional && rows.length === 0 ? undefined : rows;
	}
	if (schema.type !== 'strict_object' || typeof value !== 'object' || value === null) return value;
	const kept = Object.entries(value).map(([key, field]): [string, unknown] => [
		key,
		withoutEmptyRows(schema.entries?.[key] ?? v.unknown(), field),
	]);
	const object = Object.fromEntries(kept.filter(([, field]) => field !== undefined));
	return optional && isBare(object) ? undefined : object;
}

function toText(schema: v.GenericSchema, value: unknown, context: RequestContext): unknown {
	const { kind, holds } = hintsOf(schema);
	if (kind === 'day') return toDay(value, context);
	if (kind === 'codes') return toCodes(value, context);
	const text = plainText(value, context);
	if (typeof text !== 'string' || kind === 'verbatim') return text;
	if (kind === 'phone') return text.replace(/[\s().-]/g, '');
	if (holds !== undefined) return toNumberInGroups(text, holds, context);
	return visible(text.trim(), context);
}

/** Text in which everything can be seen. */
function visible(text: string, context: RequestContext): string | undefined {
	const invisible = invisibleIn(text);
	return invisible === undefined ? text : fault(context, `holds ${invisible}: remove it`);
}

/** One number, perhaps in groups of digits. */
function toNumberInGroups(text: string, holds: GroupedNumber, context: RequestContext): string | undefined {
	const [number, ...others] = valuesIn(text, holds);
	const wrong = groupFault(number, holds);
	if (wrong !== undefined) return fault(context, wrong);
	if (typeof number === 'string' && others.length === 0 && /^\d+$/.test(number)) return number;
	return visible(text.trim(), context);
}

/** A list, a text with any separators, or JSON text of a list: as one text, without spaces. */
function toCodes(value: unknown, context: RequestContext): unknown {
	const given = valuesIn(value, 'identifier').filter((element) => !isEmpty(element));
	const codes = given.map((element) => plainText(element, context));
	return codes.length === 0 || codes.includes(undefined) ? undefined : visible(codes.join(','), context);
}

function plainText(value: unknown, context: RequestContext): string | undefined {
	if (typeof value === 'number') {
		if (!Number.isFinite(value)) return fault(context, `must be text, got ${kindOf(value)}`);
		if (Number.isInteger(value) && !Number.isSafeInteger(value)) {
			return fault(
				context,
				'arrived as a number with more than 15 digits, whose last digits are lost: give it as text',
			);
		}
		return String(value);
	}
	if (typeof value === 'bigint') return String(value);
	if (typeof value !== 'string') return fault(context, `must be text, got ${kindOf(value)}`);
	if (/\p{Surrogate}/u.test(value))
		return fault(context, 'holds half of a character, as text does that was cut in the middle of an emoji');
	return value;
}

/** Whether a number must be a whole one. */
function isWhole(schema: unknown): boolean {
	if (!isRecord(schema)) return false;
	return (
		/integer$/.test(String(schema.type)) ||
		(Array.isArray(schema.pipe) && schema.pipe.some((part) => part !== schema && isWhole(part)))
	);
}

function toNumber(schema: v.GenericSchema, value: unknown, context: RequestContext): unknown {
	if (typeof value === 'number') return value;
	if (typeof value !== 'string' && typeof value !== 'bigint')
		return fault(context, `must be a number, got ${kindOf(value)}`);
	const text = withPoint(String(value));
	if (!/^[+-]?\d+(\.\d+)?$/.test(text)) {
		// A mistyped amount may be shown; whatever is longer may be an account in the wrong column.
		const got = /^[\d\s.,+-]{1,12}$/.test(text) && text.replace(/\D/g, '').length < 10 ? `, got "${text}"` : '';
		const wanted = isWhole(schema)
			? 'must be a whole number such as 12'
			: /^[+-]?[\d\s.]+,\d+$/.test(text)
				? 'must be written with a point before the decimals and without spaces, such as 1500.50'
				: 'must be a number such as 1500.50';
		return fault(context, `${wanted}${got}`);
	}
	return exactNumber(text) ?? fault(context, 'has more digits than can be sent exactly');
}

function toBoolean(value: unknown, context: RequestContext): unknown {
	if (typeof value === 'boolean') return value;
	const text = typeof value === 'string' ? value.trim().toLowerCase() : undefined;
	return text === 'true'
		? true
		: text === 'false'
			? false
			: fault(context, `must be true or false, got ${kindOf(value)}`);
}

/**
 * The calendar day of what date pickers, Luxon, `Date` or plain text give, by one rule: a day that is written without a time zone is
 * taken as written; an instant (`Date`, Luxon, or text with Z or an offset) falls on its day in `timeZone`, however it is
 * written. But for midnight that is written in UTC, which is that day everywhere: that is how days without a time travel through JSON.
 */
function toDay(value: unknown, context: RequestContext): unknown {
	const wanted = 'must be a day such as 2026-01-31';
	const instant = dateOf(value);
	if (instant !== undefined)
		return Number.isNaN(instant.getTime())
			? fault(context, `${wanted}; this date is invalid`)
			: dayOf(instant, hasOffset(value), context.timeZone);
	if (typeof value !== 'string') return fault(context, `${wanted}, got ${kindOf(value)}`);
	const written = writtenDate.exec(value.trim());
	if (!written) return fault(context, wanted);
	const [, day = '', time = '', zone] = written;
	// `Date` would make the 2nd of March of the 30th of February.
	if (zone === undefined || !isRealDay(day)) return day;
	const told = new Date(momentOf(day, time, zone));
	return Number.isNaN(told.getTime()) ? day : dayOf(told, /[1-9]/.test(zone), context.timeZone);
}

/** Of a Luxon date: whether its clock is not that of UTC. */
const hasOffset = (value: unknown): boolean =>
	isRecord(value) && typeof value.offset === 'number' && value.offset !== 0;

/** `isLocal`: it was written by a clock that is not that of UTC, so that midnight UTC is a time like any other. */
function dayOf(instant: Date, isLocal: boolean, timeZone: string): string {
	const utc = instant.toISOString();
	if (!isLocal && utc.endsWith('T00:00:00.000Z')) return utc.slice(0, 10);
	return dayIn(instant.getTime(), timeZone);
}

/** What a value is, without repeating it: input may hold names, phones and accounts. */
export function kindOf(value: unknown): string {
	if (value === null) return 'null';
	if (Array.isArray(value)) return 'a list';
	if (typeof value === 'string') return 'text';
	if (typeof value === 'number' && !Number.isFinite(value)) return 'a number that is not finite';
	return typeof value === 'object' ? 'an object' : `a ${typeof value}`;
}
