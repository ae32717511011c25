/** Issues for which the form gives its own advice. */
export type ValidationIssueCode =
	/** An empty list would mean all accounts. */
	| 'accountsEmpty'
	/** The registered accounts should be kept, but the bank does not return them. */
	| 'accountsUnknown'
	| 'accessTokenMissing'
	| 'filesMissing'
	/** The path is a full URL. */
	| 'pathWithHost'
	/** The method has no body, and the payload is too deep for a query. */
	| 'payloadTooDeep';

/** An invalid field of the input. */
export interface ValidationIssue {
	/** Path in the API's own names, for example `payments[0].phone`. Empty for the input as a whole. */
	path: string;
	/** Follows the path in a sentence: `must be 10 or 12 digits, got 11`. Quoted values are redacted. */
	message: string;
	code?: ValidationIssueCode;
	/** Form label, if it is not just another spelling of the name. */
	label?: string;
	/** Index of the input item. */
	item?: number;
}

export function issueText({ path, label, message }: ValidationIssue): string {
	const name = label === undefined ? path : `${label} (${path})`;
	return path === '' ? message : `${name} ${message}`;
}

/** Invalid input. Thrown before any request, with all issues at once. */
export class InputError extends Error {
	override readonly name = 'InputError';
	readonly issues: readonly ValidationIssue[];

	constructor(issues: readonly ValidationIssue[]) {
		super(issues.map(issueText).join('; '));
		this.issues = issues;
	}
}

export function joinPath(parent: string, key: string | number): string {
	if (typeof key === 'number') return `${parent}[${key}]`;
	return parent === '' ? key : `${parent}.${key}`;
}
