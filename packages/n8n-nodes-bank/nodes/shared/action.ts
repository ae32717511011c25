import type { IExecuteFunctions, ILoadOptionsFunctions, INodeExecutionData, INodeListSearchResult } from 'n8n-workflow';

import { searchChoices } from './form/choices.ts';
import { type ActionNode, runOperation } from './execute.ts';

interface Action {
	execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]>;
	search(context: ILoadOptionsFunctions, field: string, filter: string): Promise<INodeListSearchResult>;
}

/** The implementation of a node, loaded on first use. */
export const actionOf = (node: ActionNode): Action => ({
	execute: async (context) => await runOperation(context, node),
	search: async (context, field, filter) => await searchChoices(context, node, field, filter),
});
