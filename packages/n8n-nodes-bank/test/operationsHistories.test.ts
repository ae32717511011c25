/** Whatever happens at the bank while the Bank Operations Trigger polls it: what is told, and how often. */
import fc from 'fast-check';

import { chance } from '../../fixtures/src/chance.ts';
import { activation } from './support/poll.ts';

// Between the tries of a read.
jest.mock('n8n-workflow', () => ({ ...jest.requireActual<object>('n8n-workflow'), sleep: async () => undefined }));

interface Row {
	id: string;
	dateTime: string;
	status: null;
}

interface Circumstances {
	seed: number;
	/** How many operations there are before. */
	old: number;
	pageSize: number;
	concurrency: number;
	/** Polls during which the list moves and the bank fails. */
	polls: number;
	faults: number;
	moves: number;
	/** Milliseconds that n8n gives a poll; a request takes a second. */
	budget: number;
}

const second = 1000;
const minute = 60 * second;
const start = Date.parse('2026-03-10T08:00:00Z');

const refused = [500, 502, 503, 429].map((statusCode) => ({
	statusCode,
	headers: { 'retry-after': '1' },
	body: Buffer.from('{"error":"internal_error"}'),
}));

let now = start;
beforeEach(() => {
	now = start;
	jest.spyOn(Date, 'now').mockImplementation(() => now);
});
afterEach(() => jest.restoreAllMocks());

/** A bank with these operations, newest first, and one activation of the trigger. */
function history({ seed, old, pageSize, concurrency, faults, moves, budget }: Circumstances) {
	const { below, happens } = chance(seed);
	const rows: Row[] = [];
	const created: string[] = [];
	let serial = 0;
	let isWell = false;
	const file = (kind: string, ago: number) => {
		const row: Row = { id: `${kind}-${serial++}`, dateTime: new Date(now - ago).toISOString(), status: null };
		const place = rows.findIndex(({ dateTime }) => dateTime <= row.dateTime);
		rows.splice(place < 0 ? rows.length : place, 0, row);
	};
	for (let index = 0; index < old; index++) file('old', (index + 1) * minute);
	let kind = 'meanwhile';
	const move = () => {
		if (happens(0.5)) file(kind, 0);
		else rows.splice(below(rows.length), 1 + below(happens(0.1) ? 3 * pageSize : 2));
	};
	const ask = async ({ url, qs }: { url: string; qs?: unknown }) => {
		now += second;
		const query = new URL(url).searchParams;
		expect(qs).toBeUndefined();
		if (!isWell && happens(moves)) move();
		const [offset, limit] = [Number(query.get('offset')), Number(query.get('limit'))];
		const found = rows.filter(({ dateTime }) => dateTime.slice(0, 10) >= (query.get('dateFrom') ?? ''));
		const body = Buffer.from(JSON.stringify({ operations: found.slice(offset, offset + limit) }));
		for (let turn = below(8); turn > 0; turn--) await Promise.resolve();
		if (!isWell && happens(faults)) {
			const fault = refused[below(refused.length + 1)];
			if (fault === undefined) throw Object.assign(new Error('timeout'), { code: 'ETIMEDOUT' });
			return fault;
		}
		return { statusCode: 200, headers: {}, body };
	};
	const trigger = activation({ options: { pageSize, concurrency } });
	return {
		created,
		...trigger,
		standing: () => rows.map(({ id }) => id),
		hasBegun: () => typeof trigger.memory.cursor === 'string',
		move: () => {
			kind = 'new';
			// As long as the first read is not settled, what comes late cannot be told from what was passed over.
			const isSettled = !/"beginning"/.test(String(trigger.memory.cursor));
			for (let count = below(5); count > 0; count--)
				file(kind, isSettled && happens(0.3) ? below(10 * 60) * minute : 0);
			if (rows.length > 0 && happens(moves)) move();
		},
		recover: () => (isWell = true),
		/** @returns whether it ended well */
		poll: async (): Promise<boolean> => {
			now += 5 * minute;
			try {
				for (const item of (await trigger.poll({ ask, budget })) ?? [])
					created.push((item as { operation: Row }).operation.id);
				return true;
			} catch {
				return false;
			} finally {
				if (trigger.memory.cursor !== undefined) kind = 'new';
			}
		},
	};
}

const circumstances = fc.record<Circumstances>({
	seed: fc.nat(),
	old: fc.nat(60),
	pageSize: fc.integer({ min: 1, max: 50 }),
	concurrency: fc.integer({ min: 1, max: 8 }),
	polls: fc.integer({ min: 1, max: 6 }),
	faults: fc.constantFrom(0, 0.05, 0.3),
	moves: fc.constantFrom(0, 0.05, 0.2),
	budget: fc.constantFrom(5 * second, 20 * second, 240 * second),
});

test('an operation that came after activation is told once, and none that was there before', async () => {
	await fc.assert(
		fc.asyncProperty(circumstances, async (given) => {
			now = start;
			const bank = history(given);
			for (let polls = 0; polls < given.polls; polls++) {
				await bank.poll();
				if (bank.hasBegun()) bank.move();
			}
			bank.recover();
			// The first may have begun before the last operation came. What has come into the middle is found once an hour.
			for (let ends = 0, polls = 0; ends < 3; polls++) {
				expect(polls).toBeLessThan(200);
				now += 30 * minute;
				expect(await bank.poll()).toBe(true);
				if (!/"unfinished"/.test(String(bank.memory.cursor))) ends++;
			}
			const told = bank.created;
			expect(told.filter((id) => id.startsWith('old'))).toEqual([]);
			expect(told.filter((id, index) => told.indexOf(id) !== index)).toEqual([]);
			expect(bank.standing().filter((id) => id.startsWith('new') && !told.includes(id))).toEqual([]);
		}),
		{ numRuns: Number(process.env.HISTORIES ?? 200) },
	);
});

test('a long list is read to its end however often the bank fails: each poll goes on where the last one stopped', async () => {
	await fc.assert(
		fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 5 }), async (seed, pageSize) => {
			now = start;
			const often = { faults: 0.3, moves: 0, polls: 0, concurrency: 5, budget: 240 * second };
			const bank = history({ seed, pageSize, old: 120, ...often });
			let polls = 0;
			const isRead = () => bank.hasBegun() && !/"unfinished"/.test(String(bank.memory.cursor));
			for (; !isRead(); polls++) {
				expect(polls).toBeLessThan(120);
				await bank.poll();
			}
			expect(bank.created).toEqual([]);
		}),
		{ numRuns: 30 },
	);
});
