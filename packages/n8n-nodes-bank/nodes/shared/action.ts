import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeListSearchResult,
	INodeProperties,
	ResourceMapperFields,
} from 'n8n-workflow';

import { loadBodyFields } from './form/bodyFields.ts';
import { useForm } from './form/formLabel.ts';
import { searchChoices } from './form/choices.ts';
import { type ActionNode, runOperation } from './execute.ts';

interface Action {
	bodyFields(context: ILoadOptionsFunctions): Promise<ResourceMapperFields>;
	execute(context: IExecuteFunctions, form: readonly INodeProperties[]): Promise<INodeExecutionData[][]>;
	search(context: ILoadOptionsFunctions, field: string, filter: string): Promise<INodeListSearchResult>;
}

/** The implementation of a node, loaded on first use. */
export const actionOf = (node: ActionNode): Action => ({
	bodyFields: async (context) => await loadBodyFields(context, node),
	execute: async (context, form) => {
		useForm(context, form);
		return await runOperation(context, node);
	},
	search: async (context, field, filter) => await searchChoices(context, node, field, filter),
});
