import { type Operation, resources } from '@bank/core';
import type {
	INodeProperties,
	INodePropertyCollection,
	INodePropertyOptions,
	INodeTypeDescription,
} from 'n8n-workflow';

import { belowOperation, fieldsFor } from './forms/fieldsFor.ts';

/**
 * What saved workflows hold of the forms: the names of parameters, their types, and the values that can be chosen. It stands in the
 * oracle (packages/fixtures/oracle); a test compares, and `npm run accept` renews it.
 */

/** `options.timeout` -> `number`; `object` -> `options jp_sbp_incoming_payments|ul_transaction_default`; [] for several values. */
export type Promises = Record<string, string>;

/** Promises of a node, or of a credential type, that belong to no operation. */
export interface NodePromises {
	nodes: Record<string, Promises>;
	credentials: Record<string, Promises>;
}

type Described = Pick<INodeTypeDescription, 'name' | 'version' | 'properties'>;
type DescribedCredential = { name: string; properties: INodeProperties[] };

/** Promises of one operation. `described` may hold a node more than once, one for each of its versions. */
export function promisesOf(operation: Operation, described: readonly Described[]): Promises {
	const node = resources.find(({ operations }) => operations.includes(operation))?.node;
	const forms = described.filter(({ name }) => name === node);
	return promisesIn(forms.flatMap(({ properties }) => fieldsFor(operation, properties)));
}

/** Which resources and operations there are says the oracle itself. n8n puts `pollTimes` in front of what polls. */
const ofOthers = ['resource', 'operation', 'pollTimes', 'toolDescription'];

export function nodePromises(
	described: readonly Described[],
	credentials: readonly DescribedCredential[],
): NodePromises {
	const nodes: Record<string, Promises> = {};
	for (const name of new Set(described.map((node) => node.name))) {
		const ofName = described.filter((node) => node.name === name);
		const fields = ofName
			.flatMap(({ properties }) => properties.filter((field) => !belowOperation(properties).includes(field)))
			.filter(({ name: field }) => !ofOthers.includes(field));
		const versions = new Set(ofName.flatMap(({ version }) => version));
		nodes[name] = { typeVersion: [...versions].sort().join('|'), ...promisesIn(fields) };
	}
	return {
		nodes,
		credentials: Object.fromEntries(credentials.map(({ name, properties }) => [name, promisesIn(properties)])),
	};
}

/** Fields of one name that appear on different conditions are one parameter: with the values of all of them. */
function promisesIn(fields: readonly INodeProperties[]): Promises {
	const kinds = new Map<string, Map<string, Set<string>>>();
	for (const [path, type, values] of fields.flatMap((field) => namesIn(field))) {
		const ofPath = kinds.get(path) ?? new Map<string, Set<string>>();
		ofPath.set(type, new Set([...(ofPath.get(type) ?? []), ...values]));
		kinds.set(path, ofPath);
	}
	return Object.fromEntries(
		[...kinds]
			.sort(([one], [other]) => (one < other ? -1 : 1))
			.map(([path, types]) => [
				path,
				[...types].map(([type, values]) => [type, [...values].sort().join('|')].join(' ').trim()).join(' or '),
			]),
	);
}

function namesIn(field: INodeProperties, parent = ''): [path: string, type: string, values: readonly string[]][] {
	// Nobody's workflow holds what only shows words.
	if (field.type === 'notice') return [];
	const path = parent + field.name;
	const type = field.typeOptions?.multipleValues === true ? `${field.type}[]` : field.type;
	if (field.type === 'collection')
		return [[path, type, []], ...(field.options as INodeProperties[]).flatMap((inner) => namesIn(inner, `${path}.`))];
	if (field.type === 'fixedCollection')
		return [
			[path, type, []],
			...(field.options as INodePropertyCollection[]).flatMap(({ name, values }) =>
				values.flatMap((inner) => namesIn(inner, `${path}.${name}.`)),
			),
		];
	const values = field.type === 'options' || field.type === 'multiOptions' ? (field.options ?? []) : [];
	return [[path, type, (values as INodePropertyOptions[]).map(({ value }) => String(value))]];
}
