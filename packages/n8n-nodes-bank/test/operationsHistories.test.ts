/** Random operation histories while the Bank Operations Trigger polls: each event must be emitted, and only once. */
import fc from 'fast-check';

import { seededRandom } from '../../fixtures/src/seededRandom.ts';
import { activation } from './support/poll.ts';

interface Row {
	/** Identifier at the bank. Two operations may share it. */
	id: string;
	/** Identifier in this test, to tell operations apart. */
	reference: string;
	direction: 'EXPENSE' | 'INCOME';
	amount: { value: number; currency: string; minorUnits: number };
	dateTime: string;
	status: 'HOLD' | 'SUCCESS' | null;
}

interface Told {
	event: string;
	changes?: string[];
	previousStatus?: string | null;
	previousAmount?: number;
	operation: Row;
}

interface History {
	seed: number;
	/** Operations that exist before the first poll. */
	old: number;
	pageSize: number;
	/** Maximum number of rows per response. */
	cap: number;
	concurrency: number;
	/** Polls during which the list changes and the bank fails. */
	polls: number;
	/** Chance of an error per request. */
	errors: number;
	/** Chance of a change of the list per request. */
	changes: number;
	/** Milliseconds that n8n gives a poll; a request takes a second. */
	budget: number;
	newestFirst: boolean;
	/**
	 * Whether operations may also share identifier, direction, amount and time. None is then removed, and no amount
	 * changes: a change of one operation would look like another operation.
	 */
	twins: boolean;
}

const second = 1000;
const minute = 60 * second;
const start = Date.parse('2026-03-10T08:00:00Z');
const errorStatuses = [500, 502, 503, 429];

let now = start;
beforeEach(() => {
	now = start;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** Plays a history: a bank with these operations, an active trigger, and changes to both. */
function play({ seed, old, pageSize, cap, concurrency, errors, changes, budget, newestFirst, twins }: History) {
	const { below, happens } = seededRandom(seed);
	const rows: Row[] = [];
	const emitted: Told[] = [];
	const shared = new Set<string>();
	let serial = 0;
	let isQuiet = false;
	let saved = '';
	/** The latest first day that the trigger still reads at the end. */
	let window = '';
	const add = (kind: string, ago: number) => {
		const at = new Date(now - ago).toISOString();
		const today = rows.filter(({ dateTime }) => dateTime.slice(0, 10) === at.slice(0, 10));
		const twin =
			twins && (kind === 'old' || isBaselineComplete()) && happens(0.5) ? today[below(today.length)] : undefined;
		const dateTime = twin?.dateTime ?? at;
		const other = !twins && happens(0.2) ? rows.find(({ id }) => !shared.has(id)) : undefined;
		if (other !== undefined) shared.add(other.id);
		const reference = `${kind}-${serial++}`;
		const row: Row = {
			id: twin?.id ?? other?.id ?? reference,
			reference,
			direction: twin?.direction ?? (other?.direction === 'EXPENSE' ? 'INCOME' : 'EXPENSE'),
			amount: twin?.amount ?? { value: 100 + below(1000), currency: 'RUB', minorUnits: 100 },
			dateTime,
			status: happens(0.3) ? 'HOLD' : null,
		};
		const place = rows.findIndex((other) => (newestFirst ? other.dateTime <= dateTime : other.dateTime > dateTime));
		rows.splice(place < 0 ? rows.length : place, 0, row);
	};
	for (let index = 0; index < old; index++) add('old', (index + 1) * 20 * minute);
	const trigger = activation({ simplify: false, options: { pageSize, concurrency } });
	const cursor = () => String(trigger.memory.cursor ?? '');
	const hasBegun = () => cursor() !== '';
	// Whether the first read is complete. Until then, operations that appear late look like old ones, and old ones that
	// move up look new.
	const isBaselineComplete = () => [cursor(), saved].every((text) => text !== '' && !/"baseline"/.test(text));
	const change = () => {
		const count = 1 + below(happens(0.1) ? 3 * pageSize : 2);
		const [from, to] = [below(rows.length + 1), below(rows.length + 1)];
		const held = rows.filter(({ status }) => status === 'HOLD');
		const what = below(6);
		if (what === 0 || (twins && (what === 2 || what === 4))) add('new', 0);
		else if (what === 1 && isBaselineComplete()) add('new', below(10 * 60) * minute);
		else if (what === 2) rows.splice(from, count);
		else if (what === 3 && isBaselineComplete()) rows.splice(to, 0, ...rows.splice(from, count));
		else if (what === 4) for (const row of rows.slice(from, from + 1)) row.amount.value++;
		else for (const row of held.slice(0, 1)) row.status = 'SUCCESS';
	};
	const ask = async ({ url }: { url: string }) => {
		now += second;
		const query = new URL(url).searchParams;
		const dateFrom = query.get('dateFrom') ?? '';
		if (isQuiet && dateFrom > window) window = dateFrom;
		if (!isQuiet && happens(changes)) change();
		const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
		const found = rows.filter(({ dateTime }) => dateTime.slice(0, 10) >= dateFrom);
		const page = found.slice(offset, offset + Math.min(limit, cap));
		const body = Buffer.from(JSON.stringify({ operations: page }));
		for (let turn = below(8); turn > 0; turn--) await Promise.resolve();
		const statusCode = errorStatuses[below(errorStatuses.length + 1)];
		const isGood = isQuiet || !happens(errors);
		if (isGood) return { statusCode: 200, headers: {}, body };
		if (statusCode === undefined) throw Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' });
		return { statusCode, headers: { 'retry-after': '1' }, body: Buffer.from('{"error":"internal_error"}') };
	};
	return {
		rows,
		emitted,
		hasBegun,
		change,
		window: () => window,
		isReading: () => !hasBegun() || /"(?:pass|baseline)"/.test(cursor()),
		quiet: () => (isQuiet = true),
		poll: async (): Promise<void> => {
			now += happens(0.1) ? below(60) * 60 * minute : 5 * minute;
			const items = await trigger.poll({ ask, budget }).catch((error: unknown) => {
				if (isQuiet) throw error;
			});
			// The workflow is published once a poll has succeeded.
			if (!hasBegun()) for (const row of rows) row.reference = row.reference.replace('new', 'meanwhile');
			emitted.push(...((items ?? []) as unknown as typeof emitted));
			// n8n saves the cursor at activation and with events. Any other cursor is lost when n8n restarts.
			if (items !== null || saved === '') saved = cursor();
			if (!isQuiet && saved !== '' && happens(0.1)) trigger.memory.cursor = saved;
		},
	};
}

const histories = fc.record<History>({
	seed: fc.nat(),
	old: fc.nat(60),
	// With pages of fewer than 7 rows, some pages cannot overlap, so such pages are less frequent.
	pageSize: fc.oneof(fc.integer({ min: 1, max: 6 }), { weight: 2, arbitrary: fc.integer({ min: 7, max: 50 }) }),
	cap: fc.constantFrom(1, 7, 100, 100, 100),
	concurrency: fc.integer({ min: 1, max: 8 }),
	polls: fc.integer({ min: 1, max: 8 }),
	errors: fc.constantFrom(0, 0.05, 0.3),
	changes: fc.constantFrom(0, 0.05, 0.2, 0.5),
	budget: fc.constantFrom(5 * second, 20 * second, 240 * second),
	newestFirst: fc.boolean(),
	twins: fc.boolean(),
});

test('each operation that comes after publishing is emitted once, its changes in turn, and none that was there before', async () => {
	await fc.assert(
		fc.asyncProperty(histories, async (given) => {
			now = start;
			const { rows, emitted, ...bank } = play(given);
			for (let polls = 0; polls < given.polls; polls++) {
				await bank.poll();
				if (bank.hasBegun()) for (let count = 0; count < 3; count++) bank.change();
			}
			bank.quiet();
			for (let whole = 0, polls = 0; whole < 3; polls++) {
				expect(polls).toBeLessThan(400);
				now += 60 * minute;
				await bank.poll();
				if (!bank.isReading()) whole++;
			}
			const created = emitted.filter(({ event }) => event === 'created').map(({ operation }) => operation.reference);
			expect(created.filter((name) => name.startsWith('old'))).toEqual([]);
			expect(created.filter((name, index) => created.indexOf(name) !== index)).toEqual([]);
			expect(rows.filter(({ reference }) => reference.startsWith('new') && !created.includes(reference))).toEqual([]);
			for (const row of rows) {
				const told = emitted.filter(({ operation }) => operation.reference === row.reference);
				for (const [index, { event, changes = [], previousStatus, previousAmount, operation }] of told.entries()) {
					if (event === 'created') continue;
					const before = told[index - 1]?.operation;
					expect(changes.includes('status')).toBe(previousStatus !== operation.status);
					expect(changes.includes('amount')).toBe(previousAmount !== undefined);
					if (before !== undefined) expect(previousStatus).toBe(before.status);
					if (before !== undefined) expect(previousAmount ?? before.amount.value / 100).toBe(before.amount.value / 100);
				}
				const last = told.at(-1)?.operation;
				if (last === undefined) continue;
				expect(last.status).toBe(row.status);
				// Operations before the window are not read again, unless they are in processing.
				if (row.dateTime.slice(0, 10) >= bank.window()) expect(last.amount).toEqual(row.amount);
			}
		}),
		{ numRuns: Number(process.env.HISTORIES ?? 150), seed: 20 },
	);
});
