import * as v from 'valibot';

import { headerNameFault, isFieldName } from '../headers.ts';
import { isRecord } from '../json.ts';
import { type Fault, InputError, joinPath } from '../faults.ts';
import {
	type CheckedInput,
	type Method,
	type ObjectSchema,
	type Operation,
	type OperationInput,
} from '../operation.ts';
import { isSecretName } from '../errors/redact.ts';
import { textOrNumber } from '../text.ts';
import { kindOf, type RequestContext, toRequest, withoutEmptyRows } from '../schemas/coerce.ts';
import { addressOf, fillPath } from './address.ts';
import { namelessValues, openPayload, type Part } from './payload.ts';
import { arrayFormatOf, queryFields, queryText, withQuery } from './query.ts';

export interface PrepareOptions {
	/** IANA time zone that decides which day an instant falls on. Default UTC. */
	timeZone?: string;
	/** An `ArrayFormat`; anything else is refused. Default `repeat`. */
	arrayFormat?: string;
}

/** A request that has passed every check and can go as it is. */
export interface PreparedRequest<Input extends CheckedInput = CheckedInput> {
	method: Method;
	/** Path and query, to be appended to the base URL. */
	url: string;
	headers: Record<string, string>;
	/** The JSON that is sent, byte for byte. */
	body?: string;
	/** Instead of `body`: a multipart form. Whoever sends it adds the Content-Type with its boundary. */
	parts?: Part[];
	/** The same before it became text. */
	input: Input;
	/** Of what travels, what proves something and does not show it by the name that it has there. */
	secrets?: readonly string[];
}

/**
 * Input -> checked request. Pure.
 * @throws InputError with every fault of the input at once
 */
export function prepare<Input extends CheckedInput>(
	operation: Operation<Input>,
	input: OperationInput,
	options: PrepareOptions = {},
): PreparedRequest<Input> {
	const faults: Fault[] = [];
	const timeZone = options.timeZone ?? 'UTC';
	const path = fieldsIn(check(operation.pathFields, input.path, timeZone, faults));
	const ownQuery = fieldsIn(check(operation.query, input.query, timeZone, faults));
	const checkedBody = check(operation.body, input.body, timeZone, faults);
	const nameless = fieldsIn(check(operation.nameless, namelessValues(input), timeZone, faults));
	const { method, template } = addressOf(operation, input, faults);
	const open = openPayload(operation, input, nameless, faults);
	const carriesNone = method === 'GET' || method === 'DELETE';
	const hasFiles = operation.payload?.files !== undefined && (input.files ?? []).length > 0;
	const inQuery = open.content !== undefined && carriesNone && !hasFiles;
	const openQuery = inQuery ? queryFields(open.content, method, faults) : {};
	if (operation.body !== undefined && operation.method === undefined && carriesNone)
		faults.push({ path: 'method', message: `must not be ${method}, which carries no body` });
	if (hasFiles && carriesNone)
		faults.push({ path: 'method', message: `must not be ${method}, which cannot carry files` });
	const token = tokenOf(operation, input, faults);
	// Not by assignment: a field that is named __proto__ would vanish.
	const query = { ...ownQuery, ...openQuery, ...token.query };
	const body = operation.body === undefined ? (inQuery ? undefined : open.content) : checkedBody;
	// While there are no faults, every part has passed its schema, or there is none: then it holds no fields.
	const checked = { path, query, body } as Input;
	if (faults.length === 0)
		for (const fault of operation.rules?.({ ...checked, files: input.files ?? [] }) ?? []) faults.push(fault);
	const secrets = secretsOf(input);
	const arrayFormat = arrayFormatOf(options.arrayFormat, faults);
	const url =
		faults.length === 0 && arrayFormat !== undefined
			? withQuery(fillPath(template, path, faults), queryText(query, arrayFormat))
			: '';
	if (faults.length > 0) throw new InputError(faults);
	return {
		method,
		url,
		headers: {
			Accept: 'application/json',
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
			...token.headers,
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
		...(open.parts === undefined ? {} : { parts: open.parts }),
		input: checked,
		...(secrets.length === 0 ? {} : { secrets }),
	};
}

/** A group of fields is an object, or was refused. */
function fieldsIn(checked: unknown): Record<string, unknown> {
	return isRecord(checked) ? checked : {};
}

/** The access token that an earlier operation got; how it travels is not shown (4.20). */
function tokenOf(
	operation: Operation,
	{ accessToken }: OperationInput,
	faults: Fault[],
): { headers: Record<string, string>; query: Record<string, string> } {
	if (operation.accessToken === undefined || accessToken === undefined) return { headers: {}, query: {} };
	const value = String(accessToken.value ?? '').trim();
	const name = String(accessToken.name ?? '').trim();
	if (value === '') faults.push({ path: 'accessToken', message: 'is required', code: 'accessTokenMissing' });
	else if (!/^[\x21-\x7e]+$/.test(value))
		faults.push({ path: 'accessToken', message: 'must hold no spaces and only ASCII characters' });
	if (accessToken.as === 'bearer') return { headers: { Authorization: `Bearer ${value}` }, query: {} };
	if (!isFieldName(name))
		faults.push({
			path: 'carriedBy',
			message: `must be the name of the ${accessToken.as === 'header' ? 'header' : 'query parameter'} that carries the access token`,
		});
	else if (accessToken.as === 'header' && headerNameFault(name) !== undefined)
		faults.push({ path: 'carriedBy', message: 'must not be a header that belongs to the connection, such as Host' });
	return accessToken.as === 'header'
		? { headers: { [name]: value }, query: {} }
		: { headers: {}, query: { [name]: value } };
}

/** Values whose place, and so whose name in the request, the user gives. */
function secretsOf({ accessToken, nameless = {} }: OperationInput): string[] {
	const named = Object.entries(nameless).filter(([name]) => isSecretName(name));
	return [accessToken?.value, ...named.map(([, { value }]) => value)].map(textOrNumber).filter((text) => text !== '');
}

/** Brings one group of fields into shape and checks it; what is wrong goes to `faults`. */
function check(schema: ObjectSchema | undefined, given: unknown, timeZone: string, faults: Fault[]): unknown {
	if (schema === undefined) {
		if (typeof given === 'object' && given !== null)
			for (const key of Object.keys(given)) faults.push({ path: key, message: 'is not a field of this operation' });
		return {};
	}
	const context: RequestContext = { timeZone, faults: [], at: [] };
	const shaped = toRequest(schema, given ?? {}, context);
	for (const fault of context.faults) faults.push(fault);
	const result = v.safeParse(schema, shaped ?? {}, { abortPipeEarly: true });
	if (result.success) return context.hasEmptyRows === true ? withoutEmptyRows(schema, result.output) : result.output;
	// What has a fault is absent in `shaped`: that it is missing, or fields inside it, would be misleading.
	const faulty = new Set(context.faults.map(({ path }) => path));
	for (const issue of result.issues) {
		const paths = (issue.path ?? []).reduce(
			(parents, { key }) => [...parents, joinPath(parents.at(-1) ?? '', typeof key === 'number' ? key : String(key))],
			[''],
		);
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

const typeNames: Record<string, string> = {
	string: 'text',
	number: 'a number',
	boolean: 'true or false',
	array: 'a list',
	strict_object: 'an object',
};

function nameOfType(type: string): string {
	return typeNames[type] ?? type;
}
