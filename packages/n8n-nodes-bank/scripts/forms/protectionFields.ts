import type { INodeProperties } from 'n8n-workflow';

/** Options of operations that are protected from duplicates. */

export const shareProtectionWith: INodeProperties = {
	displayName: 'Share Duplicate Protection With',
	name: 'shareProtectionWith',
	type: 'workflowSelector',
	default: '',
	description:
		'Workflow whose payments count as sent here too. Choose the same one in all workflows that may pay the same payout.',
};

export const logToDataTable: INodeProperties = {
	displayName: 'Log to Data Table',
	name: 'logToDataTable',
	type: 'string',
	default: 'Bank Payment Log',
	description:
		'Name of the Data Table to write payments to. Created if missing. If empty, earlier payments come back as unknown.',
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
