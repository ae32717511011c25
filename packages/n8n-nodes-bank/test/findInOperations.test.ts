/** Finds payments with unknown results in the history of operations. */
import { FakeDatabase } from '../../fixtures/src/processedDataStore.ts';
import { seededRandom } from '../../fixtures/src/seededRandom.ts';
import { jsonOf, refusalOf, run, useBank } from './support/bank.ts';
import { acceptEverything, payoutForm, recipient } from './support/payout.ts';

type Json = Record<string, unknown>;

const bank = useBank();
const account = '40702810000000000001';
const mapped = { account, amount: '={{ $json.amount }}', phone: '={{ $json.phone }}', sentAt: '={{ $json.at }}' };
const sent = { amount: 1000.5, phone: '+79000000001', at: '2026-11-22T10:00:00Z' };
const payment = (more: Json = {}): Json => ({ ...sent, ...more });
const operation = (id: string, more: Json = {}): Json => ({
	id,
	dateTime: '2026-11-22T10:00:05Z',
	title: 'Transfer',
	direction: 'EXPENSE',
	status: 'SUCCESS',
	amount: { value: 100_050, currency: 'RUB', minorUnits: 100 },
	recipient: { name: 'Ivan I.', phoneNumber: '89000000001' },
	fee: 0,
	isAnotherClient: false,
	cashout: false,
	...more,
});

/** The history, page by page. */
const holding = (operations: readonly Json[]): void => {
	bank().answer = ({ query }) => {
		const { offset, limit } = Object.fromEntries(query);
		return [200, { operations: operations.slice(Number(offset), Number(offset) + Number(limit)) }];
	};
};
const find = async (items: readonly Json[], parameters: Json = {}) =>
	jsonOf(await run('payment.findInOperations', { ...mapped, ...parameters }, { items: [...items] }));

it.each([
	['info: 1 found.', [payment()]],
	[
		'warning: 1 found, 1 not found. Ask the bank about the other payments before you resolve them.',
		[payment({ outcome: 'unknown' }), payment({ amount: 5 })],
	],
	['warning: 1 not found. Ask the bank about these payments before you resolve them.', [payment({ amount: 5 })]],
	[
		'warning: 2 with several candidates. Ask the bank about these payments before you resolve them.',
		[payment(), payment()],
	],
])('sums up the results, and says nothing else about payments whose result is unknown: %s', async (hint, items) => {
	holding([operation('a')]);
	const hints: { type: string; message: string }[] = [];
	await run('payment.findInOperations', mapped, { items, hints });
	expect(hints.map(({ type, message }) => `${type}: ${message}`)).toEqual([hint]);
});

it('reports whether each payment was found, with its operation', async () => {
	holding([operation('a', { status: 'HOLD' })]);
	const name = { paymentRun: 'november', sequence: 'p-1', payment: 'a-1' };
	const [found, missing] = await find([payment({ details: name }), payment({ amount: 5, ...name })]);
	expect(found).toMatchObject({
		result: 'found',
		status: 'HOLD',
		amount: 1000.5,
		account,
		// The output can be the input of the same operation, and of Resolve.
		...name,
		phone: '+79000000001',
		sentAt: '2026-11-22T10:00:00.000Z',
		operation: { id: 'a', amount: 1000.5, counterparty: 'Ivan I.' },
		candidates: [],
	});
	expect(missing).toMatchObject({ result: 'notFound', ...name, status: null, operation: null, candidates: [] });
});

it('lists the candidates if the result is not clear', async () => {
	const silent = operation('c', { recipient: null, amount: { value: 500, minorUnits: 100 } });
	holding([operation('a'), operation('b'), silent]);
	const [several, unclear] = await find([payment(), payment({ amount: 5 })]);
	expect(several).toMatchObject({ result: 'several', operation: null, candidates: [{ id: 'a' }, { id: 'b' }] });
	expect(unclear).toMatchObject({ result: 'unclear', operation: null, candidates: [{ id: 'c' }] });
});

it('reads the whole history of an account once for all its payments, with a day on either side', async () => {
	const others = Array.from({ length: 120 }, (_, index) => operation(`other-${index}`, { recipient: {}, amount: {} }));
	holding([...others, operation('last')]);
	const items = [payment({ account }), payment({ account, amount: 5 }), payment({ account: '40702810000000000002' })];
	const found = await find(items, { account: '={{ $json.account }}' });
	expect(found.map(({ result }) => result)).toEqual(['found', 'notFound', 'found']);
	const asked = bank().seen.map(({ query }) => Object.fromEntries(query));
	expect(asked.filter(({ offset }) => offset === '0')).toMatchObject(
		[account, '40702810000000000002'].map((accounts) => ({
			accounts,
			dateFrom: '2026-11-21',
			dateTo: '2026-11-24',
			operationDirection: 'EXPENSE',
		})),
	);
});

it('reports nothing if the list moves or the bank ignores the page, because a payment could seem not to be made', async () => {
	const others = Array.from({ length: 120 }, (_, index) => operation(`other-${index}`, { recipient: {}, amount: {} }));
	let asked = 0;
	bank().answer = ({ query }) => {
		const { offset, limit } = Object.fromEntries(query);
		if (Number(offset) > 0) others.unshift(operation(`new-${asked++}`, { amount: {} }));
		return [200, { operations: others.slice(Number(offset), Number(offset) + Number(limit)) }];
	};
	expect((await refusalOf(find([payment()]))).message).toContain('the list changed each of the 3 times');
	bank().answer = () => [200, { operations: others.slice(0, 50) }];
	expect((await refusalOf(find([payment()]))).message).toContain('cannot be read completely');
});

/** An operation history that changes while it is read: operations settle, move and are added. */
const moving = (rows: Json[], changes: number, { below, happens }: ReturnType<typeof seededRandom>): void => {
	let serial = 0;
	bank().answer = ({ query }) => {
		const { offset, limit } = Object.fromEntries(query);
		const place = () => below(rows.length + 1);
		if (happens(changes)) rows.splice(place(), 0, ...rows.splice(place(), 1 + below(2)));
		if (happens(changes)) rows.splice(place(), 0, operation('0', { title: `new ${serial++}`, amount: {} }));
		if (happens(changes)) for (const row of rows.slice(place()).slice(0, 2)) row.status = 'SUCCESS';
		return [200, { operations: rows.slice(Number(offset), Number(offset) + Number(limit)) }];
	};
};

it('finds every payment in a list that moves, or reports nothing, as Return All does', async () => {
	const random = seededRandom(7);
	const { below } = random;
	const payments = Array.from({ length: 12 }, (_, index) => payment({ amount: index + 1 }));
	const ends = { whole: 0, refused: 0 };
	for (let round = 0; round < 16; round++) {
		// All share their identifier and time.
		const rows = payments.map(({ amount }) =>
			operation('0', { amount: { value: Number(amount) * 100, currency: 'RUB', minorUnits: 100 }, status: 'HOLD' }),
		);
		moving(rows, [0.03, 0.3][round % 2] ?? 0, random);
		const options = { pageSize: 1 + below(12), concurrency: 1 + below(5) };
		const reads = [
			async () => (await find(payments, { options })).map(({ result }) => result === 'found'),
			async () => {
				const items = jsonOf(await run('accountOperation.getMany', { returnAll: true, options }));
				return payments.map(({ amount }) => items.some((item) => item.amount === amount));
			},
		];
		for (const read of reads) {
			const found = await read().catch((error: unknown) => {
				expect(String((error as Error).message)).toContain('the list changed each of the 3 times');
			});
			ends[found === undefined ? 'refused' : 'whole']++;
			expect(found ?? payments.map(() => true)).toEqual(payments.map(() => true));
		}
	}
	expect(Math.min(ends.whole, ends.refused)).toBeGreaterThan(3);
});

it('finds both payments of a package whose operations share an identifier', async () => {
	const other = { amount: { value: 500, currency: 'RUB', minorUnits: 100 } };
	holding([operation('a'), operation('a', other), operation('a', { direction: 'INCOME' })]);
	const found = await find([payment(), payment({ amount: 5 })]);
	expect(found).toMatchObject([{ result: 'found' }, { result: 'found' }]);
});

it('ignores operations that are too early or too late', async () => {
	holding([operation('a', { dateTime: '2026-11-22T09:30:00Z' }), operation('b', { dateTime: '2026-11-23T11:00:00Z' })]);
	expect(await find([payment()])).toMatchObject([{ result: 'notFound' }]);
	const options = { minutesBefore: 30, hoursAfter: 25 };
	expect(await find([payment()], { options })).toMatchObject([{ result: 'several' }]);
});

it('reads a time without a zone in the time zone of n8n', async () => {
	holding([operation('a')]);
	const items = [payment({ at: '2026-11-22T13:00:00' })];
	const found = await run('payment.findInOperations', mapped, { items, timezone: 'Europe/Moscow' });
	expect(jsonOf(found)).toMatchObject([{ result: 'found', from: '2026-11-22T09:45:00.000Z' }]);
});

it('an invalid payment does not keep the others from being found, if the node continues on errors', async () => {
	holding([operation('a')]);
	const items = [payment({ phone: '' }), payment()];
	const found = jsonOf(await run('payment.findInOperations', mapped, { items, continueOnFail: true }));
	const error = 'Phone must be the complete phone number that was paid';
	expect(found).toMatchObject([{ result: 'found' }, { error }]);
});

it.each([
	['account', { account: '' }, 'Account must be an account number of 20 digits'],
	['account', { account: '4070281000000000000O' }, 'Account must be an account number of 20 digits'],
	['account', { account: '4070281000000000001' }, 'Account must be an account number of 20 digits'],
	['phone', { phone: '0001' }, 'Phone must be'],
	['phone', { phone: '+79000000001, +79000000002' }, 'Phone must be'],
	['phone', { phone: '+79000000001 ext. 12' }, 'Phone must be'],
	['amount', { amount: 'much' }, 'Amount must be'],
	['sentAt', { sentAt: 'yesterday' }, 'Sent At must be'],
])('sends nothing without a valid %s', async (_, parameters, words) => {
	expect((await refusalOf(find([payment()], parameters))).message).toContain(words);
	expect(bank().seen).toEqual([]);
});

describe('Payments From: Payment Log', () => {
	let remembered: FakeDatabase;
	const pay = async (items: Json[], answer?: [number, unknown]) => {
		bank().answer = answer === undefined ? acceptEverything(bank) : () => answer;
		const rows = items.map((item, index) => recipient(index, item));
		const form = { ...payoutForm, paymentRun: 'november' };
		await run('payment.sendPackage', form, { items: rows, remembered, continueOnFail: true });
	};
	const rows = () => remembered.tables[0]?.rows ?? [];
	const sentAt = (at: string) => {
		for (const row of rows()) row.at = at;
	};
	const hints: { message: string }[] = [];
	const compare = async (parameters: Json = {}, items: Json[] = [{}]) => {
		const period = { paymentsFrom: 'log', account, dateFrom: '2026-11-22', dateTo: '2026-11-22' };
		const options = { items, remembered, hints, timezone: 'UTC' };
		return jsonOf(await run('payment.findInOperations', { ...period, ...parameters }, options));
	};
	const summary = (found: Json[]) =>
		found.map(({ operation: own, ...row }) => [row.result, row.sequence, row.outcome, row.status, Object(own).id]);
	beforeEach(() => (remembered = new FakeDatabase()));

	it('reports found and missing payments, and operations without a payment', async () => {
		await pay([payment({ sequence: 'a' }), payment({ sequence: 'b', phone: '+79000000002' })]);
		await pay([payment({ sequence: 'c', amount: 7 })], [500, {}]);
		await pay([payment({ sequence: 'd', amount: 5 })], [400, { error: 'invalid' }]);
		sentAt('2026-11-22T10:00:00.000Z');
		holding([
			operation('one', { status: 'HOLD' }),
			operation('fee', { amount: { value: 300, minorUnits: 100 }, recipient: null }),
			// Looks like the rejected payment.
			operation('odd', { amount: { value: 500, minorUnits: 100 } }),
			operation('failed', { amount: { value: 900, minorUnits: 100 }, status: 'FAILED' }),
			operation('income', { direction: 'INCOME' }),
			operation('other day', { dateTime: '2026-11-23T10:00:05Z', amount: { value: 1, minorUnits: 100 } }),
		]);
		const found = await compare();
		expect(summary(found)).toEqual([
			['found', 'a', 'accepted', 'HOLD', 'one'],
			['notFound', 'b', 'accepted', null, undefined],
			['notFound', 'c', 'unknown', null, undefined],
			['unexplained', '', '', 'SUCCESS', 'fee'],
			['unexplained', '', '', 'SUCCESS', 'odd'],
		]);
		expect(found[0]).toMatchObject({
			amount: 1000.5,
			phone: '+*******0001',
			paymentRun: 'november',
			transactionId: 'tx a',
		});
		expect(await compare()).toEqual(found);
	});

	it.each([
		['that agree with the log', true],
		['with money that no payment explains, and payments without an operation', false],
	])('reports every operation and every payment, day by day, of moving lists %s', async (_, isAgreed) => {
		const random = seededRandom(11);
		const { below, happens } = random;
		const [hour, minute] = [3_600_000, 60_000];
		const start = Date.parse('2026-11-20T00:00:00Z');
		const days = Array.from({ length: 5 }, (__, index) =>
			new Date(start + index * 24 * hour).toISOString().slice(0, 10),
		);
		const ends = { whole: 0, refused: 0 };
		for (let round = 0; round < 12; round++) {
			remembered = new FakeDatabase();
			const paid = Array.from({ length: 14 }, (__, index) => {
				const time = start + below(4 * 24) * hour + below(60) * minute;
				return payment({ sequence: `p-${index}`, amount: 1 + below(2), phone: `+7900000000${1 + below(2)}`, time });
			});
			await pay(paid);
			const timeOf = (sequence: unknown) => Number(paid.find((one) => one.sequence === sequence)?.time ?? 0);
			for (const row of rows()) row.at = new Date(timeOf(row.sequence)).toISOString();
			const listed = paid.flatMap(({ amount, phone, time }, index) => {
				const shows = (title: string, more: Json = {}) =>
					operation(String(below(2)), {
						title: `${title} ${index}`,
						dateTime: new Date(Number(time) + below(120) * minute).toISOString(),
						amount: { value: Number(amount) * 100, currency: 'RUB', minorUnits: 100 },
						recipient: { phoneNumber: phone },
						status: happens(0.5) ? 'HOLD' : 'SUCCESS',
						...more,
					});
				if (isAgreed) return [shows('own')];
				return [
					...(happens(0.7) ? [shows('own', happens(0.2) ? { recipient: {} } : {})] : []),
					...(happens(0.3) ? [shows('other')] : []),
				];
			});
			const titles = listed.map(({ title }) => title);
			moving(listed, [0, 0.02, 0.1][round % 3] ?? 0, random);
			const options = { pageSize: 1 + below(12), concurrency: 1 + below(5) };
			const own: unknown[] = [];
			const shown: unknown[] = [];
			const results: unknown[] = [];
			let isWhole = true;
			for (const day of days) {
				const items = await compare({ dateFrom: day, dateTo: day, options }).catch((error: unknown) => {
					expect(String((error as Error).message)).toContain('the list changed each of the 3 times');
				});
				if (items === undefined) isWhole = false;
				if (items === undefined) break;
				for (const { result, operation: one, candidates } of items) {
					const { title } = Object(one) as Json;
					if (String(title).startsWith('new')) continue;
					results.push(result);
					if (title !== undefined) own.push(title);
					shown.push(title, ...(candidates as Json[]).map((candidate) => candidate.title));
				}
				const ofDay = paid.filter(({ time }) => new Date(Number(time)).toISOString().startsWith(day));
				const sequences = items.flatMap(({ sequence }) => (sequence === '' ? [] : [sequence]));
				expect(sequences.sort()).toEqual(ofDay.map(({ sequence }) => sequence).sort());
			}
			ends[isWhole ? 'whole' : 'refused']++;
			if (!isWhole) continue;
			expect(titles.filter((title) => !shown.includes(title))).toEqual([]);
			expect(new Set(own).size).toBe(own.length);
			if (isAgreed) expect(new Set(results)).toEqual(new Set(['found']));
		}
		expect(ends.whole).toBeGreaterThan(3);
		expect(ends.refused).toBeGreaterThan(0);
	});

	it('reports a period once, although each of several input items asks for it', async () => {
		holding([operation('a')]);
		const items = ['2026-11-22', '2026-11-22', '2026-11-23'].map((dateTo) => ({ dateTo }));
		const found = await compare({ dateTo: '={{ $json.dateTo }}' }, items);
		expect(summary(found)).toEqual(Array(2).fill(['unexplained', '', '', 'SUCCESS', 'a']));
	});

	it('reports all expenses if the log is empty, and nothing if there are none', async () => {
		holding([operation('a')]);
		expect(summary(await compare())).toEqual([['unexplained', '', '', 'SUCCESS', 'a']]);
		// No payment is unknown, so nothing has to be resolved.
		const text = '1 outgoing operations that no payment explains. Check what these operations are for.';
		expect(hints.at(-1)?.message).toBe(text);
		holding([]);
		expect(await compare()).toEqual([]);
	});

	it('assigns an operation after midnight to the day of its payment', async () => {
		await pay([payment({ sequence: 'a' })]);
		sentAt('2026-11-21T23:59:50.000Z');
		holding([operation('a', { dateTime: '2026-11-22T00:00:05Z' })]);
		expect(await compare()).toEqual([]);
		expect(summary(await compare({ dateFrom: '2026-11-21' }))).toEqual([['found', 'a', 'accepted', 'SUCCESS', 'a']]);
	});

	it('reports an operation that may belong to a payment of the day before, because no other report would', async () => {
		await pay([payment({ sequence: 'a' })]);
		sentAt('2026-11-21T20:00:00.000Z');
		const silent = { recipient: null };
		holding([
			operation('a', { ...silent, dateTime: '2026-11-21T20:00:05Z' }),
			operation('b', { ...silent, dateTime: '2026-11-22T09:00:00Z' }),
		]);
		expect(summary(await compare())).toEqual([['unexplained', '', '', 'SUCCESS', 'b']]);
	});

	it('ignores payments of another account', async () => {
		await pay([payment({ sequence: 'a' })]);
		sentAt('2026-11-22T10:00:00.000Z');
		holding([operation('a')]);
		const found = await compare({ account: '40702810000000000002' });
		expect(summary(found)).toEqual([['unexplained', '', '', 'SUCCESS', 'a']]);
	});

	it('fails if the log cannot be read or has no amount', async () => {
		await pay([payment({ sequence: 'a' })]);
		sentAt('2026-11-22T10:00:00.000Z');
		holding([operation('a')]);
		for (const row of rows()) row.amount = '';
		expect((await refusalOf(compare())).message).toContain('its row a of november has no amount');
		remembered.tableFailure = 'get';
		expect((await refusalOf(compare())).message).toContain('The payment log cannot be read');
	});

	it.each([
		['account', { account: '' }, 'Account must be an account number of 20 digits'],
		['account', { account: 'ABC' }, 'Account must be an account number of 20 digits'],
		['first day', { dateFrom: 'soon' }, 'must be a day, such as 2026-11-22'],
		['period', { dateTo: '2026-11-21' }, 'must not be before the first day'],
		['log', { options: { logToDataTable: '' } }, 'is required: the name of the payment log'],
	])('sends nothing without a valid %s', async (_, parameters, words) => {
		expect((await refusalOf(compare(parameters))).message).toContain(words);
		expect(bank().seen).toEqual([]);
	});
});
