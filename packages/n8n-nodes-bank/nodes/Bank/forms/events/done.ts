import { eventOperations } from '@bank/core';

import { bindHooks } from '../../../shared/pipeline/operationHooks.ts';
import { databaseError, type EventJob, eventJobs, tableNameOf } from './eventJobs.ts';
import { EventTable } from './eventTable.ts';
import { eventIn } from './handleEvents.ts';

/** Removes the rows of handled events, so that they are not listed as unfinished. */
export const eventDone = bindHooks<typeof eventOperations.done, EventJob>(eventOperations.done, {
	jobs: eventJobs,
	async previewItems(run, { items, keys }, _prepared, { context }) {
		const table = new EventTable(context, tableNameOf(run));
		const events = keys.map((key) => eventIn(context.getWorkflow().id ?? '', key));
		// `event` also finds rows of earlier runs of this workflow that List Unfinished has continued in another
		// workflow.
		await table.delete({ handler: events, event: events }).catch((error: unknown) => {
			throw databaseError(run, error, 'The events could not be marked as done', unmarkedText);
		});
		const inputs = run.context.getInputData();
		return items.map((item) => ({ ...inputs[item], json: inputs[item]?.json ?? {}, pairedItem: { item } }));
	},
});

const unmarkedText =
	'They were handled, but "List Unfinished" will show them. Run this node again, or remove their rows.';
