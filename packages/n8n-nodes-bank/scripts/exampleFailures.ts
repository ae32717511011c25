import {
	type Answer,
	call,
	type FailureDetails,
	isBankFailure,
	likelyMethod,
	type Operation,
	type SendFault,
} from '@bank/core';

/** Failures for the docs, made by core's own calls, so that the docs cannot say something else. */

export const answeredWith = (status: number, text = ''): Answer => ({ status, headers: {}, text });

/** The failure of a call that gets this answer, or none; undefined where it succeeds. */
export async function endOf(operation: Operation, answered: Answer | SendFault): Promise<FailureDetails | undefined> {
	const request = { method: likelyMethod(operation), url: '', headers: {}, input: { path: {}, query: {}, body: {} } };
	try {
		await call(operation, request, () => Promise.resolve(answered));
		return undefined;
	} catch (error) {
		if (isBankFailure(error)) return error.details;
		throw error;
	}
}

export async function failureOf(operation: Operation, answered: Answer | SendFault): Promise<FailureDetails> {
	const failure = await endOf(operation, answered);
	if (failure === undefined) throw new Error(`${operation.id} did not fail`);
	return failure;
}
