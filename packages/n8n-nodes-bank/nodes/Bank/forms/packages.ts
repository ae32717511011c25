import { type Fault, InputError } from '@bank/core';

import type { Job, Run } from '../../shared/run/run.ts';
import { type Group, itemAt, jobOf, ownSequence } from './package.ts';
import { preparedGroups } from './prepared.ts';
import { groupsOf } from './recipients.ts';

/**
 * The packages of a run, one by default: from items, from a list, or as they were prepared.
 * @param signedBody what stands for the signature, by item; absent where there is none
 * @throws InputError where the recipients make no package
 */
export async function packageJobs(run: Run, signedBody?: (item: number) => unknown): Promise<Job[]> {
	const isPrepared = run.parameters.value('recipientsFrom', 0) === 'prepared';
	const groups = isPrepared ? await preparedGroups(run) : await groupsOf(run);
	refuseRepeats(groups);
	let offset = 0;
	return groups.map((group) => {
		const job = jobOf(group, offset, signedBody?.(itemAt(group.items, 0)));
		offset += group.recipients.length;
		return job;
	});
}

/** A sequence of the user's own means one payment, in whatever package of the run it stands. Within one the rules say so. */
function refuseRepeats(groups: readonly Group[]): void {
	const first = new Map<string, Group>();
	const faults: Fault[] = [];
	for (const group of groups) {
		for (const [index, recipient] of group.recipients.entries()) {
			const sequence = ownSequence(recipient);
			const earlier = first.get(sequence);
			if (sequence === '') continue;
			first.set(sequence, earlier ?? group);
			const message = 'stands in two packages of this run, and a sequence means one payment';
			if (earlier !== undefined && earlier !== group)
				faults.push({ path: 'sequence', message, item: itemAt(group.items, index) });
		}
	}
	if (faults.length > 0) throw new InputError(faults);
}
