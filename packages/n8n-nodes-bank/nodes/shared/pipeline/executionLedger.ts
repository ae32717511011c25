import {
	BankFailure,
	type CallResult,
	createFailure,
	type FailureDetails,
	isBankFailure,
	type Operation,
} from '@bank/core';
import type { IExecuteFunctions } from 'n8n-workflow';

import type { CompletedRequest } from './operationHooks.ts';
import type { Connection } from '../http/connection.ts';
import { sha256 } from '../idempotency/keys.ts';
import type { EncodedRequest } from './encodeRequest.ts';

export type LedgerContext = Pick<IExecuteFunctions, 'evaluateExpression' | 'getContext' | 'getExecutionId'>;

/** Written before a request is sent: `sent` alone means that it may have been carried out. */
type Entry =
	| { state: 'sent' }
	| ({ state: 'accepted' } & AcceptedRequest)
	| { state: 'failed'; execution: string; details: FailureDetails };

/** A request that the bank accepted, in this or an earlier try. */
type AcceptedRequest = Pick<CompletedRequest, 'sent' | 'result' | 'at'>;

/**
 * Sends a request, or returns its response if the bank accepted it in an earlier try; a request with an unknown outcome is
 * not sent again. Only for requests that change something and are not payments: payments are protected across executions
 * (idempotency/protect.ts). Reads are always sent: a rerun should return current data. Requests are stored in the node's
 * context, which n8n keeps over *Retry On Fail* and "Retry execution".
 * @throws the failure of the request, or that of an earlier try that must not be repeated
 */
export async function sendOnce(
	context: LedgerContext,
	operation: Operation,
	{ baseUrl }: Pick<Connection, 'baseUrl'>,
	{ planned: { position }, prepared, fingerprint }: EncodedRequest,
	send: () => Promise<CallResult>,
): Promise<AcceptedRequest> {
	const accepted = (result: CallResult) => ({ sent: prepared.input, result, at: Date.now() });
	if (operation.effect === 'read') return accepted(await send());
	const kept: { bankLedger?: Record<string, Entry>; bankLedgerKeys?: Record<string, string> } =
		context.getContext('node');
	const entries = (kept.bankLedger ??= {});
	const execution = context.getExecutionId();
	// The position distinguishes equal requests. Within one execution it is enough, so an expression with the time or a random
	// number does not create another request on a rerun.
	const runIndex = String(context.evaluateExpression('{{ $runIndex }}', 0));
	const place = JSON.stringify([runIndex, operation.id, position]);
	const key = ((kept.bankLedgerKeys ??= {})[`${execution} ${place}`] ??= sha256(`${place} ${baseUrl} ${fingerprint}`));
	const earlier = entries[key];
	if (earlier?.state === 'accepted') return earlier;
	if (earlier?.state === 'sent') {
		const what = 'it was already sent, and is not sent again';
		throw createFailure(operation, 'unknown', what, { kind: 'heldBack', code: 'already_sent' });
	}
	if (earlier?.details.outcome === 'unknown' && earlier.execution === execution) throw new BankFailure(earlier.details);
	entries[key] = { state: 'sent' };
	const result = await send().catch((error: unknown) => {
		if (isBankFailure(error)) entries[key] = { state: 'failed', execution, details: error.details };
		throw error;
	});
	const entry = accepted(result);
	entries[key] = { state: 'accepted', ...entry };
	return entry;
}
