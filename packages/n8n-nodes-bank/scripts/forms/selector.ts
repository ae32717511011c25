import { type Effect, isIrreversible, type Operation, operationAt, operationName, type Resource } from '@bank/core';
import { docsOf } from '@bank/core/docs';
import type { INodeProperties } from 'n8n-workflow';

import { asHelp } from './field.ts';
import { inVersions } from './places.ts';
import { when } from './when.ts';

/** The choice of the operation, once for all versions of the node in which it is the same. */
export function operationSelectors(resource: Resource, versions: readonly number[]): INodeProperties[] {
	const byContent = new Map<string, { selector: INodeProperties; versions: number[] }>();
	for (const version of versions) {
		const selector = selectorAt(resource, version);
		const content = JSON.stringify(selector);
		byContent.set(content, { selector, versions: [...(byContent.get(content)?.versions ?? []), version] });
	}
	const found = [...byContent.values()].filter(({ selector }) => (selector.options ?? []).length > 0);
	return found.map(({ selector, versions: own }) => ({
		...selector,
		displayOptions: when({
			...(own.length === versions.length ? {} : { '@version': inVersions(own, versions) }),
			resource: [resource.value],
		}),
	}));
}

function selectorAt({ operations }: Resource, version: number): INodeProperties {
	const offered = operations
		.flatMap((operation) => operationAt(operation, version) ?? [])
		.sort((a, b) => a.name.localeCompare(b.name, 'en'));
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
			...(isIrreversible(operation) ? { displayOptions: { hide: { '@tool': [true] } } } : {}),
		})),
		default: openingAmong(offered),
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
