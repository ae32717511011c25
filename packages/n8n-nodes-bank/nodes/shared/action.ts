import type { IExecuteFunctions, ILoadOptionsFunctions, INodeProperties } from 'n8n-workflow';

import { loadBodyFields } from './form/bodyFields.ts';
import { useForm } from './form/formLabel.ts';
import { searchChoices } from './form/choices.ts';
import { type ActionNode, runOperation } from './execute.ts';

/** The implementation of a node, loaded on first use. */
export const actionOf = (node: ActionNode) => ({
	bodyFields: async (context: ILoadOptionsFunctions) => await loadBodyFields(context, node),
	execute: async (context: IExecuteFunctions, form: readonly INodeProperties[]) => {
		useForm(context, form);
		return await runOperation(context, node);
	},
	search: async (context: ILoadOptionsFunctions, field: string, filter: string) =>
		await searchChoices(context, node, field, filter),
});
