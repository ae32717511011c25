import {
	type Advance,
	advance,
	advanceByGlance,
	call,
	type BankOperation,
	type CursorOptions,
	dayIn,
	glance,
	InputError,
	isBankFailure,
	oldestFirst,
	type OperationEvent,
	type OperationsCursor,
	type PageOptions,
	planRead,
	prepare,
	readAll,
	readCursor,
	type ReadEnd,
	type ReadPlan,
	type Stop,
	shiftDay,
	wholeNumbers,
	writeCursor,
} from '@bank/core';
import { type IDataObject, type INodeExecutionData, type IPollFunctions, NodeOperationError } from 'n8n-workflow';

import { restCredential } from '../shared/authentication.ts';
import { errorFor, failureOf } from '../shared/failures.ts';
import { connect } from '../shared/run/connection.ts';
import { Network } from '../shared/run/send.ts';
import { arrayFormatIn, boundsOf } from '../shared/run/settings.ts';
import { waitUnlessCancelled } from '../shared/wait.ts';
import { itemJson } from '../shared/itemJson.ts';
import { Parameters } from '../shared/parameters.ts';
import { polled } from './polled.ts';

/**
 * Static data whose poll is still running. n8n starts the next poll though the last one, of a day with thousands of operations,
 * has not ended; both would start from the same cursor and emit the same operations. n8n gives the polls of one activation the
 * same object, so that the poll of an activation that was replaced stands in nobody's way.
 */
const polling = new WeakSet<object>();

/** Polls P6. On a test run, shows the latest operations and leaves the cursor alone. */
export async function pollOperations(context: IPollFunctions): Promise<INodeExecutionData[][] | null> {
	try {
		if (context.getMode() === 'manual') return itemsOf(context, await latest(context));
		const memory = context.getWorkflowStaticData('node');
		if (polling.has(memory)) {
			context.logger.info('The last poll for bank operations is still running: this one is left out');
			return null;
		}
		polling.add(memory);
		try {
			return itemsOf(context, await newEvents(context, memory));
		} finally {
			polling.delete(memory);
		}
	} catch (error) {
		throw errorFor(context, failureOf(context, error));
	}
}

/**
 * What happened since the last poll. The cursor moves only over what has been read: after an outage, the next poll reads what this one
 * could not.
 *
 * n8n saves the cursor when there are events, and after the poll that comes with activation. When there are none it may be lost
 * with the process: a later poll then starts from an older one, which reads more days and finds the same.
 */
async function newEvents(context: IPollFunctions, memory: IDataObject): Promise<OperationEvent[]> {
	const reads = await reader(context);
	const options = cursorOptions(context, reads.baseUrl);
	const cursor = readCursor(memory.cursor, reads.baseUrl);
	const plan = planRead(cursor, options);
	const seen =
		cursor === undefined || plan.listed === undefined
			? undefined
			: await glance(
					cursor,
					plan.listed,
					reads.pageSize,
					async (offset, limit) => await reads.page(plan.from, offset, limit),
				);
	let next: Advance;
	if (cursor !== undefined && seen !== undefined) next = advanceByGlance(cursor, seen, options);
	else {
		const { rows, ...end } = await readInTime(context, reads, plan, cursor, options);
		next = advance(cursor, plan, rows, options, end);
	}
	memory.cursor = writeCursor(next.cursor);
	if (next.shrunkTo !== undefined) {
		context.logger.warn(
			`There are too many bank operations to remember all of them: operations before ` +
				`${next.shrunkTo} that appear late, and their changes, will not be noticed`,
		);
	}
	const changes = Parameters.ofTrigger(context).flag('statusChanges', 0, true);
	return changes ? next.events : next.events.filter(({ event }) => event === 'created');
}

/** n8n before 2.41 does not say. */
const usualBudget = 240_000;

/**
 * n8n gives up a poll that takes too long: this one stops before that. Where the bank fails on the way, what was read is kept as well.
 * The next poll goes on, so that a long list is read however often the bank fails. What got no further fails.
 */
async function readInTime(
	context: IPollFunctions,
	reads: Awaited<ReturnType<typeof reader>>,
	plan: ReadPlan,
	cursor: OperationsCursor | undefined,
	options: CursorOptions,
): Promise<ReadEnd & { rows: BankOperation[] }> {
	const budget = 'getPollBudgetMs' in context ? context.getPollBudgetMs() : usualBudget;
	const begun = Date.now();
	let [last, longest] = [begun, 0];
	const isOver = () => {
		const now = Date.now();
		longest = Math.max(longest, now - last);
		last = now;
		return now - begun + 2 * longest > budget;
	};
	const isBeginning = cursor === undefined ? options.startDay === undefined : cursor.beginning !== undefined;
	let isUnsettled = false;
	const stops: Stop[] = [];
	// With the last row that was read: where it is met again, nothing lies between.
	const offset = Math.max(0, plan.offset - 1);
	const rows = await reads.read(plan.from, offset, {
		isOver,
		stopped: (stop) => stops.push(stop),
		// What is passed over is found by a later read; of the first it would be taken for new.
		...(isBeginning ? { unsettled: () => (isUnsettled = true) } : {}),
	});
	const [stop] = stops;
	if (stop === undefined) return { rows, isUnsettled };
	const { at: stoppedAt, failure } = stop;
	if (failure !== undefined && (!isBankFailure(failure) || stoppedAt <= plan.offset)) throw failure;
	const goesOn = `the next poll goes on at ${stoppedAt}`;
	if (failure === undefined)
		context.logger.info(`The time of a poll does not suffice for all bank operations since ${plan.from}: ${goesOn}`);
	else context.logger.warn(`The bank failed while its operations were read: ${goesOn}. ${failure.message}`);
	return { rows, stoppedAt, isUnsettled };
}

/** For a test run: a few operations to build the workflow with. */
const shown = 10;
/** Goes back further only where the last days hold too few. */
const testDays = [1, 7, 31, 366];

async function latest(context: IPollFunctions): Promise<OperationEvent[]> {
	const { baseUrl, read } = await reader(context);
	const { today } = cursorOptions(context, baseUrl);
	let rows: BankOperation[] = [];
	for (const days of testDays) if (rows.length < shown) rows = await read(shiftDay(today, -days), 0, { limit: 1000 });
	if (rows.length > 0)
		return oldestFirst(rows.map((operation) => ({ event: 'created' as const, operation }))).slice(-shown);
	throw new NodeOperationError(context.getNode(), 'There is no operation to show', {
		description:
			'The bank has none of the last year that matches the filters. The workflow can be published all the same.',
	});
}

async function reader(context: IPollFunctions) {
	const parameters = Parameters.ofTrigger(context);
	const options = parameters.options();
	const filters = parameters.group('filters');
	const { pageSize, concurrency } = wholeNumbers({
		pageSize: { value: options.pageSize ?? 50, min: 1 },
		concurrency: { value: options.concurrency ?? 5, min: 1 },
	});
	const timeZone = context.getTimezone();
	const connection = await connect(
		context,
		restCredential('authorizationCode', context.getNodeParameter('flow', 'authorizationCode')),
	);
	const { send } = new Network(context, connection, boundsOf(options));
	const settings = {
		...arrayFormatIn(options),
		timeZone,
		// n8n gives polls no signal of their end.
		wait: waitUnlessCancelled(undefined),
	};
	const read = async (dateFrom: string, offset: number, bounds: Partial<PageOptions>) =>
		await readAll(polled, { query: { ...filters, dateFrom, offset } }, send, {
			...settings,
			...bounds,
			pageSize,
			ahead: concurrency,
		});
	const page = async (dateFrom: string, offset: number, limit: number): Promise<readonly BankOperation[]> => {
		const prepared = prepare(polled, { query: { ...filters, dateFrom, offset, limit } }, settings);
		const operations: unknown = (await call(polled, prepared, send, settings)).data?.operations;
		return Array.isArray(operations) ? operations : [];
	};
	return { baseUrl: connection.baseUrl, pageSize, read, page };
}

function cursorOptions(context: IPollFunctions, source: string): CursorOptions {
	const parameters = Parameters.ofTrigger(context);
	const { overlapDays = 1, pendingDays = 7 } = parameters.options();
	// Without status changes there is nothing to follow.
	const followed = parameters.flag('statusChanges', 0, true) ? pendingDays : 0;
	const days = wholeNumbers({ overlapDays: { value: overlapDays, min: 1 }, pendingDays: { value: followed, min: 0 } });
	const now = Date.now();
	const startDay = startDayOf(context);
	return {
		source,
		now,
		today: dayIn(now, context.getTimezone()),
		...days,
		...(startDay === undefined ? {} : { startDay }),
	};
}

/** The day as the bank will see it: n8n's date picker gives an instant. */
function startDayOf(context: IPollFunctions): string | undefined {
	if (context.getNodeParameter('startFrom', 'now') !== 'date') return undefined;
	const dateFrom = context.getNodeParameter('fromDate', '');
	const day = prepare(polled, { query: { dateFrom } }, { timeZone: context.getTimezone() }).input.query.dateFrom;
	if (typeof day !== 'string')
		throw new InputError([{ path: 'fromDate', message: 'is required when Start From is Date' }]);
	return day;
}

function itemsOf(context: IPollFunctions, events: readonly OperationEvent[]): INodeExecutionData[][] | null {
	if (events.length === 0) return null;
	const simplify = context.getNodeParameter('simplify', true) === true;
	return [
		events.map(({ operation, ...event }) => ({
			json: itemJson({ ...event, operation: simplify ? polled.list?.simplify(operation) : operation }),
		})),
	];
}
