import * as v from 'valibot';

import { isRecord } from '../json.ts';
import { type ValidationIssue, InputError, joinPath } from '../validation.ts';
import type { CheckedInput, Method, ObjectSchema, Operation, OperationInput } from '../operation.ts';
import { excerpt, isSecretName } from '../errors/redact.ts';
import { fieldAt, parsePath, withValueAt } from '../path.ts';
import { carriesNoBody, type OperationDetails } from '../serviceDetails/details.ts';
import { unknownField } from '../schemas/fields.ts';
import { textOrNumber } from '../text.ts';
import { isBlank, type RequestContext, toRequest } from '../schemas/coerce.ts';
import { messageOf, pathOf } from '../schemas/issues.ts';
import { titleOf } from '../schemas/unwrap.ts';
import { fillPath } from './address.ts';
import { buildPayload, type FormPart, plainJson } from './payload.ts';
import { askedFields, type PlacedValue, placedValues } from './placedValues.ts';
import { arrayFormatOf, queryFields, withQuery } from './query.ts';

export interface PrepareOptions {
	/** IANA time zone for converting instants to days. Default UTC. */
	timeZone?: string;
	/** One of `ArrayFormat`. Default `repeat`. */
	arrayFormat?: string;
}

export interface PreparedRequest<Input extends CheckedInput = CheckedInput> {
	method: Method;
	/** Path and query, relative to the base URL. */
	url: string;
	headers: Record<string, string>;
	/** The exact JSON text to send. */
	body?: string;
	/** Multipart form, instead of `body`. The sender adds the Content-Type with its boundary. */
	parts?: FormPart[];
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
	const ownPath = check(operation.pathFields, input.path, timeZone, issues);
	const ownQuery = check(operation.query, input.query, timeZone, issues);
	const checkedBody = check(operation.body, input.body, timeZone, issues);
	const placed = checkPlaced(operation, input, timeZone, issues);
	// The service details have been checked when they were read.
	const method = operation.method ?? details.method;
	const template = operation.path ?? details.path;
	if (method === undefined) issues.push({ path: 'method', message: 'is required' });
	if (template === undefined) issues.push({ path: 'path', message: 'is required' });
	const inBody = placed.filter(({ where }) => where === 'body');
	const open = buildPayload(operation, input, inBody, issues);
	const inQuery = open.content !== undefined && carriesNoBody(method);
	const openQuery = inQuery ? queryFields(open.content, method, issues) : {};
	placed.push(...tokenOf(operation, input, issues));
	const path = { ...ownPath, ...valuesIn('path', placed) };
	// Spread, because an assignment would lose a field named __proto__.
	const query = { ...ownQuery, ...openQuery, ...valuesIn('query', placed) };
	const own = operation.body === undefined ? (inQuery ? undefined : open.content) : withFixed(checkedBody, inBody);
	const body = own ?? (details.body?.empty === true && open.parts === undefined && !inQuery ? {} : undefined);
	const isForm = details.body?.sendAs === 'form' && open.parts === undefined;
	const mimeType = isForm ? 'application/x-www-form-urlencoded' : 'application/json';
	const formFields = isForm && body !== undefined ? queryFields(body, 'POST', issues) : {};
	// Without issues every part has passed its schema, so the type is right.
	const checked = { path, query, body } as Input;
	if (issues.length === 0) for (const issue of operation.rules?.(checked) ?? []) issues.push(issue);
	for (const issue of duplicatesIn(operation, checkedBody)) issues.push(issue);
	const secrets = secretsOf(input);
	const arrayFormat = arrayFormatOf(options.arrayFormat, issues);
	if (method === undefined || template === undefined || arrayFormat === undefined || issues.length > 0)
		throw new InputError(issues);
	const url = withQuery(fillPath(template, path, issues), query, arrayFormat);
	if (issues.length > 0) throw new InputError(issues);
	return {
		method,
		url,
		headers: headersOf(valuesIn('header', placed), body === undefined ? undefined : mimeType),
		...(body === undefined
			? {}
			: { body: isForm ? withQuery('', formFields, arrayFormat).slice(1) : JSON.stringify(wrapped(body, details)) }),
		...(open.parts === undefined ? {} : { parts: open.parts }),
		input: checked,
		...(secrets.length === 0 ? {} : { secrets }),
	};
}

/** Checks the values whose field names the description does not show, and adds their places in the request. */
function checkPlaced(
	operation: Operation,
	input: OperationInput,
	timeZone: string,
	issues: ValidationIssue[],
): PlacedValue[] {
	const unnamed = check(operation.unnamedFields, input.unnamedFields, timeZone, issues);
	const asked = askedFields(operation);
	const namedIssues: ValidationIssue[] = [];
	const named = check(asked, input.fields, timeZone, namedIssues);
	const placed = placedValues(operation, unnamed, named);
	for (const issue of [...namedIssues, ...placed.flatMap(placeIssues)])
		issues.push({ ...issue, label: titleOf(asked.entries[issue.path] ?? v.unknown()) || issue.path });
	return placed;
}

const valuesIn = (where: PlacedValue['where'], placed: readonly PlacedValue[]): Record<string, unknown> =>
	Object.fromEntries(
		placed.filter((one) => one.where === where && !isBlank(one.value)).map(({ place, value }) => [place, value]),
	);

function headersOf(values: Record<string, unknown>, contentType: string | undefined): Record<string, string> {
	const given = Object.entries(values).map(([name, value]): [string, string] => [name, String(value).trim()]);
	return {
		...(given.some(([name]) => name.toLowerCase() === 'accept') ? {} : { Accept: 'application/json' }),
		...(contentType === undefined ? {} : { 'Content-Type': contentType }),
		...Object.fromEntries(given),
	};
}

/** Adds the fixed values of the service details to a described body. */
const withFixed = (body: unknown, values: readonly PlacedValue[]): unknown =>
	values.reduce((result, { place, value }) => withValueAt(result, parsePath(place) ?? [], value), body);

/** Puts the body into the field that the service details name as its wrapper. */
const wrapped = (body: unknown, { body: { wrapper = '' } = {} }: OperationDetails): unknown =>
	wrapper === '' ? body : withValueAt(undefined, parsePath(wrapper) ?? [], body);

/** Why a value cannot be sent at its place in the request. */
function placeIssues({ where, place, value }: PlacedValue): ValidationIssue[] {
	const isNested = Array.isArray(value) && !isBlank(value) && value.some((element) => typeof element === 'object');
	const issues: ValidationIssue[] = [];
	const add = (message: string) => issues.push({ path: place, message });
	if (where === 'header' && !/^[\x20-\x7e]*$/.test(String(value).trim()))
		add('is sent as a header, so it must contain only ASCII characters and no line breaks');
	else if (where === 'query' && isNested) add('is sent in the query, so it must contain only plain values');
	else if (typeof value === 'object' && value !== null) plainJson(value, place, issues);
	return issues;
}

/** The access token of an earlier operation; how to send it is not described (4.20). */
function tokenOf(operation: Operation, { accessToken }: OperationInput, issues: ValidationIssue[]): PlacedValue[] {
	if (operation.accessToken === undefined || accessToken === undefined) return [];
	const value = String(accessToken.value ?? '').trim();
	if (value === '')
		issues.push({ path: 'accessToken', message: 'is required: the token that the code was exchanged for' });
	else if (!/^[\x21-\x7e]+$/.test(value))
		issues.push({ path: 'accessToken', message: 'must contain no spaces and only ASCII characters' });
	const { sendAs = 'bearer', name = '' } = operation.details?.token ?? {};
	return sendAs === 'bearer'
		? [{ place: 'Authorization', where: 'header', value: `Bearer ${value}` }]
		: [{ place: name, where: sendAs, value }];
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
function check(
	schema: ObjectSchema | undefined,
	given: unknown,
	timeZone: string,
	issues: ValidationIssue[],
): Record<string, unknown> {
	if (schema === undefined) {
		if (typeof given === 'object' && given !== null)
			for (const key of Object.keys(given)) issues.push({ path: key, message: unknownField });
		return {};
	}
	const context: RequestContext = { timeZone, issues: [], at: [] };
	let shaped = toRequest(schema, given ?? {}, context);
	for (const issue of context.issues) issues.push(withValue(issue, given));
	const result = v.safeParse(schema, shaped ?? {}, { abortPipeEarly: true });
	if (result.success)
		shaped =
			context.hasEmptyRows === true
				? toRequest(schema, given ?? {}, { ...context, dropsEmptyRows: true })
				: result.output;
	// Values that could not be coerced are missing in `shaped`. Without this, they would also be reported as missing.
	const invalidPaths = new Set(context.issues.map(({ path }) => path));
	for (const issue of result.issues ?? []) {
		const paths = pathOf(issue).reduce((parents, key) => [...parents, joinPath(parents.at(-1) ?? '', key)], ['']);
		if (!paths.some((path) => invalidPaths.has(path)))
			issues.push(withValue({ path: paths.at(-1) ?? '', message: messageOf(issue) }, given));
	}
	return isRecord(shaped) ? shaped : {};
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
	const text = isDecimal ? String(value) : excerpt(String(value), maxQuoted).replace(/\p{Cf}/gu, '[invisible]');
	return text === '' ? issue : { ...issue, value: text };
}
