import * as v from 'valibot';

import { type ValidationIssue, joinPath } from '../validation.ts';
import { exactNumber, hasContent, isEmpty, isRecord, jsonOrText } from '../json.ts';
import { groupedNumberProblem, type GroupedNumber, parseList } from '../list.ts';
import { findDamage, findInvisibleCharacter, plainPhone } from '../text.ts';
import { hintsOf, isRealDay } from './fields.ts';
import { toDate, dayIn, parseInstant, isoDatePattern } from './instant.ts';
import { kindOf } from './issues.ts';
import { isAmbiguous, withPoint } from './money.ts';
import { type Shape, unwrap } from './unwrap.ts';

/**
 * Coerces request input to its schema: people and other nodes enter numbers for identifiers, several date formats, and
 * comma-separated lists. Empty values become undefined; values that cannot be coerced are reported as issues.
 */

export interface RequestContext {
	/** IANA name, for converting instants to days. */
	timeZone: string;
	issues: ValidationIssue[];
	/** The current path. Joined only when an issue is reported, because there may be thousands of rows. */
	at: (string | number)[];
	/** A list has empty rows, such as the last row of a form. They are kept at first, so that issues name the right row. */
	hasEmptyRows?: boolean;
	/** Set once the input is validated: empty rows are removed. */
	dropsEmptyRows?: boolean;
}

/** Whether a value is empty at any depth, such as a form row that was added but not filled in. */
export function isBlank(value: unknown): boolean {
	if (typeof value !== 'object' || value === null) return isEmpty(value);
	return !('toJSON' in value) && Object.values(value).every(isBlank);
}

export function toRequest(outer: v.GenericSchema, value: unknown, context: RequestContext): unknown {
	if (isEmpty(value)) return undefined;
	const { schema, optional } = unwrap(outer);
	const shaped = toType(schema, value, context);
	return optional && !hasContent(shaped) ? undefined : shaped;
}

function toType(schema: v.GenericSchema & Shape, value: unknown, context: RequestContext): unknown {
	switch (schema.type) {
		case 'string':
		case 'picklist':
			return toText(schema, value, context);
		case 'number':
			return toNumber(schema, value, context);
		case 'boolean':
			return toBoolean(value, context);
		case 'array':
			return toList(schema, value, context);
		case 'strict_object':
			return toObject(schema.entries ?? {}, value, context);
		case 'record': {
			const given = typeof value === 'string' ? jsonOrText(value) : value;
			return isRecord(given) ? given : addIssue(context, `must be an object, got ${kindOf(given)}`);
		}
		case 'union': {
			const isList = (option: v.GenericSchema) => unwrap(option).schema.type === 'array';
			const chosen = schema.options?.find((option) => isList(option) === Array.isArray(value));
			return chosen === undefined ? value : toRequest(chosen, value, context);
		}
		default:
			return value;
	}
}

function within(context: RequestContext, key: string | number, schema: v.GenericSchema, value: unknown): unknown {
	context.at.push(key);
	const shaped = toRequest(schema, value, context);
	context.at.pop();
	return shaped;
}

const isEmptyRow = (row: unknown): boolean => isRecord(row) && !hasContent(row);

function addIssue({ at, issues }: RequestContext, message: string): undefined {
	issues.push({ path: at.reduce<string>(joinPath, ''), message });
	return undefined;
}

function toObject(entries: Record<string, v.GenericSchema>, value: unknown, context: RequestContext): unknown {
	const given = typeof value === 'string' ? jsonOrText(value) : value;
	if (!isRecord(given))
		return context.at.length > 0 && isBlank(given)
			? undefined
			: addIssue(context, `must be an object, got ${kindOf(given)}`);
	const shaped = Object.entries(given).map(([key, field]): [string, unknown] => {
		const schema = Object.hasOwn(entries, key) ? entries[key] : undefined;
		// Unknown fields are kept, so that the schema rejects them by name.
		return [key, schema === undefined ? field : within(context, key, schema, field)];
	});
	return Object.fromEntries(shaped.filter(([, field]) => field !== undefined));
}

function toList(list: v.GenericSchema & Shape, value: unknown, context: RequestContext): unknown {
	const { item = v.unknown() } = list;
	if (unwrap(item).schema.type === 'string') return toTexts(list, item, value, context);
	const given = typeof value === 'string' ? jsonOrText(value) : value;
	if (!Array.isArray(given))
		return isBlank(given) ? undefined : addIssue(context, `must be a list, got ${kindOf(given)}`);
	const rows = given.map((element: unknown, index) => within(context, index, item, element) ?? {});
	context.hasEmptyRows ||= rows.some(isEmptyRow);
	return context.dropsEmptyRows === true ? rows.filter((row) => !isEmptyRow(row)) : rows;
}

function toTexts(
	list: v.GenericSchema,
	item: v.GenericSchema,
	value: unknown,
	context: RequestContext,
): unknown[] | undefined {
	const given = typeof value === 'string' && value.trim().startsWith('[') ? jsonOrText(value) : value;
	// Each value may itself be a list: an expression, JSON, or separated text.
	const { kind, holds = 'identifier' } = hintsOf(list);
	const areIdentifiers = kind === 'identifiers';
	const values = Array.isArray(given) && !areIdentifiers ? given : parseList(given, areIdentifiers ? holds : 'name');
	// Only empty values mean "no input". They must not become an empty list, which can mean "all" (P10, rule 2).
	if (values.every(isEmpty) && !(Array.isArray(given) && given.length === 0)) return undefined;
	// An invalid value is kept, so that the list does not also become too short.
	return values.flatMap((value, index) => {
		const wrong = groupedNumberProblem(value, holds);
		if (wrong !== undefined) addIssue(context, wrong);
		return isEmpty(value) ? [] : [within(context, index, item, value) ?? ''];
	});
}

function toText(schema: v.GenericSchema, value: unknown, context: RequestContext): unknown {
	const { kind, holds } = hintsOf(schema);
	if (kind === 'day') return toDay(value, context);
	if (kind === 'codes') return toCodes(value, context);
	const text = plainText(value, context);
	if (typeof text !== 'string' || kind === 'verbatim') return text;
	if (kind === 'phone') return plainPhone(text);
	if (holds !== undefined) return toNumberInGroups(text, holds, context);
	return rejectInvisible(text.trim(), context, kind === 'lines' ? '\t\r\n' : '');
}

function rejectInvisible(text: string, context: RequestContext, allowed = ''): string | undefined {
	const invisible = findInvisibleCharacter(text, allowed);
	return invisible === undefined ? text : addIssue(context, `holds ${invisible}: remove it`);
}

function toNumberInGroups(text: string, holds: GroupedNumber, context: RequestContext): string | undefined {
	const numbers = parseList(text, holds);
	const wrong = groupedNumberProblem(numbers.length === 1 ? numbers[0] : text.trim(), holds);
	if (wrong !== undefined) return addIssue(context, wrong);
	if (numbers.length === 1 && /^\d+$/.test(String(numbers[0]))) return String(numbers[0]);
	return rejectInvisible(text.trim(), context);
}

/** Joins a list, separated text, or JSON text of a list with commas. */
function toCodes(value: unknown, context: RequestContext): unknown {
	const given = parseList(value, 'identifier').filter((element) => !isEmpty(element));
	const codes = given.map((element) => plainText(element, context));
	return codes.length === 0 || codes.includes(undefined) ? undefined : rejectInvisible(codes.join(','), context);
}

function plainText(value: unknown, context: RequestContext): string | undefined {
	if (typeof value === 'number') {
		if (!Number.isFinite(value)) return addIssue(context, `must be text, got ${kindOf(value)}`);
		if (Number.isInteger(value) && !Number.isSafeInteger(value))
			return addIssue(context, 'is a number with more than 15 digits, which loses its last digits: enter it as text');
		return String(value);
	}
	if (typeof value === 'bigint') return String(value);
	if (typeof value !== 'string') return addIssue(context, `must be text, got ${kindOf(value)}`);
	const damage = findDamage(value);
	return damage === undefined ? value : addIssue(context, damage);
}

function toNumber(schema: v.GenericSchema, value: unknown, context: RequestContext): unknown {
	if (typeof value === 'number') return value;
	if (typeof value !== 'string' && typeof value !== 'bigint')
		return addIssue(context, `must be a number, got ${kindOf(value)}`);
	const text = withPoint(String(value));
	const mayBeThousands = isAmbiguous(String(value));
	const { kind } = hintsOf(schema);
	if (mayBeThousands && kind === 'amount')
		return addIssue(context, 'may mean thousands or decimals: write 1500 or 1.50');
	if (!/^[+-]?\d+(\.\d+)?$/.test(text) || (mayBeThousands && kind === 'whole'))
		return addIssue(context, `must be a ${kind === 'whole' ? 'whole number such as 12' : 'number such as 1500.50'}`);
	return exactNumber(text) ?? addIssue(context, 'has more digits than can be sent exactly');
}

function toBoolean(value: unknown, context: RequestContext): unknown {
	if (typeof value === 'boolean') return value;
	const text = typeof value === 'string' ? value.trim().toLowerCase() : '';
	if (text === 'true' || text === 'false') return text === 'true';
	return addIssue(context, `must be true or false, got ${kindOf(value)}`);
}

/**
 * The calendar day of a value from a date picker, Luxon, `Date` or text. A day without a time zone is used as written;
 * an instant is converted to `timeZone`. Exception: midnight UTC means that day, because that is how days are
 * serialized to JSON.
 */
function toDay(value: unknown, context: RequestContext): unknown {
	const wanted = 'must be a day such as 2026-01-31';
	const instant = toDate(value);
	if (instant !== undefined)
		return Number.isNaN(instant.getTime())
			? addIssue(context, `${wanted}; this date is invalid`)
			: dayOf(instant, hasOffset(value), context.timeZone);
	if (typeof value !== 'string') return addIssue(context, `${wanted}, got ${kindOf(value)}`);
	const written = isoDatePattern.exec(value.trim());
	if (!written) return addIssue(context, wanted);
	const [, day = '', time = '', zone] = written;
	// `Date` would turn February 30 into March 2.
	if (zone === undefined || !isRealDay(day)) return day;
	const date = new Date(parseInstant(day, time, zone));
	return Number.isNaN(date.getTime()) ? day : dayOf(date, /[1-9]/.test(zone), context.timeZone);
}

/** Whether a Luxon date is not in UTC. */
const hasOffset = (value: unknown): boolean =>
	isRecord(value) && typeof value.offset === 'number' && value.offset !== 0;

/** The calendar day of an instant. With `isLocal`, midnight UTC is an instant like any other. */
function dayOf(instant: Date, isLocal: boolean, timeZone: string): string {
	const utc = instant.toISOString();
	if (!isLocal && utc.endsWith('T00:00:00.000Z')) return utc.slice(0, 10);
	return dayIn(instant.getTime(), timeZone);
}
