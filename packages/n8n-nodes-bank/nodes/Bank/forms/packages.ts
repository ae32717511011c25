import { InputError } from '@bank/core';

import type { Job, Run } from '../../shared/pipeline/run.ts';
import { type Group, isOwnSequence, itemAt, jobOf } from './package.ts';
import { preparedGroups } from './prepared.ts';
import { groupsOf } from './recipients.ts';

/**
 * The packages of a run, one by default: from items, from a list, or as they were prepared.
 * @param signedBody what stands for the signature, by item; absent where there is none
 * @throws InputError where the recipients make no package
 */
export async function packageJobs(run: Run, signedBody?: (item: number) => unknown): Promise<Job[]> {
	const isWhole = isPrepared(run);
	const groups = isWhole ? await preparedGroups(run) : await groupsOf(run);
	refuseMixedSequences(groups);
	let offset = 0;
	return groups.map((group) => {
		const job = jobOf(group, offset, signedBody?.(itemAt(group.items, 0)), isWhole);
		offset += group.recipients.length;
		return job;
	});
}

/** Whether what *Prepare Package* has built is sent. */
export const isPrepared = ({ parameters }: Run): boolean => parameters.value('recipientsFrom', 0) === 'prepared';

/** A payout identifies its payments in one way: by sequences, or by recipients. */
function refuseMixedSequences(groups: readonly Group[]): void {
	const rows = groups.flatMap((group) =>
		group.recipients.map((_, index) => ({ item: itemAt(group.items, index), isOwn: isOwnSequence(group, index) })),
	);
	const empty = rows.filter(({ isOwn }) => !isOwn);
	if (empty.length === 0 || empty.length === rows.length) return;
	throw new InputError(empty.map(({ item }) => ({ path: 'sequence', message: mixedText, item })));
}

const mixedText = 'is empty here and given in other rows. Give every row a sequence, or none';
