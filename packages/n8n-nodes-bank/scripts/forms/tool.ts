import { isForAgents, type Operation, unwrap } from '@bank/core';
import { docsOf } from '@bank/core/docs';
import type { INodeProperties } from 'n8n-workflow';

import { helpOf, titleOf } from './field.ts';
import { entriesOf } from './schema.ts';
import { when } from './when.ts';

/**
 * What a model is told of an operation that an agent has as its tool. By itself n8n tells it the action alone ("Get webhook in Bank"),
 * which says neither what the identifiers are nor what comes back; where nothing more is known, that is left to n8n.
 */
export function toolFields(operation: Operation): INodeProperties[] {
	const { answers, description } = docsOf(operation);
	if (answers === undefined || !isForAgents(operation)) return [];
	const identifiers = entriesOf(operation.pathFields).map(
		([name, schema]) => `${titleOf(name, unwrap(schema).schema)}: ${helpOf(unwrap(schema).schema)}`,
	);
	const sentences = [description, ...identifiers, `Answer: ${answers}`].map((text) => text.replace(/\.?$/, '.'));
	return [
		{
			displayName: 'Tool Description',
			name: 'toolDescription',
			type: 'string',
			typeOptions: { rows: 4 },
			default: sentences.join(' '),
			displayOptions: when({ '@tool': [true] }),
		},
	];
}
