import { randomUUID } from 'node:crypto';

import { type Operation, paymentProtocol, textOrNumber } from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import { isByPhone, type Payment } from '../base/payment.ts';
import { type Claim, claimAll, type ClaimContext, ClaimError } from './claims.ts';
import type { DataTableContext } from './dataTable.ts';
import type { Destination } from './keys.ts';
import { describe, type PaymentRows, paymentIdOf } from './logRows.ts';
import { type LogRow, PaymentLog } from './paymentLog.ts';
import { type ResultsByKey, type RelatedPayments, relatedIn } from './relatedPayments.ts';

/**
 * Entry point of duplicate protection: `protect` sends payments, `lookUp` returns what the log says about them. The rules are core's
 * payment protocol; this module carries out its effects in n8n.
 */

export type ProtectionContext = ClaimContext & DataTableContext & Pick<IExecuteFunctions, 'getExecutionId'>;

export interface Protection {
	operation: Operation;
	destination: Destination;
	/** Name of the Data Table of the payment log. */
	logName: string;
	/** Timeout of a request in seconds. */
	timeout: number;
}

export type PaymentResult = paymentProtocol.Result<LogRow>;

/** What the log says about payments. */
export interface LookedUp extends RelatedPayments {
	/** A payment that may be sent is `free`. */
	found: ReadonlyMap<Payment, PaymentResult | paymentProtocol.Verdict<LogRow>>;
	ids: PaymentIds;
	/** Why the log could not be read or written; then no payment is free. */
	problem: string | undefined;
}

/** The payment IDs, which people enter in *Resolve*. */
export type PaymentIds = ReadonlyMap<Payment, string>;

/** The bank's answer about a payment. */
export interface BankAnswer {
	outcome: paymentProtocol.Outcome;
	payPackage?: string;
	transactionId?: string;
}

export interface SendCallbacks {
	/** Called once, before anything is claimed. Returns payments that are not sent: it may only forbid. */
	decide: (looked: LookedUp) => Promise<readonly Payment[]>;
	/**
	 * Sends the payments of a part, once. A payment without an answer is unknown.
	 * @param isLate whether it is too late to hand over the request; call it immediately before
	 */
	send: (
		part: number,
		payments: readonly Payment[],
		isLate: () => boolean,
		ids: PaymentIds,
	) => Promise<{ answers: ReadonlyMap<Payment, BankAnswer>; stops: boolean }>;
}

export interface ProtectionResult {
	results: ReadonlyMap<Payment, PaymentResult>;
	ids: PaymentIds;
	/** Payments whose result could not be recorded, so that later runs see them as unknown. */
	unrecorded: ReadonlySet<Payment>;
	/** Why the log could not be read or written. */
	problem: string | undefined;
	/** Why n8n could not claim payments. */
	claimError: unknown;
}

/** Maximum time from the start of a run to its first request. Each later request adds the timeouts of those before it. */
const preparationMs = 120_000;

/** Allows for clock differences between workers. */
const clockMarginMs = 30_000;

/**
 * Sends payments at most once, across runs, nodes, workers and crashes.
 * @param parts the payments of one request each, sent one after the other
 */
export async function protect(
	context: ProtectionContext,
	protection: Protection,
	parts: readonly (readonly Payment[])[],
	sending: SendCallbacks,
): Promise<ProtectionResult> {
	const run = new ProtectedRun(context, protection, parts, sending);
	return await run.finish();
}

/** What the log says about payments. Changes nothing. */
export async function lookUp(
	context: ProtectionContext,
	protection: Protection,
	payments: readonly Payment[],
): Promise<LookedUp> {
	const run = new ProtectedRun(context, protection, [payments]);
	return await run.look();
}

const ended = (isDone: boolean) => (isDone ? ({ is: 'done' } as const) : ({ is: 'failed' } as const));

class ProtectedRun {
	readonly #context: ProtectionContext;
	readonly #log: PaymentLog;
	readonly #sending: SendCallbacks | undefined;
	readonly #known: readonly PaymentRows[];
	readonly #byKey: ReadonlyMap<string, PaymentRows>;
	readonly #attempts: string;
	/** Payment IDs with the attempts of this run. */
	readonly #ownIds: PaymentIds;
	readonly #answers = new Map<string, BankAnswer>();
	#state: paymentProtocol.RunState<LogRow>;
	#firstId = Number.MAX_SAFE_INTEGER;
	#claimError: unknown;

	constructor(
		context: ProtectionContext,
		{ operation, destination, logName, timeout }: Protection,
		parts: readonly (readonly Payment[])[],
		sending?: SendCallbacks,
	) {
		this.#context = context;
		this.#sending = sending;
		this.#log = new PaymentLog(context, logName);
		const startedAt = Date.now();
		const origin = { operation, destination, execution: textOrNumber(context.getExecutionId()), startedAt };
		this.#attempts = `${randomUUID().slice(0, 13)}.`;
		const attemptAt = (part: number) => `${this.#attempts}${part}`;
		const known = parts.map((payments) => payments.map((payment) => describe(origin, payment)));
		this.#known = known.flat();
		this.#byKey = new Map(this.#known.map((one) => [one.key, one]));
		this.#ownIds = new Map(
			known.flatMap((payments, index) =>
				payments.map(({ key, payment }) => [payment, paymentIdOf({ key, attempt: attemptAt(index) })]),
			),
		);
		this.#state = paymentProtocol.createRun(
			context.getWorkflow().id ?? '',
			known.map((payments, index) => {
				const sendBefore = startedAt + preparationMs + index * timeout * 1000;
				const until = sendBefore + timeout * 1000 + clockMarginMs;
				return { attempt: attemptAt(index), run: payments[0]?.run, payments, sendBefore, until };
			}),
		);
	}

	async look(): Promise<LookedUp> {
		const rows = await this.#find(this.#known);
		const now = Date.now();
		const looked = this.#state.parts.map((part) =>
			rows === undefined ? {} : paymentProtocol.look(this.#state, part, { rows, now }).payments,
		);
		return this.#lookedUp(Object.assign({}, ...looked) as ResultsByKey, rows);
	}

	async finish(): Promise<ProtectionResult> {
		let next = paymentProtocol.step(this.#state, { is: 'start' });
		while (next.effect !== undefined) {
			this.#state = next.state;
			next = paymentProtocol.step(this.#state, await this.#carryOut(next.effect));
		}
		this.#state = next.state;
		const { results, unwritten } = this.#state;
		return {
			results: new Map(this.#known.flatMap(({ key, payment }) => (results[key] ? [[payment, results[key]]] : []))),
			ids: this.#idsIn(results),
			unrecorded: new Set(this.#paymentsOf(unwritten)),
			problem: this.#log.problem,
			claimError: this.#claimError,
		};
	}

	async #carryOut(effect: paymentProtocol.Effect): Promise<paymentProtocol.Event<LogRow>> {
		switch (effect.do) {
			case 'insert':
			case 'mark':
				return ended(await this.#log.add(this.#completed(effect.rows)));
			case 'read':
				return await this.#read(effect.keys);
			case 'decide':
				return { is: 'decided', refused: await this.#decide() };
			case 'begin': {
				const begun = await this.#log.insertNode(this.#completed([effect.begun]));
				return begun === undefined ? { is: 'failed', isCertain: true } : await this.#claim([effect.begun], begun);
			}
			case 'claim':
				return await this.#claim(Object.entries(effect.numbers).map(([key, number]) => ({ key, number })));
			case 'send':
				return await this.#send(effect);
			case 'write': {
				const isAll = effect.attempts.length > 1 && effect.attempts.length === this.#state.parts.length;
				const attempts = isAll ? [`${this.#attempts}%`] : effect.attempts;
				return ended(await this.#log.replaceRows(this.#completed(effect.rows), attempts, this.#firstId));
			}
		}
	}

	async #read(keys: readonly string[]): Promise<paymentProtocol.Event<LogRow>> {
		const rows = await this.#find(this.#known.filter(({ key }) => keys.includes(key)));
		if (rows === undefined) return { is: 'failed' };
		const own = rows.filter(({ attempt }) => attempt.startsWith(this.#attempts));
		this.#firstId = Math.min(this.#firstId, ...own.map(({ id }) => id));
		return { is: 'rows', rows, now: Date.now() };
	}

	/** All rows of payments and of their payment runs. */
	async #find(known: readonly PaymentRows[]): Promise<LogRow[] | undefined> {
		const rows: LogRow[] = [];
		for (const [run, payments] of Map.groupBy(known, (one) => one.run?.key ?? '')) {
			const keys = [...(run === '' ? [] : [run]), ...payments.map(({ key }) => key)];
			const names = payments.flatMap(({ payment, row }) =>
				this.#sending === undefined && isByPhone(payment) ? [row.nameDigest] : [],
			);
			const found = await this.#log.find(run, keys, names);
			if (found === undefined) return undefined;
			rows.push(...found);
		}
		return rows;
	}

	/** Returns the keys of payments that must not be sent. If it throws, nothing is sent. */
	async #decide(): Promise<string[]> {
		const { numbers, results } = this.#state;
		const free = Object.entries(numbers).map(([key, verdict]) => [key, { is: 'free', ...verdict }] as const);
		const looked = this.#lookedUp({ ...results, ...Object.fromEntries(free) });
		const refused = await this.#sending?.decide(looked);
		return this.#known.flatMap(({ key, payment }) => (refused?.includes(payment) === true ? [key] : []));
	}

	async #claim(...[claims, then]: [readonly Claim[], Parameters<typeof claimAll>[2]?]) {
		try {
			return { is: 'claimed', won: await claimAll(this.#context, claims, then) } as const;
		} catch (error) {
			this.#claimError = error;
			return { is: 'failed', isCertain: error instanceof ClaimError && error.isCertain } as const;
		}
	}

	async #send({ part, keys }: Extract<paymentProtocol.Effect, { do: 'send' }>): Promise<paymentProtocol.Event<LogRow>> {
		const { sendBefore = 0 } = this.#state.parts[part] ?? {};
		const isLate = () => Date.now() > sendBefore;
		const sent = await this.#sending?.send(part, this.#paymentsOf(keys), isLate, this.#ownIds);
		const outcomes: Record<string, paymentProtocol.Outcome> = {};
		for (const key of keys) {
			const payment = this.#byKey.get(key)?.payment;
			const answer = payment && sent?.answers.get(payment);
			if (answer === undefined) continue;
			this.#answers.set(key, answer);
			outcomes[key] = answer.outcome;
		}
		return { is: 'answered', outcomes, stops: sent?.stops === true };
	}

	/** Adds the columns that people read. */
	#completed(entries: readonly paymentProtocol.LogEntry[]): LogRow[] {
		return entries.flatMap((entry) => {
			const known = this.#byKey.get(entry.key)?.row ?? this.#known.find(({ run }) => run?.key === entry.key)?.run;
			const { key, attempt, workflow, number, state, until, content } = entry;
			const decides = { key, attempt, workflow, number, state, until, content };
			const { payPackage = '', transactionId = '' } = until === 0 ? (this.#answers.get(key) ?? {}) : {};
			// Another attempt has the number, so this execution must not be named as the one that sent it.
			const isOthers = this.#state.results[key]?.is === 'unknown';
			const more = { payPackage, transactionId, ...(isOthers ? { execution: '' } : {}) };
			return known === undefined ? [] : [{ ...known, ...decides, ...more }];
		});
	}

	#lookedUp(found: ResultsByKey, rows: readonly LogRow[] = []): LookedUp {
		return {
			...relatedIn(this.#known, found, rows),
			found: new Map(this.#known.flatMap(({ key, payment }) => (found[key] ? [[payment, found[key]]] : []))),
			ids: this.#idsIn(found),
			problem: this.#log.problem,
		};
	}

	/** Payment IDs. Each names the attempt that may have made the payment, unless it is still running: it is too early to ask the bank. */
	#idsIn(found: ResultsByKey): PaymentIds {
		const others = this.#known.flatMap(({ key, payment }): [Payment, string][] => {
			const result = found[key];
			const row = result !== undefined && 'row' in result && result.is !== 'beingSent' ? result.row : undefined;
			return row === undefined ? [] : [[payment, paymentIdOf({ key, attempt: row.attempt })]];
		});
		return new Map([...this.#ownIds, ...others]);
	}

	#paymentsOf(keys: readonly string[]): Payment[] {
		return keys.flatMap((key) => this.#byKey.get(key)?.payment ?? []);
	}
}
