import type { IExecuteFunctions, ILoadOptionsFunctions, INodeExecutionData, INodeListSearchResult } from 'n8n-workflow';

import { searchChoices } from '../shared/choices.ts';
import { type ActionNode, runOperation } from '../shared/execute.ts';
import { forms } from './forms/index.ts';

/** What the node does, which is loaded when it does something for the first time: n8n describes it without. */

const node: ActionNode = { name: 'bankCardIssuance', credentialFor: () => 'bankGatewayApi', forms };

export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await runOperation(context, node);
}

export async function search(
	context: ILoadOptionsFunctions,
	field: string,
	filter: string,
): Promise<INodeListSearchResult> {
	return await searchChoices(context, node, field, filter);
}
