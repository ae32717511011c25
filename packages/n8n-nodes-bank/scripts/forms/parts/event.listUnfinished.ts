import { dataTable } from '../eventFields.ts';
import type { FormParts } from '../formParts.ts';

export const parts: FormParts = {
	notice: {
		displayName:
			'Where <code>unfinished.mayHaveRun</code> is true, check whether the event was handled before you handle it again. Use ' +
			'<i>Event: Done</i> afterwards: otherwise it is listed again.',
	},
	handWritten: ['maxResponseSize', 'timeout'],
	fields: [
		{
			displayName: 'Older Than (Minutes)',
			name: 'olderThan',
			type: 'number',
			typeOptions: { minValue: 1 },
			default: 5,
			description:
				'Minimum age of an event, in minutes. Choose more than your longest execution takes, so that events that are being ' +
				'handled are not listed.',
		},
	],
	options: [dataTable],
	item: {
		eventId: 'c0ffee00-0000-4000-8000-000000000001',
		object: 'ul_transaction_default',
		receivedAt: '2026-01-31T12:00:00.000Z',
		payload: { amount: 100 },
		unfinished: {
			key: 'c0ffee00-0000-4000-8000-000000000001',
			workflow: 'Xk3b9qPz1LmN',
			execution: '4711',
			at: '2026-01-31T12:00:00.000Z',
			mayHaveRun: true,
		},
	},
	returns:
		'One item for each event: the item as Skip Repeats received it, and `unfinished`: `key`, `workflow`, `execution` and time ' +
		'(`at`) of the run that did not finish, ' +
		'and `mayHaveRun`: `false` if no run has handled the event and none will.',
};
