import * as v from 'valibot';

import { isRecord } from '../json.ts';
import { type ValidationIssue, InputError, joinPath } from '../validation.ts';
import type { CheckedInput, Method, ObjectSchema, Operation, OperationInput } from '../operation.ts';
import { excerpt, isSecretName } from '../errors/redact.ts';
import { fieldAt } from '../path.ts';
import { unknownField } from '../schemas/fields.ts';
import { textOrNumber } from '../text.ts';
import { isBlank, type RequestContext, toRequest, withoutEmptyRows } from '../schemas/coerce.ts';
import { messageOf, pathOf } from '../schemas/issues.ts';
import { titleOf } from '../schemas/unwrap.ts';
import { fillPath } from './address.ts';
import { openPayload, type Part } from './payload.ts';
import { askedFields, type PlacedValue, placedValues } from './placedValues.ts';
import { arrayFormatOf, queryFields, queryText, withQuery } from './query.ts';

export interface PrepareOptions {
	/** IANA time zone for converting instants to days. Default UTC. */
	timeZone?: string;
	/** One of `ArrayFormat`. Default `repeat`. */
	arrayFormat?: string;
}

/** A validated request. */
export interface PreparedRequest<Input extends CheckedInput = CheckedInput> {
	method: Method;
	/** Path and query, relative to the base URL. */
	url: string;
	headers: Record<string, string>;
	/** The exact JSON text to send. */
	body?: string;
	/** Multipart form, instead of `body`. The sender adds the Content-Type with its boundary. */
	parts?: Part[];
	/** The checked fields before serialization. */
	input: Input;
	/** Secret values in the request that cannot be recognized by their field names. */
	secrets?: readonly string[];
}

/**
 * Validates the input and builds the request. Pure.
 * @throws InputError with all issues of the input
 */
export function prepare<Input extends CheckedInput>(
	operation: Operation<Input>,
	input: OperationInput,
	options: PrepareOptions = {},
): PreparedRequest<Input> {
	const issues: ValidationIssue[] = [];
	const timeZone = options.timeZone ?? 'UTC';
	const { details = {} } = operation;
	const ownPath = fieldsIn(check(operation.pathFields, input.path, timeZone, issues));
	const ownQuery = fieldsIn(check(operation.query, input.query, timeZone, issues));
	const checkedBody = check(operation.body, input.body, timeZone, issues);
	const unnamed = fieldsIn(check(operation.unnamedFields, input.unnamedFields, timeZone, issues));
	const asked = askedFields(details);
	const namedIssues: ValidationIssue[] = [];
	const named = fieldsIn(check(asked, input.fields, timeZone, namedIssues));
	const placed = Map.groupBy(placedValues(operation, unnamed, named), ({ where }) => where);
	const path = { ...ownPath, ...valuesOf(placed.get('path')) };
	const outside = outsideBody(valuesOf(placed.get('query')), valuesOf(placed.get('header')), namedIssues);
	for (const issue of namedIssues) issues.push({ ...issue, label: labelIn(asked, issue.path) });
	// The service details have been checked when they were read.
	const method = operation.method ?? details.method;
	const template = operation.path ?? details.path;
	if (method === undefined) issues.push({ path: 'method', message: 'is required' });
	if (template === undefined) issues.push({ path: 'path', message: 'is required' });
	const open = openPayload(operation, input, placed.get('body') ?? [], issues);
	const inQuery = open.content !== undefined && (method === 'GET' || method === 'DELETE');
	const openQuery = inQuery ? queryFields(open.content, method, issues) : {};
	const token = tokenOf(operation, input, issues);
	// Not by assignment, which would lose a field named __proto__.
	const query = { ...ownQuery, ...openQuery, ...outside.query, ...token.query };
	const body = operation.body === undefined ? (inQuery ? undefined : open.content) : checkedBody;
	// Without issues every part has passed its schema, so the type is right.
	const checked = { path, query, body } as Input;
	if (issues.length === 0) for (const issue of operation.rules?.(checked) ?? []) issues.push(issue);
	for (const issue of duplicatesIn(operation, checkedBody)) issues.push(issue);
	const secrets = secretsOf(input);
	const arrayFormat = arrayFormatOf(options.arrayFormat, issues);
	if (method === undefined || template === undefined || arrayFormat === undefined || issues.length > 0)
		throw new InputError(issues);
	const url = withQuery(fillPath(template, path, issues), queryText(query, arrayFormat));
	if (issues.length > 0) throw new InputError(issues);
	return {
		method,
		url,
		headers: {
			Accept: 'application/json',
			...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
			...outside.headers,
			...token.headers,
		},
		...(body === undefined ? {} : { body: JSON.stringify(body) }),
		...(open.parts === undefined ? {} : { parts: open.parts }),
		input: checked,
		...(secrets.length === 0 ? {} : { secrets }),
	};
}

const valuesOf = (placed: readonly PlacedValue[] = []): Record<string, unknown> =>
	Object.fromEntries(placed.filter(({ value }) => !isBlank(value)).map(({ place, value }) => [place, value]));

/** Fields of the service details that go into the query or a header. */
function outsideBody(
	query: Record<string, unknown>,
	inHeaders: Record<string, unknown>,
	issues: ValidationIssue[],
): { query: Record<string, unknown>; headers: Record<string, string> } {
	const headers = Object.entries(inHeaders).map(([name, value]) => [name, String(value).trim()] as const);
	for (const [name, text] of headers)
		if (!/^[\x20-\x7e]*$/.test(text))
			issues.push({
				path: name,
				message: 'is sent as a header, so it must contain only ASCII characters and no line breaks',
			});
	for (const [name, value] of Object.entries(query))
		if (Array.isArray(value) && value.some((element) => typeof element === 'object'))
			issues.push({ path: name, message: 'is sent in the query, so it must contain only plain values' });
	return { query, headers: Object.fromEntries(headers) };
}

function labelIn({ entries }: ObjectSchema, place: string): string {
	const schema = entries[place];
	return (schema === undefined ? '' : titleOf(schema)) || place;
}

function fieldsIn(checked: unknown): Record<string, unknown> {
	return isRecord(checked) ? checked : {};
}

/** The access token of an earlier operation; how to send it is not described (4.20). */
function tokenOf(
	operation: Operation,
	{ accessToken }: OperationInput,
	issues: ValidationIssue[],
): { headers: Record<string, string>; query: Record<string, string> } {
	if (operation.accessToken === undefined || accessToken === undefined) return { headers: {}, query: {} };
	const value = String(accessToken.value ?? '').trim();
	if (value === '')
		issues.push({ path: 'accessToken', message: 'is required: the one that the code was exchanged for' });
	else if (!/^[\x21-\x7e]+$/.test(value))
		issues.push({ path: 'accessToken', message: 'must contain no spaces and only ASCII characters' });
	const { sendAs = 'bearer', name = '' } = operation.details?.token ?? {};
	if (sendAs === 'query') return { headers: {}, query: { [name]: value } };
	return { headers: sendAs === 'bearer' ? { Authorization: `Bearer ${value}` } : { [name]: value }, query: {} };
}

/** Secrets in fields whose names the description does not show. */
function secretsOf({ accessToken, unnamedFields = {}, fields: namedFields = {} }: OperationInput): string[] {
	const named = [
		...Object.entries(unnamedFields),
		...Object.entries(namedFields).map(([place, value]) => [place.replace(/^.*[.\]]/, ''), value] as const),
	].filter(([name]) => isSecretName(name));
	return [accessToken?.value, ...named.map(([, value]) => value)].map(textOrNumber).filter((text) => text !== '');
}

/** Coerces and validates one group of fields. */
function check(schema: ObjectSchema | undefined, given: unknown, timeZone: string, issues: ValidationIssue[]): unknown {
	if (schema === undefined) {
		if (typeof given === 'object' && given !== null)
			for (const key of Object.keys(given)) issues.push({ path: key, message: unknownField });
		return {};
	}
	const context: RequestContext = { timeZone, issues: [], at: [] };
	const shaped = toRequest(schema, given ?? {}, context);
	for (const issue of context.issues) issues.push(withValue(issue, given));
	const result = v.safeParse(schema, shaped ?? {}, { abortPipeEarly: true });
	if (result.success) return context.hasEmptyRows === true ? withoutEmptyRows(schema, result.output) : result.output;
	// Values that could not be coerced are missing in `shaped`. Reporting them as missing too would be misleading.
	const invalidPaths = new Set(context.issues.map(({ path }) => path));
	for (const issue of result.issues) {
		const paths = pathOf(issue).reduce((parents, key) => [...parents, joinPath(parents.at(-1) ?? '', key)], ['']);
		if (!paths.some((path) => invalidPaths.has(path)))
			issues.push(withValue({ path: paths.at(-1) ?? '', message: messageOf(issue) }, given));
	}
	return shaped;
}

function duplicatesIn({ unique }: Operation, body: unknown): ValidationIssue[] {
	if (unique === undefined) return [];
	const { list, field } = unique;
	const rows = fieldAt(body, list);
	const values = (Array.isArray(rows) ? rows : []).map((row) => textOrNumber(fieldAt(row, field)));
	const counts = new Map<string, number>();
	for (const value of values) counts.set(value, (counts.get(value) ?? 0) + 1);
	return values.flatMap((value, index) =>
		value === '' || counts.get(value) === 1
			? []
			: [{ path: `${list}[${index}].${field}`, message: 'must differ in every row', value: excerpt(value, maxQuoted) }],
	);
}

const maxQuoted = 40;

/** Quotes the value as the user entered it, unless it is empty, an object, a secret or in an unknown field. */
function withValue(issue: ValidationIssue, given: unknown): ValidationIssue {
	const value = fieldAt(given, issue.path);
	const isPlain = ['string', 'number', 'boolean'].includes(typeof value);
	if (!isPlain || isSecretName(issue.path) || issue.message === unknownField) return issue;
	// `excerpt` would redact the decimals of a computed amount as a card number.
	const isDecimal = /^-?\d{1,9}\.\d{1,20}$/.test(String(value));
	const text = isDecimal ? String(value) : excerpt(String(value), maxQuoted);
	return text === '' ? issue : { ...issue, value: text };
}
