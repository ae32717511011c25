import { isBankFailure, listChanged } from '../errors/bankErrors.ts';
import type { Page, PageRange } from '../page.ts';
import type { BankOperation } from '../operations/accountOperation/bankOperation.ts';
import { getMany } from '../operations/accountOperation/getMany.ts';
import type { KnownOperation } from './knownOperations.ts';
import type { OperationsTracker, ReadPlan } from './operationsTracker.ts';

/** The first passes of an account without operations look back further and further. */
const maxPasses = 6;

/**
 * How often a pass steps back without meeting another operation: a page, ten pages and so on, at last to the start. Then the list
 * counts as unreadable, so that rows that are never the same twice do not cost requests until time is up.
 */
const maxStepsBack = 5;

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
		const isOpen = () => tracker.hasOpenBaseline || tracker.hasSuspects;
		for (let passes = 0; passes === 0 || (isOpen() && passes < maxPasses); passes++) {
			let stepsBack = 0;
			for (;;) {
				const { pass } = tracker;
				const offset = pass.range?.offset ?? 0;
				let isFirst = true;
				let isWhole = true;
				/** The range before which operations may be missing. */
				let gap: PageRange = { offset, limit: pass.range?.limit ?? 1 };
				for await (const page of pages(pass)) {
					const { metCount } = tracker;
					isWhole = tracker.takeOfPass(pass, page, isFirst);
					isFirst = false;
					if (tracker.metCount > metCount) stepsBack = 0;
					gap = { offset: page.start, limit: Math.max(page.next.limit, pass.range?.limit ?? 1) };
					if (!isWhole) break;
					// A pass continues with a row that was read before, so its first page may bring it no further.
					const isFurther = page.next.offset > (pass.range === undefined ? 0 : offset + 1);
					hasProgress ||= isFurther;
					if (isTimeUp() && isFurther) return 'timeUp';
				}
				// The list has become shorter.
				if (isFirst && offset > 0) isWhole = false;
				if (isWhole) break;
				if (stepsBack === maxStepsBack) {
					hasProgress = false;
					throw listChanged(getMany, 1 + maxStepsBack, 'readAtNextPoll');
				}
				tracker.stepBack(gap.offset - gap.limit * 10 ** stepsBack++);
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
	const met = new Set<KnownOperation>();
	for await (const { rows } of pages(tracker.news)) {
		if (!tracker.take(rows, met)) return true;
		if (isTimeUp()) return false;
	}
	return true;
}
