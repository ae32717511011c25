import { existing } from '../../fixtures/src/existing.ts';
import { refusalOf, type SeenRequest, useBank } from './support/bank.ts';
import { activation, type Stored } from './support/poll.ts';

interface Row {
	id: string;
	dateTime: string;
	status?: string | null;
	[field: string]: unknown;
}

const bank = useBank();

const hour = 60 * 60 * 1000;
const day = 24 * hour;
const iso = (ago: number) => new Date(Date.now() - ago).toISOString();
const row = (id: string, ago = 0, more: object = {}): Row => ({
	id,
	dateTime: iso(ago),
	title: `Operation ${id}`,
	amount: { value: 12345, currency: 'RUB', minorUnits: 100 },
	direction: 'INCOME',
	status: null,
	fee: 0,
	isAnotherClient: false,
	cashout: false,
	...more,
});

/** Serves P6 as described, from rows that the test may change. */
function answerFrom(rows: Row[]) {
	bank().answer = ({ query }: SeenRequest) => {
		const { dateFrom = '', offset = '0', limit = '20' } = Object.fromEntries(query);
		const found = rows.filter(({ dateTime }) => dateTime.slice(0, 10) >= dateFrom);
		return [200, { operations: found.slice(Number(offset), Number(offset) + Number(limit)) }];
	};
	return rows;
}

const told = (items: Array<Record<string, unknown>> | null) =>
	items?.map(({ event, operation }) => `${String(event)} ${String((operation as Row).id)}`) ?? null;

afterEach(() => jest.restoreAllMocks());

describe('polling', () => {
	it('uses the credential of the flow that was chosen', async () => {
		answerFrom([]);
		await activation().poll();
		await activation({ flow: 'hostToHost' }).poll();
		const tokens = bank().seen.map(({ headers }) => headers.authorization);
		expect([...new Set(tokens)]).toEqual([
			'Bearer token of bankAuthorizationCodeOAuth2Api',
			'Bearer token of bankHostToHostOAuth2Api',
		]);
	});

	it('emits the operations since a start day at the first poll, if set', async () => {
		answerFrom([row('new'), row('old', 5 * day)]);
		const { poll } = activation({ startFrom: 'date', fromDate: new Date(Date.now() - day).toISOString() });
		expect(told(await poll())).toEqual(['created new']);
		expect(await poll()).toBeNull();
	});

	const money = (value: number) => ({ value, currency: 'RUB', minorUnits: 100 });
	it.each<[string, boolean, (place: number) => Row]>([
		['have identifiers', false, (place) => row(`op-${place}`)],
		['share their identifier', false, (place) => row('0', place * 1000, { amount: money(place) })],
		['share identifier and amount', true, (place) => row('0', place * 1000)],
		['share identifier and time', true, (place) => row('0', 0, { amount: money(place) })],
		['share identifier, amount and time', true, () => row('0')],
		['share identifier, amount and time, on HOLD', true, () => row('0', 0, { status: 'HOLD' })],
	])(
		'of operations that %s ends before they fill the memory, and the next one goes on where it ended',
		async (_which, isUnclear, rowAt) => {
			let now = Date.now();
			jest.spyOn(Date, 'now').mockImplementation(() => now);
			const filler = 'x'.repeat(33_000);
			const rows = Array.from({ length: 130 }, (_, place) => ({ ...rowAt(place), title: `${place} ${filler}` }));
			answerFrom(rows);
			const options = { pageSize: 5, concurrency: 2, maxMegabytes: 1 };
			const fromDate = new Date(now - day).toISOString();
			const { poll, memory } = activation({ startFrom: 'date', fromDate, simplify: false, options });
			const places: number[] = [];
			while (places.length < rows.length) {
				now += hour;
				const before = bank().seen.length;
				const items = (await poll()) ?? [];
				places.push(...items.map(({ operation }) => Number.parseInt(String((operation as Row).title), 10)));
				expect(items.length).toBeGreaterThan(0);
				// 32 operations reach the limit, a page may exceed it, and the end of a list decides about 31 more.
				expect(items.length).toBeLessThanOrEqual(32 + 5 + (isUnclear ? 31 : 0));
				expect(String(memory.cursor).length).toBeLessThan(1.1 * 1024 * 1024);
				// Only another read of the whole list, in 65 requests, shows whether similar rows with one identifier
				// are several operations.
				expect(bank().seen.length - before).toBeLessThanOrEqual(isUnclear ? 25 + 65 : 20);
			}
			expect(places.toSorted((one, other) => one - other)).toEqual([...rows.keys()]);
			now += hour;
			expect(await poll()).toBeNull();
		},
	);

	it.each<[string, (served: number, place: number) => Row]>([
		['the same operations with other times', (served, place) => row(`op-${place}`, served * 1000)],
		['other operations', (served, place) => row(`op-${served}-${place}`, day)],
		['operations that are always new', (served, place) => row(`op-${served}-${place}`)],
	])('of a list with %s at each request ends after some requests, and says so', async (_which, rowAt) => {
		let served = 0;
		bank().answer = ({ query }: SeenRequest) => {
			const { offset = '0', limit = '20' } = Object.fromEntries(query);
			served++;
			return [
				200,
				{ operations: Array.from({ length: Number(limit) }, (_, place) => rowAt(served, Number(offset) + place)) },
			];
		};
		const { poll, log } = activation({ options: { pageSize: 5 } });
		for (let polls = 0; polls < 3; polls++) {
			// New operations are emitted.
			const text = await poll().then(
				() => log.at(-1),
				({ message }: Error) => message,
			);
			expect(text).toContain('the list changed each of the 6 times that it was read');
		}
		expect(served).toBeLessThan(3 * 40);
	});

	it('returns the operation simplified, or raw if the option says so', async () => {
		const rows = answerFrom([]);
		const [simplified, whole] = [activation(), activation({ simplify: false })];
		await Promise.all([simplified.poll(), whole.poll()]);
		rows.push(row('a', 0, { status: 'HOLD', unheardOf: { deep: [1] } }));
		const item = { eventId: expect.stringMatching(/^a HOLD \w+$/), event: 'created' };
		const [first] = (await simplified.poll()) ?? [];
		const operation = { id: 'a', amount: 123.45, currency: 'RUB', status: 'HOLD' };
		expect(first).toEqual({ ...item, operation: expect.objectContaining(operation) });
		expect(first?.operation).not.toHaveProperty('isAnotherClient');
		expect(await whole.poll()).toEqual([{ ...item, operation: rows[0] }]);
	});

	it('reports no changes of status if they are switched off, and none of these later', async () => {
		const rows = answerFrom([row('a', 0, { status: 'HOLD' })]);
		const quiet = activation({ changes: false });
		await quiet.poll();
		existing(rows[0]).status = 'SUCCESS';
		expect(await quiet.poll()).toBeNull();
		expect(await activation({ changes: true }, quiet.memory).poll()).toBeNull();
	});

	it('stops before the time limit of n8n, logs it, and continues at the next poll', async () => {
		const rows = answerFrom([row('old')]);
		const { poll, log } = activation({ options: { pageSize: 10 } });
		await poll();
		for (let index = 0; index < 500; index++) rows.unshift(row(`op-${index}`));
		const found: string[] = [];
		for (let polls = 0; polls < 3; polls++) found.push(...(told(await poll({ budget: 0 })) ?? []));
		// One page per poll. The second poll reads the first page again, as part of a full pass, whose pages overlap.
		expect(found).toHaveLength(16);
		expect(log.filter((line) => line.includes('The next poll continues'))).toHaveLength(3);
		found.push(...(told(await poll()) ?? []));
		expect([found.length, new Set(found).size]).toEqual([500, 500]);
		expect(await poll()).toBeNull();
	});

	it('fails if the list is too large', async () => {
		const rows = answerFrom(Array.from({ length: 90 }, (_, index) => row(`op-${index}`)));
		// The rows of several passes in one poll are not added up.
		expect(await activation({ options: { pageSize: 10, maxRows: 100 } }).poll()).toBeNull();
		rows.push(...Array.from({ length: 90 }, (_, index) => row(`more-${index}`)));
		const { poll } = activation({ options: { pageSize: 10, maxRows: 100 } });
		// The first poll keeps what it has read.
		expect(await poll()).toBeNull();
		const { text } = await refusalOf(poll());
		expect(text).toContain('the list is larger than 100 rows');
		expect(text).toContain('Maximum Rows');
	});

	it('warns while the first day to read is in the future, because the clock was ahead at publishing', async () => {
		answerFrom([row('dated ahead', -3 * day)]);
		const { poll, log } = activation();
		const ahead = Date.now() + 3 * day;
		jest.spyOn(Date, 'now').mockImplementation(() => ahead);
		await poll();
		jest.restoreAllMocks();
		expect(log).toEqual([]);
		await poll();
		expect(log.join()).toMatch(/The first day to read, \S+, is in the future: n8n's clock was ahead/);
	});

	it('refuses a filter without a value, which would bring everything', async () => {
		const { poll } = activation({ filters: { accounts: () => undefined } });
		await expect(poll()).rejects.toThrow('accounts is empty: remove the filter or give a value');
		expect(bank().seen).toEqual([]);
	});

	it('sends the filters, and lists as the option says', async () => {
		answerFrom([]);
		await activation({
			filters: { accounts: ['1', '2'], cards: ['c'], operationDirection: 'EXPENSE' },
			options: { arrayFormat: 'brackets' },
		}).poll();
		// A page prefetched by an earlier test may arrive too.
		const { path, query } = bank().seen.find((seen) => seen.query.length > 3) ?? { path: '', query: [] };
		expect(path).toBe('/api/pp/v1/operations');
		expect(query.filter(([name]) => !['dateFrom', 'offset', 'limit'].includes(name))).toEqual([
			['accounts[]', '1'],
			['accounts[]', '2'],
			['cards[]', 'c'],
			['operationDirection', 'EXPENSE'],
		]);
	});

	it('starts at the day of the time zone of the workflow', async () => {
		answerFrom([]);
		const dateFrom: unknown[] = [];
		for (const timezone of ['Pacific/Kiritimati', 'Pacific/Pago_Pago']) {
			await activation().poll({ timezone });
			dateFrom.push(Object.fromEntries(bank().seen.at(-1)?.query ?? []).dateFrom);
		}
		// The polls are 25 hours apart.
		expect(dateFrom[0]).not.toBe(dateFrom[1]);
	});

	it('starts over at another bank, and logs it', async () => {
		answerFrom([row('theirs')]);
		const other = { environment: 'production', productionBaseUrl: 'https://bank.test/other', token: 'x' };
		const { poll, log } = activation();
		await poll();
		expect(log).toEqual([]);
		expect(await poll({ credentials: { bankAuthorizationCodeOAuth2Api: other } })).toBeNull();
		expect(log.join()).toContain('The base URL is now https://bank.test/other, so the trigger starts over');
	});
});

describe('a poll that cannot be completed', () => {
	it('keeps what was read, so that nothing is missed or emitted twice, and fails if it made no progress', async () => {
		const rows = answerFrom([row('old')]);
		const { poll, memory, log } = activation({ options: { pageSize: 2 } });
		await poll();
		for (let index = 0; index < 5; index++) rows.unshift(row(`op-${index}`, -index));
		const good = bank().answer;
		// The second page of the list fails.
		bank().answer = (request) =>
			request.query.some(([name, value]) => name === 'offset' && value === '2')
				? [500, { error: 'internal_error' }]
				: good(request);
		expect(told(await poll())).toEqual(['created op-3', 'created op-4']);
		expect(log.join()).toContain('Not all bank operations could be read. The next poll continues.');
		expect(await poll()).toBeNull();
		const before = structuredClone(memory);
		const { message } = await refusalOf(poll());
		expect(message).toContain('500');
		expect(memory).toEqual(before);
		bank().answer = good;
		expect(told(await poll())).toEqual([0, 1, 2].map((index) => `created op-${index}`));
		expect(await poll()).toBeNull();
	});

	it('says what to do if the scope is missing', async () => {
		bank().answer = () => [403, { error: 'insufficient_scope' }];
		const { text } = await refusalOf(activation().poll());
		expect(text).toContain('operations-history');
	});

	it('does not say to run it again: n8n polls again by itself', async () => {
		bank().answer = () => [401, { error: 'invalid_token' }];
		const { text } = await refusalOf(activation().poll());
		expect(text).toMatch(/reconnect it.* try again/);
		expect(text).not.toMatch(/run again/i);
	});

	it.each([
		['overlapDays', { options: { overlapDays: 0.5 } }],
		['overlapDays', { options: { overlapDays: 0 } }],
		['overlapDays', { options: { overlapDays: 'NaN' } }],
		['pageSize', { options: { pageSize: 0 } }],
		['concurrency', { options: { concurrency: 'many' } }],
		['fromDate', { startFrom: 'date', fromDate: '' }],
		['dateFrom', { startFrom: 'date', fromDate: 'soon' }],
	])('sends nothing if %s is unusable', async (field, parameters) => {
		const { text } = await refusalOf(activation(parameters).poll());
		expect(text).toContain(field);
		expect(bank().seen).toEqual([]);
	});

	it('emits nothing twice if the last one is still running', async () => {
		const rows = answerFrom([]);
		const { poll, log } = activation();
		await poll();
		rows.push(row('a'));
		const good = bank().answer;
		const [asked, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
		bank().answer = async (request) => {
			asked.resolve();
			await held.promise;
			return await good(request);
		};
		const slow = poll();
		await asked.promise;
		expect(await poll()).toBeNull();
		expect(log.join()).toContain('still running');
		held.resolve();
		expect(told(await slow)).toEqual(['created a']);
		expect(await poll()).toBeNull();
	});
});

describe('an execution that n8n could not store', () => {
	/** n8n reports the result of storing after the poll. */
	const storing = (error?: Error) => ({
		store: ({ resolve, reject }: Stored) => (error === undefined ? resolve() : reject(error)),
	});
	const settled = async () => await new Promise((resolve) => setImmediate(resolve));
	const locked = storing(new Error('SQLITE_BUSY: database is locked'));

	it('is emitted again by the next poll, with what is new, until it is stored', async () => {
		const rows = answerFrom([row('old')]);
		const { poll, log } = activation();
		await poll();
		rows.unshift(row('a', -1));
		expect(told(await poll(locked))).toEqual(['created a']);
		await settled();
		expect(log.join()).toContain('could not store the execution for 1 events');
		expect(told(await poll(locked))).toEqual(['created a']);
		await settled();
		rows.unshift(row('b', -2));
		expect(told(await poll(storing()))).toEqual(['created a', 'created b']);
		await settled();
		expect(await poll()).toBeNull();
	});

	it('is emitted again although the bank fails meanwhile', async () => {
		const rows = answerFrom([row('old')]);
		const { poll } = activation();
		await poll();
		rows.unshift(row('a', -1));
		await poll(locked);
		await settled();
		bank().answer = () => [500, { error: 'internal_error' }];
		const store = jest.fn(({ resolve }: Stored) => resolve());
		await refusalOf(poll({ store }));
		expect(store).toHaveBeenCalledTimes(1);
	});

	it.each(['ManualExecutionCancelledError', 'ExecutionNotFoundError'])(
		'is not an execution that ends with %s',
		async (name) => {
			const rows = answerFrom([row('old')]);
			const { poll } = activation();
			await poll();
			rows.unshift(row('a', -1));
			const error = new ({ [name]: class extends Error {} }[name] as typeof Error)('stopped');
			expect(told(await poll(storing(error)))).toEqual(['created a']);
			await settled();
			expect(await poll()).toBeNull();
		},
	);

	it('has its cursor committed at activation, where n8n keeps cursors apart', async () => {
		answerFrom([row('old')]);
		const { poll, commits } = activation();
		await poll();
		await poll();
		expect(commits).toHaveLength(1);
	});
});

describe('a test run', () => {
	it('shows the latest operations, oldest first, and leaves the cursor alone', async () => {
		answerFrom(Array.from({ length: 30 }, (_, index) => row(`op-${index}`, index * 1000)));
		const { poll, memory } = activation();
		const latest = Array.from({ length: 10 }, (_, index) => `created op-${9 - index}`);
		expect(told(await poll({ mode: 'manual' }))).toEqual(latest);
		expect(memory).toEqual({});
	});

	it('looks back until it finds operations', async () => {
		answerFrom([row('b'), row('a', 200 * day)]);
		expect(told(await activation().poll({ mode: 'manual' }))).toEqual(['created a', 'created b']);
	});

	it('says so if there is no operation', async () => {
		answerFrom([row('a', 900 * day)]);
		const { message, description } = await refusalOf(activation().poll({ mode: 'manual' }));
		expect(message).toBe('There is no operation to show');
		expect(description).toContain('publish the workflow anyway');
	});
});
