export interface ValidationIssue {
	/** Path in the API's own names, for example `payments[0].phone`. Empty for the input as a whole. */
	path: string;
	/** Continues a sentence that starts with the path: `must be 10 or 12 digits, got 11`. Quoted values are redacted. */
	message: string;
	/** The invalid value, shortened and redacted. */
	value?: string;
	label?: string;
	/** Index of the input item. */
	item?: number;
	/** Name of the row for the user: its sequence or name, or its position in a list. */
	row?: string;
}

/** The problem without the value: the same for all rows with this problem. */
export const issueKind = ({ path, label = path, message }: ValidationIssue): string => `${label} ${message}`.trim();

export const issueText = (issue: ValidationIssue): string =>
	issue.value === undefined ? issueKind(issue) : `${issueKind(issue)}: "${issue.value}"`;

/** Invalid input. Thrown before any request, with all issues at once. */
export class InputError extends Error {
	override readonly name = 'InputError';
	readonly issues: readonly ValidationIssue[];

	constructor(issues: readonly ValidationIssue[]) {
		super(issues.map(issueText).join('; '));
		this.issues = issues;
	}
}

/**
 * Runs `read`. If the input is invalid, adds its issues and returns undefined, so that all problems are reported at
 * once. Any other error, such as a failed expression, may follow from an earlier issue and is then ignored.
 */
export async function collectIssues<Value>(
	issues: ValidationIssue[],
	read: () => Value | Promise<Value>,
): Promise<Value | undefined> {
	try {
		return await read();
	} catch (error) {
		if (error instanceof InputError) issues.push(...error.issues);
		else if (issues.length === 0) throw error;
		return undefined;
	}
}

export function joinPath(parent: string, key: string | number): string {
	if (typeof key === 'number') return `${parent}[${key}]`;
	return parent === '' ? key : `${parent}.${key}`;
}
