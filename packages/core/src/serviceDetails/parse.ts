import * as v from 'valibot';

import { excerpt, isSecretName, redact } from '../errors/redact.ts';
import { isEmpty, isRecord, scanJson, withoutMark } from '../json.ts';
import type { Operation } from '../operation.ts';
import { findOperation } from '../operations/index.ts';
import { kindOf, messageOf, pathOf } from '../schemas/issues.ts';
import { findInvisibleCharacter, invisibleInName } from '../text.ts';
import { InputError, type ValidationIssue } from '../validation.ts';
import { type AddIssue, consistencyIssues, type Keys } from './check.ts';
import type { OperationDetails, ServiceDetails } from './details.ts';
import { detailsSchema } from './schema.ts';

const mostCharacters = 256 * 1024;

/**
 * Reads the service details of a credential: JSON, by operation ID. Empty text means none. `null`, empty text and `$comment` count as not
 * filled in, so that a template can be used before it is complete.
 * @param ownHeaders headers that the credential sends itself
 * @throws InputError with all issues; each path is the key in the JSON
 */
export function parseServiceDetails(given: unknown, ownHeaders: readonly string[] = []): ServiceDetails {
	const issues: ValidationIssue[] = [];
	const whole = documentIn(given, issues);
	const read = Object.entries(whole).flatMap(([id, entry]): [string, OperationDetails][] => {
		if (id === '$schema' || id === '$comment') return [];
		const operation = findOperation(id);
		const add = collector(issues, [id], entry);
		if (operation !== undefined) return [[id, detailsOf(operation, entry, ownHeaders, add)]];
		add([], 'is not an operation: see the templates');
		return [];
	});
	if (issues.length > 0) throw new InputError(issues);
	return Object.fromEntries(read);
}

/**
 * The service details of one operation: those of the credential, overridden by those of a node. The node may also have a whole body as
 * `payload`, which is returned unchecked.
 * @throws InputError with all issues; each label names the field of the node and the key
 */
export function overrideServiceDetails(
	operation: Operation,
	details: OperationDetails,
	given: unknown,
	ownHeaders: readonly string[],
): { details: OperationDetails; payload: unknown } {
	const issues: ValidationIssue[] = [];
	const { payload, ...own } = documentIn(given, issues);
	const filled = withoutUnfilled(own);
	const override = isRecord(filled) ? filled : {};
	const merge = (key: 'names' | 'fields' | 'files') =>
		isRecord(override[key]) ? { [key]: { ...details[key], ...override[key] } } : {};
	const entry = { ...details, ...override, ...merge('names'), ...merge('fields'), ...merge('files') };
	const read =
		Object.keys(override).length === 0
			? details
			: detailsOf(operation, entry, ownHeaders, collector(issues, [], entry));
	if (issues.length > 0)
		throw new InputError(
			issues.map((issue) => ({ ...issue, path: 'serviceDetails', label: `Override Service Details: ${issue.path}` })),
		);
	return { details: read, payload };
}

const collector =
	(issues: ValidationIssue[], parents: Keys, entry: unknown): AddIssue =>
	(keys, message) => {
		issues.push({ path: keyPath([...parents, ...keys]), message, value: quoted(entry, keys, message) });
	};

/** The details of one operation. Contradictions with the definition and dangerous values are reported. */
function detailsOf(
	operation: Operation,
	entry: unknown,
	ownHeaders: readonly string[],
	add: AddIssue,
): OperationDetails {
	textIssues(entry, [], add);
	const filled = withoutUnfilled(entry) ?? {};
	if (!isRecord(filled)) {
		add([], `must be an object, got ${kindOf(filled)}`);
		return {};
	}
	// valibot accepts an array as an object.
	if (Array.isArray(filled.fields)) {
		add(['fields'], 'must be an object, got a list');
		return {};
	}
	const schema = detailsSchema(operation);
	const { method, path } = operation;
	const shown = new Map(Object.entries({ method, path }));
	const isOpen = ([key, value]: [string, unknown]): boolean => {
		if (Object.hasOwn(schema.entries, key)) return true;
		// The detail was documented after the user wrote these service details. It may stay if it has the documented
		// value.
		if (shown.get(key) === undefined)
			add([key], `is not a key of this operation. Known: ${Object.keys(schema.entries).join(', ')}`);
		else if (shown.get(key) !== value)
			add([key], `contradicts the API description, which shows ${shown.get(key)}. Remove it`);
		return false;
	};
	const open = Object.fromEntries(Object.entries(filled).filter(isOpen));
	const result = v.safeParse(schema, open, { abortPipeEarly: true });
	if (!result.success) {
		for (const issue of result.issues) add(pathOf(issue), messageOf(issue));
		return {};
	}
	// Already checked with the schema; the type of valibot cannot express which keys depend on the definition.
	const details = result.output as OperationDetails;
	consistencyIssues(operation, details, ownHeaders, add);
	return details;
}

/** The value of a key in quotes, if it says more than the message. Never a secret. */
function quoted(entry: unknown, keys: Keys, message: string): string | undefined {
	const value = keys.reduce<unknown>((parent, key) => (Object(parent) as Record<string, unknown>)[key], entry);
	const isHidden = isSecretName(String(keys.at(-1))) || redact(String(value)).includes('[REDACTED]');
	if (!/^must [^.]*$/.test(message) || !['string', 'number', 'boolean'].includes(typeof value) || isHidden)
		return undefined;
	return excerpt(String(value), 40);
}

function documentIn(given: unknown, issues: ValidationIssue[]): Record<string, unknown> {
	const refuse = (message: string) => {
		issues.push({ path: 'The document', message });
		return {};
	};
	if (isEmpty(given)) return {};
	if (typeof given !== 'string' && !isRecord(given)) return refuse(`must be a JSON object, got ${kindOf(given)}`);
	const written = typeof given === 'string' ? given : jsonTextOf(given);
	if (written === undefined) return refuse('is nested too deeply, or contains itself');
	const text = withoutMark(written).trim();
	if (text.length > mostCharacters) return refuse('must have at most 256 kB');
	if (scanJson(text).excess !== undefined) return refuse('is nested too deeply');
	let value: unknown;
	try {
		value = JSON.parse(text);
	} catch (error) {
		const [, line, column] = /line (\d+) column (\d+)/.exec(String(error)) ?? [];
		const where = `look at line ${line}, column ${column}`;
		const unknown = 'it ends too early, or a quotation mark, comma or bracket is missing';
		return refuse(`is not JSON: ${line === undefined ? unknown : where}`);
	}
	for (const path of repeatedKeys(text)) issues.push({ path, message: 'is given twice' });
	return isRecord(value) ? value : refuse(`must be a JSON object, got ${kindOf(value)}`);
}

/**
 * Service details that an expression returns as an object, as text, so that the same limits apply and getters are read
 * only once.
 */
function jsonTextOf(given: object): string | undefined {
	try {
		return JSON.stringify(given);
	} catch {
		return undefined;
	}
}

/** Keys that occur twice in an object; JSON.parse would silently drop one. */
function repeatedKeys(text: string): string[] {
	const repeated: string[] = [];
	const open: { keys: Set<string>; last: string }[] = [];
	for (const [token, key, bracket] of text.matchAll(/("(?:[^"\\]|\\.)*")\s*:|"(?:[^"\\]|\\.)*"|([{}])/g)) {
		if (bracket === '{') open.push({ keys: new Set(), last: '' });
		else if (bracket === '}') open.pop();
		const here = open.at(-1);
		if (key === undefined || here === undefined || token === '') continue;
		here.last = String(JSON.parse(key));
		if (here.keys.has(here.last)) repeated.push(keyPath(open.map(({ last }) => last)));
		here.keys.add(here.last);
	}
	return repeated;
}

/** Reports expressions, secrets and invisible characters, in keys and values. */
function textIssues(value: unknown, keys: Keys, add: AddIssue): void {
	if (typeof value === 'string') {
		if (/\{\{|\}\}|^\s*=/.test(value))
			add(keys, 'must not contain an expression. Values of an item belong in the fields of the node');
		// Account numbers are redacted too, but are not secrets.
		if (redact(value).includes('[REDACTED]'))
			add(keys, 'holds what looks like a secret. Secrets belong in the other fields of the credential');
		const isText = ['$comment', 'label', 'description'].includes(String(keys.at(-1)));
		const allowed = keys.includes('$comment') ? '\t\r\n' : '';
		const invisible = findInvisibleCharacter(value, allowed, isText ? undefined : invisibleInName);
		if (invisible !== undefined) add(keys, `holds ${invisible}: remove it`);
	} else if (typeof value === 'object' && value !== null) {
		for (const [key, inner] of Object.entries(value)) {
			const hidden = Array.isArray(value) ? undefined : findInvisibleCharacter(key, '', invisibleInName);
			if (hidden !== undefined) add([...keys, key], `has ${hidden} in its name: remove it`);
			if (/\{\{|\}\}/.test(key)) add([...keys, key], 'must not contain an expression');
			textIssues(inner, [...keys, Array.isArray(value) ? Number(key) : key], add);
		}
	}
}

/**
 * Removes comments and unfilled placeholders of the template; undefined if nothing is left of a part of the details, such as a condition.
 * Lists are unchanged.
 */
function withoutUnfilled(value: unknown, depth = 0): unknown {
	if (value === null || value === '') return undefined;
	if (!isRecord(value)) return value;
	const kept = Object.entries(value).flatMap(([key, inner]) => {
		const filled = key === '$comment' ? undefined : withoutUnfilled(inner, depth + 1);
		return filled === undefined ? [] : [[key, filled] as const];
	});
	return kept.length === 0 && depth > 1 && Object.keys(value).length > 0 ? undefined : Object.fromEntries(kept);
}

/** Formats a key path, such as `"courier.checkCode".fields["person.name"].type`. */
const keyPath = (keys: Keys): string =>
	keys.reduce<string>((path, key) => {
		if (typeof key === 'string' && /^\w+$/.test(key)) return path === '' ? key : `${path}.${key}`;
		return path === '' ? JSON.stringify(key) : `${path}[${JSON.stringify(key)}]`;
	}, '');
