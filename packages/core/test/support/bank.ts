import {
	call,
	type CallResult,
	type HttpResponse,
	type FailureDetails,
	type ValidationIssue,
	InputError,
	isBankFailure,
	type Operation,
	operationById,
	type OperationDetails,
	type OperationInput,
	prepare,
	type PrepareOptions,
	type PreparedRequest,
	type Send,
	type TransportError,
} from '../../src/index.ts';

export type Reply = HttpResponse | TransportError;

export const json = (status: number, body: unknown, headers: Record<string, unknown> = {}): HttpResponse => ({
	status,
	headers,
	text: JSON.stringify(body),
});
export const words = (status: number, text: string, headers: Record<string, unknown> = {}): HttpResponse => ({
	status,
	headers,
	text,
});

/** A bank that gives these replies in turn, then repeats the last one. Records its requests. */
export function bankThat(...replies: Reply[]): { send: Send; asked: PreparedRequest[] } {
	const asked: PreparedRequest[] = [];
	const send: Send = async ({ prepared }) => {
		asked.push(prepared);
		return replies[Math.min(asked.length, replies.length) - 1] as Reply;
	};
	return { send, asked };
}

/** Returns at once and records the waiting time. */
export function patience(more: (waited: number) => boolean = () => true): {
	wait: (ms: number) => Promise<boolean>;
	waited: number[];
} {
	const waited: number[] = [];
	const wait = async (ms: number) => {
		waited.push(ms);
		return more(waited.length);
	};
	return { wait, waited };
}

const operationOf = (operation: string | Operation) =>
	typeof operation === 'string' ? operationById(operation) : operation;

/** The input of an operation and its service details. */
export type DetailedInput = OperationInput & { details?: OperationDetails };

export function prepared(
	operation: string | Operation,
	{ details, ...input }: DetailedInput,
	options?: PrepareOptions,
): PreparedRequest {
	return prepare({ ...operationOf(operation), ...(details && { details }) }, input, options);
}

/** For tests of responses, where the request does not matter. */
export const anyRequest: PreparedRequest = {
	method: 'POST',
	url: '/x',
	headers: {},
	input: { path: {}, query: {}, body: undefined },
};

/** The result of a call if the bank sends this reply to it and to each retry. */
export const answered = async (operation: string | Operation, reply: Reply): Promise<CallResult> =>
	await call(operationOf(operation), anyRequest, bankThat(reply).send, patience());

/** The serialized body. */
export function bodyOf(
	operation: string | Operation,
	input: DetailedInput,
	options?: PrepareOptions,
): Record<string, unknown> {
	return JSON.parse(prepared(operation, input, options).body ?? 'null') as Record<string, unknown>;
}

/** The decoded query. */
export function queryOf({ url }: PreparedRequest): [string, string][] {
	const [, query = ''] = url.split('?');
	return query === ''
		? []
		: query.split('&').map((pair) => pair.split('=').map(decodeURIComponent) as [string, string]);
}

/** The issues of an invalid input, without values and labels; empty if it is valid. */
export function issuesOf(operation: string | Operation, input: DetailedInput): readonly ValidationIssue[] {
	try {
		prepared(operation, input);
		return [];
	} catch (error) {
		if (error instanceof InputError) return error.issues.map(({ value: _value, label: _label, ...issue }) => issue);
		throw error;
	}
}

export const pathsOf = (issues: readonly ValidationIssue[]): string[] => issues.map(({ path }) => path);

export const pathsIn = (operation: string | Operation, input: DetailedInput): string[] =>
	pathsOf(issuesOf(operation, input));

export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
	return await promise.then(
		() => {
			throw new Error('It succeeded');
		},
		(error: unknown) => error,
	);
}

/** The details of a failed call. */
export function detailsOf(end: unknown): FailureDetails {
	if (!isBankFailure(end)) throw new Error('It did not fail at the bank');
	return end.details;
}
