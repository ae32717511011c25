import {
	type Effect,
	isIrreversible,
	isUsableByAgents,
	type NodeName,
	type Operation,
	operationName,
	type Resource,
} from '@bank/core';
import { docsOf } from '@bank/core/docs';
import type { INodeProperties } from 'n8n-workflow';

import { asHelp } from './field.ts';

/** The default operation of these only reads. */
const defaultResources: Readonly<Record<NodeName, string>> = {
	bank: 'accountOperation',
	bankChecks: 'unifiedCheck',
	bankCardIssuance: 'preApproved',
	bankCourier: 'file',
	bankPartnerServices: 'directDebit',
};

export function resourceSelector(node: NodeName, resources: readonly Resource[]): INodeProperties {
	return {
		displayName: 'Resource',
		name: 'resource',
		type: 'options',
		noDataExpression: true,
		options: resources
			.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
			.map(({ name, value, description, operations }) => ({
				name,
				value,
				description,
				...unlessOffered(operations.some(isUsableByAgents)),
			})),
		default: defaultResources[node],
	};
}

const unlessOffered = (toAgents: boolean) => (toAgents ? {} : { displayOptions: { hide: { '@tool': [true] } } });

export function operationSelector({ value, operations }: Resource): INodeProperties {
	const offered = operations.toSorted((a, b) => a.name.localeCompare(b.name, 'en'));
	return {
		displayName: 'Operation',
		name: 'operation',
		type: 'options',
		noDataExpression: true,
		options: offered.map((operation) => ({
			name: operation.name,
			value: operationName(operation),
			action: operation.action,
			description: asHelp(docsOf(operation).description),
			...unlessOffered(isUsableByAgents(operation)),
		})),
		default: defaultOperation(offered),
		displayOptions: { show: { resource: [value] } },
	};
}

/** From harmless to risky. Operations that agents may not use come last. */
const effects: readonly Effect[] = ['none', 'read', 'order', 'change', 'delete', 'money'];
const riskOf = (operation: Operation): number =>
	effects.indexOf(operation.effect) + (isIrreversible(operation) ? effects.length : 0);

/** The least risky operation, so that an agent or *Execute step* with default values changes nothing at the bank. */
function defaultOperation(offered: readonly Operation[]): string {
	const [first] = offered.toSorted((a, b) => riskOf(a) - riskOf(b));
	return first === undefined ? '' : operationName(first);
}
