import type * as v from 'valibot';

import type { Dialect } from './errors/dialect.ts';
import type { ListedError } from './errors/rest.ts';
import type { Fault } from './faults.ts';

/**
 * How the bank knows who asks (part 5 of the API description): the OAuth 2.0 flow of a token, the gateway's client ID and secret,
 * or a client certificate. `notShown` where the description does not say; the user chooses.
 */
export type Auth = 'clientCredentials' | 'authorizationCode' | 'gateway' | 'mutualTls' | 'notShown';

/** What an operation does at the bank. `none`: nothing that its description names.
 * It decides about concurrency, retries and what an unclear answer means. */
export type Effect = 'none' | 'read' | 'order' | 'change' | 'delete' | 'money';

export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const;
export type Method = (typeof methods)[number];

export type ObjectSchema<Output = unknown> = v.GenericSchema<unknown, Output> & {
	readonly type: string;
	readonly entries: Record<string, v.GenericSchema>;
};

/** What is checked and sent, by where it travels. What an operation has is read from its schemas: see `defineOperation`. */
export interface CheckedInput {
	path: Record<string, unknown>;
	query: Record<string, unknown>;
	body: unknown;
}

/** A file on its way to the bank. */
export interface FileInput {
	/**
	 * Where it goes: the name of its part, or its place in the JSON (`documents[0].content`). Not shown anywhere, so the
	 * user gives it.
	 */
	field: string;
	/** Which of the documents that the description names it is (see `Payload.documents`). */
	document?: string;
	fileName: string;
	mimeType: string;
	base64: string;
}

/** What the caller gives: the API's own field names, grouped by where they travel; and what the description leaves open. */
export interface OperationInput {
	path?: Record<string, unknown>;
	query?: Record<string, unknown>;
	body?: unknown;
	/** Where the description shows no method. */
	method?: unknown;
	/** Where the description does not show method and path: the path, which may hold `{name}` of the path fields. */
	route?: unknown;
	/** Where the description does not show the body: a JSON object, or an array. With GET and DELETE it goes into the query. */
	payload?: unknown;
	/** Values of `nameless`, each with the place in the payload where it goes. */
	nameless?: Record<string, { value: unknown; field: unknown }>;
	files?: readonly FileInput[];
	/** Default `base64`: "all bodies are JSON" (part 1). */
	filesAs?: 'multipart' | 'base64';
	/** Sends empty fields of the payload as they are. Otherwise they are left out (4.15, rule 1). */
	keepEmpty?: boolean;
	/** The access token of `accessToken` operations, and how it travels, which is not shown. */
	accessToken?: { value: unknown; as: 'bearer' | 'header' | 'query'; name?: unknown };
}

/** A body of which the description does not show the shape. */
export interface Payload {
	/** What is known of it, for the form. */
	description: string;
	required: boolean;
	/** The files that belong to it; absent where it has none. */
	files?: {
		/** Documents that must be there, one file each, by the name under which the form knows them. */
		documents?: Readonly<Record<string, string>>;
		required: boolean;
		/** The bank has names for the documents that the description does not show: a file may say which it is. */
		named?: true;
		/** How many at most; absent for any number. */
		most?: number;
	};
}

/**
 * One operation of the bank, as data. The check before sending, the request, the form, the reference docs,
 * the OpenAPI file, the sandbox and the contract tests are all read from it.
 *
 * What the API description does not show is an absent property, never an invented value.
 *
 * `Input` is what is checked and sent, `Output` the answer as it is described, `Row` one element of its list as it comes.
 * All of them are
 * covariant, and what takes one is a method: so an operation with its types is an `Operation` like any other.
 */
export interface Operation<Input extends CheckedInput = CheckedInput, Output = unknown, Row = unknown> {
	/** `resource.operation`, the words of the form. */
	id: `${string}.${string}`;
	/** Where the API description says so, for example `4, P5`. */
	spec: string;
	/** The operation as it reads in a list, for example `Order Account Statement`. */
	name: string;
	/** The operation as an entry of a list of actions, without articles, for example `Order account statement`. */
	action: string;
	/** One or two sentences for the form and the reference. */
	description: string;
	/** What comes back, in words for a model that has not seen it. Absent where nothing is known of it. */
	answers?: string;
	auth: Auth;
	/** Absent where the scope depends on something the description does not list (webhook events). */
	scope?: string;
	effect: Effect;
	/** Absent where the description does not show it: the form asks, and begins with `likelyMethod`. */
	method?: Method;
	/**
	 * Appended to the base URL; `{name}` stands for a field of `pathFields`. Absent where the description does not show it:
	 * the form asks.
	 */
	path?: string;
	pathFields?: ObjectSchema<Input['path']>;
	query?: ObjectSchema<Input['query']>;
	body?: ObjectSchema<Input['body']>;
	/** Instead of `body`, where the description does not show the shape. */
	payload?: Payload;
	/** Values that the description demands in the payload without showing the names of their fields: the form asks for both. */
	nameless?: ObjectSchema;
	/** The request also carries an access token that an earlier operation got (4.20). */
	accessToken?: true;
	/** The answer holds what whoever has it may use in the name of somebody: tokens (4.20). */
	givesSecrets?: true;
	/** Another status than 401 by which the bank says that a token has expired. */
	tokenExpiredStatus?: number;
	/** Absent where the answer has no body, or its shape is not shown: it then passes through whole. */
	response?: v.GenericSchema<unknown, Output>;
	/** The answer may not be ready yet: the form offers to wait for it. */
	asynchronous?: true;
	/** A window that begins with this answer (part 8): the output says when it ends. */
	deadline?: { field: string; hours: number; until: string };
	/** Must be asked for only once for the same path fields (part 8). */
	once?: true;
	/** No other operation takes it back. Money and deletions need not say so. */
	final?: true;
	/** Its place among the calls of its service, where the description gives them an order. */
	turn?: number;
	/** How to find out whether it was carried out, where that is unknown and there is an operation that tells. */
	ifUnclear?: Unclear;
	/** Where in the calling order it stands and on what condition (3.5, 3.6, 4.13): told where the bank refuses it. */
	order?: string;
	/** Fields whose values another operation tells, by their names. */
	choices?: Readonly<Record<string, Choice>>;
	/** Where the answer is a list: the key that holds it, and the query fields that page through it. */
	list?: List<string, Row>;
	/** The errors that the description lists for this operation, where it does; those of a service stand in its dialect. */
	errors: readonly ListedError[];
	/** How the service words its errors. Absent for P1 to P11: `rest`. */
	dialect?: Dialect;
	/** Rules over several fields, checked after the fields themselves. */
	rules?(input: Input & { files: readonly FileInput[] }): Fault[];
	/** What the description says beyond single fields, in words for the docs; what can be checked of it is in `rules`. */
	notes?: readonly string[];
}

/** The operation that tells whether another one was carried out, after an answer that did not. */
export interface Unclear {
	/** What may have happened, as the end of "whether …": `the debit was made`. */
	whether: string;
	/** The id of the operation that reads it. */
	readWith: Operation['id'];
	/** By which of its values: `transaction ID`. */
	by: string;
}

/** Where the values of a field can be read. */
export interface Choice {
	/** Its own path fields are among those of the operation that has the choice. */
	from: Operation;
	/** The field of a row that holds the value. */
	value: string;
	/** Fields of a simplified row by which a person knows it. Absent where the description does not show the rows: all of them. */
	shown?: readonly string[];
}

/** A list in an answer: the key that holds it, and the query fields that page through it. */
export interface List<Key extends string, Row> {
	key: Key;
	offset?: string;
	limit?: string;
	/** One row with what most flows use. */
	simplify(row: Row): Record<string, unknown>;
}

/** What an operation checks and sends. */
export type InputOf<O> = O extends Operation<infer Input, infer _Output, infer _Row> ? Input : never;

/** What an operation answers, as the description shows it. Of what really came, `Answered` is the type. */
export type OutputOf<O> = O extends Operation<infer _Input, infer Output, infer _Row> ? Output : never;

/**
 * What came, by the names of the description. An answer is read leniently: what the bank leaves out is absent, what is not of its
 * documented type stays as it came. So the names are known and nothing is known of what stands under them: an object may be
 * missing, a list has to be asked for with `Array.isArray`, and every value has to be looked at. Fields that the description
 * does not name are there as well; their names are not.
 */
export type Answered<T> = unknown extends T
	? unknown
	: [NonNullable<T>] extends [readonly (infer Element)[]]
		? readonly Answered<Element>[] | string | number | boolean | null | undefined
		: [NonNullable<T>] extends [object]
			? { readonly [Name in keyof T as string extends Name ? never : Name]?: Answered<T[Name]> } | null | undefined
			: unknown;

/** An operation of which the description shows where the request goes. */
export type WithAddress<O extends Operation = Operation> = O & { method: Method; path: string };

export function hasAddress<O extends Operation>(operation: O): operation is WithAddress<O> {
	return operation.method !== undefined && operation.path !== undefined;
}

/** Whether the form must ask where the request goes. */
export function isAddressOpen(operation: Operation): boolean {
	return !hasAddress(operation);
}

/** Whether what was done stays done: left to people, and to workflows that people make. */
export const isIrreversible = ({ effect, final }: Operation): boolean =>
	effect === 'money' || effect === 'delete' || final === true;

/** The method that the form begins with where none is shown: what carries data posts it, what only reads gets. */
export function likelyMethod(operation: Operation): Method {
	if (operation.method !== undefined) return operation.method;
	const carries =
		operation.body !== undefined || operation.nameless !== undefined || operation.payload?.required === true;
	return operation.effect === 'read' && !carries ? 'GET' : 'POST';
}

/** The keys of an answer that hold a list. */
type ListKey<Output> = {
	[Name in keyof Output as string extends Name ? never : Name]: Output[Name] extends readonly unknown[] ? Name : never;
} extends infer Keys
	? Keys[keyof Keys] & string
	: never;

/** One element of the list under a key, as it comes. */
type RowOf<Output, Key> = [Key] extends [never]
	? unknown
	: Key extends keyof Output
		? Output[Key] extends readonly (infer Row)[]
			? Answered<Row>
			: unknown
		: unknown;

/**
 * An operation with the types of its schemas, so that rules, forms and the sandbox know its fields. A body that is not
 * shown is of any type.
 */
export function defineOperation<
	Path extends Record<string, unknown> = Record<never, unknown>,
	Query extends Record<string, unknown> = Record<never, unknown>,
	Body = unknown,
	Output = unknown,
	const Key extends ListKey<Output> = never,
>(
	// The types come from the schemas alone, not from what the functions take.
	operation: Omit<Operation, 'pathFields' | 'query' | 'body' | 'response' | 'list' | 'rules'> & {
		pathFields?: ObjectSchema<Path>;
		query?: ObjectSchema<Query>;
		body?: ObjectSchema<Body>;
		response?: v.GenericSchema<unknown, Output>;
		list?: List<Key, NoInfer<RowOf<Output, Key>>>;
		rules?(input: NoInfer<{ path: Path; query: Query; body: Body }> & { files: readonly FileInput[] }): Fault[];
	},
): Operation<{ path: Path; query: Query; body: Body }, Output, RowOf<Output, Key>> {
	return operation;
}

export function resourceOf(operation: Operation): string {
	return operation.id.slice(0, operation.id.indexOf('.'));
}

export function operationName(operation: Operation): string {
	return operation.id.slice(operation.id.indexOf('.') + 1);
}
