/** Faults of which there is more to say where the input comes from: a form has names of its own for the way out. */
export type FaultCode =
	/** No accounts, where an empty list would mean all of them. */
	| 'accountsEmpty'
	/** The accounts should stay as they are registered, and the bank does not say which these are. */
	| 'accountsUnknown'
	/** The access token that an earlier operation got. */
	| 'accessTokenMissing'
	| 'filesMissing'
	/** The path is a whole address. */
	| 'pathWithHost'
	/** The method carries no body, and the payload is more than a query can hold. */
	| 'payloadTooDeep';

/** One thing that is wrong with the input: where and what. */
export interface Fault {
	/** Dotted path in the API's own names, for example `payments[0].phone`. Empty for the input as a whole. */
	path: string;
	/** Reads after the path: `must be 10 or 12 digits, got 11`. A value that it repeats is redacted. */
	message: string;
	code?: FaultCode;
	/** What the form calls the field, where that is more than another spelling of its name. */
	label?: string;
	/** The input item the fault belongs to, where the caller works on several. */
	item?: number;
}

export function faultText({ path, label, message }: Fault): string {
	const name = label === undefined ? path : `${label} (${path})`;
	return path === '' ? message : `${name} ${message}`;
}

/** The input cannot be sent as it is. Thrown before any request, with all faults at once. */
export class InputError extends Error {
	override readonly name = 'InputError';
	readonly faults: readonly Fault[];

	constructor(faults: readonly Fault[]) {
		super(faults.map(faultText).join('; '));
		this.faults = faults;
	}
}

/** `a`, `a.b`, `a[0]`, `a[0].b` */
export function joinPath(parent: string, key: string | number): string {
	if (typeof key === 'number') return `${parent}[${key}]`;
	return parent === '' ? key : `${parent}.${key}`;
}
