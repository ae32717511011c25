import type { ValidationIssue } from '../validation.ts';
import { hasContent, isRecord, jsonOrText } from '../json.ts';
import type { FileInput, Operation, OperationInput } from '../operation.ts';
import { isPathFree, parsePath, withValueAt } from '../path.ts';
import { isBlank } from '../schemas/coerce.ts';
import { kindOf } from '../schemas/issues.ts';
import { isData, isOutsideBody, type OperationDetails, placeholdersIn } from '../serviceDetails/details.ts';
import { findDamage, findInvisibleCharacter, verbatim } from '../text.ts';
import { placedFiles, type PlacedValue } from './placedValues.ts';

export type FormPart = { name: string; value: string } | { name: string; file: FileInput };

/** The content of a request whose body is not described. */
export interface UndescribedPayload {
	content?: unknown;
	/** Files sent as multipart parts in addition to `content`. */
	parts?: FormPart[];
}

/** The payload as JSON; undefined if it is empty. */
function givenPayload(value: unknown, issues: ValidationIssue[]): unknown {
	const given = typeof value === 'string' ? jsonOrText(value.trim()) : value;
	if (given === undefined || given === null || given === '') return undefined;
	if (typeof given === 'object') return plainJson(given, 'payload', issues);
	const got = typeof given === 'string' ? 'text that is not JSON' : kindOf(given);
	issues.push({ path: 'payload', message: `must be a JSON object or a JSON array, got ${got}` });
	return undefined;
}

/** Converts to plain JSON, with dates as text. Reports values that JSON would change silently. */
export function plainJson(given: object, path: string, issues: ValidationIssue[]): unknown {
	const wrong = new Set<string>();
	const look = (key: string, value: unknown) => {
		if (typeof value === 'bigint') return String(value);
		if (typeof value === 'number' && !Number.isFinite(value)) wrong.add(`holds a number that is not finite (${key})`);
		if (Number.isInteger(value) && !Number.isSafeInteger(value))
			wrong.add(`holds a number with more than 15 digits (${key}), which loses its last digits: enter it as text`);
		const damage = findDamage(key) ?? findDamage(verbatim(value));
		if (damage !== undefined) wrong.add(`${damage} (${key})`);
		// Only notes may contain line breaks.
		const invisible = findInvisibleCharacter(verbatim(value), '\t\r\n');
		if (invisible !== undefined) wrong.add(`holds ${invisible} (${key}): remove it`);
		return value;
	};
	try {
		const plain: unknown = JSON.parse(JSON.stringify(given, look));
		if (typeof plain !== 'object') wrong.add(`must be a JSON object or a JSON array, got ${kindOf(plain)}`);
		for (const message of wrong) issues.push({ path, message });
		return plain;
	} catch {
		issues.push({ path, message: 'must be plain JSON: it contains itself, or is nested too deeply' });
		return undefined;
	}
}

/**
 * Removes empty fields, because an optional field without information must be absent (4.15, rule 1). List elements keep
 * their positions; only empty objects are removed, such as the last row of a form.
 */
function withoutEmptyFields(value: unknown): unknown {
	if (Array.isArray(value))
		return value.map(withoutEmptyFields).filter((element) => !isRecord(element) || !isBlank(element));
	if (typeof value !== 'object' || value === null) return value;
	const kept = Object.entries(value).map(([key, field]) => [key, withoutEmptyFields(field)] as const);
	return Object.fromEntries(kept.filter(([, field]) => !isBlank(field)));
}

/** Puts values into the payload. They have passed their schema. */
function addValues(content: unknown, values: readonly PlacedValue[], issues: ValidationIssue[]): unknown {
	let result = content;
	for (const { name, place, value } of values) {
		const path = name === undefined ? place : `${name}Field`;
		const steps = parsePath(place);
		if (steps === undefined)
			issues.push({ path, message: 'must be a field name such as request.number or items[0].number' });
		else if (Array.isArray(result) && typeof steps[0] === 'string')
			issues.push({ path: 'payload', message: `must be a JSON object, so that ${place} can be added to it` });
		else if (!isPathFree(result, steps)) issues.push({ path, message: inTheWay });
		else if (value !== undefined) result = withValueAt(result, steps, value);
	}
	return result;
}

/** Required documents need exactly one file each (4.15, rule 2). */
function documentIssues(operation: Operation, files: readonly FileInput[]): ValidationIssue[] {
	const { documents = {}, required = false, most = files.length } = operation.payload?.files ?? {};
	if (operation.payload?.files === undefined && files.length > 0)
		return [{ path: 'files', message: 'are not sent by this operation' }];
	if (required && files.length === 0) return [{ path: 'files', message: 'must contain at least one file' }];
	if (files.length > most)
		return [
			{ path: 'files', message: `must contain at most ${most}, got ${files.length}: run the operation once for each` },
		];
	return Object.entries(documents).flatMap(([name, title]): ValidationIssue[] => {
		const count = files.filter((file) => file.document === name).length;
		if (count === 1) return [];
		const message = count === 0 ? `lack the document "${title}"` : `hold the document "${title}" ${count} times`;
		return [{ path: 'files', message }];
	});
}

/** @param values only those that go into the body */
export function buildPayload(
	operation: Operation,
	input: OperationInput,
	values: readonly PlacedValue[],
	issues: ValidationIssue[],
): UndescribedPayload {
	const { payload, details = {} } = operation;
	const { files, attributes } = placedFiles(operation, input.files ?? []);
	for (const issue of documentIssues(operation, files)) issues.push(issue);
	let content = withoutEmptyFields(givenPayload(input.payload, issues));
	if (payload === undefined && content !== undefined) {
		issues.push({ path: 'payload', message: 'is not sent by this operation' });
		content = undefined;
	}
	// Values without a field name do not replace a missing payload.
	const named = [...values.filter(({ name }) => name === undefined), ...attributes].filter(
		({ value }) => !isBlank(value),
	);
	if (
		payload?.required === true &&
		!hasContent(content) &&
		named.length === 0 &&
		// Issues of fields that the service details name have labels.
		!issues.some(({ path, label }) => path === 'payload' || label !== undefined)
	)
		for (const issue of missingPayload(details)) issues.push(issue);
	content = addValues(content, [...values.filter(({ name }) => name !== undefined), ...named], issues);
	if (files.length === 0 || payload?.files === undefined) return content === undefined ? {} : { content };
	const isForm = details.files?.sendAs === 'multipart';
	if (Array.isArray(content) && (isForm || files.some(({ field }) => !field.startsWith('[')))) {
		issues.push({ path: 'payload', message: 'must be a JSON object, so that files can be added to it' });
		content = undefined;
	}
	for (const [index, { field, base64, fileName }] of files.entries()) {
		const issue = (key: string, message: string) => issues.push({ path: `files[${index}].${key}`, message });
		const steps = parsePath(field);
		if (base64 === '') issue('binaryField', `is an empty file (${fileName}): nothing would be sent`);
		if (steps === undefined) issue('field', 'must be a field name such as document or documents[0].content');
		else if (isForm) continue;
		else if (files.findIndex((file) => file.field === field) < index)
			issue('field', 'must differ from the fields of the other files');
		else if (!isPathFree(content, steps)) issue('field', inTheWay);
		else content = withValueAt(content, steps, base64);
	}
	return isForm ? { parts: [...partsOf(content), ...files.map((file) => ({ name: file.field, file }))] } : { content };
}

/** The issue of a required payload without content. */
function missingPayload({ path, fields = {} }: OperationDetails): ValidationIssue[] {
	const inPath = placeholdersIn(path);
	const asked = Object.entries(fields).filter(([place, { value }]) => value === undefined && !inPath.includes(place));
	const isInBody = asked.some(([, field]) => !isOutsideBody(field));
	// The service details may say that the request carries data elsewhere. An empty required field is reported separately.
	if ((!isInBody && Object.values(fields).some(isData)) || asked.some(([, { required }]) => required === true))
		return [];
	return asked.length === 0
		? [{ path: 'payload', message: 'is required. Ask your bank for its fields' }]
		: [{ path: 'bodyFields', message: 'must not all be empty' }];
}

const inTheWay = 'must not point to or into an existing value, which would be overwritten';

/** Multipart fields: text unchanged, everything else as JSON. */
function partsOf(content: unknown): FormPart[] {
	return Object.entries(content ?? {}).map(([name, value]) => ({ name, value: asText(value) }));
}

export function asText(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}
