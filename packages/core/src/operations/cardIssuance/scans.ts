import type { Fault } from '../../faults.ts';

/**
 * Rule 3 of 4.15: the first upload carries the whole document set in one request, a repeat only the rejected documents.
 * `expected`: the documents that step 10 lists as required, or step 14 as rejected, by name; `files`: of each file
 * the names by which it may be known, the first of which counts where none is expected.
 */
export function scanFaults(
	upload: 'whole' | 'rejected',
	expected: readonly string[],
	files: readonly (readonly string[])[],
): Fault[] {
	const same = (a: string, b: string) => a.trim().toLowerCase() === b.trim().toLowerCase();
	const given = files.map(
		(names) => names.find((name) => expected.some((wanted) => same(name, wanted))) ?? names[0] ?? '',
	);
	const missing = expected.filter((name) => !given.some((other) => same(name, other)));
	const other = given.filter((name) => !expected.some((wanted) => same(name, wanted)));
	const twice = given.filter((name, index) => given.findIndex((earlier) => same(earlier, name)) !== index);
	const list = (names: readonly string[]) => names.map((name) => `"${name}"`).join(', ');
	const faults: Fault[] = [];
	if (missing.length > 0) {
		const rule =
			upload === 'whole'
				? 'the first upload carries the whole set in one request'
				: 'every document that was rejected is sent again';
		faults.push({ path: 'files', message: `lack ${list(missing)}: ${rule}` });
	}
	if (upload === 'rejected' && other.length > 0)
		faults.push({
			path: 'files',
			message: `hold ${list(other)}, which the bank did not reject: a repeat carries only rejected documents`,
		});
	if (twice.length > 0) faults.push({ path: 'files', message: `hold ${list([...new Set(twice)])} more than once` });
	return faults;
}
