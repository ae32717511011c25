import { type Operation, resources } from '@bank/core';
import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

import { belowOperation, fieldsFor } from './forms/fieldsFor.ts';

/**
 * The part of the forms that saved workflows depend on: parameter names, types and option values. Its snapshots are committed;
 * `npm run update-snapshots` updates them.
 */

/**
 * The type of each parameter: `options.timeout` -> `number`; `object` -> `options
 * jp_sbp_incoming_payments|ul_transaction_default`. A type that ends in `[]` has several values.
 */
export type ContractFields = Record<string, string>;

/** Parameters of nodes and credential types that belong to no operation. */
export interface NodeContract {
	nodes: Record<string, ContractFields>;
	credentials: Record<string, ContractFields>;
}

type Described = Pick<INodeTypeDescription, 'name' | 'version' | 'properties'>;
type DescribedCredential = { name: string; properties: INodeProperties[] };

/** Parameters of one operation. */
export function operationContract(operation: Operation, described: readonly Described[]): ContractFields {
	const node = resources.find(({ operations }) => operations.includes(operation))?.node;
	const { properties = [] } = described.find(({ name }) => name === node) ?? {};
	return contractFieldsIn(fieldsFor(operation, properties));
}

/** Resources and operations are listed elsewhere; n8n adds `pollTimes` and `toolDescription`. */
const excluded = ['resource', 'operation', 'pollTimes', 'toolDescription'];

export function nodeContract(
	described: readonly Described[],
	credentials: readonly DescribedCredential[],
): NodeContract {
	const nodes = described.map(({ name, version, properties }): [string, ContractFields] => {
		const below = belowOperation(properties);
		const fields = properties.filter((field) => !below.includes(field) && !excluded.includes(field.name));
		return [name, { typeVersion: [version].flat().join('|'), ...contractFieldsIn(fields) }];
	});
	return {
		nodes: Object.fromEntries(nodes),
		credentials: Object.fromEntries(credentials.map(({ name, properties }) => [name, contractFieldsIn(properties)])),
	};
}

/** Fields with the same name and different display conditions are one parameter with the values of all of them. */
function contractFieldsIn(fields: readonly INodeProperties[]): ContractFields {
	const kinds = new Map<string, Map<string, Set<string>>>();
	for (const [path, type, values] of fields.flatMap((field) => parametersIn(field))) {
		const ofPath = kinds.get(path) ?? new Map<string, Set<string>>();
		ofPath.set(type, new Set([...(ofPath.get(type) ?? []), ...values]));
		kinds.set(path, ofPath);
	}
	return Object.fromEntries(
		[...kinds].map(([path, types]) => [
			path,
			[...types].map(([type, values]) => [type, [...values].sort().join('|')].join(' ').trim()).join(' or '),
		]),
	);
}

function parametersIn(field: INodeProperties, parent = ''): [path: string, type: string, values: readonly string[]][] {
	// Workflows do not save notices.
	if (field.type === 'notice') return [];
	const path = parent + field.name;
	const type = field.typeOptions?.multipleValues === true ? `${field.type}[]` : field.type;
	if (field.type === 'collection')
		return [
			[path, type, []],
			...(field.options as INodeProperties[]).flatMap((inner) => parametersIn(inner, `${path}.`)),
		];
	if (field.type === 'fixedCollection')
		return [
			[path, type, []],
			...(field.options as INodePropertyCollection[]).flatMap(({ name, values }) =>
				values.flatMap((inner) => parametersIn(inner, `${path}.${name}.`)),
			),
		];
	const values = field.type === 'options' || field.type === 'multiOptions' ? (field.options ?? []) : [];
	return [[path, type, (values as INodePropertyOptions[]).map(({ value }) => String(value))]];
}
