/** Finding payments with an unknown outcome in the operation history. */
import fc from 'fast-check';

import { type BankOperation, findPayments, instantOf, type PaymentQuery, unmatchedExpenses } from '../src/index.ts';

const at = (time: string): number => Date.parse(`2026-11-22T${time}Z`);
const sought = (changes: Partial<PaymentQuery> = {}): PaymentQuery => ({
	amount: 100_050n,
	phone: '+79000000001',
	from: at('09:00:00'),
	to: at('12:00:00'),
	...changes,
});
const operation = (id: string, changes: Record<string, unknown> = {}): BankOperation => ({
	id,
	dateTime: '2026-11-22T10:00:00Z',
	direction: 'EXPENSE',
	amount: { value: 100_050, currency: 'RUB', minorUnits: 100 },
	recipient: { phoneNumber: '+79000000001' },
	...changes,
});
const resultsOf = (payments: readonly PaymentQuery[], operations: readonly BankOperation[]) =>
	findPayments(payments, operations).map(({ result, operations: found }) => [result, ...found.map((one) => one?.id)]);

describe('a payment', () => {
	test.each([
		['its amount, its phone and its time', {}],
		['8 before the number', { recipient: { phoneNumber: '89000000001' } }],
		['blanks and hyphens in the number', { recipient: { phoneNumber: '+7 900 000-00-01' } }],
		['the phone as a number', { recipient: { phoneNumber: 79000000001 } }],
		['other minor units', { amount: { value: 10_005, currency: 'RUB', minorUnits: 10 } }],
		['a minus, as for outgoing amounts', { amount: { value: -100_050, currency: 'RUB', minorUnits: 100 } }],
		['the time at which it may begin', { dateTime: '2026-11-22T09:00:00Z' }],
		['the time at which it must end', { dateTime: '2026-11-22T12:00:00Z' }],
		['a phone from a column of numbers', { recipient: { phoneNumber: '89000000001.0' } }],
	])('is found in an operation with %s', (_, changes) => {
		expect(resultsOf([sought()], [operation('a', changes)])).toEqual([['found', 'a']]);
	});

	test.each([
		['another amount', { amount: { value: 100_051, currency: 'RUB', minorUnits: 100 } }],
		['another person', { recipient: { phoneNumber: '+79000000002' } }],
		['money that came in', { direction: 'INCOME' }],
		['a time before it', { dateTime: '2026-11-22T08:59:59.999Z' }],
		['a time after it', { dateTime: '2026-11-22T12:00:00.001Z' }],
	])('is not found in an operation with %s', (_, changes) => {
		expect(resultsOf([sought()], [operation('a', changes)])).toEqual([['notFound']]);
	});

	test.each([
		['2026-11-22T12:00:00', 'found'],
		['2026-11-22T23:59:59.5', 'found'],
		['2026-11-23T07:00:00', 'notFound'],
	])('is searched in every time zone if the bank gives none: %s', (dateTime, result) => {
		expect(resultsOf([sought()], [operation('a', { dateTime })])[0]?.[0]).toBe(result);
	});

	test('is undetermined if several operations match', () => {
		expect(resultsOf([sought()], [operation('a'), operation('b')])).toEqual([['several', 'a', 'b']]);
	});

	test.each([
		['no recipient', { recipient: undefined }],
		['a masked phone', { recipient: { phoneNumber: '+7900***0001' } }],
	])('is unclear if the matching operation shows %s', (_, changes) => {
		expect(resultsOf([sought()], [operation('a', changes)])).toEqual([['unclear', 'a']]);
	});

	test('is not unclear if another operation names the recipient', () => {
		const silent = operation('a', { recipient: undefined });
		expect(resultsOf([sought()], [silent, operation('b')])).toEqual([['found', 'b']]);
	});

	test('is unclear, not absent, if the bank gives no readable time', () => {
		expect(resultsOf([sought()], [operation('a', { dateTime: 'yesterday', recipient: {} })])).toEqual([
			['unclear', 'a'],
		]);
	});
});

test('payments of different amounts and people are matched independently of each other', () => {
	const amount = { value: 200, currency: 'RUB', minorUnits: 1 };
	const recipient = { phoneNumber: '+79000000002' };
	const nothing = [null, undefined] as unknown as BankOperation[];
	const listed = [
		...nothing,
		operation('b', { amount }),
		operation('c', { recipient }),
		operation('a'),
		operation('d', { amount: {} }),
	];
	expect(resultsOf([sought(), sought({ amount: 20_000n }), sought({ phone: '89000000002' })], listed)).toEqual([
		['found', 'a'],
		['found', 'b'],
		['found', 'c'],
	]);
});

describe('equal payments', () => {
	const two = [sought(), sought({ phone: '89000000001' })];

	test('are found if there are as many operations, one for each', () => {
		expect(resultsOf(two, [operation('a'), operation('b')])).toEqual([
			['found', 'a'],
			['found', 'b'],
		]);
	});

	test('are undetermined if they match the same operation', () => {
		expect(resultsOf(two, [operation('a')])).toEqual([
			['several', 'a'],
			['several', 'a'],
		]);
	});

	const listed = (...times: string[]) => times.map((time) => operation(time, { dateTime: `2026-11-22T${time}Z` }));

	test('whose periods overlap in part are found if there are as many operations', () => {
		const later = sought({ from: at('10:00:00'), to: at('15:00:00') });
		const operations = listed('14:00:00', '09:30:00', '11:00:00');
		const results = resultsOf([later, sought(), sought()], operations);
		expect(results).toEqual([
			['found', '14:00:00'],
			['found', '09:30:00'],
			['found', '11:00:00'],
		]);
	});

	test('are found if one may be either of two operations and the other only one of them', () => {
		const brief = sought({ to: at('09:45:00') });
		const operations = listed('09:30:00', '11:00:00');
		for (const some of [operations, operations.toReversed()])
			expect(resultsOf([sought(), brief], some)).toEqual([
				['found', '11:00:00'],
				['found', '09:30:00'],
			]);
	});

	test.each([
		['too many operations', ['09:30:00', '10:00:00', '10:30:00', '11:30:00']],
		['too few', ['09:30:00']],
		['an operation that none can have', ['13:00:00', '14:00:00']],
	])('are not found if there are %s', (_, times) => {
		const early = [sought({ to: at('11:00:00') }), sought({ to: at('11:00:00') }), sought({ to: at('15:00:00') })];
		const results = resultsOf(early, listed(...times)).map(([result]) => result);
		expect(results).not.toContain('found');
	});

	/** A run of payments of one amount, with the window of Find in Operations. */
	const runAt = (time: string, count: number): PaymentQuery[] =>
		Array.from({ length: count }, () => {
			const sentAt = at(time);
			return sought({ sentAt, from: sentAt - 15 * 60_000, to: sentAt + 24 * 3_600_000 });
		});

	test.each(['09:23:00', '09:10:00'])('of two runs, at 09:00 and %s, are all found', (second) => {
		const payments = [...runAt('09:00:00', 2), ...runAt(second, 2)];
		const operations = listed('09:00:20', '09:00:10', '09:23:10', '09:23:20');
		expect(resultsOf(payments, operations).map(([result]) => result)).toEqual(Array(4).fill('found'));
		for (const { operations: own, payment } of findPayments(payments, operations))
			expect(String(own[0]?.dateTime)).toContain(payment.sentAt === at('09:00:00') ? 'T09:00' : 'T09:23');
	});

	test('keep their match if later payments have no operation yet', () => {
		const payments = [...runAt('09:00:00', 2), ...runAt('09:10:00', 2)];
		const results = resultsOf(payments, listed('09:00:10', '09:00:20')).map(([result]) => result);
		expect(results).toEqual(['found', 'found', 'several', 'several']);
	});

	test('keep their match while more of them are sent and more operations appear, until all are found', () => {
		const minute = 60_000;
		const sending = fc.record({ sent: fc.nat(120), delay: fc.nat(180) });
		fc.assert(
			fc.property(fc.array(sending, { minLength: 1, maxLength: 8 }), (all) => {
				const start = at('09:00:00');
				const events = all.map(({ sent, delay }, index) => {
					const [sentAt, shownAt] = [start + sent * minute, start + (sent + delay) * minute + index];
					const [payment] = runAt(new Date(sentAt).toISOString().slice(11, 19), 1);
					const dateTime = new Date(shownAt).toISOString();
					return { sentAt, shownAt, payment, operation: operation(String(index), { dateTime }) };
				});
				let found: unknown[] = [];
				for (const now of events.flatMap(({ sentAt, shownAt }) => [sentAt, shownAt]).sort()) {
					const matches = findPayments(
						events.flatMap(({ sentAt, payment }) => (sentAt <= now && payment !== undefined ? [payment] : [])),
						events.flatMap(({ shownAt, operation: own }) => (shownAt <= now ? [own] : [])),
					).filter(({ result }) => result === 'found');
					const payments = matches.map(({ payment }) => payment);
					expect(payments).toEqual(expect.arrayContaining(found));
					expect(new Set(matches.flatMap(({ operations }) => operations)).size).toBe(matches.length);
					found = payments;
				}
				expect(found).toHaveLength(events.length);
			}),
			{ numRuns: 500, seed: 1 },
		);
	});

	test('are distinguished by their times if these do not overlap', () => {
		const earlier = sought({ sentAt: at('09:15:00') });
		// The bank's clock is ten minutes behind.
		const later = sought({ from: at('12:00:01'), to: at('15:00:00'), sentAt: at('14:10:00') });
		const result = resultsOf([earlier, later], [operation('b', { dateTime: '2026-11-22T14:00:00Z' })]);
		expect(result).toEqual([['notFound'], ['found', 'b']]);
	});
});

test.each([
	['of different people', (id: number) => `+7900${String(id).padStart(7, '0')}`],
	['of one person', () => '+79000000001'],
])('many payments of one amount %s are found, and each operation is read once for all of them', (_, phoneOf) => {
	const readsOf = (count: number) => {
		let reads = 0;
		const ids = Array.from({ length: count }, (__, index) => index);
		const operations = ids.map((id) => ({
			...operation(String(id), { recipient: { phoneNumber: phoneOf(id) } }),
			get dateTime() {
				reads++;
				return '2026-11-22T10:00:00Z';
			},
		}));
		const found = resultsOf(
			ids.map((id) => sought({ phone: phoneOf(id) })),
			operations,
		);
		expect(found).toEqual(ids.map((id) => ['found', String(id)]));
		return reads;
	};
	expect(readsOf(400)).toBe(400 * readsOf(1));
});

describe('a time', () => {
	test.each([
		['2026-11-22T09:00:00Z', '2026-11-22T09:00:00.000Z'],
		['2026-11-22T09:00:00+03:00', '2026-11-22T06:00:00.000Z'],
		[' 2026-11-22T09:00:00.000+0300 ', '2026-11-22T06:00:00.000Z'],
		['2026-11-22 09:00', '2026-11-22T06:00:00.000Z'],
		['2026-11-22', '2026-11-21T21:00:00.000Z'],
		[new Date('2026-11-22T09:00:00Z'), '2026-11-22T09:00:00.000Z'],
		[{ toMillis: () => at('09:00:00') }, '2026-11-22T09:00:00.000Z'],
	])('%p is, in Moscow, %s', (value, instant) => {
		expect(new Date(instantOf(value, 'Europe/Moscow') ?? NaN).toISOString()).toBe(instant);
	});

	test.each([
		[''],
		['soon'],
		['2026-02-30T09:00:00Z'],
		['2026-11-22T25:00:00Z'],
		['2026-11-22T25:00'],
		['2026-02-30T10:00'],
		[5],
		[null],
		[new Date('no')],
	])('%p is invalid', (value) => {
		expect(instantOf(value, 'Europe/Moscow')).toBeUndefined();
	});

	test('is right around a clock change', () => {
		// In Berlin the clocks went from 02:00 to 03:00 on 2026-03-29, at 01:00 UTC.
		expect(instantOf('2026-03-29T00:30:00', 'Europe/Berlin')).toBe(Date.parse('2026-03-28T23:30:00Z'));
		expect(instantOf('2026-03-29T03:30:00', 'Europe/Berlin')).toBe(Date.parse('2026-03-29T01:30:00Z'));
	});
});

test('a payment is found by a digest of its phone, which is computed once for each phone', () => {
	const computed: string[] = [];
	const digest = (digits: string) => {
		computed.push(digits);
		return `#${digits}`;
	};
	const payments = [
		sought({ phone: '#9000000001' }),
		sought({ phone: '#9000000002' }),
		sought({ phone: '9000000003' }),
	];
	const operations = ['1', '2', '3'].map((id) => operation(id, { recipient: { phoneNumber: `+7900000000${id}` } }));
	expect(findPayments(payments, operations, digest).map(({ result, operations: [own] }) => [result, own?.id])).toEqual([
		['found', '1'],
		['found', '2'],
		['notFound', undefined],
	]);
	expect(computed).toEqual(['9000000001', '9000000002', '9000000003']);
});

test('outgoing operations of a period that match no payment are reported; those that failed moved no money', () => {
	const [own, other, failed, income, early, unreadable] = [
		operation('own'),
		operation('other', { amount: { value: 1, minorUnits: 100 }, dateTime: '2026-11-22T12:00:00Z' }),
		operation('failed', { amount: { value: 2, minorUnits: 100 }, status: 'FAILED' }),
		operation('income', { direction: 'INCOME' }),
		operation('early', { amount: { value: 3, minorUnits: 100 }, dateTime: '2026-11-22T08:59:59Z' }),
		operation('unreadable', { amount: { value: 4, minorUnits: 100 }, dateTime: 'soon' }),
	];
	const operations = [own, other, failed, income, early, unreadable].flatMap((one) => one ?? []);
	const matches = findPayments([sought()], operations);
	expect(unmatchedExpenses(matches, operations, sought()).map((one) => one?.id)).toEqual(['other', 'unreadable']);
});
