import { randomUUID } from 'node:crypto';

import { eventOperations, listEvent, parseLossless, isRecord, unfinishedEvents, wholeNumbers } from '@bank/core';

import { bindHooks } from '../../../shared/pipeline/operationHooks.ts';
import { itemJson } from '../../../shared/form/itemJson.ts';
import { databaseError, tableNameOf } from './eventJobs.ts';
import { EventTable, type StoredEvent } from './eventTable.ts';
import { eventIn, type HandledEvent, handleEvents } from './handleEvents.ts';

/** Maximum number of events in one run. The next run returns the others. */
const maxEvents = 200;

/** Shows events whose run began long enough ago and did not reach *Done*. */
export const listUnfinished = bindHooks(eventOperations.listUnfinished, {
	// Once, for any number of items.
	jobs: () => [{ items: [0], input: {} }],
	async previewItems(run, _job, _prepared, { context }) {
		const { olderThan } = wholeNumbers({ olderThan: { value: run.parameters.value('olderThan', 0, 5), min: 1 } });
		const table = new EventTable(context, tableNameOf(run));
		const began = Date.now();
		const list = async () => {
			const since = new Date(began - olderThan * 60_000).toISOString();
			const events = unfinishedEvents(await table.oldest(), since)
				.slice(0, maxEvents)
				.flatMap((all): (HandledEvent & { first: StoredEvent })[] => {
					const [first] = all;
					if (first === undefined) return [];
					const highest = Math.max(...all.map(({ attempt }) => Number(attempt)));
					const own = {
						...first,
						row: randomUUID(),
						at: new Date(began).toISOString(),
						execution: context.getExecutionId(),
						handler: eventIn(context.getWorkflow().id ?? '', first.key),
					};
					return [{ state: listEvent(highest), own, old: all.map(({ row }) => row), first }];
				});
			await handleEvents(context, table, events);
			return events;
		};
		const events = await list().catch((error: unknown) => {
			throw databaseError(run, error, 'Unfinished events could not be listed', 'Run again.');
		});
		return events.flatMap(({ state, first }) => {
			const verdict = 'verdict' in state ? state.verdict : 'taken';
			if (verdict === 'taken') return [];
			const { key, workflow, execution, at } = first;
			const unfinished = { key, workflow, execution, at, mayHaveRun: verdict === 'mayHaveRun' };
			return [{ json: itemJson({ ...dataOf(first), unfinished }), pairedItem: { item: 0 } }];
		});
	},
});

/** The stored item, or only its key if the data was not kept. */
function dataOf({ data, key }: StoredEvent): object {
	const { ok, value } = parseLossless(data === '' ? '{}' : data);
	return ok && isRecord(value) && data !== '' ? value : { eventId: key };
}
