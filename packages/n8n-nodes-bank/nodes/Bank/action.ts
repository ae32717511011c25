import type { IExecuteFunctions, ILoadOptionsFunctions, INodeExecutionData, INodeListSearchResult } from 'n8n-workflow';

import { chosenCredential, restCredential } from '../shared/authentication.ts';
import { searchChoices } from '../shared/choices.ts';
import { type ActionNode, runOperation } from '../shared/execute.ts';
import { forms } from './forms/index.ts';

export { testSignature } from '@bank/credentials';
export { recipientColumns } from './forms/columns.ts';

/** What the node does, which is loaded when it does something for the first time: n8n describes it without. */

const node: ActionNode = {
	name: 'bank',
	credentialFor: (operation, parameter) =>
		operation.auth === 'notShown'
			? chosenCredential(operation, parameter)
			: restCredential(operation.auth, parameter('flow')),
	forms,
};

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
