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

import { type Connection, restrictionSetter } from '../http/connection.ts';
import type { DataTableContext } from '../idempotency/dataTable.ts';
import { amountText } from '../base/messages.ts';
import { type Payment, shownName } from '../base/payment.ts';
import { firstItem, type Job } from '../form/run.ts';
import { type LimitScope, DailyTotals, type DayTotal } from './dailyTotals.ts';

type LimitContext = DataTableContext & Pick<IExecuteFunctions, 'getExecutionId'>;

interface OpenJob {
	job: Job;
	/** The payments that have not been sent yet. */
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
		const open = jobs
			.filter(({ payments }) => payments.length > 0)
			.map((entry) => ({
				entry,
				issues: this.#connection.restrictions.flatMap((one) => this.#issuesOf(one, entry)),
			}));
		// The limits of a single package are checked when it is reserved: each request to a Data Table takes time.
		const isReserved = this.#operation.effect === 'money' && open.length === 1 && open[0]?.issues.length === 0;
		const daily = isReserved ? [] : await this.#checkDay(open.flatMap(({ entry }) => entry.payments));
		for (const { issues } of open) issues.push(...daily.map((message) => ({ path: '', message })));
		return new Map(
			open.filter(({ issues }) => issues.length > 0).map(({ entry, issues }) => [entry, new InputError(issues)]),
		);
	}

	/** The amount that can still be sent today, in hundredths; undefined without a daily total. */
	async leftToday(): Promise<bigint | undefined> {
		const limits = this.#daily().filter(({ limit }) => limit.largestDailyTotal !== undefined);
		if (limits.length === 0) return undefined;
		const used = await this.#totalsOf(limits).read();
		const left = limits.map(({ limit: { largestDailyTotal: most = 0n } }, index) =>
			atLeastZero(most - (used?.[index]?.amount ?? most)),
		);
		return left.reduce((least, one) => (one < least ? one : least));
	}

	/**
	 * Reserves payments in the daily totals. Simultaneous runs can never exceed a limit together, but both may be
	 * refused.
	 * @throws BankFailure with the outcome `notSent` if a limit would be exceeded, or if that is uncertain
	 */
	async reserve(payments: readonly Payment[]): Promise<Settle> {
		const limits = this.#daily();
		if (limits.length === 0) return async () => undefined;
		const wanted = usedBy(payments);
		const totals = this.#totalsOf(limits);
		const reserved = await totals.reserve(wanted);
		const settle: Settle = async (made) => {
			if (reserved !== undefined) await totals.settle(reserved.reservation, usedBy(made));
		};
		const [problem] = this.#exceeded(limits, totals, reserved?.used, wanted);
		if (problem === undefined) return settle;
		await settle([]);
		const next = 'No payment was sent. Run again later.';
		throw createHeldBackError(this.#operation, 'notSent', 'daily_limit', problem, next);
	}

	async #checkDay(payments: readonly Payment[]): Promise<string[]> {
		const limits = this.#daily();
		if (payments.length === 0 || limits.length === 0) return [];
		const wanted = usedBy(payments);
		const totals = this.#totalsOf(limits);
		const used = await totals.read();
		const total = used?.map((one) => ({
			amount: one.amount + wanted.amount,
			payments: one.payments + wanted.payments,
		}));
		return this.#exceeded(limits, totals, total, wanted);
	}

	#issuesOf(one: Restrictions, { job, payments }: OpenJob): ValidationIssue[] {
		const who = lowerFirst(restrictionSetter(one, this.#connection));
		const issues: ValidationIssue[] = [];
		const total = usedBy(payments).amount;
		// Only packages have a payout. Direct debits cannot be prepared.
		const isSending = this.#operation.effect === 'money' && payments.some(({ payout }) => payout !== undefined);
		if (one.onlyPreparedPackages && isSending && job.isWhole !== true)
			issues.push({
				path: '',
				message: `Only packages from "Prepare Package" can be sent: ${who} allows no others ("Only Prepared Packages")`,
			});
		if (one.largestPackageTotal !== undefined && total > one.largestPackageTotal)
			issues.push({
				path: '',
				message: `The total is above the ${amountText(one.largestPackageTotal)} that ${who} allows for one package (Largest Package Total)`,
				value: amountText(total),
				item: firstItem(job),
			});
		for (const payment of payments) {
			const { item, content = {} } = payment;
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

	/**
	 * Returns one text for each limit that would be exceeded.
	 * @param all undefined if they could not be read
	 */
	#exceeded(
		limits: readonly DailyLimit[],
		totals: DailyTotals,
		all: DayTotal[] | undefined,
		wanted: DayTotal,
	): string[] {
		if (all === undefined) return [`The daily total is not known (${totals.problem.slice(0, 120)})`];
		return limits.flatMap(
			(one, index) => this.#exceededBy(one, all[index] ?? { amount: 0n, payments: 0 }, wanted) ?? [],
		);
	}

	#exceededBy({ limit, day }: DailyLimit, total: DayTotal, wanted: DayTotal): string | undefined {
		const who = restrictionSetter(limit, this.#connection);
		const { largestDailyTotal: most, mostPaymentsPerDay: count } = limit;
		if (most !== undefined && total.amount > most)
			return (
				`The payments of ${day} would come to ${amountText(total.amount)}. ${who} allows ${amountText(most)} per day ` +
				`(Largest Daily Total); ${amountText(atLeastZero(most - (total.amount - wanted.amount)))} is left`
			);
		if (count !== undefined && total.payments > count)
			return `The number of payments on ${day} would be ${total.payments}. ${who} allows ${count} per day (Most Payments per Day)`;
		return undefined;
	}

	/** The administrator's limit counts all credentials for the same host together, of all environments. */
	#daily(): DailyLimit[] {
		const { credentialId, baseUrl, restrictions } = this.#connection;
		const host = new URL(baseUrl).hostname.replace(/\.$/, '');
		const now = Date.now();
		return restrictions.filter(hasDailyLimit).map((limit) => ({
			limit,
			day: dayIn(now, limit.timeZone),
			scope: limit.setBy === 'owner' ? credentialId : `instance ${host}`,
		}));
	}

	#totalsOf(limits: readonly DailyLimit[]): DailyTotals {
		return new DailyTotals(this.#context, limits, this.#context.getExecutionId());
	}
}

interface DailyLimit extends LimitScope {
	limit: Restrictions;
}

/**
 * Ends a reservation.
 * @param made the payments that were or may have been made; the rest of the reservation is released
 */
export type Settle = (made: readonly Payment[]) => Promise<void>;

const usedBy = (payments: readonly Payment[]): DayTotal => ({
	amount: payments.reduce((sum, { content }) => sum + (hundredths(content?.amount ?? '') ?? 0n), 0n),
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
