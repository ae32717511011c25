import { dataTable, key } from '../eventFields.ts';
import type { FormParts } from '../formParts.ts';

export const parts: FormParts = {
	handWritten: ['maxResponseSize', 'timeout'],
	fields: [key],
	options: [dataTable],
	item: { eventId: 'c0ffee00-0000-4000-8000-000000000001' },
	returns: 'The items, unchanged.',
};
