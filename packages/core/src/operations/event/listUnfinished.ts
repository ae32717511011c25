import { defineOperation } from '../../operation.ts';

/** Sends nothing to the bank. */
export const listUnfinished = defineOperation({
	id: 'event.listUnfinished',
	local: true,
	spec: '6',
	action: 'List unfinished events',
	description: 'List events whose execution began and did not reach Done, for example after a crash',
	responseSummary: 'One item for each event, with unfinished.mayHaveRun.',
	auth: 'notShown',
	effect: 'none',
	irreversible: true,
	method: 'POST',
	path: '',
});
