import {
	fieldAt,
	type FileInput,
	InputError,
	isBlank,
	isRecord,
	type Operation,
	type OperationInput,
	textOrNumber,
	unwrap,
} from '@bank/core';

import type { Run } from './run.ts';

export function collectionOf(operation: Operation): 'filters' | 'additionalFields' {
	return operation.effect === 'read' && operation.body === undefined ? 'filters' : 'additionalFields';
}

/** Reads a generated form: required fields are parameters, optional ones are in a collection (scripts/forms/). */
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
	return { path, query, body, ...(await readUndescribed(run, item)) };
}

/** Reads the fields for details that the API description does not show. */
export async function readUndescribed(run: Run, item: number): Promise<OperationInput> {
	const { operation, parameters, service } = run;
	if (service === undefined) return {};
	const { payload, unnamedFields } = operation;
	const names = Object.keys(unnamedFields?.entries ?? {});
	const accessToken = operation.accessToken === undefined ? false : parameters.value('accessToken', item, false);
	return {
		...(payload === undefined ? {} : { payload: service.payload }),
		unnamedFields: Object.fromEntries(names.map((name) => [name, parameters.value(name, item, '')])),
		fields: payload === undefined ? {} : readFields(run, item),
		files: payload?.files === undefined ? [] : await readFiles(run, item),
		// The form has a token field only if the credential has no token.
		...(accessToken === false ? {} : { accessToken: { value: accessToken } }),
	};
}

/** The fields of the resource mapper, by their paths in the body. */
function readFields({ context, parameters, service }: Run, item: number): Record<string, unknown> {
	const { mappingMode, value } = parameters.group('bodyFields', item);
	const entries =
		mappingMode === 'autoMapInputData'
			? Object.entries(service?.details.fields ?? {}).map(([place]) => [
					place,
					// In a body that is a list, the place begins with an index.
					fieldAt(context.getInputData()[item]?.json, place.replace(/^\[\d+\]\.?/, '')),
				])
			: Object.entries(value ?? {});
	return Object.fromEntries(entries.filter(([, field]) => !isBlank(field)));
}

async function readFiles(run: Run, item: number): Promise<FileInput[]> {
	const { named } = run.operation.payload?.files ?? {};
	const rows = [run.parameters.group('files', item).file ?? []].flat().filter(isRecord);
	const filled = rows.filter(({ binaryField }) => String(binaryField ?? '').trim() !== '');
	return await Promise.all(
		filled.map(async ({ binaryField, document: given }, index) => {
			const name = String(binaryField).trim();
			const document = textOrNumber(given) || (named === true ? name : '');
			const { data, fileName, mimeType } = await binaryOf(run, item, name, `files[${index}].binaryField`);
			return {
				field: name,
				fileName: fileName ?? name,
				mimeType,
				base64: data.toString('base64'),
				...(document === '' ? {} : { document }),
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
	return { data: await context.helpers.getBinaryDataBuffer(item, field), fileName, mimeType };
}
