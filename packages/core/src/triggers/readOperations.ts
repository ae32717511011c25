import { isBankFailure } from '../errors/bankErrors.ts';
import type { Page } from '../page.ts';
import type { BankOperation } from '../operations/accountOperation/bankOperation.ts';
import type { KnownOperation } from './operationsCursor.ts';
import type { OperationsTracker, ReadPlan } from './operationsTracker.ts';

/** The first passes of an account without operations look back further and further. */
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
		const isOpen = () => tracker.hasOpenBaseline || tracker.hasSuspects;
		for (let passes = 0; passes === 0 || (isOpen() && passes < maxPasses); passes++) {
			for (let isWhole = false; !isWhole;) {
				const { pass } = tracker;
				const offset = pass.range?.offset ?? 0;
				let isFirst = true;
				isWhole = true;
				for await (const page of pages(pass)) {
					isWhole = tracker.takeOfPass(pass, page, isFirst);
					isFirst = false;
					if (!isWhole) break;
					// A pass continues with a row that was read before, so its first page may bring it no further.
					const isFurther = page.next.offset > (pass.range === undefined ? 0 : offset + 1);
					hasProgress ||= isFurther;
					if (isTimeUp() && isFurther) return 'timeUp';
				}
				if (isFirst && offset > 0) {
					isWhole = false;
					// The list has become shorter.
					tracker.stepBack(offset - (pass.range?.limit ?? 1));
				}
				if (!isWhole && isTimeUp()) return 'timeUp';
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
