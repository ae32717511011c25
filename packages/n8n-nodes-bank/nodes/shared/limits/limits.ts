import {
	createHeldBackError,
	dayIn,
	hundredths,
	InputError,
	type Operation,
	redact,
	type ValidationIssue,
} from '@bank/core';
import type { Restrictions } from '@bank/credentials';
import type { IExecuteFunctions } from 'n8n-workflow';

import { type Connection, whoSet } from '../http/connection.ts';
import type { DataTableContext } from '../idempotency/dataTable.ts';
import { shownName } from '../idempotency/heldBackPayment.ts';
import { keyDigest } from '../idempotency/keys.ts';
import { amountText } from '../messages.ts';
import { firstItem, type Job, type Payment } from '../pipeline/run.ts';
import { DailyTotals, type Used } from './dailyTotals.ts';

type LimitContext = DataTableContext & Pick<IExecuteFunctions, 'getExecutionId'>;

interface OpenJob {
	job: Job;
	/** Those that have not been sent yet. */
	payments: readonly Payment[];
}

/** The payment limits of a credential, set by its owner and by the administrator of the instance. */
export class Limits {
	readonly #context: LimitContext;
	readonly #operation: Operation;
	readonly #connection: Connection;

	constructor(context: LimitContext, operation: Operation, connection: Connection) {
		this.#context = context;
		this.#operation = operation;
		this.#connection = connection;
	}

	/** Returns the jobs that exceed a limit. Daily limits count the payments of all jobs together. */
	async check<Open extends OpenJob>(jobs: readonly Open[]): Promise<Map<Open, InputError>> {
		const refused = new Map<Open, InputError>();
		const daily = await this.#checkDay(jobs.flatMap(({ payments }) => payments));
		for (const entry of jobs) {
			if (entry.payments.length === 0) continue;
			const issues = [
				...this.#connection.restrictions.flatMap((one) => this.#issuesOf(one, entry)),
				...daily.map((message) => ({ path: '', message })),
			];
			if (issues.length > 0) refused.set(entry, new InputError(issues));
		}
		return refused;
	}

	/** The amount that can still be sent today, in hundredths; undefined without a daily total. */
	async leftToday(): Promise<bigint | undefined> {
		let least: bigint | undefined;
		for (const one of this.#connection.restrictions) {
			if (one.largestDailyTotal === undefined) continue;
			const used = await this.#totalsOf(one).read();
			const left = atLeastZero(one.largestDailyTotal - (used?.amount ?? one.largestDailyTotal));
			if (least === undefined || left < least) least = left;
		}
		return least;
	}

	/**
	 * Reserves payments in the daily totals. Simultaneous runs can never exceed a limit together, but both may be
	 * refused.
	 * @throws BankFailure with the outcome `notSent` if a limit would be exceeded, or if that is uncertain
	 */
	async reserve(payments: readonly Payment[]): Promise<Settle> {
		const wanted = usedBy(payments);
		const reserved: DailyTotals[] = [];
		const settle: Settle = async (made) => {
			for (const totals of reserved) await totals.settle(usedBy(made));
		};
		if (this.#operation.effect !== 'money') return settle;
		for (const one of this.#connection.restrictions.filter(hasDailyLimit)) {
			const totals = this.#totalsOf(one);
			const total = await totals.reserve(wanted);
			reserved.push(totals);
			const problem = this.#exceeded(one, totals, total, wanted);
			if (problem === undefined) continue;
			await settle([]);
			const next = 'No payment was sent. Run again later.';
			throw createHeldBackError(this.#operation, 'notSent', 'daily_limit', problem, next);
		}
		return settle;
	}

	async #checkDay(payments: readonly Payment[]): Promise<string[]> {
		const issues: string[] = [];
		const wanted = usedBy(payments);
		if (payments.length === 0) return issues;
		for (const one of this.#connection.restrictions.filter(hasDailyLimit)) {
			const totals = this.#totalsOf(one);
			const used = await totals.read();
			const total = used && { amount: used.amount + wanted.amount, payments: used.payments + wanted.payments };
			const problem = this.#exceeded(one, totals, total, wanted);
			if (problem !== undefined) issues.push(problem);
		}
		return issues;
	}

	#issuesOf(one: Restrictions, { job, payments }: OpenJob): ValidationIssue[] {
		const who = lowerFirst(whoSet(one, this.#connection));
		const issues: ValidationIssue[] = [];
		const total = usedBy(payments).amount;
		// A direct debit cannot be prepared.
		const isSending = this.#operation.effect === 'money' && payments.some(({ recipient }) => recipient !== undefined);
		if (one.onlyPreparedPackages && isSending && job.isWhole !== true)
			issues.push({
				path: '',
				message: `Only packages from Prepare Package can be sent: ${who} allows no others (Only Prepared Packages)`,
			});
		if (one.largestPackageTotal !== undefined && total > one.largestPackageTotal)
			issues.push({
				path: '',
				message: `The total is above the ${amountText(one.largestPackageTotal)} that ${who} allows for one package (Largest Package Total)`,
				value: amountText(total),
				item: firstItem(job),
			});
		for (const payment of payments) {
			const { item, content } = payment;
			const row = shownName(payment);
			const amount = hundredths(content.amount ?? '');
			const { account, phone, nspkBankId } = content;
			if (hasPaymentLimit(one) && (amount === undefined || account === undefined)) {
				const message = `Amount and account are not known, so ${who} allows no such payment`;
				issues.push({ path: '', message, item, row });
				continue;
			}
			if (one.largestPayment !== undefined && amount !== undefined && amount > one.largestPayment)
				issues.push({
					path: 'amount',
					message: `is above the ${amountText(one.largestPayment)} that ${who} allows for one payment (Largest Payment)`,
					value: amountText(amount),
					item,
					row,
				});
			for (const { allowed, what, field, value = '', ...place } of [
				{ allowed: one.accounts, what: 'accounts', field: 'Allowed Accounts', path: 'account', value: account },
				{ allowed: one.phones, what: 'recipients', field: 'Allowed Phones', path: 'phone', value: phone, item, row },
				{ allowed: one.banks, what: 'banks', field: 'Allowed Banks', path: 'nspkBankId', value: nspkBankId, item, row },
			])
				if (allowed !== undefined && !allowed.includes(value))
					issues.push({
						...place,
						message: `is not among the ${what} that ${who} allows (${field})`,
						value: what === 'accounts' ? redact(value) : value,
					});
		}
		return issues;
	}

	/** @param total undefined if it could not be read */
	#exceeded(one: Restrictions, totals: DailyTotals, total: Used | undefined, wanted: Used): string | undefined {
		if (total === undefined) return `The daily total is not known (${totals.problem.slice(0, 120)})`;
		const who = whoSet(one, this.#connection);
		const { largestDailyTotal: most, mostPaymentsPerDay: count } = one;
		if (most !== undefined && total.amount > most)
			return (
				`The payments of ${totals.day} would come to ${amountText(total.amount)}. ${who} allows ${amountText(most)} per day ` +
				`(Largest Daily Total); ${amountText(atLeastZero(most - (total.amount - wanted.amount)))} is left`
			);
		if (count !== undefined && total.payments > count)
			return `The number of payments on ${totals.day} would be ${total.payments}. ${who} allows ${count} per day (Most Payments per Day)`;
		return undefined;
	}

	/** The administrator's limit counts all credentials for the same bank together. */
	#totalsOf(one: Restrictions): DailyTotals {
		const { credentialId } = this.#connection;
		const scope = one.setBy === 'owner' ? credentialId : keyDigest(this.#connection, 'daily total', '');
		const day = dayIn(Date.now(), one.timeZone);
		return new DailyTotals(this.#context, { day, scope, execution: this.#context.getExecutionId() });
	}
}

/**
 * Ends a reservation.
 * @param made the payments that were or may have been made; the rest of the reservation is released
 */
export type Settle = (made: readonly Payment[]) => Promise<void>;

const usedBy = (payments: readonly Payment[]): Used => ({
	amount: payments.reduce((sum, { content }) => sum + (hundredths(content.amount ?? '') ?? 0n), 0n),
	payments: payments.length,
});

const hasDailyLimit = (one: Restrictions): boolean =>
	one.largestDailyTotal !== undefined || one.mostPaymentsPerDay !== undefined;

/** Whether a limit needs the amount, account or recipient of each payment. */
const hasPaymentLimit = (one: Restrictions): boolean =>
	[one.largestPayment, one.largestPackageTotal, one.largestDailyTotal, one.accounts, one.phones, one.banks].some(
		(limit) => limit !== undefined,
	);

const atLeastZero = (amount: bigint): bigint => (amount > 0n ? amount : 0n);

const lowerFirst = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);
