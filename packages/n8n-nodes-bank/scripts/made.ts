import {
	type Answer,
	call,
	type FailureDetails,
	isBankFailure,
	likelyMethod,
	type Operation,
	type PreparedRequest,
	type SendFault,
} from '@bank/core';

/** Failures for the docs, made by core's own calls, so that the docs cannot say something else. */

export const answeredWith = (status: number, text = ''): Answer => ({ status, headers: {}, text });

export function requestOf(operation: Operation): PreparedRequest {
	return {
		method: likelyMethod(operation),
		url: '',
		headers: {},
		input: { path: {}, query: {}, body: {} },
	};
}

/** How something ends: the failure where it is one. */
export async function failureIn(carriedOut: Promise<unknown>): Promise<FailureDetails | undefined> {
	try {
		await carriedOut;
		return undefined;
	} catch (error) {
		if (isBankFailure(error)) return error.details;
		throw error;
	}
}

/** How a call ends that is answered so, or not answered. */
export async function endOf(operation: Operation, answered: Answer | SendFault): Promise<FailureDetails | undefined> {
	return await failureIn(call(operation, requestOf(operation), () => Promise.resolve(answered)));
}

export async function failureOf(operation: Operation, answered: Answer | SendFault): Promise<FailureDetails> {
	const failure = await endOf(operation, answered);
	if (failure === undefined) throw new Error(`${operation.id} did not fail`);
	return failure;
}
