import { call, isBankFailure, type Pace, prepare, readForAnother, type Send, Throttle } from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Line, Read } from '../form.ts';
import { Protection, type ProtectionContext } from '../idempotency/protection.ts';
import { waitUnlessCancelled } from '../wait.ts';
import { ExecutionLedger, type LedgerContext } from './executionLedger.ts';
import { connect, type ConnectContext } from './connection.ts';
import type { Payment, Run } from './run.ts';
import { Network, type SendContext } from './send.ts';
import { boundsOf, protectionOf } from './settings.ts';

/** What n8n is asked for to reach the bank, and to remember what was sent there. */
export type BankContext = ConnectContext &
	SendContext &
	LedgerContext &
	ProtectionContext &
	Pick<IExecuteFunctions, 'getExecutionCancelSignal'>;

/** The network of a credential, and what this execution has sent there. */
export interface Connected {
	network: Network;
	ledger: ExecutionLedger;
}

/** The bank as a run reaches it. Connected only where something is to be asked of it: a preview needs no credential. */
export class BankOfRun implements Line {
	readonly signal: AbortSignal | undefined;
	readonly pace: Pace;
	readonly context: BankContext;
	readonly #run: Run;
	readonly #credentialType: () => string;
	#connected: Promise<Connected> | undefined;

	constructor(context: BankContext, run: Run, credentialType: () => string) {
		this.context = context;
		this.#run = run;
		this.#credentialType = credentialType;
		this.signal = context.getExecutionCancelSignal();
		this.pace = { wait: waitUnlessCancelled(this.signal), throttle: new Throttle() };
	}

	/** @throws NodeOperationError when the credential cannot be used */
	async connected(): Promise<Connected> {
		return await (this.#connected ??= this.#connect());
	}

	get credentialType(): string {
		return this.#credentialType();
	}

	/** @throws NodeOperationError when the credential cannot be used */
	readonly send: Send = async (request) => (await this.connected()).network.send(request);

	async #connect(): Promise<Connected> {
		const connection = await connect(this.context, this.#credentialType());
		return {
			network: new Network(this.context, connection, boundsOf(this.#run.parameters.options(0), 60)),
			ledger: new ExecutionLedger(this.context, this.#run.operation, connection),
		};
	}

	/**
	 * Reads what is known of payments at this bank. Needs the credential's address and no token.
	 * @throws NodeOperationError when the credential cannot be used
	 */
	async protection(payments: readonly Payment[]): Promise<Protection> {
		const connection = await connect(this.context, this.#credentialType());
		const { operation } = this.#run;
		return await Protection.open(this.context, operation, connection, protectionOf(this.#run), payments);
	}

	/** Another operation's read, for checks before sending. */
	readonly read: Read = async (operation, input, advice) => {
		const { network } = await this.connected();
		const prepared = prepare(operation, input, { timeZone: this.#run.context.getTimezone() });
		return await call(operation, prepared, network.send, this.pace).catch((error: unknown) => {
			throw isBankFailure(error) ? readForAnother(this.#run.operation, error, advice) : error;
		});
	};
}
