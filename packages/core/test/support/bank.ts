import {
	type Answer,
	type FailureDetails,
	type Fault,
	InputError,
	isBankFailure,
	type Operation,
	operationById,
	type OperationInput,
	prepare,
	type PrepareOptions,
	type PreparedRequest,
	type Send,
	type SendFault,
} from '../../src/index.ts';

export type Reply = Answer | SendFault;

export const json = (status: number, body: unknown, headers: Record<string, unknown> = {}): Answer => ({
	status,
	headers,
	text: JSON.stringify(body),
});
export const words = (status: number, text: string, headers: Record<string, unknown> = {}): Answer => ({
	status,
	headers,
	text,
});

/** A bank that gives these replies in turn, and the last of them from then on; it remembers what it was asked. */
export function bankThat(...replies: Reply[]): { send: Send; asked: PreparedRequest[] } {
	const asked: PreparedRequest[] = [];
	const send: Send = async ({ prepared }) => {
		asked.push(prepared);
		return replies[Math.min(asked.length, replies.length) - 1] as Reply;
	};
	return { send, asked };
}

/** Waits no time and remembers how long it was to wait. */
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

export function prepared(
	operation: string | Operation,
	input: OperationInput,
	options?: PrepareOptions,
): PreparedRequest {
	return prepare(operationOf(operation), input, options);
}

/** The body as it goes out. */
export function bodyOf(
	operation: string | Operation,
	input: OperationInput,
	options?: PrepareOptions,
): Record<string, unknown> {
	return JSON.parse(prepared(operation, input, options).body ?? 'null') as Record<string, unknown>;
}

/** The query as it goes out, decoded. */
export function queryOf({ url }: PreparedRequest): [string, string][] {
	const [, query = ''] = url.split('?');
	return query === ''
		? []
		: query.split('&').map((pair) => pair.split('=').map(decodeURIComponent) as [string, string]);
}

/** The faults for which an input is refused; none when it is not. */
export function faultsOf(
	operation: string | Operation,
	input: OperationInput,
	options?: PrepareOptions,
): readonly Fault[] {
	try {
		prepare(operationOf(operation), input, options);
		return [];
	} catch (error) {
		if (error instanceof InputError) return error.faults;
		throw error;
	}
}

export const pathsOf = (faults: readonly Fault[]): string[] => faults.map(({ path }) => path);

export async function failureOf(promise: Promise<unknown>): Promise<unknown> {
	return await promise.then(
		() => {
			throw new Error('It succeeded');
		},
		(error: unknown) => error,
	);
}

/** The details of a call that has failed. */
export function detailsOf(end: unknown): FailureDetails {
	if (!isBankFailure(end)) throw new Error('It did not fail at the bank');
	return end.details;
}
