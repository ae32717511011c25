import { createHeldBack, isBankFailure, prepare, unconfirmed } from '@bank/core';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { errorItem, type Failure, failureOf } from '../failures.ts';
import type { Form, RowResult } from '../form.ts';
import { heldBackPayment } from '../idempotency/heldBackPayment.ts';
import type { Attempt, PaymentResult, Protection } from '../idempotency/protection.ts';
import { isOn } from '../parameters.ts';
import type { BankOfRun, Connected } from './bank.ts';
import { located, type Planned } from './plan.ts';
import { type SentPayments, present } from './present.ts';
import { firstItem, type Payment, type Run } from './run.ts';
import { seal } from './seal.ts';
import { send } from './send.ts';

/** What became of one payment. */
interface Settled {
	items: INodeExecutionData[];
	result: PaymentResult;
	failure?: Failure;
	/** Whether it was settled before this run. */
	isEarlier: boolean;
}

/**
 * One job whose payments must happen once. Those that were sent before come back with what is known of them; the others are claimed, sent
 * together, and recorded. Never throws: what goes wrong is in the outcome.
 */
export async function sendPayments(
	run: Run,
	form: Form,
	planned: Planned,
	{ network }: Connected,
	bank: BankOfRun,
	protection: Protection,
): Promise<SentPayments> {
	const { job, payments } = planned;
	const settled = new Map<Payment, Settled>();
	const others: INodeExecutionData[] = [];
	let requestId: string | undefined;

	const fail = (failed: readonly Payment[], error: unknown, details: IDataObject = {}) => {
		const failure = located(failureOf(run.context, error, firstItem(job)), job);
		const outcome = isBankFailure(failure) ? outcomeOf(failure.details.outcome) : 'notSent';
		for (const payment of failed) {
			const item = errorItem(run.operation.id, failure, payment.item, [payment], details);
			settled.set(payment, { items: [item], result: { outcome }, failure, isEarlier: false });
		}
	};
	const recall = async (sentBefore: readonly Payment[]) => {
		for (const payment of sentBefore) {
			const earlier = await earlierOf(run, form, planned, payment, protection);
			if (earlier !== undefined) settled.set(payment, earlier);
		}
	};

	try {
		await recall(payments);
		const open = payments.filter((payment) => !settled.has(payment));
		if (job.isWhole === true && settled.size > 0) throw prepareAgain(run, [...settled.keys()]);
		if (open.length > 0) {
			const attempt = await protection.begin(open);
			const askAgain = run.operation.once === true && isOn(run.parameters.options(firstItem(job)).askAgain);
			const mine = askAgain ? open : attempt.payments;
			const lost = open.filter((payment) => !mine.includes(payment));
			await recall(lost);
			const isRefused = job.isWhole === true && lost.length > 0;
			if (mine.length > 0 && !isRefused) {
				requestId = await attempted(run, form, planned, mine, attempt, network, bank, { protection, settled, others, fail });
			}
			const stillClaimed = await protection.finish(
				attempt,
				(payment) => (isRefused ? undefined : settled.get(payment)?.result) ?? { outcome: 'notSent' },
			);
			if (stillClaimed.length > 0) fail(stillClaimed, notReleased(run), { attempt: attempt.id });
			if (isRefused) throw prepareAgain(run, lost);
		}
	} catch (error) {
		fail(
			payments.filter((payment) => job.isWhole === true || !settled.has(payment)),
			error,
		);
	}

	const all = payments.flatMap((payment) => settled.get(payment) ?? []);
	const failures = all.filter((one) => one.failure !== undefined);
	const failure = (failures.find(({ isEarlier }) => !isEarlier) ?? failures[0])?.failure;
	return {
		job,
		payments: payments.filter((payment) => failure !== undefined && settled.get(payment)?.failure === failure),
		items: [...all.flatMap(({ items }) => items), ...others],
		...(requestId === undefined ? {} : { requestId }),
		stops: failures.some(({ isEarlier }) => !isEarlier),
		...(failure === undefined ? {} : { failure }),
	};
}

interface Collected {
	protection: Protection;
	settled: Map<Payment, Settled>;
	others: INodeExecutionData[];
	fail(failed: readonly Payment[], error: unknown, details?: IDataObject): void;
}

/** Sends what was claimed. @returns the bank's request ID */
async function attempted(
	run: Run,
	form: Form,
	planned: Planned,
	mine: readonly Payment[],
	attempt: Attempt,
	network: Connected['network'],
	bank: BankOfRun,
	{ protection, settled, others, fail }: Collected,
): Promise<string | undefined> {
	const details = { attempt: attempt.id };
	try {
		const narrowed = narrowedTo(run, form, planned, mine);
		const sealed = await seal(run, form, narrowed, bank.read);
		if (protection.isLate(attempt)) throw tooLate(run);
		const result = await send(run.operation, sealed, network, bank.pace);
		const done = { job: narrowed.job, sent: sealed.prepared.input, result, at: Date.now(), added: sealed.added };
		const rows = await (form.results?.(run, done) ?? acceptedWhole(run, form, done, mine)).catch(() =>
			mine.map((payment): RowResult => ({
				name: payment.name,
				item: payment.item,
				json: {},
				failure: unconfirmed(run.operation, payment.name),
			})),
		);
		const byName = new Map(mine.map((payment) => [payment.name, payment]));
		for (const { name, item, json, binary, failure, ...ids } of rows) {
			const payment = name === undefined ? undefined : byName.get(name);
			if (payment !== undefined && failure === undefined) {
				const known = settled.get(payment)?.items ?? [];
				const items = [...known, { json, ...(binary === undefined ? {} : { binary }), pairedItem: { item } }];
				settled.set(payment, { items, result: { outcome: 'accepted', ...ids }, isEarlier: false });
			} else if (payment !== undefined) {
				fail([payment], failure, { ...details, ...json });
			} else if (failure !== undefined) {
				others.push(errorItem(run.operation.id, failure, item, [], json));
			}
		}
		return result.requestId;
	} catch (error) {
		fail(mine, error, details);
		return isBankFailure(error) ? error.details.requestId : undefined;
	}
}

async function acceptedWhole(
	run: Run,
	form: Form,
	done: Parameters<typeof present>[2],
	[payment]: readonly Payment[],
): Promise<readonly RowResult[]> {
	const items = await present(run, form, done);
	if (payment === undefined) return [];
	const { field, name } = payment;
	const isPaid = run.operation.effect === 'money';
	return items.map(({ json, binary }) => ({
		name,
		item: firstItem(done.job),
		json: isPaid ? { [field]: name, ...json, outcome: 'accepted' } : json,
		...(binary === undefined ? {} : { binary }),
	}));
}

function narrowedTo(run: Run, form: Form, planned: Planned, mine: readonly Payment[]): Planned {
	if (mine.length === planned.payments.length) return planned;
	const job = form.narrow?.(run, planned.job, mine) ?? planned.job;
	return { ...planned, job, payments: mine, prepared: prepare(run.operation, job.input, planned.preparing) };
}

async function earlierOf(
	run: Run,
	form: Form,
	{ job }: Planned,
	payment: Payment,
	protection: Protection,
): Promise<Settled | undefined> {
	const verdict = protection.verdictOf(payment);
	if (verdict === undefined) return undefined;
	if (verdict.is === 'alreadyAccepted') {
		const { payPackage, transactionId, execution, at } = verdict.row;
		const json = (await form.acceptedEarlier?.(run, job, payment, verdict.row)) ?? { [payment.field]: payment.name };
		const earlier = { outcome: 'alreadyAccepted', payPackage, transactionId, acceptedIn: execution, acceptedAt: at };
		const kept = Object.entries(earlier).filter(([, value]) => value !== '');
		const number = /^\d{1,15}$/.test(payPackage) ? { payPackage: Number(payPackage) } : {};
		return {
			items: [{ json: { ...json, ...Object.fromEntries(kept), ...number }, pairedItem: { item: payment.item } }],
			result: { outcome: 'accepted' },
			isEarlier: true,
		};
	}
	const { operation } = run;
	const failure = heldBackPayment(payment, verdict, protection.heldBackContext(run, payment));
	const { attempt, execution, at } = verdict.row ?? {};
	const details = attempt === undefined ? {} : { attempt, execution, at };
	return {
		items: [errorItem(operation.id, failure, payment.item, [payment], details)],
		result: { outcome: 'unknown' },
		failure,
		isEarlier: true,
	};
}

const outcomeOf = (outcome: string): PaymentResult['outcome'] =>
	outcome === 'rejected' || outcome === 'notSent' ? outcome : 'unknown';

const named = (payments: readonly Payment[]): string =>
	payments.length > 3
		? `${payments.slice(0, 3).map(({ name }) => name).join(', ')} and ${payments.length - 3} more`
		: payments.map(({ name }) => name).join(', ');

const prepareAgain = ({ operation }: Run, sent: readonly Payment[]) =>
	createHeldBack(
		operation,
		'notSent',
		'prepared_package_outdated',
		`The prepared package was not sent: ${named(sent)} was sent after it was prepared`,
		'No payment of it was sent. Run Prepare Package again: it leaves out what was already sent.',
	);

const tooLate = ({ operation }: Run) =>
	createHeldBack(
		operation,
		'notSent',
		'too_late',
		'The payments were not sent: preparing them took more than two minutes',
		'No money moved. Run again.',
	);

const notReleased = ({ operation }: Run) =>
	createHeldBack(
		operation,
		'unknown',
		'not_released',
		'The payment was not made, but still counts as sent',
		"n8n's database did not answer when its claim was released. Tell that the bank does not have it with Payment: Resolve, then run again.",
	);
