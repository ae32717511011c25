import type * as v from 'valibot';

import type { Dialect } from './errors/dialect.ts';
import type { ListedError } from './errors/rest.ts';
import type { Method, OperationDetails } from './serviceDetails/details.ts';
import { titleCase } from './text.ts';
import type { ValidationIssue } from './validation.ts';

/**
 * How the bank authenticates the caller (part 5 of the API description): with an OAuth 2.0 token, the gateway's client
 * ID and secret, or a client certificate. `notShown` if the description does not say; the user then chooses.
 */
export type Auth = 'clientCredentials' | 'authorizationCode' | 'gateway' | 'mutualTls' | 'notShown';

/**
 * The effect of an operation at the bank, which determines concurrency, retries and the meaning of an unclear response.
 * `none`: runs locally or only checks.
 */
export type Effect = 'none' | 'read' | 'order' | 'change' | 'delete' | 'money';

export type { Method };

export type ObjectSchema<Output = unknown> = v.GenericSchema<unknown, Output> & {
	readonly type: string;
	readonly entries: Record<string, v.GenericSchema>;
};

/** Checked request fields, by location. Types are inferred from the schemas: see `defineOperation`. */
export interface CheckedInput {
	path: Record<string, unknown>;
	query: Record<string, unknown>;
	body: unknown;
}

export interface FileInput {
	/** Name of the multipart part, or path in the JSON body, if the service details have none. */
	field: string;
	/** The document that the file contains: a key of `Payload.documents`. */
	document?: string;
	fileName: string;
	mimeType: string;
	base64: string;
}

/** Fields by location under the API's own names, and values for what the description does not show. */
export interface OperationInput {
	path?: Record<string, unknown>;
	query?: Record<string, unknown>;
	body?: unknown;
	/** JSON object or array, for operations whose description shows no body. GET and DELETE send it in the query. */
	payload?: unknown;
	/** Values of `Operation.unnamedFields`, by their names there. */
	unnamedFields?: Record<string, unknown>;
	/** Values of the fields that the service details name, by these names. */
	fields?: Record<string, unknown>;
	files?: readonly FileInput[];
	/** The access token for `accessToken` operations. Absent if the credential has a token. */
	accessToken?: { value: unknown };
}

/** A body whose shape the description does not show. */
export interface Payload {
	/** What the description says about the body, for forms and docs. */
	about?: string;
	required: boolean;
	files?: {
		/** Labels of the required documents, by name. Each needs exactly one file. */
		documents?: Readonly<Record<string, string>>;
		required: boolean;
		/** The user may enter a document name for each file; the description does not list the names. */
		named?: true;
		/** Maximum number of files. */
		most?: number;
	};
}

/**
 * One operation of the bank, as data. Validation, requests, forms, the reference, the OpenAPI file, the sandbox and the
 * contract tests are derived from it. A property is absent if the API description does not show it.
 *
 * All type parameters are covariant (functions are declared as methods), so every typed operation is assignable to
 * `Operation`. `Row` is one element of the response list.
 */
export interface Operation<Input extends CheckedInput = CheckedInput, Output = unknown, Row = unknown> {
	/** `resource.operation`, as saved in workflows. */
	id: `${string}.${string}`;
	/** An operation that the node provides and the bank's API does not have. */
	local?: true;
	/** Title in a list of operations. Default: the second part of `id`, for example `Get Many`. */
	name: string;
	/** Title in a list of actions, without articles, for example `Order account statement`. */
	action: string;
	auth: Auth;
	/**
	 * The scope that the operation needs. Absent if the scope depends on values that the description does not list
	 * (webhook events).
	 */
	scope?: string;
	effect: Effect;
	/** Absent if not described: the service details have it. */
	method?: Method;
	/** Path after the base URL; `{name}` is replaced by a field of `pathFields`. Absent if not described. */
	path?: string;
	pathFields?: ObjectSchema<Input['path']>;
	query?: ObjectSchema<Input['query']>;
	body?: ObjectSchema<Input['body']>;
	/** Used instead of `body` if its shape is not described. */
	payload?: Payload;
	/** Required payload values whose field names are not described: the form asks for name and value. */
	unnamedFields?: ObjectSchema;
	/** What the bank told the user about the properties that are absent here. */
	details?: OperationDetails;
	/** The request carries an access token that an earlier operation returned (4.20). */
	accessToken?: true;
	/** The response contains tokens (4.20). */
	returnsSecrets?: true;
	/** A status other than 401 that means the token has expired. */
	tokenExpiredStatus?: number;
	/** Absent if there is no body or its shape is not described; the response is then returned unchanged. */
	response?: v.GenericSchema<unknown, Output>;
	/** Identifiers of the request that the response repeats; a different value means it belongs to another request. */
	echoes?: readonly string[];
	/** The result may not be ready yet; the form offers to wait for it. */
	asynchronous?: true;
	/** The response is the state of something, so `rejected` or `failed` in it may be data, not an error. */
	returnsState?: true;
	/** What the service details can say that a response means, and the output field for it. Default: `yes` and `no` in `verdict`. */
	verdicts?: { field: string; names: readonly string[] };
	/** The response has a result for each check (4.14). */
	hasChecks?: true;
	/** A period that starts with this response (part 8); its end is added to the output. */
	deadline?: { field: string; hours: number; until: string };
	/** Cannot be undone by another operation. Implied by the effects `money` and `delete`. */
	irreversible?: true;
	/** Position in the calling order of its service. */
	callIndex?: number;
	/** How to find out whether the request was processed, if the outcome is unknown. */
	verifyWith?: Verification;
	/** Position and precondition in the calling order (3.5, 3.6, 4.13), for the error if the bank rejects the call. */
	callOrder?: string;
	/** Fields whose values can be read with another operation, by field name. */
	choices?: Readonly<Record<string, ChoiceSource>>;
	list?: List<string, Row>;
	/** Errors listed for this operation. Errors of a whole service are in its dialect. */
	errors: readonly ListedError[];
	/** Error format of the service. Absent for P1 to P11, which use `rest`. */
	dialect?: Dialect;
	/** A field of a body list that must differ in every row. */
	unique?: { list: string; field: string };
	/** Checks over several fields, run after the fields themselves. */
	rules?(input: Input): ValidationIssue[];
}

/** Texts for forms and docs. The published build strips them, so `Operation` does not include them: see `docsOf`. */
export interface Docs {
	/** Section of the API description, for example `4, P5`. */
	spec: string;
	/** Version of the described service (9.3). Absent for P1 to P11: their paths have it, except that of P3. */
	serviceVersion?: string;
	/** One or two sentences for the form and the reference. */
	description: string;
	/** Describes the response to an AI agent. */
	responseSummary?: string;
	/** Rules that affect more than one field, for the docs; the checkable ones are also in `rules`. */
	notes?: readonly string[];
}

export type DocumentedOperation = Operation & Docs;

/** The operation that shows whether a request of this operation was carried out. */
export interface Verification {
	/** Completes "whether …", for example `the debit was made`. */
	whether: string;
	readWith: Operation['id'];
	/** The value to search by, for example `transaction ID`. */
	by: string;
}

/** Where the possible values of a field can be read. */
export interface ChoiceSource {
	/** The operation to read with. Its path fields must be among those of the operation whose field has the choices. */
	from: Operation;
	/** Row field with the value. */
	value: string;
	/** Fields of a simplified row to show as its label; all of them if absent. */
	labelFields?: readonly string[];
}

export interface List<Key extends string, Row> {
	key: Key;
	offset?: string;
	limit?: string;
	/** Maps a row to its most used fields. */
	simplify(row: Row): Record<string, unknown>;
}

export type InputOf<O> = O extends Operation<infer Input, infer _Output, infer _Row> ? Input : never;

/** The documented response. `Lenient` is the type of what was actually received. */
export type OutputOf<O> = O extends Operation<infer _Input, infer Output, infer _Row> ? Output : never;

/**
 * The type of a received response. Responses are coerced leniently: fields may be missing or of another type, and
 * undocumented fields are kept. Only the field names are known, so every value must be checked before use.
 */
export type Lenient<T> = unknown extends T
	? unknown
	: [NonNullable<T>] extends [readonly (infer Element)[]]
		? readonly Lenient<Element>[] | string | number | boolean | null | undefined
		: [NonNullable<T>] extends [object]
			? { readonly [Name in keyof T as string extends Name ? never : Name]?: Lenient<T[Name]> } | null | undefined
			: unknown;

export type WithAddress<O extends Operation = Operation> = O & { method: Method; path: string };

export function hasAddress<O extends Operation>(operation: O): operation is WithAddress<O> {
	return operation.method !== undefined && operation.path !== undefined;
}

/** Whether nothing can undo the operation. Irreversible operations are not offered to AI agents. */
export const isIrreversible = ({ effect, irreversible }: Operation): boolean =>
	effect === 'money' || effect === 'delete' || irreversible === true;

export const isUsableByAgents = (operation: Operation): boolean =>
	operation.effect === 'read' || (operation.effect === 'none' && !isIrreversible(operation));

/** Keys of a response that hold a list. */
type ListKey<Output> = keyof {
	[Name in keyof Output as string extends Name ? never : Output[Name] extends readonly unknown[] ? Name : never]: true;
} &
	string;

/** Received type of a list element. */
type RowOf<Output, Key extends string> = Output extends Record<Key, readonly (infer Row)[]> ? Lenient<Row> : unknown;

/** Infers the types of rules, forms and sandbox handlers from the schemas. A body without a schema is `unknown`. */
export function defineOperation<
	Path extends Record<string, unknown> = Record<never, unknown>,
	Query extends Record<string, unknown> = Record<never, unknown>,
	Body = unknown,
	Output = unknown,
	const Key extends ListKey<Output> = never,
>(
	// Types are inferred from the schemas only, not from the parameters of these functions.
	operation: Omit<Operation, 'name' | 'errors' | 'pathFields' | 'query' | 'body' | 'response' | 'list' | 'rules'> &
		Partial<Pick<Operation, 'name' | 'errors'>> &
		Docs & {
			pathFields?: ObjectSchema<Path>;
			query?: ObjectSchema<Query>;
			body?: ObjectSchema<Body>;
			response?: v.GenericSchema<unknown, Output>;
			list?: List<Key, NoInfer<RowOf<Output, Key>>>;
			rules?(input: NoInfer<{ path: Path; query: Query; body: Body }>): ValidationIssue[];
		},
): Operation<{ path: Path; query: Query; body: Body }, Output, RowOf<Output, Key>> & {
	// Allows spreading another operation with its docs; the docs themselves stay hidden.
	readonly [Name in keyof Docs]?: unknown;
} {
	return { name: titleCase(operationName(operation)), errors: [], ...operation };
}

export function resourceOf(operation: Operation): string {
	return operation.id.slice(0, operation.id.indexOf('.'));
}

export function operationName({ id }: Pick<Operation, 'id'>): string {
	return id.slice(id.indexOf('.') + 1);
}
