import { InputError } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { errorFor, type Failure, failureOf } from '../base/failures.ts';
import type { OperationHooks, SettledPayment } from './operationHooks.ts';
import { inParallel } from '../base/inParallel.ts';
import type { BankSession } from './bankSession.ts';
import { failureOfJob, isInvalid, mergeFailures, type Plan, type Planned, stopIfInvalid } from './plan.ts';
import { countOutcomes, outcomeIn, summaryOf } from './outcomeHints.ts';
import { failureOfPayments, type JobResult, present, presentPreview } from './present.ts';
import { escapeHtml } from '../base/issueTexts.ts';
import { type Payment, shownName } from '../base/payment.ts';
import type { Items, Run } from '../form/run.ts';
import { encodeRequest, sendEncoded } from './encodeRequest.ts';
import { sendOnce } from './executionLedger.ts';
import { payJobs } from './payJobs.ts';
import { concurrencyOf } from '../form/settings.ts';
import { writeTrace } from './trace.ts';

/** One result per job of the plan; absent for jobs that a stopped execution did not start. */
type Results = (JobResult | undefined)[];

/**
 * Runs all planned jobs: encode, send and present; payments through duplicate protection. Previews run first and end after encode. Reads
 * run a bounded few at a time, everything else one at a time and in order.
 * @throws NodeApiError | NodeOperationError the first failure, unless the node continues on failure; nothing is
 * started after it
 */
export async function runJobs(run: Run, hooks: OperationHooks, planned: Plan, bank: BankSession): Promise<Results> {
	const outcomes: Results = planned.map((entry) => (isInvalid(entry) ? entry : undefined));
	const passed = planned.flatMap((entry) => (isInvalid(entry) ? [] : [entry]));
	await refuseOverLimits(run, passed, bank, outcomes);
	for (const entry of passed.filter(({ isPreview, position }) => isPreview && outcomes[position] === undefined)) {
		const result = await runJob(run, hooks, entry, bank);
		if (isInvalid(result)) stopIfInvalid(run, [result]);
		outcomes[entry.position] = result;
	}
	if (hooks.payments !== undefined && run.operation.effect === 'money') await pay(run, hooks, planned, bank, outcomes);
	else
		await sendJobs(
			run,
			hooks,
			passed.filter(({ isPreview }) => !isPreview),
			bank,
			outcomes,
		);
	return outcomes;
}

/**
 * Refuses previews that exceed a limit of the credential. Local operations need no credential, unless they prepare payments.
 * @throws NodeOperationError if the credential does not allow the operation, or the node stops on failure
 */
async function refuseOverLimits(
	run: Run,
	planned: readonly Planned[],
	bank: BankSession,
	outcomes: Results,
): Promise<void> {
	const { context, operation } = run;
	const isLocal = operation.effect === 'none';
	if (!planned.some(({ isPreview, payments }) => !isPreview || (isLocal && payments.length > 0))) return;
	const limits = await bank.limits();
	const prepared = isLocal ? planned.filter(({ payments }) => payments.length > 0) : [];
	if (prepared.length === 0) return;
	const { found } = await bank.lookedUp();
	const isFree = (payment: Payment) => found.get(payment)?.is === 'free';
	const open = prepared.map((entry) => ({ ...entry, payments: entry.payments.filter(isFree) }));
	for (const [{ job, position }, error] of await limits.check(open)) {
		const refused = { job, failure: failureOf(context, error) };
		stopIfInvalid(run, [refused]);
		outcomes[position] = refused;
	}
}

/** Sends payments through duplicate protection, and returns those of the input that were already sent. */
async function pay(
	run: Run,
	hooks: OperationHooks,
	planned: Plan,
	bank: BankSession,
	outcomes: Results,
): Promise<void> {
	const alreadySent = hooks.passThrough?.(run) ?? [];
	const entries = planned.filter((entry) => isInvalid(entry) || !entry.isPreview);
	for (const [index, result] of (await payJobs(run, hooks, entries, bank)).entries()) {
		const entry = entries[index];
		if (entry !== undefined) outcomes[planned.indexOf(entry)] = result;
	}
	if (alreadySent.length > 0) {
		const job = { items: alreadySent.map(({ payment }) => payment.item), input: {} };
		outcomes.push({ job, items: alreadySent.flatMap(({ items }) => items), ...failureOfPayments(alreadySent) });
	}
	writeTrace(run, outcomes);
	stopAtFailure(run, hooks, outcomes, '', mergeFailures(planned)?.failure);
}

async function sendJobs(
	run: Run,
	hooks: OperationHooks,
	planned: readonly Planned[],
	bank: BankSession,
	outcomes: Results,
): Promise<void> {
	if (planned.length === 0) return;
	await bank.client();
	let done = 0;
	let isStopping = false;
	await inParallel(
		planned,
		concurrencyOf(run),
		async (entry) => {
			const result = await runJob(run, hooks, entry, bank);
			outcomes[entry.position] = result;
			if (result.failure === undefined) done++;
			else isStopping ||= !run.context.continueOnFail();
		},
		() => isStopping || bank.signal?.aborted === true,
	);
	writeTrace(run, outcomes);
	stopAtFailure(run, hooks, outcomes, progressText(run, done, planned.length));
}

/**
 * @param invalid the failure of invalid items, which refuses the whole run
 * @throws NodeApiError | NodeOperationError the first failure, if the node stops on failure
 */
function stopAtFailure(run: Run, hooks: OperationHooks, outcomes: Results, progress: string, invalid?: Failure): void {
	if (run.context.continueOnFail()) return;
	// Failures of this run are reported before those of an earlier run.
	const failures = outcomes.flatMap((outcome) => (outcome?.failure === undefined ? [] : [outcome]));
	const first = failures.find(({ isEarlier }) => isEarlier !== true) ?? failures[0];
	const failure = invalid ?? first?.failure;
	if (first === undefined || failure === undefined) return;
	// n8n shows one error, although several packages may have failed: it names all payments with the same outcome.
	const all = failures.flatMap(({ failed }) => failed ?? []);
	const ofFirst = all.find((one) => one.failure === failure);
	const alike = ofFirst === undefined ? [] : all.filter((one) => outcomeOf(one) === outcomeOf(ofFirst));
	const items = outcomes.flatMap((outcome) => outcome?.items ?? []);
	const counts = countOutcomes(items);
	const notBegun = outcomes.reduce((sum, outcome) => sum + (outcome?.notBegun ?? 0), 0);
	if (notBegun > 0) counts.set('notSent', (counts.get('notSent') ?? 0) + notBegun);
	// An `InputError` says that nothing was sent, unless some payments have a result.
	const isSaid = !(failure instanceof InputError) || [...counts.keys()].some((outcome) => outcome !== 'notSent');
	throw errorFor(run.context, failure, {
		items: invalid === undefined ? first.job.items : outcomes.flatMap((outcome) => outcome?.job.items ?? []),
		itemCount: run.itemCount,
		payments: alike.map(({ payment }) => payment),
		details: commonDetails(alike),
		progress:
			run.operation.effect === 'money' && isSaid && counts.size > 0
				? escapeHtml(`${summaryOf(counts, items)}.${openText(alike)}`)
				: progress,
		receipts: receiptsIn(hooks, items),
	});
}

const outcomeOf = ({ items: [item] }: SettledPayment) => outcomeIn(item?.json ?? {});

/** Names the payments that a person must clear up. Empty for a single payment, which the message already names. */
function openText(alike: readonly SettledPayment[]): string {
	const [first, ...others] = alike;
	if (first === undefined) return '';
	const outcome = String(outcomeOf(first));
	const what = openWords[outcome];
	const isNamed = others.length === 0 && (first.isEarlier || outcome === 'conflict');
	if (what === undefined || isNamed) return '';
	return ` ${what}: ${alike.map(({ payment }) => shownName(payment)).join(', ')}.`;
}

const openWords: Readonly<Record<string, string>> = { unknown: 'May have been paid', conflict: 'In conflict' };

/** Details for *Resolve* that all payments of a failure have in common. */
function commonDetails([first, ...others]: readonly SettledPayment[]): IDataObject {
	const { payment, execution, at } = first?.details ?? {};
	const known = Object.entries({ payment, execution, at }).filter(([, value]) => value !== undefined);
	return Object.fromEntries(known.filter(([name, value]) => others.every(({ details }) => details?.[name] === value)));
}

/** Previews or runs one job. Never throws: failures are in the result. */
async function runJob(run: Run, hooks: OperationHooks, planned: Planned, bank: BankSession): Promise<JobResult> {
	const { job, payments } = planned;
	try {
		const encoded = await encodeRequest(run, hooks, planned, bank.read);
		if (planned.isPreview) {
			const shown = await hooks.previewItems?.(run, job, encoded.prepared, bank, payments);
			return { job, items: shown ?? presentPreview(encoded) };
		}
		const client = await bank.client();
		const accepted = await sendOnce(bank.context, run.operation, await bank.connection(), encoded, () =>
			sendEncoded(encoded, client, bank.pace),
		);
		const items = await present(run, hooks, { job, added: encoded.added, ...accepted }, bank);
		return { job, items, requestId: accepted.result.requestId };
	} catch (error) {
		return { job, failure: failureOfJob(run, job, error) };
	}
}

/** n8n drops the items of a node that stops, so the error lists what the bank has accepted. */
function receiptsIn({ receiptFields: receipt = [] }: OperationHooks, items: Items): IDataObject[] {
	return items
		.filter(({ json }) => json.details === undefined && receipt.length > 0)
		.map(({ json }) => Object.fromEntries(receipt.map((field) => [field, json[field]])));
}

function progressText({ operation }: Run, done: number, total: number): string {
	if (operation.effect === 'read' || total === 1) return '';
	const were = done === 1 ? 'was' : 'were';
	return `Of ${total} requests, ${done} ${were} carried out before this one; the rest were not sent.`;
}
