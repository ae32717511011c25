import { call, isBankFailure, type Pace, prepare, createPrerequisiteReadError, type Send, Throttle } from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Read } from './operationHooks.ts';
import { lookUp, type ProtectionContext } from '../idempotency/protect.ts';
import type { Payment } from '../base/payment.ts';
import { waitUnlessCancelled } from '../base/wait.ts';
import type { LedgerContext } from './executionLedger.ts';
import { Limits } from '../limits/limits.ts';
import { requireAllowed, resolveConnection, type ConnectContext } from '../http/connection.ts';
import type { Run } from '../form/run.ts';
import { BankHttpClient, type SendContext } from '../http/bankHttpClient.ts';
import { logNameOf } from '../form/settings.ts';
import { requestLimitsOf } from '../http/deadline.ts';

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

export type BankSession = ReturnType<typeof createSession>;

/**
 * Session of a run. Opened on first use, because a preview needs no credential. Its functions throw a NodeOperationError if
 * the credential cannot be used.
 * @param payments all payments of the run
 */
export function createSession(
	context: BankContext,
	run: Run,
	credentialType: () => string,
	payments: readonly Payment[],
) {
	const { operation, parameters } = run;
	const signal = context.getExecutionCancelSignal();
	const pace: Pace = { wait: waitUnlessCancelled(signal), throttle: new Throttle() };
	const connection = once(async () => await resolveConnection(context, credentialType()));
	const client = once(
		async () => new BankHttpClient(context, await connection(), requestLimitsOf(parameters.options())),
	);
	const send: Send = async (request) => (await client()).send(request);
	/** Reads with another operation, for checks before sending. */
	const read: Read = async (other, input, advice) => {
		const prepared = prepare(other, input, { timeZone: run.context.getTimezone() });
		return await call(other, prepared, send, pace).catch((error: unknown) => {
			throw isBankFailure(error) ? createPrerequisiteReadError(operation, error, advice) : error;
		});
	};
	const protection = once(async () => ({
		operation,
		destination: await connection(),
		logName: logNameOf(run),
		timeout: requestLimitsOf(parameters.options()).seconds,
	}));
	return {
		context,
		signal,
		pace,
		connection,
		client,
		send,
		read,
		get credentialType() {
			return credentialType();
		},
		protection,
		/** What the payment log says about the payments of the run. Needs no token. */
		lookedUp: once(async () => await lookUp(context, await protection(), payments)),
		/** @throws NodeOperationError if the credential does not allow the operation */
		async limits() {
			requireAllowed(context, await connection(), operation);
			return new Limits(context, operation, await connection());
		},
	};
}
