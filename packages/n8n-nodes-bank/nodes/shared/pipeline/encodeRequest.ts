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
