import { hintsOf, operations, toRequest, unwrap } from '../src/index.ts';
import { bodyOf, issuesOf } from './support/bank.ts';

const accountIds = ['40702810000000000001'];
const sent = (dateBegin: unknown, timeZone?: string) =>
	bodyOf(
		'statement.orderAccount',
		{ body: { dateBegin, dateEnd: '9999-12-31', accountIds } },
		timeZone === undefined ? {} : { timeZone },
	).dateBegin;
const issues = (dateBegin: unknown) =>
	issuesOf('statement.orderAccount', { body: { dateBegin, dateEnd: '9999-12-31', accountIds } });

/** The part of Luxon's DateTime that core uses. */
const luxon = (instant: string) => ({ toISODate: () => null, toMillis: () => Date.parse(instant) });

describe('a day without a time is not changed by the time zone', () => {
	test.each([
		['2026-01-31', 'plain'],
		[' 2026-01-31 ', 'with spaces around'],
		['2026-01-31T00:00:00', "n8n's date picker"],
		['2026-01-31T23:59:59', "n8n's date picker, with a time"],
		['2026-01-31 23:59', 'a spreadsheet'],
	])('%s (%s)', (given) => {
		for (const timeZone of ['UTC', 'Europe/Moscow', 'Pacific/Kiritimati', 'Pacific/Pago_Pago'])
			expect(sent(given, timeZone)).toBe('2026-01-31');
	});
});

describe('an instant is converted to its day in the time zone', () => {
	test.each([
		['2026-01-31T20:59:59.999Z', 'Europe/Moscow', '2026-01-31'],
		['2026-01-31T21:00:00Z', 'Europe/Moscow', '2026-02-01'],
		['2026-02-01T04:59:59Z', 'America/New_York', '2026-01-31'],
		['2026-02-01T05:00:00Z', 'America/New_York', '2026-02-01'],
		['2026-07-01T03:59:00Z', 'America/New_York', '2026-06-30'], // summer time
		['2026-07-01T04:00:00Z', 'America/New_York', '2026-07-01'],
		['2025-12-31T10:00:00Z', 'Pacific/Kiritimati', '2026-01-01'],
		['2024-02-29T23:30:00Z', 'Asia/Kolkata', '2024-03-01'],
		['2026-01-31 22:00Z', 'Europe/Moscow', '2026-02-01'],
		['2026-01-31T22:00:00Z[UTC]', 'Europe/Moscow', '2026-02-01'],
		// UTC by default.
		['2026-01-31T23:59:59Z', undefined, '2026-01-31'],
	])('%s in %s: %s', (given, timeZone, day) => {
		expect(sent(given, timeZone)).toBe(day);
		const instant = new Date(given.replace(' ', 'T').replace('[UTC]', ''));
		expect(sent(instant, timeZone)).toBe(day);
	});

	test('of every field of the kind day', () => {
		const dayFields = operations.flatMap((operation) =>
			[operation.pathFields, operation.query, operation.body].flatMap((schema) =>
				Object.values(schema?.entries ?? {}).filter((entry) => hintsOf(unwrap(entry).schema).kind === 'day'),
			),
		);
		expect(dayFields.length).toBeGreaterThan(4);
		for (const field of dayFields)
			for (const given of ['2026-01-31T21:00:00Z', '2026-01-31T21:00:00+00:00', luxon('2026-01-31T21:00:00Z')])
				expect(toRequest(field, given, { timeZone: 'Europe/Moscow', issues: [], at: [] })).toBe('2026-02-01');
	});

	// Days are serialized to JSON as midnight UTC.
	test.each(['2026-01-31T00:00:00Z', '2026-01-31T00:00:00.000Z', '2026-01-31 00:00Z'])(
		'except midnight UTC (%s), which is that day in every time zone',
		(given) => {
			for (const timeZone of ['UTC', 'America/New_York', 'Pacific/Pago_Pago', 'Pacific/Kiritimati']) {
				expect(sent(given, timeZone)).toBe('2026-01-31');
				expect(sent(new Date('2026-01-31'), timeZone)).toBe('2026-01-31');
			}
			expect(sent('2026-01-31T00:00:01Z', 'America/New_York')).toBe('2026-01-30');
		},
	);
});

describe('an invalid day is refused:', () => {
	const inNoCalendar = [
		...['2026-02-30', '2025-02-29', '2026-00-10', '2026-13-01', '2026-01-00', '2026-02-30T10:00:00'],
		...['2026-02-30T10:00:00Z', '1900-02-29', '0026-01-31'],
	];
	const malformed = [
		...['31.01.2026', '2026-1-5', '20260131', '2026-01-31T', '2026-01-31Z', '２０２６-01-31', '2026-01-31\u200b'],
		...['+002026-01-31', '{{ $today }}'],
	];
	const noDay = expect.stringMatching(/^(is not a day of the calendar|must be a day such as 2026-01-31)$/);
	test.each<[string, unknown, unknown]>([
		...inNoCalendar.map((given): [string, unknown, unknown] => [given, given, noDay]),
		...malformed.map((given): [string, unknown, unknown] => [given, given, 'must be a day such as 2026-01-31']),
		['an invalid Date', new Date(NaN), 'must be a day such as 2026-01-31; this date is invalid'],
		['an invalid Luxon date', luxon('never'), 'must be a day such as 2026-01-31; this date is invalid'],
		['a Luxon date of another era', luxon('+012026-01-31T10:00:00Z'), 'must be a day such as 2026-01-31'],
		['a Date of another era', new Date(8.64e15), 'must be a day such as 2026-01-31'],
		['a number', 1769817600000, 'must be a day such as 2026-01-31, got a number'],
		['an object', { date: '2026-01-31' }, 'must be a day such as 2026-01-31, got an object'],
		[
			'an object that only looks like a date',
			{ toMillis: 1769817600000 },
			'must be a day such as 2026-01-31, got an object',
		],
		['a list', ['2026-01-31'], 'must be a day such as 2026-01-31, got a list'],
	])('%s', (_kind, given, message) => {
		expect(issues(given)).toEqual([{ path: 'dateBegin', message }]);
	});

	test('29 February is valid in leap years', () => {
		expect([sent('2024-02-29'), sent('2000-02-29')]).toEqual(['2024-02-29', '2000-02-29']);
	});
});
