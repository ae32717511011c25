import {
	type CallResult,
	type Fault,
	type FileInput,
	InputError,
	isAddressOpen,
	isFree,
	type NextStep,
	type Operation,
	type OperationInput,
	placeOf,
	type PreparedRequest,
	unwrap,
	withValueAt,
} from '@bank/core';
import type { IDataObject, IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

/** One request to make: from one input item, or from several of them. */
export interface Job {
	/** The input items it comes from; results and failures go back to them. */
	items: number[];
	input: OperationInput;
	/** A fault in the words of the form, at the item that caused it. */
	locate?: (fault: Fault) => Fault;
}

export type Parameter = (name: string, item: number, fallback?: unknown) => unknown;

export interface FormContext {
	context: IExecuteFunctions;
	operation: Operation;
	parameter: Parameter;
	itemCount: number;
}

/** What happens around the request, for operations whose form says more than their schema. */
export interface Form {
	/** The jobs of all items. Default: one per item. */
	jobs?: (form: FormContext) => Job[];
	/** The input of one item. Default: `readGenerated`. */
	read?: (form: FormContext, item: number) => OperationInput | Promise<OperationInput>;
	/** Runs right before sending, and may refuse with an InputError. What it resolves with goes to `output` and `preview`. */
	before?: (
		form: FormContext,
		job: Job,
		prepared: PreparedRequest,
		read: (id: string, input: OperationInput, advice: NextStep) => Promise<CallResult>,
	) => Promise<IDataObject>;
	/** Fields to add to every item that the answer becomes. */
	more?: (job: Job, result: CallResult, extra: IDataObject) => IDataObject;
	/** Turns the answer into items in another way than output.ts does. */
	output?: (
		form: FormContext,
		job: Job,
		result: CallResult,
		extra: IDataObject,
	) => INodeExecutionData[] | Promise<INodeExecutionData[]>;
	/** The form has a Preview switch: returns the exact request and sends nothing. */
	preview?: boolean;
}

/** Whether the Preview switch is on for an item. An expression may say so in words, and in doubt nothing must be sent. */
export function isPreview(parameter: Parameter, item: number): boolean {
	return !/^(false|no|0|)$/i.test(String(parameter('preview', item, false) ?? '').trim());
}

/** The collection that holds the optional fields: those of a query only narrow what is found. */
export function collectionOf(operation: Operation): 'filters' | 'additionalFields' {
	return operation.effect === 'read' && operation.body === undefined ? 'filters' : 'additionalFields';
}

/** Reads a generated form: required fields stand alone, optional ones under a collection (see scripts/forms.ts). */
export async function readGenerated(form: FormContext, item: number): Promise<OperationInput> {
	const { operation, parameter } = form;
	const collection = parameter(collectionOf(operation), item, {}) as IDataObject;
	const group = (schema: Operation['body']) =>
		schema === undefined
			? undefined
			: Object.fromEntries(
					Object.entries(schema.entries).map(([name, entry]) => [
						name,
						unwrap(entry).optional ? collection[name] : parameter(name, item),
					]),
				);
	const { list } = operation;
	const query = group(operation.query);
	if (query !== undefined && list !== undefined)
		for (const paging of [list.offset, list.limit]) if (paging !== undefined) delete query[paging];
	const path = group(operation.pathFields);
	const body = group(operation.body);
	return {
		...(path === undefined ? {} : { path }),
		...(query === undefined ? {} : { query }),
		...(body === undefined ? {} : { body }),
		...(await readOpen(form, item)),
	};
}

/** What the description leaves open, as the user filled it in. */
export async function readOpen(form: FormContext, item: number): Promise<OperationInput> {
	const { operation, parameter } = form;
	const input: OperationInput = {};
	if (isAddressOpen(operation))
		Object.assign(input, { method: operation.method ?? parameter('method', item), route: parameter('path', item, '') });
	if (operation.nameless !== undefined) {
		const names = Object.keys(operation.nameless.entries);
		input.nameless = Object.fromEntries(
			names.map((name) => [name, { value: parameter(name, item, ''), field: parameter(`${name}Field`, item, '') }]),
		);
	}
	if (operation.accessToken !== undefined) {
		// Where the credential has a token of its own, the form does not ask for one; and n8n throws for a hidden field without a fallback.
		const value = parameter('accessToken', item, false);
		if (value !== false)
			input.accessToken = {
				value,
				as: parameter('accessTokenAs', item, 'bearer') as 'bearer',
				name: parameter('carriedBy', item, ''),
			};
	}
	if (operation.payload === undefined) return input;
	input.payload = await readPayload(form, item);
	input.keepEmpty = (parameter('options', item, {}) as IDataObject).keepEmpty === true;
	if (operation.payload.files !== undefined) {
		input.files = await readFiles(form, item);
		input.filesAs = parameter('filesAs', item, 'base64') as 'base64';
	}
	return input;
}

async function readPayload({ context, parameter }: FormContext, item: number): Promise<unknown> {
	switch (parameter('payloadFrom', item, 'none')) {
		case 'json':
			return parameter('payload', item, '');
		case 'fields':
			return assigned(parameter('payloadFields', item, {}));
		case 'binary': {
			const field = String(parameter('payloadBinaryField', item, '') ?? '').trim();
			return (await binaryOf(context, item, field, 'payloadBinaryField')).data.toString('utf8').replace(/^\uFEFF/, '');
		}
		default:
			return undefined;
	}
}

/** n8n's rows of name, type and value. Names may reach deeper, like `person.names[0]`. */
function assigned(value: unknown): unknown {
	const rows = ((value as { assignments?: { name?: unknown; value?: unknown }[] } | null)?.assignments ?? []).filter(
		({ name }) => String(name ?? '').trim() !== '',
	);
	let payload: unknown = {};
	for (const { name, value: given } of rows) {
		const place = String(name).trim();
		const steps = placeOf(place);
		if (steps === undefined)
			throw new InputError([
				{
					path: 'payloadFields',
					message: `holds the name "${place}", which must be like number, person.name or items[0].number`,
				},
			]);
		if (!isFree(payload, steps))
			throw new InputError([
				{
					path: 'payloadFields',
					message: `holds the name "${place}", which leads through another field that has a value of its own`,
				},
			]);
		payload = withValueAt(payload, steps, given);
	}
	return payload;
}

interface FileRow {
	binaryField?: unknown;
	field?: unknown;
	document?: string;
}

async function readFiles({ context, parameter }: FormContext, item: number): Promise<FileInput[]> {
	const rows = [(parameter('files', item, {}) as { file?: FileRow | FileRow[] }).file ?? []]
		.flat()
		.filter(({ binaryField }) => String(binaryField ?? '').trim() !== '');
	return await Promise.all(
		rows.map(async ({ binaryField, field, document }, index) => {
			const name = String(binaryField).trim();
			const { data, fileName, mimeType } = await binaryOf(context, item, name, `files[${index}].binaryField`);
			const place = String(field ?? '').trim();
			return {
				field: place === '' ? name : place,
				fileName: fileName ?? name,
				mimeType,
				base64: data.toString('base64'),
				...(document === undefined ? {} : { document }),
			};
		}),
	);
}

/** @throws InputError that names the binary fields which the item does have */
async function binaryOf(
	context: IExecuteFunctions,
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
				? 'The item has no binary field: put a node that gives files before this one'
				: `The item has: ${names.join(', ')}`;
		throw new InputError([
			{ path, message: `must be the name of a binary field of the input item, and there is no "${field}". ${has}` },
		]);
	}
	const { fileName, mimeType } = found;
	return {
		data: await context.helpers.getBinaryDataBuffer(item, field),
		...(fileName === undefined ? {} : { fileName }),
		mimeType,
	};
}
