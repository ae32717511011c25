import type { INodeProperties } from 'n8n-workflow';

/** The options of everything that the guard remembers. */

export const guardWorkflow: INodeProperties = {
	displayName: 'Guard Workflow',
	name: 'guardWorkflow',
	type: 'workflowSelector',
	default: '',
	description:
		'The workflow that remembers what was sent, by default this one. Workflows that choose the same one share one memory. It is never run.',
};

export const sendAgain: INodeProperties = {
	displayName: 'Send Again',
	name: 'sendAgain',
	type: 'string',
	default: '',
	placeholder: 'e.g. second-try',
	description:
		'What was sent before is not sent again. If the bank certainly does not have it, write a word here: each word sends once more.',
};
