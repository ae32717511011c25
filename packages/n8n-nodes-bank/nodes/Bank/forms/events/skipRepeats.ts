import { randomUUID } from 'node:crypto';

import { eventOperations, receiveEvent } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { bindHooks } from '../../../shared/pipeline/operationHooks.ts';
import { type Items, type Run, showHint } from '../../../shared/form/run.ts';
import { databaseError, type EventJob, eventJobs, tableNameOf } from './eventJobs.ts';
import { EventTable, type StoredEvent } from './eventTable.ts';
import { eventIn, type HandledEvent, handleEvents } from './handleEvents.ts';

/** Items of the second output. */
const repeats = new WeakSet<object>();

/** Passes on the items whose key no run has had before. */
export const skipRepeats = bindHooks<typeof eventOperations.skipRepeats, EventJob>(eventOperations.skipRepeats, {
	jobs: eventJobs,
	async previewItems(run, { items, keys }, _prepared, { context }) {
		const workflow = context.getWorkflow().id ?? '';
		const execution = context.getExecutionId();
		const at = new Date().toISOString();
		const inputs = run.context.getInputData();
		const table = isDoneLater(run) ? new EventTable(context, tableNameOf(run)) : undefined;
		const keepsData = run.parameters.options().keepData !== false;
		const events = items.map((item, index): HandledEvent => {
			const key = keys[index] ?? '';
			const event = eventIn(workflow, key);
			const data = keepsData ? JSON.stringify(inputs[item]?.json ?? {}) : '';
			const row = randomUUID();
			const own = { key, execution, at, data, workflow, attempt: '', event, handler: event, row };
			return { state: receiveEvent(table !== undefined), own, old: [] };
		});
		await handleEvents(context, table, events).catch((error: unknown) => {
			throw databaseError(run, error, 'The events could not be checked for repeats', uncheckedText);
		});
		// The bank gets its response only now, because an event that n8n has stored is confirmed.
		if (isAfterBankTrigger(run)) await run.context.sendResponse?.({ statusCode: 200, headers: {} });
		const taken = events.filter(({ state }) => 'verdict' in state && state.verdict === 'taken');
		const earlier = await firstRuns(table, taken);
		return items.map((item, index) => {
			const event = events[index];
			const input = { ...inputs[item], json: inputs[item]?.json ?? {}, pairedItem: { item } };
			if (event === undefined || !taken.includes(event)) return input;
			const output = {
				...input,
				json: { ...input.json, repeat: { key: event.own.key, ...earlier.get(event.own.event) } },
			};
			repeats.add(output);
			return output;
		});
	},
	async summarize(run, items) {
		const count = items.filter((item) => repeats.has(item)).length;
		if (count > 0) showHint(run, 'info', `${items.length - count} new, ${count} repeated: see the second output.`);
		if (isDoneLater(run) && respondsEarly(run)) showHint(run, 'warning', earlyText);
	},
	outputs: (items: Items) => [items.filter((item) => !repeats.has(item)), items.filter((item) => repeats.has(item))],
});

const uncheckedText =
	'Whether they are repeats is unknown, so they are not passed on. If the bank delivers them again, they are checked again.';
const earlyText =
	'The Bank Trigger responds before this node has stored the event. If n8n is stopped in between, nothing lists the event. Set ' +
	'"Respond" of the trigger to "When Stored".';

/** Whether *Event: Done* follows in this workflow. Only then are events listed as unfinished. */
const isDoneLater = ({ context }: Run): boolean =>
	relatives(context.getChildNodes?.(context.getNode().name, { includeNodeParameters: true })).some(
		({ type, parameters }) =>
			type.endsWith('.bank') && parameters?.resource === 'event' && parameters.operation === 'done',
	);

const bankTriggers = ({ context }: Run) =>
	relatives(context.getParentNodes(context.getNode().name, { includeNodeParameters: true })).filter(({ type }) =>
		type.endsWith('.bankTrigger'),
	);

const isAfterBankTrigger = (run: Run): boolean => bankTriggers(run).length > 0;
const respondsEarly = (run: Run): boolean =>
	bankTriggers(run).some(({ parameters }) => (parameters?.respond ?? 'onReceived') === 'onReceived');

interface Relative {
	type: string;
	disabled?: boolean;
	parameters?: IDataObject;
}

const relatives = (nodes: readonly object[] = []): Relative[] =>
	(nodes as Relative[]).filter(({ disabled }) => disabled !== true);

/** When and in which execution unfinished events first arrived. Finished events have no row, so this is not known for them. */
async function firstRuns(
	table: EventTable | undefined,
	repeated: readonly HandledEvent[],
): Promise<Map<string, IDataObject>> {
	if (table === undefined || repeated.length === 0) return new Map();
	const rows: StoredEvent[] = await table.ofEvents(repeated.map(({ own }) => own.event)).catch(() => []);
	return new Map(
		rows.reverse().map(({ event, execution, at }) => [event, { firstExecution: execution, firstSeenAt: at }]),
	);
}
