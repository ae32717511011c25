import { collectIssues, InputError, prepare, type ValidationIssue } from '@bank/core';

import type { Run } from '../../shared/form/run.ts';
import { type Group, jobOf, type PackageJob, rowNameOf } from './package.ts';
import { preparedGroups } from './prepared.ts';
import { groupsOf } from './recipients.ts';
import { signatureIssues } from './signature.ts';

/**
 * The packages of a run: one by default, built from items, from a list, or from prepared rows.
 * @param signedBody placeholder for the signature of an item's package; absent if there is none
 * @returns a single job with all issues if one of them is invalid
 * @throws InputError if the recipients do not form a package
 */
export async function packageJobs(run: Run, signedBody?: (item: number) => unknown): Promise<PackageJob[]> {
	const isWhole = isPrepared(run);
	const { groups, issues, missing } = isWhole
		? { groups: await preparedGroups(run), issues: [], missing: [] }
		: await groupsOf(run);
	const jobs = groups.map(({ header, rows }) =>
		jobOf({ header: { ...header, signedBody: signedBody?.(rows[0]?.item ?? 0) }, rows }, isWhole),
	);
	const all = [...issues, ...mixedSequences(groups), ...(signedBody === undefined ? [] : await signatureIssues(run))];
	if (all.length === 0) return jobs;
	for (const { input, locate } of jobs) {
		const found: ValidationIssue[] = [];
		await collectIssues(found, () => prepare(run.operation, input, { timeZone: run.context.getTimezone() }));
		const located = found.flatMap((issue) => locate?.(issue) ?? []);
		// A missing column is reported once for the whole table.
		all.push(...located.filter(({ path, message }) => message !== 'is required' || !missing.includes(path)));
	}
	const [first] = jobs;
	if (first === undefined) throw new InputError(all);
	return [{ ...first, items: jobs.flatMap(({ items }) => items), issues: all, groups }];
}

export const isPrepared = ({ parameters }: Run): boolean => parameters.value('recipientsFrom', 0) === 'prepared';

/** All payments of a payout must be identified in the same way: by sequence, or by recipient. */
function mixedSequences(groups: readonly Group[]): ValidationIssue[] {
	const rows = groups.flatMap((group) => group.rows);
	const empty = rows.filter(({ isOwnSequence }) => !isOwnSequence);
	if (empty.length === rows.length) return [];
	const message = 'is empty, but other rows have one. Give every row a sequence, or none';
	return empty.map((row) => ({ path: 'sequence', message, item: row.item, row: rowNameOf(row) }));
}
