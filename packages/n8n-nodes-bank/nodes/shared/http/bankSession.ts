import { call, isBankFailure, type Pace, prepare, createPrerequisiteReadError, type Send, Throttle } from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { BankAccess, Read } from '../form/operationHooks.ts';
import { Protection, type ProtectionContext } from '../idempotency/protection.ts';
import { waitUnlessCancelled } from '../wait.ts';
import { ExecutionLedger, type LedgerContext } from '../pipeline/executionLedger.ts';
import { Limits } from '../limits/limits.ts';
import { requireAllowed, resolveConnection, type ConnectContext } from './connection.ts';
import type { Payment, Run } from '../pipeline/run.ts';
import { BankHttpClient, type SendContext } from './bankHttpClient.ts';
import { requestLimitsOf, protectionOf } from '../pipeline/settings.ts';

export type BankContext = ConnectContext &
	SendContext &
	LedgerContext &
	ProtectionContext &
	Pick<IExecuteFunctions, 'getExecutionCancelSignal'>;

/** Calls `open` on first use and keeps its result. */
function once<T>(open: () => Promise<T>): () => Promise<T> {
	let opened: Promise<T> | undefined;
	return async () => await (opened ??= open());
}

/**
 * Session of a run. Opened on first use, because a preview needs no credential. Its methods throw a NodeOperationError if
 * the credential cannot be used.
 */
export class BankSession implements BankAccess {
	readonly signal: AbortSignal | undefined;
	readonly pace: Pace;
	readonly context: BankContext;
	readonly #run: Run;
	readonly #credentialType: () => string;
	readonly #payments: readonly Payment[];

	/** @param payments all payments of the run */
	constructor(context: BankContext, run: Run, credentialType: () => string, payments: readonly Payment[]) {
		this.context = context;
		this.#run = run;
		this.#credentialType = credentialType;
		this.#payments = payments;
		this.signal = context.getExecutionCancelSignal();
		this.pace = { wait: waitUnlessCancelled(this.signal), throttle: new Throttle() };
	}

	readonly #connection = once(async () => await resolveConnection(this.context, this.credentialType));

	readonly connected = once(async () => {
		const connection = await this.#connection();
		return {
			client: new BankHttpClient(this.context, connection, requestLimitsOf(this.#run.parameters.options())),
			ledger: new ExecutionLedger(this.context, this.#run.operation, connection),
		};
	});

	get credentialType(): string {
		return this.#credentialType();
	}

	readonly send: Send = async (request) => (await this.connected()).client.send(request);

	/** Loads the recorded payments, once: limits are checked for the payments that are then sent. Needs no token. */
	readonly protection = once(async () => {
		const { operation } = this.#run;
		const connection = await this.#connection();
		return await Protection.open(this.context, operation, connection, protectionOf(this.#run), this.#payments);
	});

	/** @throws NodeOperationError if the credential does not allow the operation */
	async limits(): Promise<Limits> {
		const connection = await this.#connection();
		requireAllowed(this.context, connection, this.#run.operation);
		return new Limits(this.context, this.#run.operation, connection);
	}

	/** Another operation's read, for checks before sending. */
	readonly read: Read = async (operation, input, advice) => {
		const { client } = await this.connected();
		const prepared = prepare(operation, input, { timeZone: this.#run.context.getTimezone() });
		return await call(operation, prepared, client.send, this.pace).catch((error: unknown) => {
			throw isBankFailure(error) ? createPrerequisiteReadError(this.#run.operation, error, advice) : error;
		});
	};
}
