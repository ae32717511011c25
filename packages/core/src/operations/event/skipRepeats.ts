import { defineOperation } from '../../operation.ts';

/** Sends nothing to the bank. */
export const skipRepeats = defineOperation({
	id: 'event.skipRepeats',
	local: true,
	spec: '6',
	action: 'Skip repeated events',
	description: 'Pass on each event, order or operation once, in all executions, after a restart and on a cluster',
	responseSummary: 'The items whose key is new; the others are in the second output.',
	auth: 'notShown',
	effect: 'none',
	irreversible: true,
	method: 'POST',
	path: '',
});
