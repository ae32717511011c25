import { randomUUID } from 'node:crypto';

import { type Operation, textOrNumber } from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Payment } from '../pipeline/run.ts';
import { ClaimError } from './claimErrors.ts';
import { type ClaimContext, type ClaimRequest, type ClaimResult, ClaimStore } from './claimStore.ts';
import type { DataTableContext } from './dataTable.ts';
import type { Destination } from './keys.ts';
import { matchPayments, type Verdict, wasAbandoned } from './matchPayments.ts';
import { PaymentLog, type LogRow } from './paymentLog.ts';
import { createRow, modeOf, slotsOf } from './paymentRow.ts';
import { type RecipientStatus, recipientStatuses } from './recipientStatus.ts';

/** The part of n8n that duplicate protection uses. */
export type ProtectionContext = ClaimContext &
	DataTableContext &
	Pick<IExecuteFunctions, 'getContext' | 'getExecutionId'>;

export interface ProtectionSettings {
	/** Another workflow that shares the claims. */
	sharedWorkflowId?: string | undefined;
	/** Name of the Data Table; undefined if the log is off. */
	logName?: string | undefined;
	/** Timeout of a request in seconds. */
	timeout: number;
}

/** `failed`: the payment log could not be read or written. */
export type LogState = 'on' | 'off' | 'failed';

/** The result of one payment. */
export interface PaymentResult {
	outcome: 'accepted' | 'rejected' | 'notSent' | 'unknown';
	payPackage?: string;
	transactionId?: string;
}

interface AttemptStart {
	readonly id: string;
	readonly startedAt: number;
}

/** The payments that this run has claimed and may send once, with their log rows. */
export interface Attempt extends AttemptStart {
	readonly rows: ReadonlyMap<Payment, LogRow>;
	/** Rows of payments whose claim request to n8n got no response. They may be claimed until somebody resolves them. */
	readonly leftBehind: readonly LogRow[];
}

/** Maximum time in milliseconds between the start of an attempt and its request. After it, the request is not sent. */
const preparationLimit = 120_000;

/** Whether it is too late to send the payments of an attempt: other runs may consider it abandoned. */
export const isLate = ({ startedAt }: Attempt): boolean => Date.now() - startedAt > preparationLimit;

/** Allows for clock differences between workers, in milliseconds. */
const clockMargin = 30_000;

/**
 * Duplicate protection for the payments of one run. Order: log row, claim, request, result in the log row. So every
 * claim has a log row with its attempt, which also shows where a run crashed. The log knows which payments were
 * accepted, unknown or changed; only a claim permits sending.
 */
export class Protection {
	/** Production or sandbox. */
	readonly environment: string;
	readonly #execution: string;
	readonly #timeout: number;
	readonly #store: ClaimStore;
	readonly #log: PaymentLog | undefined;
	readonly #rows: ReadonlyMap<Payment, LogRow>;
	readonly #verdicts = new Map<Payment, Verdict>();
	/** Results of this execution, used if the log is off. n8n keeps them over Retry On Fail and "Retry execution". */
	readonly #kept: LogRow[];
	/** For payments without identifiers: the key of each payment's number among those to its recipient. */
	#slots: ReadonlyMap<Payment, string> = new Map();
	/** Recipients that another run is paying. It is unknown which of their payments it sends. */
	readonly #contested = new Set<string>();

	private constructor(
		context: ProtectionContext,
		operation: Operation,
		connection: Destination,
		{ sharedWorkflowId, logName, timeout }: ProtectionSettings,
		payments: readonly Payment[],
	) {
		this.environment = connection.environment;
		this.#execution = textOrNumber(context.getExecutionId());
		this.#timeout = timeout;
		const own = context.getWorkflow().id ?? '';
		this.#store = new ClaimStore(context, sharedWorkflowId === undefined ? [own] : [own, sharedWorkflowId]);
		this.#log = logName === undefined ? undefined : new PaymentLog(context, logName);
		const kept: { bankPayments?: LogRow[] } = context.getContext('node');
		this.#kept = kept.bankPayments ??= [];
		this.#rows = new Map(payments.map((payment) => [payment, createRow(operation, connection, payment)]));
	}

	/** Looks up the payments in the log. Claims nothing. */
	static async open(
		context: ProtectionContext,
		operation: Operation,
		connection: Destination,
		settings: ProtectionSettings,
		payments: readonly Payment[],
	): Promise<Protection> {
		const protection = new Protection(context, operation, connection, settings, payments);
		const log = await protection.#read((row) => !wasAbandoned(row));
		const verdicts = protection.#verdicts;
		for (const [payment, verdict] of protection.#matched(log)) verdicts.set(payment, verdict);
		const open = [...protection.#rows].filter(([payment]) => !verdicts.has(payment));
		protection.#slots = slotsOf(new Map(open), log);
		return protection;
	}

	/** n8n's error message if the log could not be read or written. */
	get logProblem(): string | undefined {
		return this.#log?.problem;
	}

	get logState(): LogState {
		if (this.#log === undefined) return 'off';
		return this.#log.problem === undefined ? 'on' : 'failed';
	}

	/** What the log says about an earlier attempt; undefined if the payment may be sent. */
	verdictOf(payment: Payment): Verdict | undefined {
		return this.#verdicts.get(payment);
	}

	/** Whether the log has accepted payments to the recipients, of any payout. */
	async recipientStatuses(payments: readonly Payment[]): Promise<Map<Payment, RecipientStatus>> {
		return await recipientStatuses(this.#log, new Map(payments.map((payment) => [payment, this.#rowOf(payment)])));
	}

	/**
	 * Claims payments. Those that another run has claimed get a verdict and are not part of the attempt.
	 * @throws NodeOperationError if it is uncertain which payments were claimed
	 */
	async begin(payments: readonly Payment[]): Promise<Attempt> {
		const attempt = { id: randomUUID(), startedAt: Date.now() };
		const rows = new Map(payments.map((payment) => [payment, this.#startedRow(payment, attempt)]));
		const [first] = rows.values();
		const mode = first && modeOf(first);
		const around = await this.#log?.aroundClaims([...rows.values()]);
		const result = await this.#claim(attempt.id, { keys: claimsOf(rows.values()), mode, ...around });
		const won = await this.#checked(rows, attempt.id, result, mode).catch(async (error: unknown) => {
			await this.#store.release(attempt.id, result.won).catch(() => undefined);
			throw error;
		});
		const lost = payments.filter((payment) => !won.has(payment));
		const leftBehind = lost.length === 0 ? [] : await this.#explain(lost, attempt, result.wasRepeated);
		return { ...attempt, rows: won, leftBehind };
	}

	/**
	 * Records the results of an attempt, and releases payments that moved no money.
	 * @returns payments that moved no money and still count as sent, because they could not be released
	 */
	async finish(attempt: Attempt, resultOf: (payment: Payment) => PaymentResult): Promise<Payment[]> {
		const results = [...attempt.rows].map(([payment, row]) => ({ payment, row, result: resultOf(payment) }));
		const free = results.filter(({ result: { outcome } }) => outcome === 'rejected' || outcome === 'notSent');
		const isReleased = await this.#release(attempt.id, claimsOf(free.map(({ row }) => row)));
		const stillClaimed = isReleased ? [] : free.map(({ payment }) => payment);
		const rows = results.map(({ payment, row, result: { outcome, payPackage = '', transactionId = '' } }): LogRow => ({
			...row,
			outcome: stillClaimed.includes(payment) ? 'unknown' : outcome,
			payPackage,
			transactionId,
			at: new Date().toISOString(),
			runningUntil: '',
		}));
		// n8n stores this with the execution, so it is used only without a log.
		if (this.#log === undefined) this.#kept.push(...rows.filter(({ outcome }) => outcome === 'accepted'));
		await this.#log?.finish(attempt.id, [...rows, ...attempt.leftBehind]);
		return stillClaimed;
	}

	async #claim(attempt: string, request: Omit<ClaimRequest, 'attempt'>): Promise<ClaimResult> {
		return await this.#store.claim({ ...request, attempt }).catch(async (error: unknown) => {
			// If it is uncertain, the rows stay and show which claims may remain.
			if (error instanceof ClaimError && error.isCertain) await this.#log?.finish(attempt, []);
			throw error;
		});
	}

	async #release(attempt: string, keys: readonly string[]): Promise<boolean> {
		if (keys.length === 0) return true;
		const won = new Map(this.#store.workflowIds.map((workflowId) => [workflowId, keys] as const));
		return await this.#store.release(attempt, won).then(
			() => true,
			() => false,
		);
	}

	/** The log rows of the payments; if the log cannot be read, the results of this execution. */
	async #read(isWanted: (row: LogRow) => boolean): Promise<LogRow[]> {
		const found = await Promise.all(
			[...Map.groupBy(this.#rows.values(), ({ runKey }) => runKey)].map(
				async ([runKey, keys]) => await this.#log?.find(runKey, keys),
			),
		);
		if (found.includes(undefined)) return this.#kept.filter(isWanted);
		return [...found.flatMap((one) => one ?? []), ...this.#kept].filter(isWanted);
	}

	/** Matches all payments of the run at once, so that each log row is used for one payment only. */
	#matched(log: readonly LogRow[]): Map<Payment, Verdict> {
		const verdicts = matchPayments([...this.#rows.values()], log);
		return new Map(
			[...this.#rows].flatMap(([payment, row]) => {
				const verdict = verdicts.get(row);
				return verdict === undefined ? [] : [[payment, verdict] as const];
			}),
		);
	}

	/**
	 * Sets the verdicts of payments that could not be claimed.
	 * @returns rows of those that the claim request itself may have claimed, because n8n did not respond to it
	 */
	async #explain(lost: readonly Payment[], attempt: AttemptStart, wasRepeated: boolean): Promise<LogRow[]> {
		const leftBehind: LogRow[] = [];
		// Rows of other attempts, even abandoned ones, explain why a claim failed.
		const verdicts = this.#matched(await this.#read((row) => row.attempt !== attempt.id));
		for (const payment of lost) {
			if (this.#verdicts.has(payment)) continue;
			const known = verdicts.get(payment);
			// The attempt ends without a request, so it can be resolved at once.
			const row = { ...this.#startedRow(payment, attempt), outcome: 'unknown', runningUntil: '' };
			if (known === undefined && wasRepeated) leftBehind.push(row);
			this.#verdicts.set(payment, known ?? (wasRepeated ? { is: 'unknown', row } : { is: 'unknown' }));
		}
		return leftBehind;
	}

	/** Returns the payments that may be sent, with all their claims. Releases claims of the other payments. */
	async #checked(
		rows: ReadonlyMap<Payment, LogRow>,
		attempt: string,
		result: ClaimResult,
		mode: ClaimRequest['mode'],
	): Promise<Map<Payment, LogRow>> {
		const results = [result];
		const isOwned = (row: LogRow) => claimsOf([row]).every((key) => result.owned.has(key));
		// If one of several payments to a recipient is claimed by another run, it is unknown which ones are new, here and
		// in the next package.
		for (const row of rows.values()) if (row.key === '' && !isOwned(row)) this.#contested.add(row.recipientKey);
		const isContested = ({ key, recipientKey }: LogRow) => key === '' && this.#contested.has(recipientKey);
		const won = new Map([...rows].filter(([, row]) => isOwned(row) && !isContested(row)));
		// The payment run was used without identifiers before and now has them, or the reverse.
		if (mode !== undefined && result.otherModeUsed && (await this.#store.isClaimed(mode.other))) {
			for (const [payment, row] of won)
				if (row.key === '') {
					// The recipient may have been paid under an identifier, which only the log could show.
					won.delete(payment);
					this.#verdicts.set(payment, { is: 'unknown', why: 'modeChanged' });
				} else won.set(payment, { ...row, claims: `${row.claims} ${this.#slots.get(payment) ?? ''}` });
			// The key of the recipient must be claimed as well.
			const slots = [...won.keys()].map((payment) => this.#slots.get(payment) ?? '');
			const further = await this.#claim(attempt, { keys: slots });
			results.push(further);
			for (const payment of won.keys()) if (!further.owned.has(this.#slots.get(payment) ?? '')) won.delete(payment);
		}
		const kept = new Set(claimsOf(won.values()));
		for (const one of results)
			await this.#store.release(attempt, one.won, (key) => !kept.has(key)).catch(() => undefined);
		return won;
	}

	#rowOf(payment: Payment): LogRow {
		const row = this.#rows.get(payment);
		if (row === undefined) throw new Error('This payment is not part of the run');
		return row;
	}

	/** The log row of a payment that is about to be sent. */
	#startedRow(payment: Payment, { id, startedAt }: AttemptStart): LogRow {
		const row = this.#rowOf(payment);
		const until = startedAt + preparationLimit + this.#timeout * 1000 + clockMargin;
		return {
			...row,
			outcome: 'preparing',
			execution: this.#execution,
			at: new Date(startedAt).toISOString(),
			attempt: id,
			runningUntil: new Date(until).toISOString(),
			workflow: this.#store.workflowIds.join(' '),
			// The key of its own identifier, or that of its number.
			claims: row.key || (this.#slots.get(payment) ?? ''),
		};
	}
}

const claimsOf = (rows: Iterable<LogRow>): string[] => [...rows].flatMap(({ claims }) => claims.split(' '));
