import { canonicalJson, effectOf, type EventAnswer, type EventEffect, type EventState, stepEvent } from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import { claimInParts, claimKeys } from '../../../shared/idempotency/claimKeys.ts';
import { sha256 } from '../../../shared/idempotency/keys.ts';
import type { EventTable, StoredEvent } from './eventTable.ts';

/** An event that a run handles, with its state in the event protocol (core/src/events/eventProtocol.ts). */
export interface HandledEvent {
	state: EventState;
	/** The row that this run inserts; its `workflow` owns the claims. */
	own: StoredEvent;
	/** Rows of earlier runs that this one continues. */
	old: readonly string[];
}

export const eventIn = (workflow: string, key: string): string => sha256(canonicalJson(['event', workflow, key]));

/** Carries out the protocol for all events together: each step is one call of n8n, or a few. */
export async function handleEvents(
	context: Pick<IExecuteFunctions, 'executeWorkflow'>,
	table: EventTable | undefined,
	events: readonly HandledEvent[],
): Promise<void> {
	for (;;) {
		const open = events.flatMap((event) => {
			const effect = effectOf(event.state);
			return effect === undefined ? [] : [{ event, effect }];
		});
		const [first] = open;
		if (first === undefined) return;
		const alike = open.filter(({ effect }) => effect.do === first.effect.do);
		const answers = await carryOut(context, table, alike);
		for (const { event } of alike) event.state = stepEvent(event.state, answers.get(event) ?? 'done');
	}
}

type Pending = readonly { event: HandledEvent; effect: EventEffect }[];

/** @param pending effects of one kind */
async function carryOut(
	context: Pick<IExecuteFunctions, 'executeWorkflow'>,
	table: EventTable | undefined,
	pending: Pending,
): Promise<Map<HandledEvent, EventAnswer>> {
	const answers = new Map<HandledEvent, EventAnswer>();
	const answer = (event: HandledEvent, isYes: boolean) => answers.set(event, isYes ? 'yes' : 'no');
	switch (pending[0]?.effect.do) {
		case 'insertRow':
			for (const { event, effect } of pending)
				if (effect.do === 'insertRow') event.own.attempt = String(effect.attempt);
			await table?.insert(pending.map(({ event }) => event.own));
			break;
		case 'claim':
			for (const [workflow, ofWorkflow] of Map.groupBy(pending, ({ event }) => event.own.workflow)) {
				const keys = new Map(ofWorkflow.map(({ event, effect }) => [event, claimOf(event, effect)]));
				const won = await claimed(context, workflow, [...new Set(keys.values())]);
				// Of equal events in one run, the first one wins.
				for (const [event, key] of keys) answer(event, won.delete(key));
			}
			break;
		case 'findNewRows': {
			const found = (await table?.ofEvents(pending.map(({ event }) => event.own.event))) ?? [];
			for (const { event } of pending) {
				const known = [...event.old, event.own.row];
				answer(
					event,
					found.some(({ event: id, row }) => id === event.own.event && !known.includes(row)),
				);
			}
			break;
		}
		case 'deleteOldRows':
			await table?.delete({ row: pending.flatMap(({ event }) => event.old) });
			break;
		case 'deleteOwnRow':
			await table?.delete({ row: pending.map(({ event }) => event.own.row) });
			break;
		case undefined:
	}
	return answers;
}

/** Claims each key once. After a lost reply, a second call would find keys taken that the first one won, and their events would be lost. */
async function claimed(
	context: Pick<IExecuteFunctions, 'executeWorkflow'>,
	workflowId: string,
	keys: readonly string[],
): Promise<Set<string>> {
	const { won, failures } = await claimInParts(keys, async (part) => {
		const own = await claimKeys(context, { workflowId, name: 'Claim events' }, part);
		if (own === undefined) throw new Error('n8n returned an unexpected result');
		return own;
	});
	if (failures.length > 0) throw failures[0];
	return new Set(won);
}

const claimOf = ({ own }: HandledEvent, effect: EventEffect): string =>
	sha256(canonicalJson(['event', own.key, effect.do === 'claim' ? effect.number : 0]));
