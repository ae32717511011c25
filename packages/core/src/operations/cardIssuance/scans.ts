import type { ValidationIssue } from '../../validation.ts';

/**
 * Rule 3 of 4.15: the first upload contains all documents, a repeated one only the rejected ones.
 * @param expected names of the documents that step 10 lists as required, or step 14 as rejected
 * @param given names of the documents to send
 */
export function scanIssues(
	upload: 'whole' | 'rejected',
	expected: readonly string[],
	given: readonly string[],
): ValidationIssue[] {
	const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();
	const missing = expected.filter((name) => !given.some((other) => same(name, other)));
	const other = given.filter((name) => !expected.some((wanted) => same(name, wanted)));
	const twice = given.filter((name, index) => given.findIndex((earlier) => same(earlier, name)) !== index);
	const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
	const issues: ValidationIssue[] = [];
	if (missing.length > 0) {
		const rule =
			upload === 'whole'
				? 'the first upload carries the whole set in one request'
				: 'every document that was rejected is sent again';
		issues.push({ path: 'files', message: `lack ${list(missing)}: ${rule}` });
	}
	if (upload === 'rejected' && other.length > 0)
		issues.push({
			path: 'files',
			message: `hold ${list(other)}, which the bank did not reject: a repeat carries only rejected documents`,
		});
	if (twice.length > 0) issues.push({ path: 'files', message: `hold ${list([...new Set(twice)])} more than once` });
	return issues;
}
