import { createUnconfirmedError, InputError, isBankFailure, prepare } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { errorItem, type Failure } from '../base/failures.ts';
import type { OperationHooks, ResponseResults, SettledPayment } from './operationHooks.ts';
import type { BankSession } from './bankSession.ts';
import {
	type BankAnswer,
	type LookedUp,
	type PaymentIds,
	type PaymentResult,
	protect,
	type ProtectionResult,
	type SendCallbacks,
} from '../idempotency/protect.ts';
import type { Settle } from '../limits/limits.ts';
import type { Payment } from '../base/payment.ts';
import { encodeRequest, sendEncoded } from './encodeRequest.ts';
import {
	acceptedEarlier,
	earlierDetails,
	packageOutdatedError,
	recordedFields,
	resultError,
	tooLateError,
	unrecordedText,
} from './paymentErrors.ts';
import { refusalsOf } from './refusals.ts';
import { failureOfJob, type InvalidJob, isInvalid, type Planned } from './plan.ts';
import {
	failedPayment,
	failureOfPayments,
	issuesOfItem,
	type JobResult,
	present,
	withColumns,
	withFields,
} from './present.ts';
import { firstItem, type Run, showHint } from '../form/run.ts';

type Entry = Planned | InvalidJob;

/**
 * Pays the payments of all jobs at most once, one job after the other. Payments that were sent earlier return their
 * known result, even if the other payments are refused. Never throws: failures are in the results.
 */
export async function payJobs(
	run: Run,
	hooks: OperationHooks,
	entries: readonly Entry[],
	bank: BankSession,
): Promise<JobResult[]> {
	const isStopped = !run.context.continueOnFail() && entries.some(isInvalid);
	const valid = entries.flatMap((entry) => (isInvalid(entry) ? [] : [entry]));
	const paid = isStopped || valid.length === 0 ? new Map<Entry, JobResult>() : await payValid(run, hooks, valid, bank);
	return await Promise.all(entries.map(async (entry) => paid.get(entry) ?? (await refuseJob(run, hooks, entry, bank))));
}

/**
 * The results of a job that is not sent: what the payment log says about its payments, and for all other payments why
 * they are refused.
 */
async function refuseJob(run: Run, hooks: OperationHooks, entry: Entry, bank: BankSession): Promise<JobResult> {
	const { job, payments = [] } = entry;
	// If the log cannot be read, the user still sees the reason of the refusal.
	const looked = payments.length === 0 ? undefined : await bank.lookedUp().catch(() => undefined);
	const tell = looked && (await tellerOf(run, hooks, entry, looked));
	const settled = payments.flatMap((payment) => {
		const found = looked?.found.get(payment);
		return tell === undefined || found === undefined || found.is === 'free' || found.is === 'notSent'
			? []
			: tell(payment, found);
	});
	const items = settled.flatMap((one) => one.items);
	if (!isInvalid(entry))
		return { job, items, ...failureOfPayments(settled), notBegun: payments.length - settled.length };
	const { failure } = entry;
	const told = new Set(settled.map(({ payment }) => payment.item));
	const open = job.items.filter((item) => !told.has(item));
	// One item may hold other payments, too.
	const isWrong = (item: number) =>
		!(failure instanceof InputError) || failure.issues.some((issue) => (issue.item ?? item) === item);
	const errors = (open.length > 0 ? open : job.items.filter(isWrong)).map((item) =>
		errorItem(run.operation.id, issuesOfItem(failure, item), item),
	);
	return { job, items: [...items, ...errors], failure, failed: settled.filter((one) => one.failure !== undefined) };
}

async function payValid(
	run: Run,
	hooks: OperationHooks,
	planned: readonly Planned[],
	bank: BankSession,
): Promise<Map<Entry, JobResult>> {
	const { context } = run;
	const refusals = new Map<Payment, Failure>();
	const settled = new Map<Payment, SettledPayment>();
	const sent = new Map<Planned, Sent>();
	const decide: SendCallbacks['decide'] = async (looked) => {
		for (const [payment, failure] of await refusalsOf(run, hooks, planned, bank, looked))
			refusals.set(payment, failure);
		return [...refusals.keys()];
	};
	const send: SendCallbacks['send'] = async (part, payments, isLate, ids) => {
		const entry = planned[part];
		if (entry === undefined) return { answers: new Map(), stops: true };
		const result = await sendPart(run, hooks, entry, payments, bank, isLate, ids);
		sent.set(entry, result);
		for (const one of result.settled) settled.set(one.payment, one);
		const isFailed = result.settled.some(({ failure }) => failure !== undefined);
		const stops = (isFailed && !context.continueOnFail()) || bank.signal?.aborted === true;
		return { answers: new Map(result.settled.map((one) => [one.payment, answerOf(one)])), stops };
	};
	let done: ProtectionResult | undefined;
	let problem: unknown;
	try {
		await bank.client();
		const parts = planned.map(({ payments }) => payments);
		done = await protect(bank.context, await bank.protection(), parts, { decide, send });
	} catch (error) {
		problem = error;
	}
	const results = new Map<Entry, JobResult>();
	for (const entry of planned) {
		const tell = done && (await tellerOf(run, hooks, entry, { ...done, found: done.results }));
		const failed = problem === undefined ? undefined : failureOfJob(run, entry.job, problem);
		const all = entry.payments.flatMap((payment) => {
			const result = done?.results.get(payment);
			const own = settled.get(payment);
			if (own !== undefined) return own;
			const failure = refusals.get(payment) ?? failed;
			if (result === undefined || (result.is === 'notSent' && result.why === 'refused'))
				return failure === undefined ? [] : failedPayment(run.operation, payment, failure, {}, false);
			// Omitted: an earlier package stopped the run before these payments.
			return (result.is === 'notSent' && result.why === 'stopped') || tell === undefined ? [] : tell(payment, result);
		});
		const { others = [], requestId } = sent.get(entry) ?? {};
		const items = [...all.flatMap((one) => one.items), ...others];
		results.set(entry, {
			job: entry.job,
			items,
			...failureOfPayments(all),
			requestId,
			notBegun: entry.payments.length - all.length,
		});
	}
	const unrecorded = [...(done?.unrecorded ?? [])];
	if (unrecorded.length > 0) showHint(run, 'warning', unrecordedText(unrecorded, done?.problem));
	return results;
}

interface Sent extends Pick<ResponseResults, 'others'> {
	settled: SettledPayment[];
	requestId: string | undefined;
}

const noResults: ResponseResults = { payments: new Map(), others: [] };

/** Sends claimed payments in one request. Never throws. */
async function sendPart(
	run: Run,
	hooks: OperationHooks,
	planned: Planned,
	claimed: readonly Payment[],
	bank: BankSession,
	isLate: () => boolean,
	ids: PaymentIds,
): Promise<Sent> {
	const { job } = planned;
	const at = new Date().toISOString();
	const failed = (payment: Payment, error: unknown, more: IDataObject = {}) => {
		const id = { payment: ids.get(payment), execution: bank.context.getExecutionId(), at };
		return failedPayment(run.operation, payment, failureOfJob(run, job, error), { ...id, ...more }, false);
	};
	let settleReservation: Settle | undefined;
	let sent: Sent;
	try {
		// A package is sent as it was prepared, or not at all.
		if (job.isWhole === true && claimed.length < planned.payments.length)
			throw packageOutdatedError(
				run,
				planned.payments.filter((payment) => !claimed.includes(payment)),
			);
		const narrowed = narrowTo(hooks, planned, claimed);
		const encoded = await encodeRequest(run, hooks, narrowed, bank.read);
		settleReservation = await (await bank.limits()).reserve(claimed);
		const client = await bank.client();
		if (isLate()) throw tooLateError(run);
		const result = await sendEncoded(encoded, client, bank.pace);
		const done = { job: narrowed.job, sent: encoded.prepared.input, result, at: Date.now(), added: encoded.added };
		// The bank may have made the payments, so those without a readable result are unknown.
		const { payments, others } = await (
			hooks.results?.(run, done) ?? acceptedWhole(run, hooks, done, bank, claimed)
		).catch(() => noResults);
		const settled = claimed.map((payment): SettledPayment => {
			const { items, ids, failure, details } = payments.get(payment.name) ?? {};
			if (items !== undefined)
				return { payment, items: items.map((item) => withColumns(payment, item)), ids, isEarlier: false };
			return { ...failed(payment, failure ?? createUnconfirmedError(run.operation, payment.name), details), ids };
		});
		sent = { settled, others, requestId: result.requestId };
	} catch (error) {
		const requestId = isBankFailure(error) ? error.details.requestId : undefined;
		sent = { settled: claimed.map((payment) => failed(payment, error)), others: [], requestId };
	}
	const mayBeMade = sent.settled.filter((one) => !['rejected', 'notSent'].includes(answerOf(one).outcome));
	await settleReservation?.(mayBeMade.map(({ payment }) => payment));
	return sent;
}

async function acceptedWhole(
	run: Run,
	hooks: OperationHooks,
	done: Parameters<typeof present>[2],
	bank: BankSession,
	[payment]: readonly Payment[],
): Promise<ResponseResults> {
	const items = await present(run, hooks, done, bank);
	if (payment === undefined) return noResults;
	const { field, name } = payment;
	const ownItems = items.map((item) => ({
		...item,
		json: { [field]: name, ...withFields(item.json, { [field]: name, outcome: 'accepted' }) },
		pairedItem: { item: firstItem(done.job) },
	}));
	return { payments: new Map([[name, { items: ownItems }]]), others: [] };
}

function narrowTo(hooks: OperationHooks, planned: Planned, claimed: readonly Payment[]): Planned {
	if (claimed.length === planned.payments.length) return planned;
	const job = hooks.narrow?.(planned.job, planned.prepared.input, claimed) ?? planned.job;
	return { ...planned, job, payments: claimed, prepared: prepare(planned.operation, job.input, planned.preparing) };
}

/** The result for the payment log. An error before the request means that nothing was sent. */
function answerOf({ failure, ids = { payPackage: '', transactionId: '' } }: SettledPayment): BankAnswer {
	if (failure === undefined) return { outcome: 'accepted', ...ids };
	const outcome = isBankFailure(failure) ? failure.details.outcome : 'notSent';
	return { ...ids, outcome: outcome === 'rejected' || outcome === 'notSent' ? outcome : 'unknown' };
}

type Tell = (payment: Payment, result: PaymentResult) => SettledPayment;

/** Turns what is known of payments that this run did not send into items and failures. */
async function tellerOf(
	run: Run,
	hooks: OperationHooks,
	entry: Entry,
	looked: Pick<LookedUp, 'found' | 'ids'> & Partial<Pick<ProtectionResult, 'problem' | 'claimError'>>,
): Promise<Tell> {
	const { found, ids } = looked;
	const isNeeded = !isInvalid(entry) && entry.payments.some((payment) => found.get(payment)?.is === 'alreadyAccepted');
	const rows = isNeeded ? await hooks.earlierItems?.(run, entry.job, entry.prepared.input) : undefined;
	return (payment, result) => {
		if (result.is === 'alreadyAccepted') {
			const json = {
				...(rows?.get(payment.name) ?? recordedFields(payment, result.row)),
				...acceptedEarlier(result.row),
			};
			const item = withColumns(payment, { json, pairedItem: { item: payment.item } });
			return { payment, items: [item], isEarlier: true };
		}
		const details = { payment: ids.get(payment), ...earlierDetails(result) };
		return failedPayment(run.operation, payment, resultError(run, payment, result, looked), details, true);
	};
}
