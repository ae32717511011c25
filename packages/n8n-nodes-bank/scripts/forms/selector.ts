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

/** The resources that a new node begins with. Their default operations are reads. */
const firstResources: Readonly<Record<NodeName, string>> = {
	bank: 'accountOperation',
	bankCardIssuance: 'preApproved',
	bankChecks: 'unifiedCheck',
	bankCourier: 'file',
	bankPartnerServices: 'directDebit',
};

const hiddenFromAgents = { displayOptions: { hide: { '@tool': [true] } } };

export function resourceSelector(resources: readonly Resource[]): INodeProperties[] {
	return resources.slice(0, 1).map(({ node }) => ({
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
				...(operations.some(isUsableByAgents) ? {} : hiddenFromAgents),
			})),
		default: firstResources[node],
	}));
}

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
			...(isUsableByAgents(operation) ? {} : hiddenFromAgents),
		})),
		default: defaultOperation(offered),
		displayOptions: { show: { resource: [value] } },
	};
}

/** Effects from harmless to risky. Operations that agents may not use come last. */
const effects: readonly Effect[] = ['none', 'read', 'order', 'change', 'delete', 'money'];
const riskOf = (operation: Operation): number =>
	effects.indexOf(operation.effect) + (isIrreversible(operation) ? effects.length : 0);

/** The least risky operation, so that an agent or *Execute step* with default values changes nothing at the bank. */
function defaultOperation(offered: readonly Operation[]): string {
	const [first] = offered.toSorted((a, b) => riskOf(a) - riskOf(b));
	return first === undefined ? '' : operationName(first);
}
