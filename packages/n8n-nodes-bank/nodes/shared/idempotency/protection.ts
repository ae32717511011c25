import { randomUUID } from 'node:crypto';

import { type Operation, textOrNumber } from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Payment, Run } from '../pipeline/run.ts';
import { ClaimError } from './claimErrors.ts';
import { type ClaimContext, type ClaimRequest, type ClaimResult, ClaimStore } from './claimStore.ts';
import type { DataTableContext } from './dataTable.ts';
import type { HeldBackContext } from './heldBackPayment.ts';
import type { Destination } from './keys.ts';
import { matchPayments, type Verdict, wasAbandoned } from './matchPayments.ts';
import {
	type Attempt,
	type AttemptOfRow,
	createLogRow,
	type PaymentResult,
	preparationLimit,
	type ProtectionSettings,
} from './attempt.ts';
import { PaymentKeys } from './paymentKeys.ts';
import { PaymentLog, type LogRow } from './paymentLog.ts';
import { type RecipientStatus, recipientStatuses } from './recipientStatus.ts';

/** The part of n8n that duplicate protection uses. */
export type ProtectionContext = ClaimContext &
	DataTableContext &
	Pick<IExecuteFunctions, 'getContext' | 'getExecutionId'>;

/**
 * Duplicate protection for the payments of one run. Order: log row, claim, request, result in the log row. So every
 * claim has a log row with its attempt, which also shows where a run crashed. The log knows which payments were
 * accepted, unknown or changed; only a claim permits sending.
 */
export class Protection {
	/** Production or sandbox. */
	readonly environment: string;
	readonly #context: ProtectionContext;
	readonly #settings: ProtectionSettings;
	readonly #store: ClaimStore;
	readonly #log: PaymentLog | undefined;
	readonly #keys: PaymentKeys;
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
		settings: ProtectionSettings,
		payments: readonly Payment[],
	) {
		this.#context = context;
		this.environment = connection.environment;
		this.#settings = settings;
		const { sharedWorkflowId, logName } = settings;
		const own = context.getWorkflow().id ?? '';
		this.#store = new ClaimStore(context, sharedWorkflowId === undefined ? [own] : [own, sharedWorkflowId]);
		this.#log = logName === undefined ? undefined : new PaymentLog(context, logName);
		const kept: { bankPayments?: LogRow[] } = context.getContext('node');
		this.#kept = kept.bankPayments ??= [];
		this.#keys = new PaymentKeys(operation, connection, payments);
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
		const rows = await protection.#read((row) => !wasAbandoned(row));
		for (const [payment, verdict] of protection.#matched(rows)) protection.#verdicts.set(payment, verdict);
		const open = payments.filter((payment) => payment.recipient !== undefined && !protection.#verdicts.has(payment));
		protection.#slots = protection.#keys.slotsOf(open, rows);
		return protection;
	}

	/** n8n's error message if the log could not be read or written. */
	get logProblem(): string | undefined {
		return this.#log?.problem;
	}

	/** Context for the error of a payment that was already sent. */
	heldBackContext({ operation, context }: Run, payment: Payment): HeldBackContext {
		const { content } = this.#keys.of(payment);
		const isLogged = this.#log !== undefined && this.#log.problem === undefined;
		return { operation, timeZone: context.getTimezone(), content, isLogged };
	}

	/** What the log says about an earlier attempt; undefined if the payment may be sent. */
	verdictOf(payment: Payment): Verdict | undefined {
		return this.#verdicts.get(payment);
	}

	/** Whether the log has accepted payments to the recipients, of any payout. */
	async recipientStatuses(payments: readonly Payment[]): Promise<Map<Payment, RecipientStatus>> {
		return await recipientStatuses(
			this.#log,
			payments.map((payment) => this.#keys.of(payment)),
		);
	}

	/**
	 * Claims payments. Those that another run has claimed get a verdict and are not part of the attempt.
	 * @throws NodeOperationError if it is uncertain which payments were claimed
	 */
	async begin(payments: readonly Payment[]): Promise<Attempt> {
		const attempt = { id: randomUUID(), startedAt: Date.now(), claims: this.#keys.claimsOf(payments, this.#slots) };
		const rows = payments.map((payment) => this.#rowOf(payment, attempt));
		const around = rows.length === 0 ? undefined : await this.#log?.aroundClaims(rows);
		const mode = this.#keys.modeOf(payments);
		const result = await this.#claim(attempt, {
			keys: [...attempt.claims.values()].flat(),
			...(mode === undefined ? {} : { mode }),
			...around,
		});
		const claims = await this.#checked(payments, attempt, result, mode).catch(async (error: unknown) => {
			await this.#store.release(attempt.id, result.won).catch(() => undefined);
			throw error instanceof ClaimError ? error.error : error;
		});
		const won = payments.filter((payment) => claims.has(payment));
		const lost = payments.filter((payment) => !claims.has(payment));
		if (lost.length > 0) await this.#explain(lost, attempt.id);
		const leftBehind = result.wasRepeated ? lost.filter((payment) => this.#isUnexplained(payment)) : [];
		for (const payment of leftBehind)
			this.#verdicts.set(payment, { is: 'unknown', row: { ...this.#rowOf(payment, attempt), outcome: 'unknown' } });
		return { ...attempt, claims: new Map([...attempt.claims, ...claims]), payments: won, leftBehind };
	}

	/** Whether it is too late to send the payments of an attempt: other runs may consider it abandoned. */
	isLate({ startedAt }: Attempt): boolean {
		return Date.now() - startedAt > preparationLimit;
	}

	/**
	 * Records the results of an attempt, and releases payments that moved no money.
	 * @returns payments that moved no money and still count as sent, because they could not be released
	 */
	async finish(attempt: Attempt, resultOf: (payment: Payment) => PaymentResult): Promise<Payment[]> {
		const results = attempt.payments.map((payment) => [payment, resultOf(payment)] as const);
		const free = results.flatMap(([payment, { outcome }]) =>
			outcome === 'rejected' || outcome === 'notSent' ? [payment] : [],
		);
		const isReleased = await this.#release(attempt, free);
		const rows = results.map(([payment, { outcome, payPackage = '', transactionId = '' }]): LogRow => ({
			...this.#rowOf(payment, attempt),
			outcome: isReleased || !free.includes(payment) ? outcome : 'unknown',
			payPackage,
			transactionId,
			at: new Date().toISOString(),
			runningUntil: '',
		}));
		// n8n stores this with the execution, so it is used only without a log.
		if (this.#log === undefined) this.#kept.push(...rows.filter(({ outcome }) => outcome === 'accepted'));
		const left = attempt.leftBehind.map((payment) => ({ ...this.#rowOf(payment, attempt), outcome: 'unknown' }));
		await this.#log?.finish(attempt.id, [...rows, ...left]);
		return isReleased ? [] : free;
	}

	async #claim(attempt: Pick<Attempt, 'id'>, request: Omit<ClaimRequest, 'attempt'>): Promise<ClaimResult> {
		return await this.#store.claim({ ...request, attempt: attempt.id }).catch(async (error: unknown) => {
			if (!(error instanceof ClaimError)) throw error;
			// If it is uncertain, the rows stay and show which claims may remain.
			if (error.isCertain) await this.#log?.finish(attempt.id, []);
			throw error.error;
		});
	}

	async #release(attempt: Attempt, payments: readonly Payment[]): Promise<boolean> {
		const keys = payments.flatMap((payment) => attempt.claims.get(payment) ?? []);
		if (keys.length === 0) return true;
		const won = new Map(this.#store.workflowIds.map((workflowId) => [workflowId, keys] as const));
		return await this.#store.release(attempt.id, won).then(
			() => true,
			() => false,
		);
	}

	/** The log rows of the payments; if the log cannot be read, the results of this execution. */
	async #read(isWanted: (row: LogRow) => boolean): Promise<LogRow[]> {
		const found = await Promise.all(
			[...Map.groupBy(this.#keys.all, ({ runKey }) => runKey)].map(
				async ([runKey, keys]) => await this.#log?.find(runKey, keys),
			),
		);
		if (found.includes(undefined)) return this.#kept.filter(isWanted);
		return [...found.flatMap((one) => one ?? []), ...this.#kept].filter(isWanted);
	}

	/** Matches all payments of the run at once, so that each row is used for one payment only. */
	#matched(rows: readonly LogRow[]): Map<Payment, Verdict> {
		return new Map([...matchPayments(this.#keys.all, rows)].map(([{ payment }, verdict]) => [payment, verdict]));
	}

	#isUnexplained(payment: Payment): boolean {
		const verdict = this.#verdicts.get(payment);
		return verdict?.is === 'unknown' && verdict.row === undefined && verdict.why === undefined;
	}

	async #explain(lost: readonly Payment[], attempt: string): Promise<void> {
		// Rows of other attempts, even abandoned ones, explain why a claim failed.
		const verdicts = this.#matched(await this.#read((row) => row.attempt !== attempt));
		for (const payment of lost)
			if (!this.#verdicts.has(payment)) this.#verdicts.set(payment, verdicts.get(payment) ?? { is: 'unknown' });
	}

	/** Returns the payments that may be sent, with their claims. Releases claims of the other payments. */
	async #checked(
		payments: readonly Payment[],
		attempt: Pick<Attempt, 'id' | 'claims'>,
		result: ClaimResult,
		mode: ClaimRequest['mode'],
	): Promise<Map<Payment, readonly string[]>> {
		const { owned, otherModeUsed } = result;
		const ownedOf = (payment: Payment) => (attempt.claims.get(payment) ?? []).every((key) => owned.has(key));
		const mayBeSent = new Set(payments.filter(ownedOf));
		// If one of several payments to a recipient is claimed by another run, it is unknown which ones are new, here and
		// in the next package.
		const unnamed = payments.filter((payment) => this.#keys.of(payment).key === '');
		const recipientOf = (payment: Payment) => this.#keys.of(payment).recipientKey;
		for (const payment of unnamed) if (!ownedOf(payment)) this.#contested.add(recipientOf(payment));
		for (const payment of unnamed) if (this.#contested.has(recipientOf(payment))) mayBeSent.delete(payment);
		const claims = new Map([...mayBeSent].map((payment) => [payment, attempt.claims.get(payment) ?? []] as const));
		if (otherModeUsed && mode !== undefined && (await this.#store.isClaimed(mode.other)))
			await this.#claimOtherMode(claims, attempt);
		const kept = new Set([...claims.values()].flat());
		const surplus = [...result.won].map(
			([workflowId, keys]) => [workflowId, keys.filter((key) => !kept.has(key))] as const,
		);
		await this.#store.release(attempt.id, new Map(surplus)).catch(() => undefined);
		return claims;
	}

	/**
	 * The payment run was used without identifiers before and now has them, or the reverse. In the first case the key of the recipient must
	 * be claimed as well. In the second the recipient may have been paid under an identifier, which only the log could show.
	 */
	async #claimOtherMode(claims: Map<Payment, readonly string[]>, attempt: Pick<Attempt, 'id'>): Promise<void> {
		const named = [...claims.keys()].filter((payment) => this.#keys.of(payment).key !== '');
		for (const payment of [...claims.keys()])
			if (!named.includes(payment)) {
				claims.delete(payment);
				this.#verdicts.set(payment, { is: 'unknown', why: 'modeChanged' });
			}
		const slots = new Map(named.map((payment) => [payment, this.#slots.get(payment) ?? '']));
		const { won, owned } = await this.#claim(attempt, { keys: [...slots.values()] });
		const lost: string[] = [];
		for (const [payment, slot] of slots) {
			if (owned.has(slot)) claims.set(payment, [...(claims.get(payment) ?? []), slot]);
			else {
				claims.delete(payment);
				lost.push(slot);
			}
		}
		const partly = [...won].map(
			([workflowId, keys]) => [workflowId, keys.filter((key) => lost.includes(key))] as const,
		);
		await this.#store.release(attempt.id, new Map(partly)).catch(() => undefined);
	}

	#rowOf(payment: Payment, attempt: AttemptOfRow): LogRow {
		return createLogRow(payment, this.#keys.of(payment), attempt, {
			execution: textOrNumber(this.#context.getExecutionId()),
			workflowIds: this.#store.workflowIds,
			timeout: this.#settings.timeout,
		});
	}
}
