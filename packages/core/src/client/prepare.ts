import * as v from 'valibot';

import { type Fault, InputError, joinPath } from '../faults.ts';
import type { Method, ObjectSchema, Operation, OperationInput } from '../operation.ts';
import { kindOf, type RequestContext, toRequest, withoutEmptyRows } from '../schemas/conform.ts';

/** How a list goes into the query; the description does not show it (P6). */
export type ArrayFormat = 'repeat' | 'brackets' | 'indices' | 'comma';

export interface PrepareOptions {
	/** IANA time zone that decides which day an instant falls on. Default UTC. */
	timeZone?: string;
	/** Default `repeat`. */
	arrayFormat?: ArrayFormat;
}

/** A request that has passed every check and can go as it is. */
export interface PreparedRequest {
	method: Method;
	/** Path and query, to be appended to the base URL. */
	url: string;
	headers: Record<string, string>;
	/** The JSON that is sent, byte for byte. */
	body?: string;
	/** The same before it became text. */
	input: { path: Record<string, unknown>; query: Record<string, unknown>; body: unknown };
}

/**
 * Input -> checked request. Pure.
 * @throws InputError with every fault of the input at once
 */
export function prepare(operation: Operation, input: OperationInput, options: PrepareOptions = {}): PreparedRequest {
	const faults: Fault[] = [];
	const timeZone = options.timeZone ?? 'UTC';
	const path = check(operation.pathFields, input.path, timeZone, faults) as Record<string, unknown>;
	const query = check(operation.query, input.query, timeZone, faults) as Record<string, unknown>;
	const checkedBody = check(operation.body, input.body, timeZone, faults);
	const body = operation.body === undefined ? undefined : checkedBody;
	const checked = { path, query, body };
	if (faults.length === 0) for (const fault of operation.rules?.(checked) ?? []) faults.push(fault);
	const url = faults.length === 0 ? fillPath(operation.path, path, faults) + queryText(query, options.arrayFormat ?? 'repeat') : '';
	if (faults.length > 0) throw new InputError(faults);
	return {
		method: operation.method,
		url,
		headers: { Accept: 'application/json', ...(body === undefined ? {} : { 'Content-Type': 'application/json' }) },
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
		input: checked,
	};
}

/** Brings one group of fields into shape and checks it; what is wrong goes to `faults`. */
function check(schema: ObjectSchema | undefined, given: unknown, timeZone: string, faults: Fault[]): unknown {
	if (schema === undefined) {
		if (typeof given === 'object' && given !== null) for (const key of Object.keys(given)) faults.push({ path: key, message: 'is not a field of this operation' });
		return {};
	}
	const context: RequestContext = { timeZone, faults: [] };
	const shaped = toRequest(schema, given ?? {}, '', context);
	for (const fault of context.faults) faults.push(fault);
	const result = v.safeParse(schema, shaped ?? {}, { abortPipeEarly: true });
	if (result.success) return withoutEmptyRows(schema, result.output);
	// What has a fault is absent in `shaped`: that it is missing, or fields inside it, would be misleading.
	const faulty = new Set(context.faults.map(({ path }) => path));
	for (const issue of result.issues) {
		const paths = (issue.path ?? []).reduce((parents, { key }) => [...parents, joinPath(parents.at(-1) ?? '', key as string | number)], ['']);
		if (!paths.some((path) => faulty.has(path))) faults.push({ path: paths.at(-1) ?? '', message: messageOf(issue) });
	}
	return shaped;
}

function messageOf(issue: v.BaseIssue<unknown>): string {
	if (issue.kind === 'validation') return issue.message;
	if (issue.received === 'undefined') return 'is required';
	// The custom messages of strict objects and picklists; the library's own wording otherwise speaks of types.
	if (issue.type === 'strict_object' && issue.expected === 'never') return issue.message;
	if (issue.type === 'picklist') return issue.message;
	return `must be ${nameOfType(issue.type)}, got ${kindOf(issue.input)}`;
}

const typeNames: Record<string, string> = { string: 'text', number: 'a number', boolean: 'true or false', array: 'a list', strict_object: 'an object' };

function nameOfType(type: string): string {
	return typeNames[type] ?? type;
}

/** Path values go one segment at a time, encoded, and can never climb out of the path. */
function fillPath(template: string, values: Record<string, unknown>, faults: Fault[]): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = String(values[name]);
		if (value === '.' || value === '..') faults.push({ path: name, message: 'must be an identifier, not a path' });
		return encodeURIComponent(value);
	});
}

function queryText(query: Record<string, unknown>, arrayFormat: ArrayFormat): string {
	const pairs: string[] = [];
	const add = (key: string, value: unknown) => pairs.push(`${key}=${encodeURIComponent(String(value))}`);
	for (const [key, value] of Object.entries(query)) {
		if (!Array.isArray(value)) add(encodeURIComponent(key), value);
		else if (arrayFormat === 'comma') add(encodeURIComponent(key), value.join(','));
		else value.forEach((element, index) => add(encodeURIComponent(key + { repeat: '', brackets: '[]', indices: `[${index}]` }[arrayFormat]), element));
	}
	return pairs.length === 0 ? '' : `?${pairs.join('&')}`;
}
