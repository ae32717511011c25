import { defineOperation } from '../../operation.ts';

/** They send nothing to the bank. */
const common = {
	local: true,
	spec: '6',
	auth: 'notShown',
	effect: 'none',
	irreversible: true,
	method: 'POST',
	path: '',
} as const;

export const event = {
	done: defineOperation({
		...common,
		id: 'event.done',
		action: 'Mark event as done',
		description: 'Mark an event as handled, so that it is not listed as unfinished',
		responseSummary: 'The items, unchanged.',
	}),
	listUnfinished: defineOperation({
		...common,
		id: 'event.listUnfinished',
		action: 'List unfinished events',
		description: 'List events whose execution began and did not reach Done, for example after a crash',
		responseSummary: 'One item for each event, with unfinished.mayHaveRun.',
	}),
	skipRepeats: defineOperation({
		...common,
		id: 'event.skipRepeats',
		action: 'Skip repeated events',
		description: 'Pass on each event, order or operation once, in all executions, after a restart and on a cluster',
		responseSummary: 'The items whose key is new; the others are in the second output.',
	}),
};
