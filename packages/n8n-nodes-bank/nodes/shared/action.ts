import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeListSearchResult,
	INodeProperties,
} from 'n8n-workflow';

import { useForm } from './form/formLabel.ts';
import { searchChoices } from './form/choices.ts';
import { type ActionNode, runOperation } from './execute.ts';

interface Action {
	execute(context: IExecuteFunctions, form: readonly INodeProperties[]): Promise<INodeExecutionData[][]>;
	search(context: ILoadOptionsFunctions, field: string, filter: string): Promise<INodeListSearchResult>;
}

/** The implementation of a node, loaded on first use. */
export const actionOf = (node: ActionNode): Action => ({
	execute: async (context, form) => {
		useForm(context, form);
		return await runOperation(context, node);
	},
	search: async (context, field, filter) => await searchChoices(context, node, field, filter),
});
