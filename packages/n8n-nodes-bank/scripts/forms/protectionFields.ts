import type { INodeProperties } from 'n8n-workflow';

/** Options of operations that are protected from duplicates. */

export const logToDataTable: INodeProperties = {
	displayName: 'Log to Data Table',
	name: 'logToDataTable',
	type: 'string',
	noDataExpression: true,
	default: 'Bank Payment Log',
	description:
		'Name of the Data Table that keeps the result of each payment. Created if missing. Always use the same table.',
};

export const ifAlreadySent: INodeProperties = {
	displayName: 'If Already Sent',
	name: 'ifAlreadySent',
	type: 'options',
	options: [
		{ name: 'Refuse the Whole Run', value: 'refuse' },
		{ name: 'Skip the Payment', value: 'skip' },
	],
	default: 'skip',
	description: 'What to do if a payment of this run was already sent',
};
