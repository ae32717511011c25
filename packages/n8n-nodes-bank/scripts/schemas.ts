import { isRecord, operationName, type Operation, operations, resourceOf, resourcesOf } from '@bank/core';
import { casesOf } from '@bank/fixtures/cases';

import { exampleItem as courierOrderTriggerItem } from '../nodes/BankCourierOrderTrigger/description.ts';
import { polled } from '../nodes/BankOperationsTrigger/polled.ts';
import { exampleItem as bankTriggerItem } from '../nodes/BankTrigger/description.ts';
import { writtenForms } from './forms/written.ts';
import { formatted } from './format.ts';
import { className, nodeNames } from './names.ts';

/**
 * What n8n's editor shows of an operation that has not run yet, so that the next node can be built: a JSON schema for each operation
 * whose answer is known, by version, resource and operation, as n8n looks for it beside the node.
 * https://github.com/n8n-io/n8n/blob/master/packages/core/src/nodes-loader/output-schema-resolver.ts
 */
export async function generatedSchemas(nodesFolder: string): Promise<Map<string, string>> {
	const files = new Map<string, string>();
	for (const node of nodeNames) {
		const resources = resourcesOf(node);
		const { written } = await writtenForms(resources);
		for (const operation of resources.flatMap((resource) => resource.operations)) {
			const item = written(operation)?.parts.item ?? itemOf(operation);
			if (item === undefined) continue;
			const file = `v1.0.0/${resourceOf(operation)}/${operationName(operation)}.json`;
			const text = await formatted('json', JSON.stringify(schemaOf(item)));
			files.set(`${nodesFolder}/${className(node)}/__schema__/${file}`, text);
		}
	}
	for (const [node, version, item] of triggerItems()) {
		const text = await formatted('json', JSON.stringify(schemaOf(item)));
		files.set(`${nodesFolder}/${node}/__schema__/v${version}.0.0.json`, text);
	}
	return files;
}

/** What the triggers say of their items, and an event of the one that reads a list. */
function triggerItems(): [node: string, version: number, item: unknown][] {
	const event = {
		event: 'created',
		operation: itemOf(polled),
	};
	return [
		['BankTrigger', 2, bankTriggerItem],
		['BankCourierOrderTrigger', 2, courierOrderTriggerItem],
		['BankOperationsTrigger', 1, event],
	];
}

interface Case {
	input: { path?: object; query?: object };
	output?: unknown;
}

/** The first item of the richest sample; undefined where the answer is not known. */
function itemOf({ id, response, effect, list }: Operation): unknown {
	if (response === undefined && effect !== 'delete') return undefined;
	// What the node does by itself has no answer of the bank.
	if (!operations.some((known) => known.id === id)) return undefined;
	const [sample] = casesOf<Case>(id);
	if (sample === undefined) return undefined;
	if (effect === 'delete') return { deleted: true, ...sample.input.path, ...sample.input.query };
	if (list === undefined) return sample.output;
	const rows = isRecord(sample.output) ? sample.output[list.key] : undefined;
	return Array.isArray(rows) ? list.simplify(rows[0]) : undefined;
}

function schemaOf(value: unknown): object {
	if (Array.isArray(value)) return { type: 'array', items: value.length === 0 ? {} : schemaOf(value[0]) };
	if (isRecord(value))
		return {
			type: 'object',
			properties: Object.fromEntries(Object.entries(value).map(([name, inner]) => [name, schemaOf(inner)])),
		};
	if (value === null || value === undefined) return { type: 'null' };
	const type = typeof value === 'number' ? (Number.isInteger(value) ? 'integer' : 'number') : typeof value;
	return { type, examples: [value] };
}
