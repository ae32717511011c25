import type * as v from 'valibot';

import type { ListedError } from './errors/rest.ts';
import type { Fault } from './faults.ts';

/** The OAuth 2.0 flow an operation's token comes from (part 5 of the API description). */
export type Auth = 'clientCredentials' | 'authorizationCode';

/** What an operation does at the bank. It decides about concurrency, retries and what an unclear answer means. */
export type Effect = 'read' | 'order' | 'change' | 'delete' | 'money';

export type Method = 'GET' | 'POST' | 'PUT' | 'DELETE';

export type ObjectSchema = v.GenericSchema & { readonly type: string; readonly entries: Record<string, v.GenericSchema> };

/** What the caller gives: the API's own field names, grouped by where they travel. */
export interface OperationInput {
	path?: Record<string, unknown>;
	query?: Record<string, unknown>;
	body?: unknown;
}

/**
 * One operation of the bank, as data. The check before sending, the request, the form, the reference docs,
 * the OpenAPI file, the sandbox and the contract tests are all read from it.
 *
 * What the API description does not show is an absent property, never an invented value.
 */
export interface Operation {
	/** `resource.operation`, the words of the form. */
	id: `${string}.${string}`;
	/** Where the API description says so, for example `4, P5`. */
	spec: string;
	/** The operation as it reads in a list, for example `Order Account Statement`. */
	name: string;
	/** The operation as a sentence, for example `Order an account statement`. */
	action: string;
	/** One or two sentences for the form and the reference. */
	description: string;
	auth: Auth;
	/** Absent where the scope depends on something the description does not list (webhook events). */
	scope?: string;
	effect: Effect;
	method: Method;
	/** Appended to the base URL; `{name}` stands for a field of `pathFields`. */
	path: string;
	pathFields?: ObjectSchema;
	query?: ObjectSchema;
	body?: ObjectSchema;
	/** Absent where the answer has no body. */
	response?: v.GenericSchema;
	/** Where the answer is a list: the key that holds it, and the query fields that page through it. */
	list?: {
		key: string;
		offset?: string;
		limit?: string;
		/** One row with what most flows use. */
		simplify: (row: unknown) => Record<string, unknown>;
	};
	/** The errors that the description lists for this operation. */
	errors: readonly ListedError[];
	/**
	 * What makes two requests the same one for whoever must not send it twice, where that is less than the whole body: a signature
	 * or a description may differ from try to try, and it is the same payment none the less.
	 */
	identity?: (body: unknown) => unknown;
	/** Rules over several fields, checked after the fields themselves. */
	rules?: (input: { path: Record<string, unknown>; query: Record<string, unknown>; body: unknown }) => Fault[];
}

export function defineOperation<const O extends Operation>(operation: O): O {
	return operation;
}

export function resourceOf(operation: Operation): string {
	return operation.id.slice(0, operation.id.indexOf('.'));
}

export function operationName(operation: Operation): string {
	return operation.id.slice(operation.id.indexOf('.') + 1);
}
