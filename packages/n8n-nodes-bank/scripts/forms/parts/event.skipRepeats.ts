import { dataTable, key } from '../eventFields.ts';
import type { FormParts } from '../formParts.ts';

export const parts: FormParts = {
	notice: {
		displayName:
			'Each key passes once, also after a restart and on a cluster. If n8n stops before the workflow has handled the event, it is lost, ' +
			'unless <i>Event: Done</i> follows at the end: then <i>Event: List Unfinished</i> shows it.',
	},
	handWritten: ['maxResponseSize', 'timeout'],
	fields: [key],
	options: [
		dataTable,
		{
			displayName: 'Keep Data',
			name: 'keepData',
			type: 'boolean',
			default: true,
			description:
				'Whether to keep the item in the Data Table until Done, so that List Unfinished can return it. Binary data is not kept.',
		},
	],
	item: {
		eventId: 'c0ffee00-0000-4000-8000-000000000001',
		object: 'ul_transaction_default',
		receivedAt: '2026-01-31T12:00:00.000Z',
		payload: { amount: 100 },
	},
	returns:
		'The items unchanged: new ones in the first output, repeats in the second, with `repeat`: `key` and, while the event is ' +
		'unfinished, `firstExecution` and `firstSeenAt`.',
};
