import {
	type FileInput,
	InputError,
	isAddressOpen,
	isPathFree,
	isRecord,
	type Operation,
	type OperationInput,
	parsePath,
	unwrap,
	withValueAt,
} from '@bank/core';

import { collectionOf } from './operationHooks.ts';
import { isOn } from './parameters.ts';
import type { Run } from '../pipeline/run.ts';

/** Reads a generated form: required fields are parameters, optional ones members of a collection (scripts/forms/). */
export async function readGenerated(run: Run, item: number): Promise<OperationInput> {
	const { operation, parameters } = run;
	const collection = parameters.group(collectionOf(operation), item);
	const { list } = operation;
	const group = (schema: Operation['body'], ...without: (string | undefined)[]) =>
		schema === undefined
			? undefined
			: Object.fromEntries(
					Object.entries(schema.entries)
						.filter(([name]) => !without.includes(name))
						.map(([name, entry]) => [name, unwrap(entry).optional ? collection[name] : parameters.value(name, item)]),
				);
	const path = group(operation.pathFields);
	const query = group(operation.query, list?.offset, list?.limit);
	const body = group(operation.body);
	return {
		...(path === undefined ? {} : { path }),
		...(query === undefined ? {} : { query }),
		...(body === undefined ? {} : { body }),
		...(await readOpen(run, item)),
	};
}

/** Reads what the API description leaves open. */
export async function readOpen(run: Run, item: number): Promise<OperationInput> {
	const { operation, parameters } = run;
	return {
		...(isAddressOpen(operation)
			? { method: operation.method ?? parameters.value('method', item), route: parameters.value('path', item, '') }
			: {}),
		...(operation.unnamedFields === undefined ? {} : { unnamedFields: readUnnamedFields(run, item) }),
		...readToken(run, item),
		...(operation.payload === undefined ? {} : await readBody(run, item)),
	};
}

function readUnnamedFields({ operation, parameters }: Run, item: number): NonNullable<OperationInput['unnamedFields']> {
	const names = Object.keys(operation.unnamedFields?.entries ?? {});
	return Object.fromEntries(
		names.map((name) => [
			name,
			{ value: parameters.value(name, item, ''), field: parameters.value(`${name}Field`, item, '') },
		]),
	);
}

function readToken({ operation, parameters }: Run, item: number): Pick<OperationInput, 'accessToken'> {
	if (operation.accessToken === undefined) return {};
	// The form asks for a token only if the credential has none; n8n throws for a hidden field without a fallback.
	const value = parameters.value('accessToken', item, false);
	if (value === false) return {};
	const as = parameters.text('accessTokenAs', item, 'bearer');
	return {
		accessToken: {
			value,
			as: as === 'header' || as === 'query' ? as : 'bearer',
			name: parameters.value('carriedBy', item, ''),
		},
	};
}

async function readBody(run: Run, item: number): Promise<OperationInput> {
	const { operation, parameters } = run;
	return {
		payload: await readPayload(run, item),
		keepEmpty: isOn(parameters.options(item).keepEmpty),
		...(operation.payload?.files === undefined
			? {}
			: {
					files: await readFiles(run, item),
					filesAs: parameters.text('filesAs', item, 'base64') === 'multipart' ? 'multipart' : 'base64',
				}),
	};
}

async function readPayload(run: Run, item: number): Promise<unknown> {
	const { parameters } = run;
	switch (parameters.value('payloadFrom', item, 'none')) {
		case 'json':
			return parameters.value('payload', item, '');
		case 'fields':
			return assigned(parameters.group('payloadFields', item).assignments);
		case 'binary': {
			const field = parameters.text('payloadBinaryField', item);
			return textIn((await binaryOf(run, item, field, 'payloadBinaryField')).data, field);
		}
		default:
			return undefined;
	}
}

/** @throws InputError for an empty file or one that is not UTF-8 */
function textIn(data: Buffer, field: string): string {
	const fault = (message: string) => new InputError([{ path: 'payloadBinaryField', message }]);
	if (data.length === 0) throw fault(`names an empty file (${field})`);
	try {
		return new TextDecoder('utf-8', { fatal: true }).decode(data);
	} catch {
		throw fault(`names a file that is not UTF-8 text (${field}): save it as UTF-8, or convert it before this node`);
	}
}

const rowsOf = (value: unknown) => [value ?? []].flat().filter(isRecord);

/** Builds an object from rows of name and value. A name may be a path such as `person.names[0]`. */
function assigned(assignments: unknown): unknown {
	let payload: unknown = {};
	for (const { name, value } of rowsOf(assignments)) {
		const place = String(name ?? '').trim();
		if (place === '') continue;
		const fault = (message: string) => new InputError([{ path: 'payloadFields', message }]);
		const steps = parsePath(place);
		if (steps === undefined)
			throw fault(`holds the name "${place}", which must be like number, person.name or items[0].number`);
		if (!isPathFree(payload, steps))
			throw fault(`holds the name "${place}", which leads through another field that has a value of its own`);
		payload = withValueAt(payload, steps, value);
	}
	return payload;
}

/** The rows of the files that name a binary field. */
export function fileRows({ parameters }: Run, item: number): Record<string, unknown>[] {
	return rowsOf(parameters.group('files', item).file).filter(
		({ binaryField }) => String(binaryField ?? '').trim() !== '',
	);
}

async function readFiles(run: Run, item: number): Promise<FileInput[]> {
	return await Promise.all(
		fileRows(run, item).map(async ({ binaryField, field, document }, index) => {
			const name = String(binaryField).trim();
			const { data, fileName, mimeType } = await binaryOf(run, item, name, `files[${index}].binaryField`);
			const place = String(field ?? '').trim();
			return {
				field: place === '' ? name : place,
				fileName: fileName ?? name,
				mimeType,
				base64: data.toString('base64'),
				...(typeof document === 'string' ? { document } : {}),
			};
		}),
	);
}

/** @throws InputError that lists the binary fields of the item */
async function binaryOf(
	{ context }: Run,
	item: number,
	field: string,
	path: string,
): Promise<{ data: Buffer; fileName?: string; mimeType: string }> {
	const binary = context.getInputData()[item]?.binary ?? {};
	const found = Object.hasOwn(binary, field) ? binary[field] : undefined;
	if (found === undefined) {
		const names = Object.keys(binary);
		const has =
			names.length === 0
				? 'The item has no binary field: add a node that returns files before this one'
				: `The item has: ${names.join(', ')}`;
		const message = `must be the name of a binary field of the input item; "${field}" does not exist. ${has}`;
		throw new InputError([{ path, message }]);
	}
	const { fileName, mimeType } = found;
	return {
		data: await context.helpers.getBinaryDataBuffer(item, field),
		...(fileName === undefined ? {} : { fileName }),
		mimeType,
	};
}
