import { createHeldBackError, isBankFailure, prepare, createUnconfirmedError } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { errorItem } from '../failures.ts';
import type { OperationHooks, RowResult } from '../form/operationHooks.ts';
import { heldBackPayment } from '../idempotency/heldBackPayment.ts';
import type { Attempt, PaymentResult, Protection } from '../idempotency/protection.ts';
import { isOn } from '../form/parameters.ts';
import { listed } from '../messages.ts';
import type { BankSession } from '../http/bankSession.ts';
import { failureOfJob, type Planned } from './plan.ts';
import {
	failedPayment,
	failureOfPayments,
	type JobResult,
	present,
	type SettledPayment,
	withFields,
} from './present.ts';
import { firstItem, type Items, type Payment, type Run } from './run.ts';
import { encodeRequest } from './encodeRequest.ts';
import { send } from '../http/bankHttpClient.ts';
import type { Settle } from '../limits/limits.ts';

/**
 * Sends the payments of one job at most once. Payments that were already sent return their known result; the others
 * are claimed, sent together and recorded. Never throws: failures are in the result.
 */
export async function sendPayments(
	run: Run,
	hooks: OperationHooks,
	planned: Planned,
	bank: BankSession,
	protection: Protection,
): Promise<JobResult> {
	const { job, payments } = planned;
	const settled = new Map<Payment, SettledPayment>();
	let sent: Sent | undefined;

	const settle = (all: readonly SettledPayment[]) => {
		for (const one of all) settled.set(one.payment, one);
	};
	const fail = (failed: readonly Payment[], error: unknown, details: IDataObject = {}) => {
		const failure = failureOfJob(run, job, error);
		settle(failed.map((payment) => failedPayment(run.operation, payment, failure, details, false)));
	};
	const loadEarlier = async (sentBefore: readonly Payment[]) => {
		const isAccepted = (payment: Payment) => protection.verdictOf(payment)?.is === 'alreadyAccepted';
		const items = sentBefore.some(isAccepted)
			? await hooks.earlierItems?.(run, job, planned.prepared.input)
			: undefined;
		settle(sentBefore.flatMap((payment) => earlierResult(run, payment, protection, items?.get(payment.name)) ?? []));
	};

	try {
		await loadEarlier(payments);
		const open = payments.filter((payment) => !settled.has(payment));
		if (job.isWhole === true && settled.size > 0) throw prepareAgain(run, [...settled.keys()]);
		if (open.length > 0) {
			const attempt = await protection.begin(open);
			const askAgain = run.operation.oncePerPath === true && isOn(run.parameters.options(firstItem(job)).askAgain);
			const claimed = askAgain ? open : [...attempt.rows.keys()];
			const lost = open.filter((payment) => !claimed.includes(payment));
			await loadEarlier(lost);
			const isRefused = job.isWhole === true && lost.length > 0;
			if (claimed.length > 0 && !isRefused) {
				sent = await sendClaimed(run, hooks, planned, claimed, attempt, bank, protection);
				settle(sent.settled);
			}
			const stillClaimed = await protection.finish(attempt, (payment) =>
				resultOf(isRefused ? undefined : settled.get(payment)),
			);
			if (stillClaimed.length > 0) fail(stillClaimed, notReleased(run), { attempt: attempt.id });
			if (isRefused) throw prepareAgain(run, lost);
		}
	} catch (error) {
		fail(
			payments.filter((payment) => !settled.has(payment)),
			error,
		);
	}

	const all = payments.flatMap((payment) => settled.get(payment) ?? []);
	return {
		job,
		items: [...all.flatMap(({ items }) => items), ...(sent?.others ?? [])],
		...failureOfPayments(all),
		requestId: sent?.requestId,
	};
}

interface Sent {
	settled: SettledPayment[];
	/** Errors for rows of the response that match no payment. */
	others: Items;
	requestId: string | undefined;
}

/** Sends the claimed payments, and returns the result of each. */
async function sendClaimed(
	run: Run,
	hooks: OperationHooks,
	planned: Planned,
	claimed: readonly Payment[],
	attempt: Attempt,
	bank: BankSession,
	protection: Protection,
): Promise<Sent> {
	const failed = (payment: Payment, error: unknown, more: IDataObject = {}) => {
		const failure = failureOfJob(run, planned.job, error);
		return failedPayment(run.operation, payment, failure, { attempt: attempt.id, ...more }, false);
	};
	let settleReservation: Settle | undefined;
	let sent: Sent;
	try {
		const narrowed = narrowTo(hooks, planned, claimed);
		const encoded = await encodeRequest(run, hooks, narrowed, bank.read);
		settleReservation = await (await bank.limits()).reserve(claimed);
		if (protection.isLate(attempt)) throw tooLate(run);
		const result = await send(encoded, (await bank.connected()).client, bank.pace);
		const done = { job: narrowed.job, sent: encoded.prepared.input, result, at: Date.now(), added: encoded.added };
		const rows = await (hooks.results?.(run, done) ?? acceptedWhole(run, hooks, done, bank, claimed)).catch(() => []);
		const settled = new Map<Payment, SettledPayment>();
		const others: Items = [];
		const byName = new Map(claimed.map((payment) => [payment.name, payment]));
		for (const { name, item, json, binary, failure, ...ids } of rows) {
			const payment = name === undefined ? undefined : byName.get(name);
			if (payment !== undefined && failure === undefined) {
				const known = settled.get(payment)?.items ?? [];
				const items = [...known, { json, ...(binary === undefined ? {} : { binary }), pairedItem: { item } }];
				settled.set(payment, { payment, items, ids, isEarlier: false });
			} else if (payment !== undefined) {
				settled.set(payment, failed(payment, failure, json));
			} else if (failure !== undefined) {
				others.push(errorItem(run.operation.id, failure, item, [], json));
			}
		}
		// The bank may have made the payments, so those without a readable result are unknown.
		const unconfirmed = ({ name }: Payment) => createUnconfirmedError(run.operation, name);
		const all = claimed.map((payment) => settled.get(payment) ?? failed(payment, unconfirmed(payment)));
		sent = { settled: all, others, requestId: result.requestId };
	} catch (error) {
		const requestId = isBankFailure(error) ? error.details.requestId : undefined;
		sent = { settled: claimed.map((payment) => failed(payment, error)), others: [], requestId };
	}
	await settleReservation?.(sent.settled.filter(mayBePaid).map(({ payment }) => payment));
	return sent;
}

async function acceptedWhole(
	run: Run,
	hooks: OperationHooks,
	done: Parameters<typeof present>[2],
	bank: BankSession,
	[payment]: readonly Payment[],
): Promise<readonly RowResult[]> {
	const items = await present(run, hooks, done, bank);
	if (payment === undefined) return [];
	const { field, name } = payment;
	const isPaid = run.operation.effect === 'money';
	return items.map(({ json, binary }) => ({
		name,
		item: firstItem(done.job),
		json: isPaid ? { [field]: name, ...withFields(json, { [field]: name, outcome: 'accepted' }) } : json,
		...(binary === undefined ? {} : { binary }),
	}));
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
		const { payPackage, transactionId, execution, at } = verdict.row;
		const earlier = { outcome: 'alreadyAccepted', payPackage, transactionId, acceptedIn: execution, acceptedAt: at };
		const kept = Object.entries(earlier).filter(([, value]) => value !== '');
		const number = /^\d{1,15}$/.test(payPackage) ? { payPackage: Number(payPackage) } : {};
		return {
			payment,
			items: [{ json: { ...json, ...Object.fromEntries(kept), ...number }, pairedItem: { item: payment.item } }],
			isEarlier: true,
		};
	}
	const failure = heldBackPayment(run, payment, verdict, protection.isLogged);
	const { attempt, execution, at } = verdict.row ?? {};
	const details = attempt === undefined ? {} : { attempt, execution, at };
	return failedPayment(run.operation, payment, failure, details, true);
}

/** For the payment log. A payment without a result was not sent. */
function resultOf(settled: SettledPayment | undefined): PaymentResult {
	if (settled === undefined) return { outcome: 'notSent' };
	const { failure, ids } = settled;
	if (failure === undefined) return { outcome: 'accepted', ...ids };
	const outcome = isBankFailure(failure) ? failure.details.outcome : 'notSent';
	return { outcome: outcome === 'rejected' || outcome === 'notSent' ? outcome : 'unknown' };
}

const mayBePaid = (settled: SettledPayment): boolean => ['accepted', 'unknown'].includes(resultOf(settled).outcome);

const prepareAgain = ({ operation }: Run, sent: readonly Payment[]) =>
	createHeldBackError(
		operation,
		'notSent',
		'prepared_package_outdated',
		`The prepared package was not sent: ${listed(
			sent.map(({ name }) => name),
			3,
		)} was sent after it was prepared`,
		'No payment was sent. Run Prepare Package again: it leaves out payments that were already sent.',
	);

const tooLate = ({ operation }: Run) =>
	createHeldBackError(
		operation,
		'notSent',
		'too_late',
		'The payments were not sent: preparing them took more than two minutes',
		'No money moved. Run again.',
	);

const notReleased = ({ operation }: Run) =>
	createHeldBackError(
		operation,
		'unknown',
		'not_released',
		'The payment was not made, but still counts as sent',
		"n8n's database did not respond when the claim was released. Use Payment: Resolve with Does Not Have It, then run again.",
	);
