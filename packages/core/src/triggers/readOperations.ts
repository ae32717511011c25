import { isBankFailure } from '../errors/bankErrors.ts';
import type { Page } from '../page.ts';
import type { BankOperation } from '../operations/accountOperation/bankOperation.ts';
import type { OperationsTracker, ReadPlan } from './operationsTracker.ts';

/** If the list changes during every pass, the next poll continues. */
const maxPasses = 6;

type RequestPages = (plan: ReadPlan) => AsyncIterable<Page<BankOperation>>;

/**
 * Runs the due reads. If time is up or the bank fails midway, progress is kept and the next poll continues.
 * @returns why the poll did not read everything
 * @throws if nothing was read
 */
export async function readOperations(
	tracker: OperationsTracker,
	pages: RequestPages,
	isTimeUp: () => boolean,
): Promise<'timeUp' | Error | undefined> {
	let hasProgress = false;
	try {
		const startsPass = tracker.isPassDue && !tracker.continuesPass;
		if (!startsPass && !(await readNews(tracker, pages, isTimeUp))) {
			tracker.requirePass();
			return 'timeUp';
		}
		if (!tracker.isPassDue) return undefined;
		for (let passes = 0; passes === 0 || (tracker.hasOpenBaseline && passes < maxPasses); passes++) {
			const { pass } = tracker;
			for await (const page of pages(pass)) {
				tracker.takeOfPass(pass, page);
				hasProgress = true;
				if (isTimeUp()) return 'timeUp';
			}
			tracker.endPass();
		}
		return undefined;
	} catch (error) {
		if (!isBankFailure(error) || (!hasProgress && tracker.events.length === 0)) throw error;
		tracker.requirePass();
		return error;
	}
}

/** @returns whether everything was read in time */
async function readNews(tracker: OperationsTracker, pages: RequestPages, isTimeUp: () => boolean): Promise<boolean> {
	for await (const { rows } of pages(tracker.news)) {
		if (!tracker.take(rows)) return true;
		if (isTimeUp()) return false;
	}
	return true;
}
