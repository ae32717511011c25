import { createHeldBackError, dayIn, hundredths, InputError, type Operation, type ValidationIssue } from '@bank/core';
import type { Restrictions } from '@bank/credentials';
import type { IExecuteFunctions } from 'n8n-workflow';

import { type Connection, whoSet } from '../http/connection.ts';
import type { DataTableContext } from '../idempotency/dataTable.ts';
import { bareIdentifier, digestOf } from '../idempotency/keys.ts';
import { amountText } from '../messages.ts';
import { firstItem, type Job, type Payment } from '../pipeline/run.ts';
import { DailyTotals, type Used } from './dailyTotals.ts';

/** The part of n8n that limits use. */
export type LimitContext = DataTableContext & Pick<IExecuteFunctions, 'getExecutionId'>;

/** A job with those of its payments that have not been sent yet. */
export interface OpenJob {
	job: Job;
	payments: readonly Payment[];
}

/** The payment limits of a credential, set by its owner and by the administrator of the instance. */
export class Limits {
	readonly #context: LimitContext;
	readonly #operation: Operation;
	readonly #connection: Connection;
	readonly #restrictions: readonly Restrictions[];

	constructor(context: LimitContext, operation: Operation, connection: Connection) {
		this.#context = context;
		this.#operation = operation;
		this.#connection = connection;
		this.#restrictions = connection.restrictions;
	}

	get isRestricted(): boolean {
		return this.#restrictions.length > 0;
	}

	/** Returns the jobs that exceed a limit. Daily limits count the payments of all jobs together. */
	async check<Open extends OpenJob>(jobs: readonly Open[]): Promise<Map<Open, InputError>> {
		const refused = new Map<Open, InputError>();
		const daily = await this.#checkDay(jobs.flatMap(({ payments }) => payments));
		for (const entry of jobs) {
			if (entry.payments.length === 0) continue;
			const issues = [
				...this.#restrictions.flatMap((one) => this.#issuesOf(one, entry)),
				...daily.map((message) => ({ path: '', message })),
			];
			if (issues.length > 0) refused.set(entry, new InputError(issues));
		}
		return refused;
	}

	/** The amount that can still be sent today, in hundredths; undefined without a daily total. */
	async leftToday(): Promise<bigint | undefined> {
		const left: bigint[] = [];
		for (const one of this.#restrictions) {
			if (one.largestDailyTotal === undefined) continue;
			const used = await this.#dayOf(one).totals.read();
			const rest = one.largestDailyTotal - (used?.amount ?? one.largestDailyTotal);
			left.push(rest > 0n ? rest : 0n);
		}
		return left.reduce<bigint | undefined>(
			(least, rest) => (least === undefined || rest < least ? rest : least),
			undefined,
		);
	}

	/**
	 * Reserves payments in the daily totals. Simultaneous runs can never exceed a limit together, but both may be
	 * refused.
	 * @throws NoAnswerError with the outcome `notSent` if a limit would be exceeded, or if that is uncertain
	 */
	async reserve(payments: readonly Payment[]): Promise<Reservation> {
		const wanted = usedBy(payments);
		const held: Reserved[] = [];
		const reservation = new Reservation(held);
		if (this.#operation.effect !== 'money') return reservation;
		for (const one of this.#restrictions.filter(hasDailyLimit)) {
			const { totals, day } = this.#dayOf(one);
			const found = await totals.reserve(wanted);
			if (found !== undefined) held.push({ totals, id: found.reservation });
			const problem = found === undefined ? uncertain(totals.problem) : this.#exceeded(one, found.total, wanted, day);
			if (problem === undefined) continue;
			await reservation.settle([]);
			throw createHeldBackError(
				this.#operation,
				'notSent',
				'daily_limit',
				problem,
				'No payment was sent. Run again later.',
			);
		}
		return reservation;
	}

	async #checkDay(payments: readonly Payment[]): Promise<string[]> {
		const issues: string[] = [];
		const wanted = usedBy(payments);
		if (payments.length === 0) return issues;
		for (const one of this.#restrictions.filter(hasDailyLimit)) {
			const { totals, day } = this.#dayOf(one);
			const used = await totals.read();
			const total = used && { amount: used.amount + wanted.amount, payments: used.payments + wanted.payments };
			const problem = total === undefined ? uncertain(totals.problem) : this.#exceeded(one, total, wanted, day);
			if (problem !== undefined) issues.push(problem);
		}
		return issues;
	}

	#issuesOf(one: Restrictions, { job, payments }: OpenJob): ValidationIssue[] {
		const allows = `${lowerFirst(whoSet(one, this.#connection))} allows`;
		const issues: ValidationIssue[] = [];
		const total = usedBy(payments).amount;
		// A direct debit cannot be prepared.
		const isSending = this.#operation.effect === 'money' && payments.some(({ recipient }) => recipient !== undefined);
		if (one.onlyPreparedPackages && isSending && job.isWhole !== true)
			issues.push({
				path: '',
				message: `Only packages from Prepare Package can be sent: ${allows} no others`,
			});
		if (one.largestPackageTotal !== undefined && total > one.largestPackageTotal)
			issues.push({
				path: 'total',
				message: `is above the ${amountText(one.largestPackageTotal)} that ${allows} for one package`,
				value: amountText(total),
				item: firstItem(job),
			});
		for (const { item, content, logged, name: row } of payments) {
			const amount = hundredths(logged?.amount ?? '');
			const { account, phone, nspkBankId } = content;
			if (hasPaymentLimit(one) && (amount === undefined || account === undefined)) {
				issues.push({ path: '', message: `Amount and account are not known, so ${allows} no such payment`, item, row });
				continue;
			}
			if (one.largestPayment !== undefined && amount !== undefined && amount > one.largestPayment)
				issues.push({
					path: 'amount',
					message: `is above the ${amountText(one.largestPayment)} that ${allows} for one payment`,
					value: amountText(amount),
					item,
					row,
				});
			const isListed = (list: readonly string[] | undefined, value = '') =>
				list === undefined || list.map(bareIdentifier).includes(value);
			if (!isListed(one.accounts, account))
				issues.push({ path: 'account', message: `is not among the accounts that ${allows}`, value: account ?? '' });
			if (!isListed(one.phones, phone))
				issues.push({
					path: 'phone',
					message: `is not among the recipients that ${allows}`,
					value: phone ?? '',
					item,
					row,
				});
			if (!isListed(one.banks, nspkBankId))
				issues.push({
					path: 'nspkBankId',
					message: `is not among the banks that ${allows}`,
					value: nspkBankId ?? '',
					item,
					row,
				});
		}
		return issues;
	}

	#exceeded(one: Restrictions, total: Used, wanted: Used, day: string): string | undefined {
		const who = whoSet(one, this.#connection);
		const { largestDailyTotal: most, mostPaymentsPerDay: count } = one;
		if (most !== undefined && total.amount > most) {
			const left = most - (total.amount - wanted.amount);
			return (
				`The payments of ${day} would come to ${amountText(total.amount)}. ${who} allows ${amountText(most)} per day; ` +
				`${amountText(left > 0n ? left : 0n)} is left`
			);
		}
		if (count !== undefined && total.payments > count)
			return `There would be ${total.payments} payments on ${day}. ${who} allows ${count} per day`;
		return undefined;
	}

	/** The administrator's limit counts all credentials for the same bank together. */
	#dayOf(one: Restrictions): { totals: DailyTotals; day: string } {
		const { credentialId } = this.#connection;
		const scope = one.setBy === 'owner' ? credentialId : digestOf(this.#connection, 'daily total', '');
		const day = dayIn(Date.now(), one.timeZone);
		return { totals: new DailyTotals(this.#context, { day, scope, execution: this.#context.getExecutionId() }), day };
	}
}

interface Reserved {
	totals: DailyTotals;
	id: string;
}

/** The part of the daily totals that is reserved for payments in progress. */
export class Reservation {
	readonly #held: readonly Reserved[];

	constructor(held: readonly Reserved[]) {
		this.#held = held;
	}

	/** @param payments the payments that were or may have been made; the rest of the reservation is released */
	async settle(payments: readonly Payment[]): Promise<void> {
		for (const { totals, id } of this.#held) await totals.settle(id, usedBy(payments));
	}
}

const usedBy = (payments: readonly Payment[]): Used => ({
	amount: payments.reduce((sum, { logged }) => sum + (hundredths(logged?.amount ?? '') ?? 0n), 0n),
	payments: payments.length,
});

const hasDailyLimit = (one: Restrictions): boolean =>
	one.largestDailyTotal !== undefined || one.mostPaymentsPerDay !== undefined;

/** Whether a limit needs the amount, account or recipient of each payment. */
const hasPaymentLimit = (one: Restrictions): boolean =>
	[one.largestPayment, one.largestPackageTotal, one.largestDailyTotal, one.accounts, one.phones, one.banks].some(
		(limit) => limit !== undefined,
	);

const uncertain = (problem: string): string => `The daily total is not known (${problem.slice(0, 120)})`;

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
