import { defineOperation } from '../../operation.ts';

/** Sends nothing to the bank. */
export const done = defineOperation({
	id: 'event.done',
	local: true,
	spec: '6',
	action: 'Mark event as done',
	description: 'Mark an event as handled, so that it is not listed as unfinished',
	responseSummary: 'The items, unchanged.',
	auth: 'notShown',
	effect: 'none',
	irreversible: true,
	method: 'POST',
	path: '',
});
