import type {
	IExecuteFunctions,
	ILoadOptionsFunctions,
	INodeExecutionData,
	INodeListSearchResult,
	INodeProperties,
	ResourceMapperFields,
} from 'n8n-workflow';

import { escaping } from './base/failures.ts';
import { loadBodyFields } from './form/bodyFields.ts';
import { useForm } from './base/formLabel.ts';
import { searchChoices } from './form/choices.ts';
import { type ActionNode, runOperation } from './execute.ts';

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** What a node class needs beside its description. */
export const actionOf = (node: ActionNode, form: readonly INodeProperties[]) => ({
	methods: {
		/** One search method for each field with *From List*, by its name in the form. */
		listSearch: Object.fromEntries(
			searchedFields(form).map((field): [string, ListSearch] => [
				field,
				async function (filter = '') {
					useForm(this, form);
					return await escaping(async () => await searchChoices(this, node.credentialFor, field, filter));
				},
			]),
		),
		resourceMapping: {
			async bodyFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
				return await escaping(async () => await loadBodyFields(this, node.credentialFor));
			},
		},
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		useForm(this, form);
		return await escaping(async () => await runOperation(this, node));
	},
});

const searchedFields = (form: readonly INodeProperties[]): string[] =>
	form.flatMap(({ modes = [] }) => modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []));
