import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { chosenCredential } from '../shared/authentication.ts';
import { type ActionNode, runOperation } from '../shared/execute.ts';
import { forms } from './forms/index.ts';

/** What the node does, which is loaded when it does something for the first time: n8n describes it without. */

const node: ActionNode = { name: 'bankCourier', credentialFor: chosenCredential, forms };

export async function execute(context: IExecuteFunctions): Promise<INodeExecutionData[][]> {
	return await runOperation(context, node);
}
