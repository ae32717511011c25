import type { IDataObject } from 'n8n-workflow';

import { errorFor, type Failure, failureOf } from '../failures.ts';
import type { OperationHooks, SettledPayment } from '../form/operationHooks.ts';
import { inParallel } from '../inParallel.ts';
import type { BankSession } from '../http/bankSession.ts';
import { type InvalidJob, failureOfJob, isInvalid, type Plan, type Planned, stopIfInvalid } from './plan.ts';
import {
	countOutcomes,
	failureOfPayments,
	outcomeIn,
	type JobResult,
	maxNames,
	present,
	presentPreview,
	summaryOf,
} from './present.ts';
import { escapeHtml } from '../issueTexts.ts';
import { joinNames } from '../messages.ts';
import { shownName } from '../idempotency/heldBackPayment.ts';
import type { Protection } from '../idempotency/protection.ts';
import { type Items, type Payment, type Run, showHint } from './run.ts';
import { encodeRequest } from './encodeRequest.ts';
import { sendOnce } from './executionLedger.ts';
import { sendEncoded } from '../http/bankHttpClient.ts';
import { refusedError, refusesAlreadySent, sendPayments, uncheckedError } from './sendPayments.ts';
import { concurrencyOf } from './settings.ts';
import { writeTrace } from './trace.ts';

/** One result per job of the plan; absent for jobs that a stopped execution did not start. */
type Results = (JobResult | undefined)[];

/**
 * Runs all planned jobs through encode, claim, send and present. Previews run first and end after encode. Reads run a
 * bounded few at a time, everything else one at a time and in order.
 * @throws NodeApiError | NodeOperationError the first failure, unless the node continues on failure; nothing is
 * started after it
 */
export async function runJobs(run: Run, hooks: OperationHooks, planned: Plan, bank: BankSession): Promise<Results> {
	const outcomes: Results = planned.map((entry) => (isInvalid(entry) ? entry : undefined));
	const checked = planned.flatMap((entry) => (isInvalid(entry) ? [] : [entry]));
	const refused = await refuseOverLimits(run, checked, bank);
	for (const { position, ...invalid } of refused) outcomes[position] = invalid;
	const passed = checked.filter(({ position }) => outcomes[position] === undefined);
	for (const entry of passed.filter(({ isPreview }) => isPreview)) {
		const result = await runJob(run, hooks, entry, bank);
		if (isInvalid(result)) stopIfInvalid(run, [result]);
		outcomes[entry.position] = result;
	}
	const sendable = passed.filter(({ isPreview }) => !isPreview);
	await sendJobs(run, hooks, sendable, bank, outcomes);
	return outcomes;
}

/**
 * Returns the jobs that exceed a limit of the credential. Local operations need no credential, unless they prepare
 * payments.
 * @throws NodeOperationError if the credential does not allow the operation, or the node stops on failure
 */
async function refuseOverLimits(
	run: Run,
	planned: readonly Planned[],
	bank: BankSession,
): Promise<(InvalidJob & { position: number })[]> {
	const { context, operation } = run;
	const isLocal = operation.effect === 'none';
	const entries = planned.filter(({ isPreview, payments }) => !isPreview || (isLocal && payments.length > 0));
	if (entries.length === 0) return [];
	const limits = await bank.limits();
	const payments = isLocal || operation.effect === 'money' ? entries.flatMap((entry) => entry.payments) : [];
	if (payments.length === 0) return [];
	const protection = await bank.protection();
	const isOpen = (payment: Payment) => protection.verdictOf(payment) === undefined;
	const open = entries.map((entry) => ({ ...entry, payments: entry.payments.filter(isOpen) }));
	const refused = [...(await limits.check(open))].map(([{ job, position }, error]) => ({
		job,
		position,
		failure: failureOf(context, error),
	}));
	stopIfInvalid(run, refused);
	return refused;
}

async function sendJobs(
	run: Run,
	hooks: OperationHooks,
	planned: readonly Planned[],
	bank: BankSession,
	outcomes: Results,
): Promise<void> {
	const alreadySent = hooks.passThrough?.(run) ?? [];
	if (alreadySent.length > 0) {
		const job = { items: alreadySent.map(({ payment }) => payment.item), input: {} };
		outcomes.push({ job, items: alreadySent.flatMap(({ items }) => items), ...failureOfPayments(alreadySent) });
	}
	if (planned.length === 0) return stopAtFailure(run, hooks, outcomes, '');
	await bank.client();
	const payments = planned.flatMap((entry) => entry.payments);
	const protection = payments.length === 0 ? undefined : await bank.protection();
	const refusal = protection && refusalOf(run, protection, planned);
	let done = 0;
	let isStopping = false;
	await inParallel(
		planned,
		concurrencyOf(run),
		async (entry) => {
			const result =
				protection !== undefined && entry.payments.length > 0
					? await sendPayments(run, hooks, entry, bank, refusal)
					: await runJob(run, hooks, entry, bank);
			outcomes[entry.position] = result;
			if (result.failure === undefined) done++;
			// A payment that an earlier run holds back does not stop the others.
			else isStopping ||= !run.context.continueOnFail() && result.isEarlier !== true;
		},
		() => isStopping || bank.signal?.aborted === true,
	);
	writeTrace(run, outcomes);
	if (protection?.logProblem !== undefined)
		showHint(
			run,
			'warning',
			`The payment log could not be read or written (${protection.logProblem.slice(0, 120)}). Payments stay protected, but a later ` +
				'run cannot report their outcome.',
		);
	const isBegun = ({ position }: Planned) => outcomes[position] !== undefined;
	const notBegun = planned.filter((entry) => !isBegun(entry)).flatMap((entry) => entry.payments);
	stopAtFailure(
		run,
		hooks,
		outcomes,
		protection === undefined ? progressText(run, done, planned.length) : '',
		notBegun.map((payment) => protection?.verdictOf(payment)?.is ?? 'notSent'),
	);
}

/**
 * @param notBegun outcomes of the payments that were not begun
 * @throws NodeApiError | NodeOperationError the first failure, if the node stops on failure
 */
function stopAtFailure(
	run: Run,
	hooks: OperationHooks,
	outcomes: Results,
	progress: string,
	notBegun: readonly string[] = [],
): void {
	if (run.context.continueOnFail()) return;
	// Failures of this run are reported before those of an earlier run.
	const failures = outcomes.flatMap((outcome) => (outcome?.failure === undefined ? [] : [outcome]));
	const first = failures.find(({ isEarlier }) => isEarlier !== true) ?? failures[0];
	if (first?.failure === undefined) return;
	// n8n shows one error, although several packages may have failed: it names all payments with the same outcome.
	const all = failures.flatMap(({ failed }) => failed ?? []);
	const ofFirst = all.find(({ failure }) => failure === first.failure);
	const alike = ofFirst === undefined ? [] : all.filter((one) => outcomeOf(one) === outcomeOf(ofFirst));
	const items = outcomes.flatMap((outcome) => outcome?.items ?? []);
	const counts = countOutcomes(items);
	for (const outcome of notBegun) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
	throw errorFor(run.context, first.failure, {
		items: first.job.items,
		itemCount: run.itemCount,
		payments: alike.map(({ payment }) => payment),
		details: commonDetails(alike),
		progress:
			run.operation.effect === 'money' && counts.size > 0
				? escapeHtml(`${summaryOf(counts, items)}.${maybePaidText(alike)}`)
				: progress,
		receipts: receiptsIn(hooks, items),
	});
}

const outcomeOf = ({ items: [item] }: SettledPayment) => outcomeIn(item?.json ?? {});

/** Names payments that may have been made. Empty for a single payment of an earlier run, which the message names already. */
function maybePaidText(alike: readonly SettledPayment[]): string {
	const [first, ...others] = alike;
	if (first === undefined || outcomeOf(first) !== 'unknown' || (others.length === 0 && first.isEarlier)) return '';
	const names = alike.map(({ payment }) => shownName(payment));
	return ` May have been paid: ${joinNames(names, maxNames)}.`;
}

/** Details for *Resolve* that all payments of a failure have in common. */
function commonDetails([first, ...others]: readonly SettledPayment[]): IDataObject {
	const { attempt, execution, at } = first?.details ?? {};
	const known = Object.entries({ attempt, execution, at }).filter(([, value]) => value !== undefined);
	return Object.fromEntries(known.filter(([name, value]) => others.every(({ details }) => details?.[name] === value)));
}

/**
 * The failure of a run that *If Already Sent: Refuse the Whole Run* stops; undefined if it may be sent.
 * @throws NodeOperationError instead, if the node stops on failure
 */
function refusalOf(run: Run, protection: Protection, planned: readonly Planned[]): Failure | undefined {
	if (!refusesAlreadySent(run)) return undefined;
	const { context, itemCount } = run;
	const payments = planned.flatMap((entry) => entry.payments);
	const alreadySent = payments.filter((payment) => protection.verdictOf(payment) !== undefined);
	// Without the log, only the claim of a package shows what was sent. The first would be paid before the next is claimed.
	if (alreadySent.length === 0 && (planned.length < 2 || protection.logState === 'on')) return undefined;
	const refusal = alreadySent.length > 0 ? refusedError(run, alreadySent) : uncheckedError(run, protection.logState);
	if (context.continueOnFail()) return refusal;
	throw errorFor(context, refusal, { itemCount });
}

/** Previews one job, or runs it if it has no payments. Never throws: failures are in the result. */
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
