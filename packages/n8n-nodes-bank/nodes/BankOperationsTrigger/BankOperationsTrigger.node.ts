import {
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	type IPollFunctions,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { withEscapedDescription } from '../shared/base/failures.ts';
import { triggerFields, triggerPanel } from './description.ts';
import { pollOperations } from './poll.ts';

export class BankOperationsTrigger implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bank Operations Trigger',
		name: 'bankOperationsTrigger',
		icon: {
			light: 'file:../../icons/bank-operations-trigger.svg',
			dark: 'file:../../icons/bank-operations-trigger.dark.svg',
		},
		group: ['trigger'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["changes"] ? "new and changed operations" : "new operations" }}',
		description:
			'Starts the workflow when there are new operations on accounts or cards, or when the status or amount of one changes',
		defaults: { name: 'Bank Operations Trigger' },
		polling: true,
		triggerPanel,
		inputs: [],
		outputs: [NodeConnectionTypes.Main],
		credentials: [
			// Not required: n8n hides the help of a trigger while something required is missing.
			{ name: 'bankAuthorizationCodeOAuth2Api', displayOptions: { hide: { flow: ['hostToHost'] } } },
			{ name: 'bankHostToHostOAuth2Api', displayOptions: { show: { flow: ['hostToHost'] } } },
		],
		properties: triggerFields,
	};

	async poll(this: IPollFunctions): Promise<INodeExecutionData[][] | null> {
		return await withEscapedDescription(async () => await pollOperations(this));
	}
}
