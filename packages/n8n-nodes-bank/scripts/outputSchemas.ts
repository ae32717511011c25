import { isRecord, operationName, type Operation, operations, resourceOf, resourcesOf } from '@bank/core';
import { casesOf } from '@bank/fixtures/cases';

import { triggerItems } from './forms/parts/triggers.ts';
import { readParts } from './forms/readParts.ts';
import { formatted } from './format.ts';
import { className, nodeNames } from './names.ts';

/**
 * JSON schemas of the output, which n8n's editor shows for operations that have not run yet. One file for each operation whose
 * response is documented, in the folders in which n8n looks for them.
 * https://github.com/n8n-io/n8n/blob/master/packages/core/src/nodes-loader/output-schema-resolver.ts
 */
export async function generatedSchemas(nodesFolder: string): Promise<Map<string, string>> {
	const files = new Map<string, string>();
	for (const node of nodeNames) {
		const resources = resourcesOf(node);
		const partsOf = await readParts(resources);
		for (const operation of resources.flatMap((resource) => resource.operations)) {
			const item = partsOf(operation)?.item ?? itemOf(operation);
			if (item === undefined) continue;
			const file = `v1.0.0/${resourceOf(operation)}/${operationName(operation)}.json`;
			const text = await formatted('json', JSON.stringify(schemaOf(item)));
			files.set(`${nodesFolder}/${className(node)}/__schema__/${file}`, text);
		}
	}
	for (const [node, version, item] of triggerItems(itemOf)) {
		const text = await formatted('json', JSON.stringify(schemaOf(item)));
		files.set(`${nodesFolder}/${node}/__schema__/v${version}.0.0.json`, text);
	}
	return files;
}

interface Case {
	input: { path?: object; query?: object };
	output?: unknown;
}

/** The first output item of the first sample; undefined if the response is not documented. */
function itemOf({ id, response, effect, list }: Operation): unknown {
	if (response === undefined && effect !== 'delete') return undefined;
	// Local operations have no samples.
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
