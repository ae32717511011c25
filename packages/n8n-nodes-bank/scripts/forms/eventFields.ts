import type { INodeProperties } from 'n8n-workflow';

import { textField } from './formParts.ts';

/** Fields of operations that handle events once. */

export const key: INodeProperties = textField(
	'Key',
	'key',
	'Value that identifies the event in this workflow. If empty, eventId or orderId of the item. Must be the same when the event comes again.',
	{ placeholder: 'e.g. {{ $json.eventId }}' },
);

export const dataTable: INodeProperties = {
	displayName: 'Data Table',
	name: 'dataTable',
	type: 'string',
	default: 'Bank Events',
	description:
		'Name of the Data Table with unfinished events. Created if missing. Use the same in Skip Repeats, Done and List Unfinished.',
};
