import { isUsableByAgents, type Operation, unwrap } from '@bank/core';
import { docsOf } from '@bank/core/docs';
import type { INodeProperties } from 'n8n-workflow';

import { entriesOf, helpOf, titleOf } from './field.ts';

/**
 * The tool description for AI agents. n8n's default is the action only ("Get webhook in Bank"), which explains neither the
 * identifiers nor the output. Without a documented output, n8n's default is kept.
 */
export function toolFields(operation: Operation): INodeProperties[] {
	const { responseSummary: summary, description } = docsOf(operation);
	if (summary === undefined || !isUsableByAgents(operation)) return [];
	const identifiers = entriesOf(operation.pathFields).map(
		([name, schema]) => `${titleOf(name, unwrap(schema).schema)}: ${helpOf(unwrap(schema).schema)}`,
	);
	const sentences = [description, ...identifiers, `Response: ${summary}`].map((text) => text.replace(/\.?$/, '.'));
	return [
		{
			displayName: 'Tool Description',
			name: 'toolDescription',
			type: 'string',
			typeOptions: { rows: 4 },
			default: sentences.join(' '),
			displayOptions: { show: { '@tool': [true] } },
		},
	];
}
