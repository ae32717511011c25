import {
	type IExecuteFunctions,
	type INodeExecutionData,
	type INodeType,
	type INodeTypeDescription,
	NodeConnectionTypes,
} from 'n8n-workflow';

import { execute, listSearch, resourceMapping } from './action.ts';
import { operationFields } from './descriptions/generated/operationFields.ts';

export class BankCardIssuance implements INodeType {
	description: INodeTypeDescription = {
		displayName: 'Bank Card Issuance',
		name: 'bankCardIssuance',
		icon: { light: 'file:../../icons/bank-card-issuance.svg', dark: 'file:../../icons/bank-card-issuance.dark.svg' },
		group: ['transform'],
		version: [1],
		defaultVersion: 1,
		subtitle: '={{ $parameter["operation"] + ": " + $parameter["resource"] }}',
		description:
			"Issue the bank's credit cards, from the short application to the confirmation, and in partner sales channels",
		defaults: { name: 'Bank Card Issuance' },
		usableAsTool: true,
		inputs: [NodeConnectionTypes.Main],
		outputs: [NodeConnectionTypes.Main],
		credentials: [{ name: 'bankGatewayApi', required: true }],
		properties: [
			{
				displayName: 'Resource',
				name: 'resource',
				type: 'options',
				noDataExpression: true,
				options: [
					{ name: 'Application', value: 'application', description: 'Card applications of the first flow' },
					{ name: 'Card', value: 'card', description: 'The card of an application' },
					{
						name: 'Channel Application',
						value: 'channelApplication',
						description: 'Card applications in partner sales channels',
					},
					{ name: 'Configuration', value: 'configuration', description: 'Partner settings of the first flow' },
					{
						name: 'Issuance',
						value: 'issuance',
						description: 'Handover of the card',
						// AI agents have no use for this notice.
						displayOptions: { hide: { '@tool': [true] } },
					},
					{ name: 'Offer', value: 'offer', description: 'Offers of an application' },
					{
						name: 'Pre-Approved Application',
						value: 'preApproved',
						description: 'Pre-approved applications of the last-mile flow',
					},
					{ name: 'Print Form', value: 'printForm', description: 'Documents to print and sign' },
					{ name: 'Scan', value: 'scan', description: 'Scans of the signed documents' },
					{ name: 'Scoring', value: 'scoring', description: 'Results of short and full scoring' },
				],
				default: 'preApproved',
			},
			...operationFields,
		],
	};

	methods = { listSearch, resourceMapping };

	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		return await execute(this);
	}
}
