import {
	call,
	type CallResult,
	createNoAnswerError,
	isBankFailure,
	type Pace,
	pollUntil,
	readRows,
	type Send,
} from '@bank/core';

import type { BankHttpClient } from '../http/bankHttpClient.ts';
import { encodeBytes, type RequestBytes } from '../http/encodeBytes.ts';
import type { OperationHooks, Read } from './operationHooks.ts';
import type { Planned } from './plan.ts';
import type { ExtraFields, Run } from '../form/run.ts';

/** A request with its final bytes: the same bytes are signed, claimed and sent. */
export interface EncodedRequest extends RequestBytes {
	planned: Planned;
	/** SHA-256 of method, URL and content, hexadecimal. */
	fingerprint: string;
	/** Fields read from the bank before sending, for the output. */
	added: ExtraFields;
}

/**
 * Turns a job into its final bytes. Reads from the bank and signatures that the bytes depend on happen here.
 * @throws InputError if a hook rejects what it has read
 */
export async function encodeRequest(
	run: Run,
	hooks: OperationHooks,
	planned: Planned,
	read: Read,
): Promise<EncodedRequest> {
	const { prepared = planned.prepared, added = {} } =
		(await hooks.amend?.(run, planned.job, planned.prepared, read)) ?? {};
	return { planned, prepared, added, ...(await encodeBytes(prepared)) };
}

/**
 * Sends one encoded request: once, polling until the result is ready, or page by page.
 * @throws BankFailure
 */
export async function sendEncoded(encoded: EncodedRequest, client: BankHttpClient, pace: Pace): Promise<CallResult> {
	const { operation } = encoded.planned;
	return await sendOrPoll(encoded, client, pace).catch((error: unknown) => {
		if (operation.effect === 'read' || isBankFailure(error)) throw error;
		// Only a bug in our code gets here, and the bank may already have processed the request.
		throw createNoAnswerError(operation, error instanceof Error ? { message: error.message } : {});
	});
}

async function sendOrPoll(encoded: EncodedRequest, client: BankHttpClient, pace: Pace): Promise<CallResult> {
	const { planned, prepared } = encoded;
	const { operation } = planned;
	if (planned.paging !== undefined) {
		const { mapRow, ...paging } = planned.paging;
		let isUnsettled = false;
		const onUnstable = () => (isUnsettled = true);
		const options = { ...paging, ...planned.preparing, ...pace, onUnstable };
		const rows = await readRows(operation, prepared.input, client.send, options, mapRow);
		return { data: rows, raw: rows, status: 200, isUnsettled };
	}
	const sendSame: Send = async ({ within }) => await client.sendBytes(operation, encoded, within);
	if (planned.waiting !== undefined)
		return await pollUntil(operation, prepared, sendSame, { ...planned.waiting, wait: pace.wait });
	return await call(operation, prepared, sendSame, pace);
}
