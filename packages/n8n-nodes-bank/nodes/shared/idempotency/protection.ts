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
import { claimsOf, createRow, recipientsOfSeveral, modeOf, slotsOf } from './paymentRow.ts';
import { type RecipientStatus, recipientStatuses } from './recipientStatus.ts';

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

export interface PaymentResult {
	outcome: 'accepted' | 'rejected' | 'notSent' | 'unknown';
	payPackage?: string;
	transactionId?: string;
}

/** The payments that this run has claimed and may send once, with their log rows. */
export interface Attempt {
	readonly id: string;
	readonly startedAt: number;
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
	readonly #execution: string;
	readonly #timeout: number;
	readonly #store: ClaimStore;
	readonly #log: PaymentLog | undefined;
	readonly #rows: ReadonlyMap<Payment, LogRow>;
	#verdicts = new Map<LogRow, Verdict>();
	/** Results of this execution, used if the log is off. n8n keeps them over Retry On Fail and "Retry execution". */
	readonly #kept: LogRow[];
	/** For payments without identifiers: the key of each payment's number among those to its recipient. */
	#slots: ReadonlyMap<LogRow, string> = new Map();
	/** Recipients that another run is paying. It is unknown which of their payments it sends. */
	readonly #contested = new Set<string>();

	private constructor(
		context: ProtectionContext,
		operation: Operation,
		connection: Destination,
		{ sharedWorkflowId, logName, timeout }: ProtectionSettings,
		payments: readonly Payment[],
	) {
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
		const rows = [...protection.#rows.values()];
		const verdicts = matchPayments(rows, log);
		protection.#verdicts = verdicts;
		const open = rows.filter((row) => !verdicts.has(row));
		protection.#slots = slotsOf(open, log);
		return protection;
	}

	get logProblem(): string | undefined {
		return this.#log?.problem;
	}

	get logState(): LogState {
		if (this.#log === undefined) return 'off';
		return this.#log.problem === undefined ? 'on' : 'failed';
	}

	/** What the log says about an earlier attempt; undefined if the payment may be sent. */
	verdictOf(payment: Payment): Verdict | undefined {
		return this.#verdicts.get(this.#rowOf(payment));
	}

	async recipientStatuses(payments: readonly Payment[]): Promise<Map<Payment, RecipientStatus>> {
		return await recipientStatuses(this.#log, new Map(payments.map((payment) => [payment, this.#rowOf(payment)])));
	}

	/**
	 * Claims payments. Those that another run has claimed get a verdict and are not part of the attempt.
	 * @param withNumbers whether payments with identifiers also claim their number among those to the recipient
	 * @throws NodeOperationError if it is uncertain which payments were claimed
	 */
	async begin(payments: readonly Payment[], withNumbers = false): Promise<Attempt> {
		const attempt = { id: randomUUID(), startedAt: Date.now() };
		const rows = new Map(payments.map((payment) => [payment, this.#startedRow(payment, attempt, withNumbers)]));
		const [first] = rows.values();
		if (first === undefined) return { ...attempt, rows, leftBehind: [] };
		const mode = modeOf(first);
		const around = await this.#log?.aroundClaims([...rows.values()]);
		const result = await this.#claim(attempt.id, { keys: claimsOf(rows.values()), mode, ...around });
		const won = this.#wonRows(rows, result.owned);
		const lost = new Map([...rows].filter(([payment]) => !won.has(payment)));
		const leftBehind = lost.size === 0 ? [] : await this.#explain(lost, attempt.id, result.wasRepeated);
		const resolvable = new Set(claimsOf(leftBehind));
		const giveUp = async () => {
			const isReleased = await this.#release(attempt.id, result.won, (key) => !resolvable.has(key));
			// If that fails, the rows stay and show which claims remain.
			if (isReleased) await this.#log?.finish(attempt.id, leftBehind);
		};
		const isOtherModeUsed =
			mode !== undefined &&
			result.otherModeUsed &&
			!withNumbers &&
			(await this.#store.isClaimed(mode.other).catch(async (error: unknown) => {
				await giveUp();
				throw error;
			}));
		const kept = new Set([...resolvable, ...(isOtherModeUsed ? [] : claimsOf(won.values()))]);
		if ([...result.won.values()].flat().every((key) => kept.has(key))) return { ...attempt, rows: won, leftBehind };
		// Another attempt for the rest, so that the log never shows claims that were released.
		await giveUp();
		if (isOtherModeUsed && first.key === '') {
			// The recipients may have been paid under an identifier, which only the log could show.
			for (const payment of won.keys()) this.#verdicts.set(this.#rowOf(payment), { is: 'unknown', why: 'modeChanged' });
			won.clear();
		}
		return await this.begin([...won.keys()], withNumbers || isOtherModeUsed);
	}

	/**
	 * Records the results of an attempt, and releases payments that moved no money.
	 * @returns payments that moved no money and still count as sent, because they could not be released
	 */
	async finish(attempt: Attempt, resultOf: (payment: Payment) => PaymentResult): Promise<Payment[]> {
		const results = [...attempt.rows].map(([payment, row]) => ({ payment, row, result: resultOf(payment) }));
		// Without a log, a later run could take another payment to the recipient for one that was released.
		const kept = this.logState === 'on' ? new Set() : recipientsOfSeveral(this.#rows.values());
		const free = results.filter(
			({ row, result }) => ['rejected', 'notSent'].includes(result.outcome) && !kept.has(row.recipientKey),
		);
		const keys = claimsOf(free.map(({ row }) => row));
		const isReleased = await this.#release(attempt.id, new Map(this.#store.workflowIds.map((id) => [id, keys])));
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

	/** @returns whether the claims were released */
	async #release(...[attempt, won, isReleased]: Parameters<ClaimStore['release']>): Promise<boolean> {
		return await this.#store.release(attempt, won, isReleased).then(
			() => true,
			() => false,
		);
	}

	/** The log rows of the payments, as far as they can be read, and the results of this execution. */
	async #read(isWanted: (row: LogRow) => boolean): Promise<LogRow[]> {
		const found = await Promise.all(
			[...Map.groupBy(this.#rows.values(), ({ runKey }) => runKey)].map(
				async ([runKey, keys]) => await this.#log?.find(runKey, keys),
			),
		);
		return [...found.flatMap((one) => one ?? []), ...this.#kept].filter(isWanted);
	}

	/**
	 * Sets the verdicts of payments that could not be claimed.
	 * @returns rows of those that the claim request itself may have claimed, because n8n did not respond to it
	 */
	async #explain(lost: ReadonlyMap<Payment, LogRow>, attempt: string, wasRepeated: boolean): Promise<LogRow[]> {
		const leftBehind: LogRow[] = [];
		// Rows of other attempts, even abandoned ones, explain why a claim failed. All payments of the run are matched, so that each
		// log row is used for one of them only.
		const log = await this.#read((row) => row.attempt !== attempt);
		const verdicts = matchPayments([...this.#rows.values()], log);
		for (const [payment, started] of lost) {
			const own = this.#rowOf(payment);
			if (this.#verdicts.has(own)) continue;
			const known = verdicts.get(own);
			// The attempt ends without a request, so it can be resolved at once.
			const row = { ...started, outcome: 'unknown', runningUntil: '' };
			if (known === undefined && wasRepeated) leftBehind.push(row);
			this.#verdicts.set(own, known ?? (wasRepeated ? { is: 'unknown', row } : { is: 'unknown' }));
		}
		return leftBehind;
	}

	/**
	 * The payments of which this run owns all claims. If another run has claimed a payment of a recipient, it is unknown which of
	 * their payments are new, here and in the next package. Only payments with identifiers and without numbers are certain.
	 */
	#wonRows(rows: ReadonlyMap<Payment, LogRow>, owned: ReadonlySet<string>): Map<Payment, LogRow> {
		const isNumbered = ({ key, claims }: LogRow) => claims !== key;
		const isLost = (row: LogRow) => claimsOf([row]).some((key) => !owned.has(key));
		for (const row of rows.values()) if (isLost(row)) this.#contested.add(row.recipientKey);
		const isWon = (row: LogRow) => !isLost(row) && !(isNumbered(row) && this.#contested.has(row.recipientKey));
		return new Map([...rows].filter(([, row]) => isWon(row)));
	}

	#rowOf(payment: Payment): LogRow {
		const row = this.#rows.get(payment);
		if (row === undefined) throw new Error('This payment is not part of the run');
		return row;
	}

	/** The log row of a payment that is about to be sent. */
	#startedRow(payment: Payment, { id, startedAt }: Pick<Attempt, 'id' | 'startedAt'>, withNumber: boolean): LogRow {
		const row = this.#rowOf(payment);
		const number = this.#slots.get(row) ?? '';
		const until = startedAt + preparationLimit + this.#timeout * 1000 + clockMargin;
		return {
			...row,
			outcome: 'preparing',
			execution: this.#execution,
			at: new Date(startedAt).toISOString(),
			attempt: id,
			runningUntil: new Date(until).toISOString(),
			workflow: this.#store.workflowIds.join(' '),
			claims: row.key !== '' && withNumber ? `${row.key} ${number}` : row.key || number,
		};
	}
}
