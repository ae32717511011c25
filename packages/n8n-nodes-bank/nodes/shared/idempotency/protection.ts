import { randomUUID } from 'node:crypto';

import { type Operation, textOrNumber } from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Connection } from '../run/connection.ts';
import type { Payment, Run } from '../run/run.ts';
import { ClaimError } from './claimErrors.ts';
import { type ClaimContext, type ClaimRequest, type ClaimResult, ClaimStore } from './claimStore.ts';
import type { HeldBackContext } from './heldBackPayment.ts';
import { matchPayments, type Verdict, wasAbandoned } from './matchPayments.ts';
import { PaymentKeys } from './paymentKeys.ts';
import { type LogContext, PaymentLog, type LogRow } from './paymentLog.ts';

/** All that duplicate protection needs of n8n. */
export type ProtectionContext = ClaimContext & LogContext & Pick<IExecuteFunctions, 'getContext' | 'getExecutionId'>;

export interface ProtectionSettings {
	/** A workflow with which claims are shared, besides the one that runs. */
	sharedWorkflowId?: string | undefined;
	/** Name of the Data Table; nothing where the log is off. */
	logName?: string | undefined;
	/** Seconds that a request may take. */
	timeout: number;
}

/** What a payment came to. */
export interface PaymentResult {
	outcome: 'accepted' | 'rejected' | 'notSent' | 'unknown';
	payPackage?: string;
	transactionId?: string;
}

/** Payments that this run has claimed and may send, once. */
export interface Attempt {
	readonly id: string;
	readonly payments: readonly Payment[];
	readonly startedAt: number;
	readonly claims: ReadonlyMap<Payment, readonly string[]>;
}

/** How long an attempt may take before its request goes out, in milliseconds. After that it is not sent any more. */
export const preparationLimit = 120_000;

/** Clocks of workers differ. */
const clockMargin = 30_000;

/**
 * Duplicate protection for the payments of one run.
 *
 * The order is: a log row for the attempt, the claim, the request, the result in the log row. So every claim has a row that names its attempt,
 * and a crash anywhere can be read from it. What was accepted, unknown or changed is told by the log; what may be sent, by the claim alone.
 */
export class Protection {
	readonly #context: ProtectionContext;
	readonly #connection: Pick<Connection, 'environment' | 'baseUrl'>;
	readonly #settings: ProtectionSettings;
	readonly #store: ClaimStore;
	readonly #log: PaymentLog | undefined;
	readonly #keys: PaymentKeys;
	readonly #verdicts = new Map<Payment, Verdict>();
	/** Results of this execution, which n8n keeps over Retry On Fail and "Retry execution": they stand in for a log that is off. */
	readonly #kept: LogRow[];
	#rows: LogRow[] | undefined;

	private constructor(
		context: ProtectionContext,
		operation: Operation,
		connection: Pick<Connection, 'environment' | 'baseUrl'>,
		settings: ProtectionSettings,
		payments: readonly Payment[],
	) {
		this.#context = context;
		this.#connection = connection;
		this.#settings = settings;
		const { sharedWorkflowId, logName } = settings;
		const own = context.getWorkflow().id ?? '';
		this.#store = new ClaimStore(context, sharedWorkflowId === undefined ? [own] : [own, sharedWorkflowId]);
		this.#log = logName === undefined ? undefined : new PaymentLog(context, logName);
		const kept: { bankPayments?: LogRow[] } = context.getContext('node');
		this.#kept = kept.bankPayments ??= [];
		this.#keys = new PaymentKeys(operation, connection, payments);
	}

	/** Reads what the log knows of the payments. Claims nothing. */
	static async open(
		context: ProtectionContext,
		operation: Operation,
		connection: Pick<Connection, 'environment' | 'baseUrl'>,
		settings: ProtectionSettings,
		payments: readonly Payment[],
	): Promise<Protection> {
		const protection = new Protection(context, operation, connection, settings, payments);
		await protection.#look(payments);
		return protection;
	}

	/** Why the log could not be read or written; nothing where it is off or works. */
	get logProblem(): string | undefined {
		return this.#log?.problem;
	}

	/** Production or sandbox. */
	get environment(): string {
		return this.#connection.environment;
	}

	/** For the error of a payment that is held back. */
	heldBackContext({ operation, context }: Run, payment: Payment): HeldBackContext {
		const { content } = this.#keys.of(payment);
		return { operation, timeZone: context.getTimezone(), content, isLogged: this.isLogged };
	}

	/** Whether there is a payment log that can be read. */
	get isLogged(): boolean {
		return this.#log !== undefined && this.#log.problem === undefined;
	}

	/** What is known of an earlier payment; nothing where this one may be sent. */
	verdictOf(payment: Payment): Verdict | undefined {
		return this.#verdicts.get(payment);
	}

	/**
	 * Claims payments. Those that somebody else has claimed get a verdict and are not part of the attempt.
	 * @throws NodeOperationError where it is not certain what was claimed
	 */
	async begin(payments: readonly Payment[]): Promise<Attempt> {
		const attempt = { id: randomUUID(), startedAt: Date.now(), claims: this.#keys.claimsOf(payments, this.#rows ?? []) };
		const rows = payments.map((payment) => this.#rowOf(payment, attempt));
		const around = rows.length === 0 ? undefined : await this.#log?.aroundClaims(rows);
		const mode = this.#keys.modeOf(payments);
		const result = await this.#claim(attempt, {
			keys: [...attempt.claims.values()].flat(),
			...(mode === undefined ? {} : { mode }),
			...around,
		});
		const claims = await this.#checked(payments, attempt, result, mode).catch(async (error: unknown) => {
			await this.#store.release(this.#attemptOf(attempt), result.won).catch(() => undefined);
			throw error instanceof ClaimError ? error.error : error;
		});
		const won = payments.filter((payment) => claims.has(payment));
		const lost = payments.filter((payment) => !claims.has(payment));
		if (lost.length > 0) await this.#explain(lost, attempt.id);
		return { ...attempt, claims, payments: won };
	}

	/** Whether it is too late to send what an attempt has claimed: somebody may take it for ended. */
	isLate({ startedAt }: Attempt): boolean {
		return Date.now() - startedAt > preparationLimit;
	}

	/**
	 * Records the results of an attempt, and releases what moved no money.
	 * @returns payments that moved no money and still count as sent, because they could not be released
	 */
	async finish(attempt: Attempt, resultOf: (payment: Payment) => PaymentResult): Promise<Payment[]> {
		const results = attempt.payments.map((payment) => [payment, resultOf(payment)] as const);
		const free = results.flatMap(([payment, { outcome }]) => (outcome === 'rejected' || outcome === 'notSent' ? [payment] : []));
		const isReleased = await this.#release(attempt, free);
		const rows = results.map(([payment, { outcome, payPackage = '', transactionId = '' }]): LogRow => ({
			...this.#rowOf(payment, attempt),
			outcome: isReleased || !free.includes(payment) ? outcome : 'unknown',
			payPackage,
			transactionId,
			at: new Date().toISOString(),
			runningUntil: '',
		}));
		// n8n stores it with the execution: only where nothing else has it.
		if (this.#log === undefined) this.#kept.push(...rows.filter(({ outcome }) => outcome === 'accepted'));
		this.#rows?.push(...rows);
		await this.#log?.finish(attempt.id, rows);
		return isReleased ? [] : free;
	}

	async #claim(attempt: Pick<Attempt, 'id'>, request: ClaimRequest): Promise<ClaimResult> {
		return await this.#store.claim({ ...request, attempt: this.#attemptOf(attempt) }).catch(async (error: unknown) => {
			if (!(error instanceof ClaimError)) throw error;
			// Where it is not certain, the rows stay: they tell which claims may be left behind.
			if (error.isCertain) await this.#log?.finish(attempt.id, []);
			throw error.error;
		});
	}

	async #release(attempt: Attempt, payments: readonly Payment[]): Promise<boolean> {
		const keys = payments.flatMap((payment) => attempt.claims.get(payment) ?? []);
		if (keys.length === 0) return true;
		const won = new Map(this.#store.workflowIds.map((workflowId) => [workflowId, keys] as const));
		return await this.#store.release(this.#attemptOf(attempt), won).then(
			() => true,
			() => false,
		);
	}

	/** Gates are for attempts that the log names: nobody else could release the others. */
	#attemptOf({ id }: Pick<Attempt, 'id'>): string | undefined {
		return this.#log === undefined ? undefined : id;
	}

	/** @param lostBy the attempt of this run that has lost the claims: its own rows explain nothing, those of an abandoned one do */
	async #look(payments: readonly Payment[], lostBy?: string): Promise<void> {
		if (payments.length === 0) return;
		const known = payments.map((payment) => this.#keys.of(payment));
		const found = await Promise.all(
			[...Map.groupBy(known, ({ runKey }) => runKey)].map(
				async ([runKey, keys]) => await this.#log?.find({ runKey, keys }),
			),
		);
		const isRead = found.every((rows) => rows !== undefined);
		const rows = [...found.flatMap((one) => one ?? []), ...this.#kept].filter((row) =>
			lostBy === undefined ? !wasAbandoned(row) : row.attempt !== lostBy,
		);
		this.#rows = isRead ? rows : this.#kept.slice();
		for (const [{ payment }, verdict] of matchPayments(known, this.#rows)) this.#verdicts.set(payment, verdict);
	}

	async #explain(lost: readonly Payment[], attempt: string): Promise<void> {
		await this.#look(lost, attempt);
		for (const payment of lost) if (!this.#verdicts.has(payment)) this.#verdicts.set(payment, { is: 'unknown' });
	}

	/** The payments that may be sent, with their claims; what was won of others is released. */
	async #checked(
		payments: readonly Payment[],
		attempt: Pick<Attempt, 'id' | 'claims'>,
		result: ClaimResult,
		mode: ClaimRequest['mode'],
	): Promise<Map<Payment, readonly string[]>> {
		const { owned, otherModeUsed } = result;
		const ownedOf = (payment: Payment) => (attempt.claims.get(payment) ?? []).every((key) => owned.has(key));
		const mayBeSent = new Set(payments.filter(ownedOf));
		// Without the log it cannot be told which of several payments to one recipient is the new one.
		const unnamed = payments.filter((payment) => this.#keys.of(payment).key === '');
		for (const group of Map.groupBy(unnamed, (payment) => this.#keys.of(payment).recipientKey).values())
			if (!group.every(ownedOf)) for (const payment of group) mayBeSent.delete(payment);
		const claims = new Map([...mayBeSent].map((payment) => [payment, attempt.claims.get(payment) ?? []] as const));
		if (otherModeUsed && mode !== undefined && (await this.#store.isClaimed(mode.other)))
			await this.#claimOtherMode(claims, attempt);
		const kept = new Set([...claims.values()].flat());
		const surplus = [...result.won].map(([workflowId, keys]) => [workflowId, keys.filter((key) => !kept.has(key))] as const);
		await this.#store.release(this.#attemptOf(attempt), new Map(surplus)).catch(() => undefined);
		return claims;
	}

	/**
	 * The payment run was used without identifiers before, and now has them, or the reverse. In the first case a payment must win the key of
	 * its recipient as well. In the second its recipient may have been paid under an identifier, which nothing but the log could tell.
	 */
	async #claimOtherMode(claims: Map<Payment, readonly string[]>, attempt: Pick<Attempt, 'id'>): Promise<void> {
		const named = [...claims.keys()].filter((payment) => this.#keys.of(payment).key !== '');
		for (const payment of [...claims.keys()])
			if (!named.includes(payment)) {
				claims.delete(payment);
				this.#verdicts.set(payment, { is: 'unknown', why: 'modeChanged' });
			}
		const slots = this.#keys.slotsOf(named, this.#rows ?? []);
		const { won, owned } = await this.#claim(attempt, { keys: [...slots.values()] });
		const lost: string[] = [];
		for (const [payment, slot] of slots) {
			if (owned.has(slot)) claims.set(payment, [...(claims.get(payment) ?? []), slot]);
			else {
				claims.delete(payment);
				lost.push(slot);
			}
		}
		const partly = [...won].map(([workflowId, keys]) => [workflowId, keys.filter((key) => lost.includes(key))] as const);
		await this.#store.release(this.#attemptOf(attempt), new Map(partly)).catch(() => undefined);
	}

	#rowOf(payment: Payment, { id, startedAt, claims }: Pick<Attempt, 'id' | 'startedAt' | 'claims'>): LogRow {
		const { runKey, key, recipientKey, content } = this.#keys.of(payment);
		const { paymentRun = '', amount = '', phone = '' } = payment.logged ?? {};
		const until = startedAt + preparationLimit + this.#settings.timeout * 1000 + clockMargin;
		return {
			paymentRun,
			sequence: payment.name,
			amount,
			phone,
			outcome: 'preparing',
			payPackage: '',
			transactionId: '',
			execution: textOrNumber(this.#context.getExecutionId()),
			at: new Date(startedAt).toISOString(),
			attempt: id,
			runningUntil: new Date(until).toISOString(),
			workflow: this.#store.workflowIds.join(' '),
			runKey,
			key,
			recipientKey,
			claims: (claims.get(payment) ?? []).join(' '),
			content,
		};
	}
}
