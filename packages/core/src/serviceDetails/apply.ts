import type * as v from 'valibot';

import type { FileInput, Operation, OperationInput } from '../operation.ts';
import { operations } from '../operations/index.ts';
import { fields as objectOf } from '../schemas/fields.ts';
import { fileField, placeholdersIn } from './check.ts';
import {
	detailsSchema,
	type FieldDetails,
	type OperationDetails,
	schemaOfField,
	type ServiceDetails,
} from './schema.ts';

/** A header that every request carries says nothing about the body. */
const isData = ({ in: place, value }: FieldDetails) => place !== 'header' || value === undefined;

/**
 * The keys that a request needs and the details lack.
 * @param has what the caller provides in another way: a complete body, or a credential with its own token
 */
export function missingDetails(
	operation: Operation,
	{ method, path, names = {}, fields = {}, token }: OperationDetails,
	has: { body?: boolean; token?: boolean } = {},
): string[] {
	const unnamed = Object.keys(operation.unnamedFields?.entries ?? {}).filter((name) => names[name] === undefined);
	return [
		...(operation.method === undefined && method === undefined ? ['method'] : []),
		...(operation.path === undefined && path === undefined ? ['path'] : []),
		...unnamed.map((name) => `names.${name}`),
		...(operation.payload?.required === true && !Object.values(fields).some(isData) && has.body !== true
			? ['fields']
			: []),
		...(operation.accessToken === undefined || has.token === true ? [] : missingTokenKeys(token)),
	];
}

function missingTokenKeys(token: OperationDetails['token']): string[] {
	if (token?.sendAs === undefined) return ['token.sendAs'];
	return token.sendAs !== 'bearer' && token.name === undefined ? ['token.name'] : [];
}

/**
 * Lists the operations of the partner services that can be used with a credential, and what the others lack.
 * @param auths ways to authenticate for which the API description lists the operations
 */
export function readiness(
	details: ServiceDetails,
	auths: readonly Operation['auth'][],
	hasToken: boolean,
): { ready: string[]; lacking: { operation: string; missing: string[] }[] } {
	const all = operations
		.filter((operation) => auths.includes(operation.auth) && Object.keys(detailsSchema(operation).entries).length > 0)
		.map((operation) => ({
			operation: operation.id,
			missing: missingDetails(operation, details[operation.id] ?? {}, { token: hasToken }),
		}));
	return {
		ready: all.filter(({ missing }) => missing.length === 0).map(({ operation }) => operation),
		lacking: all.filter(({ missing }) => missing.length > 0),
	};
}

export function applyServiceDetails(operation: Operation, details: OperationDetails): Operation {
	const { payload } = operation;
	const { names = {}, fields = {}, responses } = details;
	const inPath = placeholdersIn(details.path);
	const isInPath = (place = '') => inPath.includes(place);
	const unnamed = Object.entries(operation.unnamedFields?.entries ?? {});
	const asked = Object.entries(fields).filter(([, { value }]) => value === undefined);
	const inBody = asked.filter(([place]) => !isInPath(place));
	const hasBodyField = inBody.some(([, { in: place = 'body' }]) => place === 'body');
	return {
		...operation,
		pathFields: groupOf([
			...Object.entries(operation.pathFields?.entries ?? {}),
			...unnamed
				.filter(([name]) => isInPath(names[name]))
				.map(([name, schema]) => [names[name] ?? name, schema] as const),
			...asked
				.filter(([place]) => isInPath(place))
				.map(([place, field]) => [place, schemaOfField({ ...field, required: true })] as const),
		]),
		unnamedFields: groupOf(unnamed.filter(([name]) => !isInPath(names[name]))),
		namedFields: groupOf(inBody.map(([place, field]) => [place, schemaOfField(field)])),
		payload: payload && {
			...payload,
			required: payload.required && (!Object.values(fields).some(isData) || hasBodyField),
		},
		responses,
	};
}

const groupOf = (entries: (readonly [string, v.GenericSchema])[]) =>
	entries.length === 0 ? undefined : objectOf(Object.fromEntries(entries));

export type GivenFile = Omit<FileInput, 'field'> & {
	/** Used as path if the details name none: the binary field of the input. */
	name: string;
};

/** Before the details determine where the values are sent. */
export interface GivenInput {
	path?: Record<string, unknown>;
	/** By field name in the definition. */
	unnamedFields: Record<string, unknown>;
	/** By path in the body. */
	fields: Record<string, unknown>;
	files?: readonly GivenFile[];
	/** Absent if the credential has its own token. */
	accessToken?: { value: unknown };
}

export function completeInput(
	details: OperationDetails,
	{ path, unnamedFields, fields: given, files = [], accessToken }: GivenInput,
): OperationInput {
	const { method, path: route, names = {}, fields = {}, files: how = {}, token } = details;
	const inPath = placeholdersIn(route);
	const isInPath = (place = '') => inPath.includes(place);
	const unnamed = Object.entries(unnamedFields).map(([name, value]) => [name, { value, field: names[name] }] as const);
	const named = Object.entries(given);
	const fixed = Object.entries(fields).filter(([, { value }]) => value !== undefined);
	const outside = Object.entries(fields).flatMap(([name, { in: place = 'body' }]) =>
		place === 'body' ? [] : [[name, place] as const],
	);
	const moved = [...unnamed.map(([, { value, field = '' }]) => [field, value] as const), ...named];
	return {
		path: { ...path, ...Object.fromEntries(moved.filter(([place]) => isInPath(place))) },
		method,
		route,
		unnamedFields: Object.fromEntries(unnamed.filter(([, { field }]) => !isInPath(field))),
		// Fields that the details do not name are rejected with the request.
		fields: Object.fromEntries(named.filter(([place]) => !isInPath(place))),
		files: files.map(({ name, ...file }, index) => ({
			...file,
			field: fileField(how.documents?.[file.document ?? '']?.field ?? how.field ?? name, index),
		})),
		filesAs: how.sendAs ?? 'base64',
		constants: {
			...Object.fromEntries(fixed.map(([place, { value }]) => [place, value])),
			...Object.fromEntries(files.flatMap((file, index) => fileAttributes(file, index, how))),
		},
		outsideBody: Object.fromEntries(outside),
		accessToken: accessToken && { ...accessToken, as: token?.sendAs ?? 'bearer', name: token?.name },
	};
}

/** Name, type and document of a file, if the details have paths for them. */
function fileAttributes(
	file: GivenFile,
	index: number,
	how: NonNullable<OperationDetails['files']>,
): [string, unknown][] {
	const name = file.document ?? '';
	const { fileName, mimeType } = file;
	const values = { fileName, mimeType, documentName: how.documents?.[name]?.name ?? name };
	return (['fileName', 'mimeType', 'documentName'] as const).flatMap((key): [string, unknown][] => {
		const place = how[key];
		return place === undefined || values[key] === '' ? [] : [[fileField(place, index), values[key]]];
	});
}
