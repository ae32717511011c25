import { isBankFailure, createListChangedError } from '../errors/bankErrors.ts';
import type { Page, PageRange } from '../page.ts';
import type { BankOperation } from '../operations/accountOperation/bankOperation.ts';
import { getMany } from '../operations/accountOperation/getMany.ts';
import type { KnownOperation } from './knownOperations.ts';
import type { OperationsTracker, ReadPlan } from './operationsTracker.ts';

/** The first passes of an account without operations look back further each time, so one poll may need several. */
const maxPasses = 6;

/**
 * Maximum number of steps back in a row, each longer than the one before: a page, ten pages, at last to the start of
 * the list. If the rows still do not follow those that were read, the list counts as unreadable: rows that are never
 * the same twice must not cost requests until time is up.
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
	const progress = { isMade: false };
	try {
		const startsPass = tracker.isPassDue && !tracker.continuesPass;
		if (!startsPass && !(await readNews(tracker, pages, isTimeUp))) {
			tracker.requirePass();
			return 'timeUp';
		}
		if (!tracker.isPassDue) return undefined;
		const isOpen = () => tracker.hasOpenBaseline || tracker.hasSuspects;
		for (let passes = 0; passes === 0 || (isOpen() && passes < maxPasses); passes++) {
			if (!(await readPass(tracker, pages, isTimeUp, progress))) return 'timeUp';
			tracker.endPass();
		}
		return undefined;
	} catch (error) {
		if (!isBankFailure(error) || (!progress.isMade && tracker.events.length === 0)) throw error;
		tracker.requirePass();
		return error;
	}
}

/** Whether this poll has read further than the one before. */
interface Progress {
	isMade: boolean;
}

/**
 * Reads the list to its end, and steps back where operations may be missing.
 * @returns whether everything was read in time
 */
async function readPass(
	tracker: OperationsTracker,
	pages: RequestPages,
	isTimeUp: () => boolean,
	progress: Progress,
): Promise<boolean> {
	let stepsBack = 0;
	for (;;) {
		const { end, gap, isFurther } = await readUntilGap(tracker, pages, isTimeUp, progress);
		if (end !== 'gap') return end === 'whole';
		if (isFurther) stepsBack = 0;
		if (stepsBack === maxStepsBack) {
			progress.isMade = false;
			throw createListChangedError(getMany, 1 + maxStepsBack, 'readAtNextPoll');
		}
		tracker.stepBack(gap.offset - gap.limit * 10 ** stepsBack++);
		if (isTimeUp()) return false;
	}
}

/**
 * Reads pages from where the pass stands, as long as each page begins with rows that were read.
 * @returns why it ended, the range before which operations may be missing, and whether the pass has gone further: it
 * began with operations that it had met, and has met others
 */
async function readUntilGap(
	tracker: OperationsTracker,
	pages: RequestPages,
	isTimeUp: () => boolean,
	progress: Progress,
): Promise<{ end: 'whole' | 'gap' | 'timeUp'; gap: PageRange; isFurther: boolean }> {
	const { pass, metCount } = tracker;
	const { offset, limit } = pass.range ?? { offset: 0, limit: 1 };
	// A pass continues with a row that was read before, so its first page may bring it no further.
	const from = pass.range === undefined ? 0 : offset + 1;
	let gap: PageRange = { offset, limit };
	let isFirst = true;
	let beginsWithMet = false;
	const ended = (end: 'whole' | 'gap' | 'timeUp') => ({
		end,
		gap,
		isFurther: beginsWithMet && tracker.metCount > metCount,
	});
	for await (const page of pages(pass)) {
		const isWhole = tracker.takeOfPass(pass, page, isFirst);
		if (isFirst) beginsWithMet = tracker.metCount < metCount + page.rows.length;
		isFirst = false;
		gap = { offset: page.start, limit: Math.max(page.next.limit, limit) };
		if (!isWhole) return ended('gap');
		const isBehindStart = page.next.offset > from;
		progress.isMade ||= isBehindStart;
		if (isTimeUp() && isBehindStart) return ended('timeUp');
	}
	// No page: the list has become shorter than `offset`.
	return ended(isFirst && offset > 0 ? 'gap' : 'whole');
}

/** @returns whether everything was read in time */
async function readNews(tracker: OperationsTracker, pages: RequestPages, isTimeUp: () => boolean): Promise<boolean> {
	const met = new Set<KnownOperation>();
	for await (const { rows, isMoved } of pages(tracker.latestPlan)) {
		const { size } = met;
		if (!tracker.takeLatest(rows, met)) return true;
		if (isMoved && met.size === size + rows.length) {
			// Operations may be missing before this page.
			tracker.requirePass();
			return true;
		}
		if (isTimeUp()) return false;
	}
	return true;
}
