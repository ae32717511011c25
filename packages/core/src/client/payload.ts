import type { Fault } from '../faults.ts';
import { jsonOrText } from '../json.ts';
import type { FileInput, Operation, OperationInput } from '../operation.ts';
import { isFree, placeOf, withValueAt } from '../path.ts';
import { kindOf } from '../schemas/coerce.ts';
import { invisibleIn } from '../text.ts';

/** One part of a multipart form (RFC 7578): a text or a file. */
export type Part = { name: string; value: string } | { name: string; file: FileInput };

/** What travels in a request of which the description does not show the body. */
export interface OpenPayload {
	/** Absent where nothing was given. */
	content?: unknown;
	/** Files that go as parts of a form beside `content`. */
	parts?: Part[];
}

/** JSON as people give it, or undefined where they gave nothing. */
function givenPayload(value: unknown, faults: Fault[]): unknown {
	const given = typeof value === 'string' ? jsonOrText(value.trim()) : value;
	if (given === undefined || given === null || given === '') return undefined;
	if (typeof given === 'object') return plainJson(given, faults);
	faults.push({
		path: 'payload',
		message: `must be a JSON object or a JSON array, got ${typeof value === 'string' ? 'text that is not JSON' : kindOf(given)}`,
	});
	return undefined;
}

/** As it will be sent, dates of Luxon and JavaScript as text; what JSON would change unseen is a fault. */
function plainJson(given: object, faults: Fault[]): unknown {
	const wrong = new Set<string>();
	const look = (key: string, value: unknown) => {
		if (typeof value === 'bigint') return String(value);
		if (typeof value === 'number' && !Number.isFinite(value)) wrong.add(`holds a number that is not finite (${key})`);
		if (Number.isInteger(value) && !Number.isSafeInteger(value))
			wrong.add(`holds a number with more than 15 digits (${key}), whose last digits are lost: give it as text`);
		if ([key, value].some((text) => typeof text === 'string' && /\p{Surrogate}/u.test(text)))
			wrong.add(`holds half of a character (${key}), as text does that was cut in the middle of an emoji`);
		// Notes have lines.
		const invisible = typeof value === 'string' ? invisibleIn(value, '\t\r\n') : undefined;
		if (invisible !== undefined) wrong.add(`holds ${invisible} (${key}): remove it`);
		return value;
	};
	try {
		const plain: unknown = JSON.parse(JSON.stringify(given, look));
		if (typeof plain !== 'object') wrong.add(`must be a JSON object or a JSON array, got ${kindOf(plain)}`);
		for (const message of wrong) faults.push({ path: 'payload', message });
		return plain;
	} catch {
		faults.push({ path: 'payload', message: 'must be plain JSON: it holds itself, or is nested too deep' });
		return undefined;
	}
}

/**
 * The same without fields that hold nothing: an optional field for which there is no information must be absent (4.15, rule 1).
 * Elements of a list keep their places; only those that are empty objects go, as the last row of a form does.
 */
export function withoutEmptyFields(value: unknown): unknown {
	if (Array.isArray(value))
		return value.map(withoutEmptyFields).filter((element) => Array.isArray(element) || !isBare(element));
	if (typeof value !== 'object' || value === null || becomesText(value)) return value;
	const kept = Object.entries(value).map(([key, field]) => [key, withoutEmptyFields(field)] as const);
	return Object.fromEntries(kept.filter(([, field]) => !isNothing(field)));
}

function isNothing(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') return value.trim() === '';
	return Array.isArray(value) ? value.every(isNothing) : isBare(value);
}

function isBare(value: unknown): boolean {
	return typeof value === 'object' && value !== null && !becomesText(value) && Object.keys(value).length === 0;
}

/** Dates of Luxon and JavaScript say themselves how they become JSON. */
function becomesText(value: object): boolean {
	return 'toJSON' in value && typeof value.toJSON === 'function';
}

/** Puts the values whose field names only the user knows into the payload. `nameless` has passed its schema. */
function addNameless(
	content: unknown,
	operation: Operation,
	input: OperationInput,
	nameless: Record<string, unknown>,
	faults: Fault[],
): unknown {
	let result = content;
	for (const name of Object.keys(operation.nameless?.entries ?? {})) {
		const value = nameless[name];
		const place = String(input.nameless?.[name]?.field ?? '').trim();
		const steps = placeOf(place);
		if (steps === undefined) {
			const asked =
				place === ''
					? 'is required. Ask your bank for the name'
					: 'must be a field name such as request.number or items[0].number';
			faults.push({ path: `${name}Field`, message: asked });
			continue;
		}
		if (Array.isArray(result))
			faults.push({ path: 'payload', message: `must be a JSON object, so that ${place} can be added to it` });
		else if (!isFree(result, steps)) faults.push({ path: `${name}Field`, message: inTheWay });
		else if (value !== undefined) result = withValueAt(result, steps, value);
	}
	return result;
}

/** The documents that must be there, one file each (4.15, rule 2). */
function documentFaults(operation: Operation, files: readonly FileInput[]): Fault[] {
	const { documents = {}, required = false, most = files.length } = operation.payload?.files ?? {};
	if (operation.payload?.files === undefined && files.length > 0)
		return [{ path: 'files', message: 'are not sent by this operation' }];
	if (required && files.length === 0)
		return [{ path: 'files', message: 'must hold at least one file', code: 'filesMissing' }];
	if (files.length > most)
		return [
			{ path: 'files', message: `must hold at most ${most}, got ${files.length}: run the operation once for each` },
		];
	return Object.entries(documents).flatMap(([name, title]): Fault[] => {
		const count = files.filter((file) => file.document === name).length;
		if (count === 1) return [];
		return [
			{
				path: 'files',
				message: count === 0 ? `lack the document "${title}"` : `hold the document "${title}" ${count} times`,
			},
		];
	});
}

/** The payload of an operation whose body is not shown; what is wrong goes to `faults`. */
export function openPayload(
	operation: Operation,
	input: OperationInput,
	nameless: Record<string, unknown>,
	faults: Fault[],
): OpenPayload {
	const files = input.files ?? [];
	for (const fault of documentFaults(operation, files)) faults.push(fault);
	let content = givenPayload(input.payload, faults);
	if (operation.payload === undefined && content !== undefined) {
		faults.push({ path: 'payload', message: 'is not sent by this operation' });
		content = undefined;
	}
	if (input.keepEmpty !== true) content = withoutEmptyFields(content);
	// Before the values without names: they are no substitute, and a debit needs more than its purpose.
	if (
		operation.payload?.required === true &&
		(content === undefined || isBare(content)) &&
		!faults.some(({ path }) => path === 'payload')
	) {
		faults.push({ path: 'payload', message: 'is required. Ask your bank for its fields' });
	}
	content = addNameless(content, operation, input, nameless, faults);
	if (files.length === 0 || operation.payload?.files === undefined) return content === undefined ? {} : { content };
	if (Array.isArray(content)) {
		faults.push({ path: 'payload', message: 'must be a JSON object, so that files can be added to it' });
		content = undefined;
	}
	for (const [index, { field, base64, fileName }] of files.entries()) {
		if (base64 === '')
			faults.push({
				path: `files[${index}].binaryField`,
				message: `is an empty file (${fileName}): nothing would be sent`,
			});
		if (placeOf(field) === undefined)
			faults.push({
				path: `files[${index}].field`,
				message: 'must be a field name such as document or documents[0].content',
			});
	}
	if (input.filesAs === 'multipart')
		return { parts: [...partsOf(content), ...files.map((file) => ({ name: file.field, file }))] };
	return { content: withFiles(content, files, faults) };
}

const inTheWay = 'must not lead to or through a value that is there already, which would be lost';

/** Files as base64 text, each at its place in the JSON. Two at one place would be one file less at the bank. */
function withFiles(content: unknown, files: readonly FileInput[], faults: Fault[]): unknown {
	let whole = content;
	for (const [index, { field, base64 }] of files.entries()) {
		const steps = placeOf(field);
		if (steps === undefined) continue;
		const isTaken = files.findIndex((file) => file.field === field) < index;
		if (isTaken || !isFree(whole, steps))
			faults.push({
				path: `files[${index}].field`,
				message: isTaken ? 'must not be the place of another file, which would be lost' : inTheWay,
			});
		else whole = withValueAt(whole, steps, base64);
	}
	return whole;
}

/** Fields of a form: texts as they are, everything else as JSON. */
function partsOf(content: unknown): Part[] {
	return Object.entries(content ?? {}).map(([name, value]) => ({
		name,
		value: asText(value),
	}));
}

export function asText(value: unknown): string {
	return typeof value === 'string' ? value : (JSON.stringify(value) ?? '');
}

/** The values without names alone, for the schema to check as it checks the API's own fields. */
export function namelessValues(input: OperationInput): Record<string, unknown> {
	return Object.fromEntries(Object.entries(input.nameless ?? {}).map(([name, { value }]) => [name, value]));
}
