import { isBankFailure, stillClaimed } from '@bank/core';

import type { IDataObject } from 'n8n-workflow';

import { errorFor, failureOf } from '../failures.ts';
import type { Form } from '../form.ts';
import { inParallel } from '../inParallel.ts';
import type { BankOfRun, Connected } from './bank.ts';
import type { Accepted } from './claim.ts';
import { isRefused, located, type Plan, type Planned } from './plan.ts';
import { type Failed, type Outcome, present, presentPreview } from './present.ts';
import { recorded } from './record.ts';
import { firstItem, type Run } from './run.ts';
import { type Sealed, seal } from './seal.ts';
import { send } from './send.ts';
import { concurrencyOf } from './settings.ts';
import { leaveTrace } from './trace.ts';

/** At the place of each job of the plan; absent where a stopped execution did not come to it. */
type Outcomes = (Outcome | undefined)[];

/**
 * The way of all planned jobs through the rooms: seal, claim, send, present. Those to be shown go first, and end after seal.
 * Reads go a bounded few at a time, everything else one at a time and in order.
 * @throws NodeApiError | NodeOperationError the first failure, where the node does not go on; nothing is begun after it
 */
export async function walk(
	run: Run,
	form: Form,
	planned: Plan,
	bank: BankOfRun,
): Promise<readonly (Outcome | undefined)[]> {
	const outcomes: Outcomes = planned.map((one) => (isRefused(one) ? one : undefined));
	const passed = planned.flatMap((one) => (isRefused(one) ? [] : [one]));
	for (const one of passed) if (one.isPreview) outcomes[one.position] = await shown(run, form, one, bank);
	await sendAll(
		run,
		form,
		passed.filter(({ isPreview }) => !isPreview),
		bank,
		outcomes,
	);
	return outcomes;
}

/** A way through the same rooms that ends before anything is claimed. */
async function shown(run: Run, form: Form, planned: Planned, bank: BankOfRun): Promise<Outcome> {
	const { job } = planned;
	try {
		const sealed = await seal(run, form, planned, bank.read);
		return { job, items: (await form.shown?.(run, job, sealed.prepared, bank)) ?? presentPreview(sealed) };
	} catch (error) {
		const outcome = failed(run, planned, error);
		if (run.context.continueOnFail()) return outcome;
		throw errorFor(run.context, outcome.failure, { items: job.items });
	}
}

async function sendAll(
	run: Run,
	form: Form,
	planned: readonly Planned[],
	bank: BankOfRun,
	outcomes: Outcomes,
): Promise<void> {
	if (planned.length === 0) return;
	const connected = await bank.connected();
	let done = 0;
	let isStopping = false;
	await inParallel(
		planned,
		concurrencyOf(run),
		async (one) => {
			const outcome = await recorded(run, form, bank.context, await carriedOut(run, form, one, connected, bank));
			outcomes[one.position] = outcome;
			if ('items' in outcome) done++;
			else isStopping ||= !run.context.continueOnFail();
		},
		() => isStopping || bank.signal?.aborted === true,
	);
	leaveTrace(run, outcomes);
	const first = isStopping ? outcomes.find((outcome) => outcome !== undefined && 'failure' in outcome) : undefined;
	if (first !== undefined && 'failure' in first)
		throw errorFor(run.context, first.failure, {
			items: first.job.items,
			identities: first.identities ?? [],
			...(first.earlier === undefined ? {} : { earlier: first.earlier }),
			progress: progressText(run, done, planned.length),
			receipts: receiptsIn(form, planned, outcomes),
		});
}

/** One job through seal, claim, send and present. Never throws: what goes wrong is the outcome. */
async function carriedOut(
	run: Run,
	form: Form,
	planned: Planned,
	connected: Connected,
	bank: BankOfRun,
): Promise<Outcome> {
	try {
		const sealed = await seal(run, form, planned, bank.read);
		const accepted = (await connected.claims.claim(sealed)) ?? (await sendClaimed(run, sealed, connected, bank));
		const { job } = planned;
		const items = await present(run, form, { job, added: sealed.added, ...accepted });
		const { requestId } = accepted.result;
		return { job, items, ...(requestId === undefined ? {} : { requestId }) };
	} catch (error) {
		return failed(run, planned, error);
	}
}

/** Sends what was claimed, and settles the claim by what came of it before anybody else hears of it. */
async function sendClaimed(
	run: Run,
	sealed: Sealed,
	{ claims, network }: Connected,
	{ pace }: BankOfRun,
): Promise<Accepted> {
	const result = await send(run.operation, sealed, network, pace).catch(async (error: unknown) => {
		if (!isBankFailure(error)) throw error;
		await claims.failed(sealed, error.details).catch(() => {
			throw stillClaimed(error);
		});
		throw error;
	});
	return claims.accepted(sealed, result);
}

function failed(run: Run, { job, identities }: Planned, error: unknown): Failed {
	return { job, identities, failure: located(failureOf(run.context, error, firstItem(job)), job) };
}

/** n8n drops the items of a node that stops: what the bank has accepted before is told with the error, by its names at least. */
function receiptsIn({ receipt }: Form, planned: readonly Planned[], outcomes: Outcomes): IDataObject[] {
	return planned.flatMap(({ position, identities }) => {
		const outcome = outcomes[position];
		if (outcome === undefined || !('items' in outcome)) return [];
		if (receipt === undefined) return identities.map(({ field, name }) => ({ [field]: name }));
		return outcome.items.map(({ json }) => Object.fromEntries(receipt.map((field) => [field, json[field]])));
	});
}

/** What happened before the failure that stops the node, where that matters. */
function progressText({ operation }: Run, done: number, total: number): string {
	if (operation.effect === 'read' || total === 1) return '';
	const were = done === 1 ? 'was' : 'were';
	return `Of ${total} requests, ${done} ${were} carried out before this one; the rest were not sent.`;
}
