import { InputError, isBankFailure } from '@bank/core';

import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { errorFor, errorItem, failureOf } from '../failures.ts';
import type { Form } from '../form.ts';
import { inParallel } from '../inParallel.ts';
import type { BankOfRun, Connected } from './bank.ts';
import type { Accepted } from './executionLedger.ts';
import { isRefused, located, type Plan, type Planned } from './plan.ts';
import { countOutcomes, type Failed, type JobResult, present, presentPreview, type SentPayments, summaryOf } from './present.ts';
import { hintAtPayments } from '../idempotency/paymentHints.ts';
import type { Protection } from '../idempotency/protection.ts';
import { firstItem, type Items, type Payment, type Run } from './run.ts';
import { type Sealed, seal } from './seal.ts';
import { send } from './send.ts';
import { sendPayments } from './sendPayments.ts';
import { concurrencyOf } from './settings.ts';
import { leaveTrace } from './trace.ts';

/** At the place of each job of the plan; absent where a stopped execution did not come to it. */
type Results = (JobResult | undefined)[];

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
): Promise<readonly (JobResult | undefined)[]> {
	const outcomes: Results = planned.map((one) => (isRefused(one) ? one : undefined));
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
async function shown(run: Run, form: Form, planned: Planned, bank: BankOfRun): Promise<JobResult> {
	const { job } = planned;
	try {
		const sealed = await seal(run, form, planned, bank.read);
		return { job, items: (await form.shown?.(run, job, sealed.prepared, bank, planned.payments)) ?? presentPreview(sealed) };
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
	outcomes: Results,
): Promise<void> {
	const passed = passedThrough(run, form);
	if (passed !== undefined) outcomes.push(passed);
	if (planned.length === 0) return stopAtFailure(run, form, outcomes, '');
	const connected = await bank.connected();
	const payments = planned.flatMap((one) => one.payments);
	const protection = payments.length === 0 ? undefined : await bank.protection(payments);
	if (protection !== undefined) {
		refuseSentBefore(run, protection, payments);
		hintAtPayments(run, payments, protection.environment);
	}
	let done = 0;
	let isStopping = false;
	await inParallel(
		planned,
		concurrencyOf(run),
		async (one) => {
			const result =
				protection !== undefined && one.payments.length > 0
					? await sendPayments(run, form, one, connected, bank, protection)
					: await carriedOut(run, form, one, connected, bank);
			outcomes[one.position] = result;
			if (!('failure' in result)) done++;
			// A payment that is held back because of an earlier run keeps nobody else from being paid.
			else isStopping ||= !run.context.continueOnFail() && (!('payments' in result) || result.stops);
		},
		() => isStopping || bank.signal?.aborted === true,
	);
	leaveTrace(run, outcomes);
	if (protection?.logProblem !== undefined) hintAtLog(run, protection.logProblem);
	stopAtFailure(run, form, outcomes, protection === undefined ? progressText(run, done, planned.length) : '');
}

/** @throws NodeApiError | NodeOperationError the first failure, where the node does not go on */
function stopAtFailure(run: Run, form: Form, outcomes: Results, progress: string): void {
	if (run.context.continueOnFail()) return;
	const first = outcomes.find((outcome) => outcome !== undefined && 'failure' in outcome);
	if (first === undefined || !('failure' in first) || first.failure === undefined) return;
	const items = outcomes.flatMap((one) => (one !== undefined && 'items' in one ? one.items : []));
	const counts = countOutcomes(items);
	throw errorFor(run.context, first.failure, {
		items: first.job.items,
		...('payments' in first ? { payments: first.payments } : {}),
		progress: run.operation.effect === 'money' && counts.size > 0 ? `${summaryOf(counts)}.` : progress,
		receipts: receiptsIn(form, items),
	});
}

/** Rows that were sent before what is sent now was prepared. */
function passedThrough(run: Run, form: Form): SentPayments | undefined {
	const rows = form.passThrough?.(run) ?? [];
	if (rows.length === 0) return undefined;
	const items = rows.map(({ item, json, failure }): INodeExecutionData => {
		if (failure === undefined) return { json, pairedItem: { item } };
		const { paymentRun, sequence, attempt, execution, at } = json;
		return errorItem(run.operation.id, failure, item, [], { paymentRun, sequence, attempt, execution, at });
	});
	const failure = rows.find((row) => row.failure !== undefined)?.failure;
	const job = { items: rows.map(({ item }) => item), input: {} };
	return { job, payments: [], items, stops: false, ...(failure === undefined ? {} : { failure }) };
}

/** Where the user wants a run to be refused as soon as one of its payments was sent before. */
function refuseSentBefore(run: Run, protection: Protection, payments: readonly Payment[]): void {
	if (run.parameters.options().ifAlreadySent !== 'refuse') return;
	const sent = payments.filter((payment) => protection.verdictOf(payment) !== undefined);
	if (sent.length === 0) return;
	const faults = sent.map(({ field, name, item }) => ({ path: field, message: `${name} was already sent`, item }));
	throw errorFor(run.context, new InputError(faults), { itemCount: run.itemCount });
}

function hintAtLog({ context }: Run, problem: string): void {
	const message =
		`The payment log could not be read or written (${problem.slice(0, 120)}). Payments stay protected, but a later run cannot tell what ` +
		'became of these.';
	context.addExecutionHints?.({ message, type: 'warning', location: 'outputPane' });
}

/** One job without payments through encode, send and present. Never throws: what goes wrong is in the result. */
async function carriedOut(
	run: Run,
	form: Form,
	planned: Planned,
	{ network, ledger }: Connected,
	bank: BankOfRun,
): Promise<JobResult> {
	try {
		const sealed = await seal(run, form, planned, bank.read);
		const accepted = ledger.begin(sealed) ?? (await sent(run, sealed, { network, ledger }, bank));
		const { job } = planned;
		const items = await present(run, form, { job, added: sealed.added, ...accepted });
		const { requestId } = accepted.result;
		return { job, items, ...(requestId === undefined ? {} : { requestId }) };
	} catch (error) {
		return failed(run, planned, error);
	}
}

async function sent(run: Run, sealed: Sealed, { ledger, network }: Connected, { pace }: BankOfRun): Promise<Accepted> {
	const result = await send(run.operation, sealed, network, pace).catch((error: unknown) => {
		if (isBankFailure(error)) ledger.failed(sealed, error.details);
		throw error;
	});
	return ledger.accepted(sealed, result);
}

function failed(run: Run, { job }: Pick<Planned, 'job'>, error: unknown): Failed {
	return { job, failure: located(failureOf(run.context, error, firstItem(job)), job) };
}

/** n8n drops the items of a node that stops: what the bank has accepted is in the error, by its names at least. */
function receiptsIn({ receipt = [] }: Form, items: Items): IDataObject[] {
	return items
		.filter(({ json }) => json.details === undefined && receipt.length > 0)
		.map(({ json }) => Object.fromEntries(receipt.map((field) => [field, json[field]])));
}

/** What happened before the failure that stops the node, where that matters. */
function progressText({ operation }: Run, done: number, total: number): string {
	if (operation.effect === 'read' || total === 1) return '';
	const were = done === 1 ? 'was' : 'were';
	return `Of ${total} requests, ${done} ${were} carried out before this one; the rest were not sent.`;
}
