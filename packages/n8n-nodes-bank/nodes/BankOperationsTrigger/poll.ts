import {
	type BankOperation,
	type CursorOptions,
	dayIn,
	definitions,
	eventIdOf,
	InputError,
	oldestFirst,
	type OperationEvent,
	OperationsTracker,
	type PageOptions,
	prepare,
	readCursor,
	readOperations,
	readPages,
	type ReadPlan,
	readRows,
	shiftDay,
	wholeNumbers,
	writeCursor,
} from '@bank/core';
import { type IDataObject, type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { restCredential } from '../shared/base/authentication.ts';
import { errorFor, failureOf } from '../shared/base/failures.ts';
import { itemJson } from '../shared/form/itemJson.ts';
import { Parameters } from '../shared/form/parameters.ts';
import { resolveConnection } from '../shared/http/connection.ts';
import { BankHttpClient } from '../shared/http/bankHttpClient.ts';
import { arrayFormatIn, listBudgetOf } from '../shared/form/settings.ts';
import { requestLimitsOf } from '../shared/http/deadline.ts';
import { waitUnlessCancelled } from '../shared/base/wait.ts';
import { emit } from './emit.ts';

/** The operation that the trigger polls. */
const polled = definitions.accountOperation.getMany;

/**
 * Static data of polls that are still running. n8n starts a poll even if the previous one is running, and both would
 * start from the same cursor. The static data object is shared by the polls of one activation only, so a poll of an
 * earlier activation does not block a later one.
 */
const polling = new WeakSet<object>();

/** Polls the operation history (P6). A test run returns the latest operations and does not change the cursor. */
export async function pollOperations(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		if (context.getMode() === 'manual') return [itemsOf(context, await latest(context))];
		const memory = context.getWorkflowStaticData('node');
		if (polling.has(memory)) {
			context.logger.info('The last poll for bank operations is still running. This one is skipped.');
			return null;
		}
		polling.add(memory);
		let items: INodeExecutionData[] = [];
		try {
			items = itemsOf(context, await newEvents(context, memory));
		} finally {
			polling.delete(memory);
			emit(context, items);
		}
		return null;
	} catch (error) {
		throw errorFor(context, failureOf(context, error), { again: 'try again' });
	}
}

/**
 * Returns the events since the last poll. n8n saves the cursor together with events, and after the poll at activation.
 * A cursor that moved without events may be lost in a crash; the next poll then reads more rows and finds the same
 * events.
 */
async function newEvents(context: IPollFunctions, memory: IDataObject): Promise<OperationEvent[]> {
	const bank = await bankOf(context);
	const options = cursorOptions(context, bank.baseUrl);
	const cursor = readCursor(memory.cursor, bank.baseUrl);
	if (cursor === undefined && memory.cursor !== undefined)
		context.logger.warn(
			`The base URL is now ${bank.baseUrl}, so the trigger starts over: Start From decides which operations are new.`,
		);
	const tracker = new OperationsTracker(cursor, options);
	const budget = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : defaultBudget;
	const begun = Date.now();
	// n8n holds the operations several times while it stores the execution.
	const isFull = () => tracker.eventCharacters > bank.maxMegabytes * 1024 * 1024;
	// Half of the time is left for the last page, which may be slow or requested again.
	const isTimeUp = () => isFull() || Date.now() - begun > budget / 2;
	const stop = await readOperations(tracker, bank.pages, isTimeUp);
	memory.cursor = writeCursor(tracker.cursor);
	if (isFull()) context.logger.info('The operations of this poll reach Maximum Size. The next poll continues.');
	else if (stop === 'timeUp')
		context.logger.info('There was no time to read all bank operations. The next poll continues.');
	else if (stop !== undefined)
		context.logger.warn(`Not all bank operations could be read. The next poll continues. ${stop.message}`);
	warnOfGaps(context, tracker, options);
	// At activation, n8n (2.41) saves the cursor only together with events. If it were lost, the next poll would treat
	// new operations as old.
	if (cursor === undefined) await context.__commitCursor?.();
	const changes = Parameters.ofTrigger(context).flag('changes', 0, true);
	return changes ? tracker.events : tracker.events.filter(({ event }) => event === 'created');
}

/** Milliseconds for a poll, if n8n does not report its time limit (before 2.41). */
const defaultBudget = 240_000;

function warnOfGaps(
	context: IPollFunctions,
	{ firstDayKept, cursor }: OperationsTracker,
	options: CursorOptions,
): void {
	if (firstDayKept !== undefined)
		context.logger.warn(
			`There are too many bank operations to remember. Late operations and changes before ${firstDayKept} will not be noticed.`,
		);
	if (cursor.floor > options.today && options.startDay === undefined)
		context.logger.warn(
			`The first day to read, ${cursor.floor}, is in the future: n8n's clock was ahead when the workflow was published. ` +
				'Operations before that day are not read. To start over, rename the trigger and publish the workflow again.',
		);
}

/** Number of operations that a test run returns. */
const shown = 10;
/** Days that a test run looks back, until it finds enough operations. */
const testDays = [1, 7, 31, 366];

async function latest(context: IPollFunctions): Promise<OperationEvent[]> {
	const { baseUrl, rows } = await bankOf(context);
	const { today } = cursorOptions(context, baseUrl);
	let found: BankOperation[] = [];
	for (const days of testDays) if (found.length < shown) found = await rows(shiftDay(today, -days), 1000);
	const events = found.map((operation) => ({ eventId: eventIdOf(operation), event: 'created' as const, operation }));
	if (events.length > 0) return oldestFirst(events).slice(-shown);
	throw new NodeOperationError(context.getNode(), 'There is no operation to show', {
		description: 'No operation of the last year matches the filters. You can publish the workflow anyway.',
	});
}

async function bankOf(context: IPollFunctions) {
	const parameters = Parameters.ofTrigger(context);
	const options = parameters.options();
	const filters = parameters.group('filters');
	const { pageSize, concurrency, maxMegabytes } = wholeNumbers({
		pageSize: { value: options.pageSize ?? 50, min: 1 },
		concurrency: { value: options.concurrency ?? 5, min: 1 },
		maxMegabytes: { value: options.maxMegabytes ?? 32, min: 1 },
	});
	const credentialType = restCredential('authorizationCode', context.getNodeParameter('flow', 'authorizationCode'));
	const connection = await resolveConnection(context, credentialType);
	const { send } = new BankHttpClient(context, connection, requestLimitsOf(options));
	const settings: Omit<PageOptions, 'pageSize'> = {
		...arrayFormatIn(options),
		timeZone: context.getTimezone(),
		// n8n does not tell a poll when it is canceled.
		wait: waitUnlessCancelled(undefined),
		prefetch: concurrency,
	};
	return {
		baseUrl: connection.baseUrl,
		maxMegabytes,
		rows: async (dateFrom: string, limit: number): Promise<BankOperation[]> =>
			await readRows(
				polled,
				{ query: { ...filters, dateFrom } },
				send,
				{ ...settings, budget: listBudgetOf({}), pageSize, limit },
				(row) => row,
			),
		pages: ({ from, isWhole, range = { offset: 0, limit: pageSize } }: ReadPlan) => {
			const { offset, limit } = range;
			// Known rows are not kept, so of the user's limits only the number of rows applies.
			const budget = listBudgetOf({ maxRows: options.maxRows });
			// Counts the rows of this list that earlier polls have read.
			budget.spend(polled, { rows: offset });
			return readPages(polled, { query: { ...filters, dateFrom: from, offset } }, send, {
				...settings,
				budget,
				pageSize: Math.min(pageSize, limit),
				prefetch: isWhole ? concurrency : 1,
			});
		},
	};
}

function cursorOptions(context: IPollFunctions, source: string): CursorOptions {
	const parameters = Parameters.ofTrigger(context);
	const { overlapDays = 1, pendingDays = 7 } = parameters.options();
	// Without status changes there are no pending operations to follow.
	const followed = parameters.flag('changes', 0, true) ? pendingDays : 0;
	const days = wholeNumbers({ overlapDays: { value: overlapDays, min: 1 }, pendingDays: { value: followed, min: 0 } });
	const now = Date.now();
	return {
		source,
		now,
		clock: Date.now,
		today: dayIn(now, context.getTimezone()),
		...days,
		startDay: startDayOf(context),
	};
}

/** The start day in the bank's calendar; n8n's date picker returns a point in time. */
function startDayOf(context: IPollFunctions): string | undefined {
	if (context.getNodeParameter('startFrom', 'now') !== 'date') return undefined;
	const dateFrom = context.getNodeParameter('fromDate', '');
	const day = prepare(polled, { query: { dateFrom } }, { timeZone: context.getTimezone() }).input.query.dateFrom;
	if (typeof day !== 'string')
		throw new InputError([{ path: 'fromDate', message: 'is required when Start From is Date' }]);
	return day;
}

function itemsOf(context: IPollFunctions, events: readonly OperationEvent[]): INodeExecutionData[] {
	const simplify = context.getNodeParameter('simplify', true) === true;
	return events.map(({ operation, ...event }) => ({
		json: itemJson({ ...event, operation: simplify ? polled.list?.simplify(operation) : operation }),
	}));
}
