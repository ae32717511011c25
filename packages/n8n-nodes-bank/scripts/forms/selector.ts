import { type Effect, isIrreversible, type Operation, operationName, type Resource } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { asHelp } from './field.ts';
import { when } from './when.ts';

/** The choice of the operation. */
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
			description: asHelp(operation.description),
			...(isIrreversible(operation) ? { displayOptions: { hide: { '@tool': [true] } } } : {}),
		})),
		default: openingAmong(offered),
		displayOptions: when({ resource: [value] }),
	};
}

/** From what changes nothing to what moves money; what cannot be taken back comes after all of them. */
const effects: readonly Effect[] = ['none', 'read', 'order', 'change', 'delete', 'money'];
const weightOf = (operation: Operation): number =>
	effects.indexOf(operation.effect) + (isIrreversible(operation) ? effects.length : 0);

/** What the form opens on: neither an agent nor a person who tries *Execute step* does anything at the bank by what stood there. */
function openingAmong(offered: readonly Operation[]): string {
	const [first] = offered.toSorted((a, b) => weightOf(a) - weightOf(b));
	return first === undefined ? '' : operationName(first);
}
