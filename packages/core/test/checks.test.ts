/** Results of the unified checks (4.14): passed only if nothing is unknown. */
import { errorSection, oracleOf } from '../../fixtures/src/oracle.ts';
import { type CheckName, checkNames, keysOf, operationById, parseServiceDetails, readChecks } from '../src/index.ts';
import type { ChecksDetails } from '../src/serviceDetails/details.ts';

const name = 'WSCustomerTerrorism';
const read = (response: unknown, details?: ChecksDetails, status = 200) =>
	readChecks(response, [name], { status, details });
const resultOf = (row: unknown, details?: ChecksDetails) => read({ checks: { [name]: row } }, details).results[name];
const reasonsOf = (row: unknown, details?: ChecksDetails) => read({ checks: { [name]: row } }, details).reasons[name];

const tables = Object.values(errorSection('7.3').messages ?? {});

describe('the result', () => {
	const described = Object.entries(oracleOf('unifiedCheck.run').values?.result ?? {});
	const meanings = { 'check was not run': 'notRun', 'check passed': 'passed', 'check failed': 'failed' };

	test.each(described.map(([code, { meaning }]) => [code, meaning] as const))('%s: %s', (code, meaning) => {
		const result = Object.entries(meanings).find(([words]) => meaning.startsWith(words))?.[1];
		expect(result).toBeDefined();
		for (const given of [code, code.toLowerCase(), ` ${code}\n`]) expect(resultOf({ result: given })).toBe(result);
	});

	test.each<unknown>([undefined, null, 'N', 7, [], {}, { checks: {} }, { result: 'N' }, { [name]: { result: 'N' } }])(
		'is unclear if the row is not at its place: %j',
		(response) => {
			expect(read(response)).toMatchObject({ verdict: 'incomplete', results: { [name]: 'unclear' } });
			expect(read(response).reasons[name]).toEqual([`the response has no row at checks.${name}`]);
		},
	);

	test.each<unknown>([
		null,
		7,
		'N',
		[],
		[{ result: 'N' }],
		{},
		...['', 'X', 'YES', 'None', '0', 'passed', true, null, ['N'], { code: 'N' }, { result: 'N' }].map((result) => ({
			result,
		})),
		{ Result: 'N' },
		{ checkResult: 'N' },
		{ outParms: { result: 'N' } },
	])('is unclear if it is not E, N or Y: %j', (row) => {
		expect(resultOf(row)).toBe('unclear');
		expect(reasonsOf(row)?.join()).toMatch(/is ".*", not E, N or Y/s);
	});

	test('of another check, or in the request, does not count', () => {
		for (const response of [
			{ checks: { WSGlobalSearch: { result: 'N' } } },
			{ checks: [{ checkName: name, result: 'N' }] },
			{ history: { checks: { [name]: { result: 'N' } } } },
		])
			expect(read(response).results[name]).toBe('unclear');
	});
});

/** Undocumented fields that banks have sent with the result N. */
const unknownFields: readonly object[] = [
	{ text: 'Insufficient data, screening omitted' },
	{ message: 'Проверка не проводилась' },
	{ text: 'совпадений не найдено' },
	{ source: 'OFFLINE' },
	{ passport: 'аннулирован' },
	{ status: 'OK' },
	{ completed: false },
	{ isFinal: true },
	{ matches: 0 },
	{ matches: [{ list: 'A' }] },
	{ error: { code: 'X' } },
	{ previousResult: 'N' },
	{ details: { result: 'N' } },
	{ requestId: 'A-17' },
	{ crf: '7700000002' },
	{ ['x'.repeat(100_000)]: 'HIGH' },
];

describe.each(keysOf(checkNames))('%s', (check) => {
	const known = tables.filter(({ checks }) => checks.includes(check));
	const codes = known.flatMap((table) => Object.keys(table.codes));
	const harmless = known.flatMap(({ nothingFound }) =>
		Object.entries(nothingFound).flatMap(([code, { checks }]) => (checks.includes(check) ? [code] : [])),
	);
	const of = (row: object, details?: ChecksDetails, beside: object = {}, status = 200) =>
		readChecks({ checks: { [check]: row }, ...beside }, [check], { status, details });

	test('passes with N alone, and with N and every code that means "nothing found"', () => {
		expect(harmless.length).toBeGreaterThan(0);
		expect(of({ result: 'N' })).toEqual({
			verdict: 'passed',
			results: { [check]: 'passed' },
			messages: {},
			reasons: {},
		});
		for (const details of [{ codes: 'messages[*].code' }, { codes: 'messages[*].code', ignore: ['text'] }]) {
			const row = {
				result: 'N',
				messages: harmless.map((code) => ({ code, text: 'ignore' in details ? 'Текст' : null })),
			};
			expect(of(row, details).verdict).toBe('passed');
			expect(of(row, details).messages[check]?.map(({ code }) => code)).toEqual(harmless);
			expect(of(row, details).messages[check]?.every(({ meaning }) => meaning !== undefined)).toBe(true);
		}
	});

	test('is unclear with N and any other code of 7.3 or an unlisted one', () => {
		for (const code of [...tables.flatMap((table) => Object.keys(table.codes)), 'PBS7777', 'ABC0001', 'E', '17']) {
			if (harmless.includes(code)) continue;
			const row = { result: 'N', messages: [{ code }] };
			const { verdict, results, reasons } = of(row, { codes: 'messages[*].code', ignore: ['messages'] });
			expect([code, verdict, results[check]]).toEqual([code, 'incomplete', 'unclear']);
			expect(reasons[check]?.join()).toContain(`"${code}"`);
		}
	});

	test('is failed with Y and not run with E, whatever other fields the row has', () => {
		for (const beside of [{}, ...unknownFields, ...codes.map((code) => ({ code }))]) {
			expect(of({ ...beside, result: 'Y' }).verdict).toBe('failed');
			expect(of({ ...beside, result: 'E' })).toMatchObject({ verdict: 'incomplete', results: { [check]: 'notRun' } });
		}
	});

	test('is unclear with N and an undescribed field, in the row or next to it, and names the field', () => {
		for (const field of unknownFields)
			for (const { reasons, results } of [of({ result: 'N', ...field }), of({ result: 'N' }, undefined, field)]) {
				const key = Object.keys(field)[0] ?? '';
				expect([key, results[check]]).toEqual([key, 'unclear']);
				expect(reasons[check]?.join()).toContain(`the field "${key.slice(0, 60)}`);
				expect(reasons[check]?.join()).toContain('checks.ignore in the Service Details');
				expect(reasons[check]?.join().length).toBeLessThan(300);
				// A field that the service details list as harmless, by name or by path.
				expect(of({ result: 'N', ...field }, { ignore: [key] }).verdict).toBe('passed');
				expect(of({ result: 'N' }, { ignore: [key] }, field).verdict).toBe('passed');
			}
	});

	test('is unclear with N and an HTTP status other than 200', () => {
		for (const status of [201, 202, 206])
			expect(of({ result: 'N' }, undefined, {}, status).results[check]).toBe('unclear');
	});
});

test('empty fields are ignored', () => {
	expect(resultOf({ result: 'N', text: '', error: null, messages: [], more: {}, note: ' ' })).toBe('passed');
});

test('codes are read wherever they are in the row, also in fields that are ignored', () => {
	for (const field of [{ code: 'PBS0023' }, { messages: ['pbs0023 '] }, { a: { b: [{ c: 'PBS0023' }] } }])
		expect(read({ checks: { [name]: { result: 'N', ...field } } })).toMatchObject({
			verdict: 'passed',
			messages: { [name]: [{ code: 'PBS0023', meaning: 'no match in terrorist or extremist list' }] },
		});
	expect(resultOf({ result: 'N', text: 'PBS0021' }, { ignore: ['text'] })).toBe('unclear');
	expect(resultOf({ result: 'N', text: 'see PBS0021' }, { ignore: ['text'] })).toBe('passed');
	expect(resultOf({ result: 'N', code: 'PBS7777' }, { ignore: ['PBS7777'] })).toBe('passed');
});

describe('the verdict', () => {
	const asked: CheckName[] = ['WSCustomerTerrorism', 'WSCustomerBankruptcyInfo'];
	const verdictOf = (results: Record<string, string>, of: CheckName[] = asked) =>
		readChecks(
			{ checks: Object.fromEntries(Object.entries(results).map(([check, result]) => [check, { result }])) },
			of,
		);

	test.each([
		['N', 'N', 'passed'],
		['N', 'Y', 'failed'],
		['Y', 'E', 'failed'],
		['N', 'E', 'incomplete'],
		['N', '?', 'incomplete'],
	])('of %s and %s is %s', (first, second, verdict) => {
		expect(verdictOf({ WSCustomerTerrorism: first, WSCustomerBankruptcyInfo: second }).verdict).toBe(verdict);
	});

	test('is passed only if every requested check has passed', () => {
		expect(verdictOf({ WSCustomerTerrorism: 'N' }).verdict).toBe('incomplete');
		expect(verdictOf({}, []).verdict).toBe('incomplete');
	});

	test('counts unrequested checks only if they have failed', () => {
		expect(verdictOf({ WSCustomerTerrorism: 'N', WSGlobalSearch: 'Y' }, [name]).verdict).toBe('failed');
		expect(verdictOf({ WSCustomerTerrorism: 'N', WSGlobalSearch: 'E' }, [name])).toMatchObject({
			verdict: 'passed',
			results: { WSGlobalSearch: 'notRun' },
		});
	});
});

describe('the service details name another place', () => {
	test.each<[string, ChecksDetails, (row: object) => unknown]>([
		[
			'below another key',
			{ row: 'response.data.checks.{check}' },
			(row) => ({ response: { data: { checks: { [name]: row } } } }),
		],
		[
			'rows of a list',
			{ row: 'outParms.checks[*]', name: 'checkName' },
			(row) => ({ outParms: { checks: [{ checkName: name, ...row }] } }),
		],
		['a list of rows for each check', { row: 'checks.{check}[*]' }, (row) => ({ checks: { [name]: [row] } })],
		[
			'a response that is a list',
			{ row: '[*]', name: 'check' },
			(row) => [{ check: ` ${name.toLowerCase()}`, ...row }],
		],
	])('%s', (_place, details, responseWith) => {
		const of = (row: object) => read(responseWith(row), details);
		expect(of({ result: 'N' })).toMatchObject({ verdict: 'passed', results: { [name]: 'passed' } });
		expect(of({ result: 'Y' }).verdict).toBe('failed');
		expect(of({ result: 'N', extra: 1 }).verdict).toBe('incomplete');
		expect(of({ result: 'N', code: 'PBS0021' }).verdict).toBe('incomplete');
		expect(read(responseWith({ outcome: 'N' }), { ...details, result: 'outcome' }).verdict).toBe('passed');
	});

	test('of several rows the worst counts', () => {
		const of = (...results: string[]) =>
			read({ checks: { [name]: results.map((result) => ({ result })) } }, { row: 'checks.{check}[*]' }).results[name];
		expect([of('N', 'N'), of('N', 'Y'), of('N', 'E'), of('E', 'E'), of('N', '?'), of()]).toEqual([
			'passed',
			'failed',
			'unclear',
			'notRun',
			'unclear',
			'unclear',
		]);
	});
});

test('the service details cannot call a finding or an error harmless', () => {
	const parse = (checks: object) => () => parseServiceDetails({ 'unifiedCheck.run': { checks } });
	for (const code of ['PBS0000', 'PBS0021', 'PBS0047', 'WSE9999', 'KSM0006'])
		expect(parse({ ignore: ['text', code] })).toThrow(/finding or an error/);
	expect(parse({ ignore: ['PBS0020', 'PBS7777', 'text'], codes: 'messages[*].code' })).not.toThrow();
	expect(parse({ row: 'checks[*]' })).toThrow(/\{check\}/);
	expect(operationById('unifiedCheck.run').hasChecks).toBe(true);
});
