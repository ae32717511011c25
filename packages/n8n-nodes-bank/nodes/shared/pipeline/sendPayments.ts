import { createHeldBackError, type HeldBackCode, isBankFailure, prepare, createUnconfirmedError } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import type { Failure } from '../failures.ts';
import type { OperationHooks, ResponseResults, SettledPayment } from '../form/operationHooks.ts';
import { acceptedEarlier, heldBackError, resolvableBy, shownName } from '../idempotency/heldBackPayment.ts';
import { type Attempt, isLate, type LogState, type PaymentResult, type Protection } from '../idempotency/protection.ts';
import { isOn } from '../form/parameters.ts';
import { joinNames } from '../messages.ts';
import type { BankSession } from '../http/bankSession.ts';
import { failureOfJob, type Planned } from './plan.ts';
import { failedPayment, failureOfPayments, type JobResult, maxNames, present, withFields } from './present.ts';
import { firstItem, type Job, type Payment, type Run } from './run.ts';
import { encodeRequest } from './encodeRequest.ts';
import { sendEncoded } from '../http/bankHttpClient.ts';
import type { Settle } from '../limits/limits.ts';

/**
 * Sends the payments of one job at most once. Payments that were already sent return their known result; the others
 * are claimed, sent together and recorded. Never throws: failures are in the result.
 * @param refusal why nothing of the run is sent
 */
export async function sendPayments(
	run: Run,
	hooks: OperationHooks,
	planned: Planned,
	bank: BankSession,
	refusal: Failure | undefined,
): Promise<JobResult> {
	const { job, payments } = planned;
	const protection = await bank.protection();
	const refuse = (sent: readonly Payment[]) =>
		job.isWhole === true ? prepareAgain(run, sent, protection.logState) : refusedError(run, sent);
	const settled = new Map<Payment, SettledPayment>();
	let sent: Sent | undefined;

	const settle = (all: readonly SettledPayment[]) => {
		for (const one of all) settled.set(one.payment, one);
	};
	const fail = (failed: readonly Payment[], error: unknown, details: IDataObject = {}) =>
		settle(failed.map((payment) => failedNow(run, job, payment, error, details)));
	const loadEarlier = async (all: readonly Payment[]) => {
		const isAccepted = (payment: Payment) => protection.verdictOf(payment)?.is === 'alreadyAccepted';
		const items = all.some(isAccepted) ? await hooks.earlierItems?.(run, job, planned.prepared.input) : undefined;
		settle(all.flatMap((payment) => earlierResult(run, payment, protection, items?.get(payment.name)) ?? []));
	};

	try {
		await loadEarlier(payments);
		const open = payments.filter((payment) => !settled.has(payment));
		if (job.isWhole === true && settled.size > 0) throw refuse([...settled.keys()]);
		if (refusal !== undefined) throw refusal;
		if (open.length > 0) {
			const attempt = await protection.begin(open);
			const askAgain = run.operation.oncePerPath === true && isOn(run.parameters.options(firstItem(job)).askAgain);
			const claimed = askAgain ? open : [...attempt.rows.keys()];
			const lost = open.filter((payment) => !claimed.includes(payment));
			await loadEarlier(lost);
			const isRefused = (job.isWhole === true || refusesAlreadySent(run)) && lost.length > 0;
			if (claimed.length > 0 && !isRefused) {
				sent = await sendClaimed(run, hooks, planned, claimed, attempt, bank);
				settle(sent.settled);
			}
			const stillClaimed = await protection.finish(attempt, (payment) =>
				resultOf(isRefused ? undefined : settled.get(payment)),
			);
			for (const payment of stillClaimed)
				fail([payment], notReleased(run, settled.get(payment)?.failure), { attempt: attempt.id });
			if (isRefused) throw refuse(lost);
		}
	} catch (error) {
		const unsettled = payments.filter((payment) => !settled.has(payment));
		fail(unsettled, error);
	}

	const all = payments.flatMap((payment) => settled.get(payment) ?? []);
	return {
		job,
		items: [...all.flatMap(({ items }) => items), ...(sent?.others ?? [])],
		...failureOfPayments(all),
		requestId: sent?.requestId,
	};
}

interface Sent extends Pick<ResponseResults, 'others'> {
	settled: SettledPayment[];
	requestId: string | undefined;
}

const noResults: ResponseResults = { payments: new Map(), others: [] };

async function sendClaimed(
	run: Run,
	hooks: OperationHooks,
	planned: Planned,
	claimed: readonly Payment[],
	attempt: Attempt,
	bank: BankSession,
): Promise<Sent> {
	const failed = (payment: Payment, error: unknown, more: IDataObject = {}) =>
		failedNow(run, planned.job, payment, error, { attempt: attempt.id, ...more });
	let settleReservation: Settle | undefined;
	let sent: Sent;
	try {
		const narrowed = narrowTo(hooks, planned, claimed);
		const encoded = await encodeRequest(run, hooks, narrowed, bank.read);
		settleReservation = await (await bank.limits()).reserve(claimed);
		if (isLate(attempt)) throw tooLate(run);
		const result = await sendEncoded(encoded, (await bank.connected()).client, bank.pace);
		const done = { job: narrowed.job, sent: encoded.prepared.input, result, at: Date.now(), added: encoded.added };
		// The bank may have made the payments, so those without a readable result are unknown.
		const { payments, others } = await (
			hooks.results?.(run, done) ?? acceptedWhole(run, hooks, done, bank, claimed)
		).catch(() => noResults);
		const settled = claimed.map((payment): SettledPayment => {
			const found = payments.get(payment.name);
			if (found === undefined) return failed(payment, createUnconfirmedError(run.operation, payment.name));
			const { payPackage, transactionId } = found;
			const ids = { payPackage, transactionId };
			if ('items' in found) return { payment, items: found.items, ids, isEarlier: false };
			return { ...failed(payment, found.failure, found.details), ids };
		});
		sent = { settled, others, requestId: result.requestId };
	} catch (error) {
		const requestId = isBankFailure(error) ? error.details.requestId : undefined;
		sent = { settled: claimed.map((payment) => failed(payment, error)), others: [], requestId };
	}
	await settleReservation?.(sent.settled.filter(mayBePaid).map(({ payment }) => payment));
	return sent;
}

/** A payment that failed in this run. */
const failedNow = (run: Run, job: Job, payment: Payment, error: unknown, details: IDataObject): SettledPayment =>
	failedPayment(run.operation, payment, failureOfJob(run, job, error), details, false);

async function acceptedWhole(
	run: Run,
	hooks: OperationHooks,
	done: Parameters<typeof present>[2],
	bank: BankSession,
	[payment]: readonly Payment[],
): Promise<ResponseResults> {
	const items = await present(run, hooks, done, bank);
	if (payment === undefined || items.length === 0) return noResults;
	const { field, name } = payment;
	const isPaid = run.operation.effect === 'money';
	const ownItems = items.map((item) => ({
		...item,
		json: isPaid ? { [field]: name, ...withFields(item.json, { [field]: name, outcome: 'accepted' }) } : item.json,
		pairedItem: { item: firstItem(done.job) },
	}));
	return { payments: new Map([[name, { items: ownItems }]]), others: [] };
}

function narrowTo(hooks: OperationHooks, planned: Planned, claimed: readonly Payment[]): Planned {
	if (claimed.length === planned.payments.length) return planned;
	const job = hooks.narrow?.(planned.job, planned.prepared.input, claimed) ?? planned.job;
	return { ...planned, job, payments: claimed, prepared: prepare(planned.operation, job.input, planned.preparing) };
}

function earlierResult(
	run: Run,
	payment: Payment,
	protection: Protection,
	json: IDataObject = { [payment.field]: payment.name },
): SettledPayment | undefined {
	const verdict = protection.verdictOf(payment);
	if (verdict === undefined) return undefined;
	if (verdict.is === 'alreadyAccepted') {
		const items = [{ json: { ...json, ...acceptedEarlier(verdict.row) }, pairedItem: { item: payment.item } }];
		return { payment, items, isEarlier: true };
	}
	const failure = heldBackError(run, payment, verdict, protection.logState);
	const details = verdict.row === undefined ? {} : resolvableBy(payment, verdict.row);
	return failedPayment(run.operation, payment, failure, details, true);
}

/** For the payment log. A payment without a result was not sent. */
function resultOf(settled: SettledPayment | undefined): PaymentResult {
	if (settled === undefined) return { outcome: 'notSent' };
	const { failure, ids } = settled;
	if (failure === undefined) return { outcome: 'accepted', ...ids };
	const outcome = isBankFailure(failure) ? failure.details.outcome : 'notSent';
	return { ...ids, outcome: outcome === 'rejected' || outcome === 'notSent' ? outcome : 'unknown' };
}

const mayBePaid = (settled: SettledPayment): boolean => ['accepted', 'unknown'].includes(resultOf(settled).outcome);

function namesOf(payments: readonly Payment[]): string {
	return joinNames(payments.map(shownName), maxNames);
}

const notSent = ({ operation }: Run, code: HeldBackCode, message: string, next: string) =>
	createHeldBackError(operation, 'notSent', code, message, next);

const prepareAgain = (run: Run, sent: readonly Payment[], log: LogState) =>
	notSent(
		run,
		'prepared_package_outdated',
		`The prepared package was not sent because of payments that were already sent: ${namesOf(sent)}`,
		log === 'on'
			? 'No payment was sent. Run Prepare Package again: it leaves out payments that were already sent.'
			: 'No payment was sent. Without a readable payment log, Prepare Package cannot leave out payments that were already sent: ' +
					'remove their rows, then prepare again.',
	);

/** Whether the run is refused if one of its payments was already sent. Any value except "skip" means yes. */
export const refusesAlreadySent = ({ parameters }: Run): boolean =>
	(parameters.options().ifAlreadySent ?? 'skip') !== 'skip';

export const refusedError = (run: Run, sent: readonly Payment[]) =>
	notSent(
		run,
		'run_refused',
		`The run was refused because of payments that were already sent: ${namesOf(sent)}`,
		'No payment was sent: If Already Sent refuses the whole run. Remove the rows that were already sent, then run again.',
	);

export const uncheckedError = (run: Run, log: LogState) =>
	notSent(
		run,
		'run_unchecked',
		'The run was refused: without the payment log, several packages cannot be checked before the first is sent',
		`No payment was sent. ${log === 'off' ? 'Enter a name in Log to Data Table' : 'Correct the Data Table of Log to Data Table'}, ` +
			'send one package, or choose Skip the Payment, then run again.',
	);

const tooLate = (run: Run) =>
	notSent(
		run,
		'too_late',
		'The payments were not sent: preparing them took more than two minutes',
		'No money moved. Run again.',
	);

/** @param reason why it was not made */
const notReleased = ({ operation }: Run, reason?: Failure) =>
	createHeldBackError(
		operation,
		'unknown',
		'not_released',
		'The payment was not made, but still counts as sent',
		`${reason === undefined ? '' : `${reasonText(reason)} `}n8n's database did not respond when the claim was released. ` +
			'Use Payment: Resolve with Does Not Have It, then run again.',
	);

function reasonText(failure: Failure): string {
	const words = isBankFailure(failure) ? failure.details.words : undefined;
	return `${failure.message}${words === undefined ? '' : `: "${words}"`}.`;
}
