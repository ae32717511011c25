import {
	type HttpResponse,
	call,
	type FailureDetails,
	isBankFailure,
	type Operation,
	type TransportError,
} from '@bank/core';
import { likelyMethod } from '@bank/core/docs';

// Failures for the tables of the docs, created by core itself so that the docs cannot differ from it.

export const answeredWith = (status: number, text = ''): HttpResponse => ({ status, headers: {}, text });

/** The failure of a call with this response or transport error; undefined if the call succeeds. */
export async function endOf(
	operation: Operation,
	answered: HttpResponse | TransportError,
): Promise<FailureDetails | undefined> {
	const request = { method: likelyMethod(operation), url: '', headers: {}, input: { path: {}, query: {}, body: {} } };
	try {
		await call(operation, request, () => Promise.resolve(answered));
		return undefined;
	} catch (error) {
		if (isBankFailure(error)) return error.details;
		throw error;
	}
}

export async function failureOf(
	operation: Operation,
	answered: HttpResponse | TransportError,
): Promise<FailureDetails> {
	const failure = await endOf(operation, answered);
	if (failure === undefined) throw new Error(`${operation.id} did not fail`);
	return failure;
}
