import { call, isBankFailure, type Pace, prepare, readForAnother, type Send, Throttle } from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { Line, Read } from '../form.ts';
import type { JournalContext } from '../journal.ts';
import { waitUnlessCancelled } from '../wait.ts';
import { Guard, type GuardContext } from '../guard/guard.ts';
import { type ClaimContext, Claims } from './claim.ts';
import { connect, type ConnectContext } from './connection.ts';
import type { Run } from './run.ts';
import { Network, type SendContext } from './send.ts';
import { boundsOf, guardWorkflowOf } from './settings.ts';

/** What n8n is asked for to reach the bank, and to remember what was sent there. */
export type BankContext = ConnectContext &
	SendContext &
	ClaimContext &
	GuardContext &
	JournalContext &
	Pick<IExecuteFunctions, 'getExecutionCancelSignal'>;

/** The network of a credential, and who may send there. */
export interface Connected {
	network: Network;
	claims: Claims;
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
			claims: new Claims(this.context, this.#run.operation, connection, this.#guard()),
		};
	}

	#guard(): Guard {
		return new Guard(this.context, { workflowId: guardWorkflowOf(this.#run) });
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
