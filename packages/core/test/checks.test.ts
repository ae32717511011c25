/** Results of the unified checks (4.14): only what nothing contradicts is a pass. */
import { errorSection, oracleOf } from '../../fixtures/src/oracle.ts';
import { type CheckName, checkMessageOf, readChecks } from '../src/index.ts';

const asked: CheckName[] = ['WSCustomerTerrorism', 'WSCustomerBankruptcyInfo'];
const terrorism = (answer: unknown) => readChecks(answer, ['WSCustomerTerrorism']);

describe('the result of a check', () => {
	const described = Object.entries(oracleOf('unifiedCheck.run').values?.result ?? {});
	const read = { 'check was not run': 'notRun', 'check passed': 'passed', 'check failed': 'failed' };

	test.each(described.map(([code, { meaning }]) => [code, meaning] as const))('%s: %s', (code, meaning) => {
		const result = Object.entries(read).find(([words]) => meaning.startsWith(words))?.[1];
		expect(result).toBeDefined();
		for (const given of [code, code.toLowerCase(), ` ${code}\n`])
			expect(terrorism({ checks: { WSCustomerTerrorism: { result: given } } }).results).toEqual({
				WSCustomerTerrorism: result,
			});
	});

	test.each([
		['at the place that is shown', { checks: { WSCustomerTerrorism: { result: 'N' } } }],
		['in a list inside the check', { checks: { WSCustomerTerrorism: [{ messages: [], result: 'N' }] } }],
		['in a row that stands alone', { checks: { checkName: 'WSCustomerTerrorism', checkResult: 'N' } }],
		['in the outParms of the check', { checks: { WSCustomerTerrorism: { outParms: { result: 'N' } } } }],
		['with a capital', { checks: { WSCustomerTerrorism: { Result: 'N' } } }],
		[
			'beside an echo of the request after it',
			{
				checks: { WSCustomerTerrorism: { result: 'N' } },
				inParms: { checks: [{ checkName: 'WSCustomerTerrorism', isToCall: 'true' }] },
			},
		],
		[
			'below an echo of the request',
			{
				checks: [{ checkName: 'WSCustomerTerrorism', isToCall: 'true' }],
				answer: { checks: { WSCustomerTerrorism: { result: 'N' } } },
			},
		],
		['with a name of the check in other letters', { checks: { wscustomerterrorism: { RESULT: 'n' } } }],
	])('is read %s', (_place, answer) => {
		expect(terrorism(answer)).toMatchObject({ verdict: 'passed', results: { WSCustomerTerrorism: 'passed' } });
	});

	test.each<unknown>([
		undefined,
		null,
		'N',
		7,
		[],
		{},
		{ checks: { constructor: { result: 'N' } } },
		{ result: 'N' },
		{ checkName: 'toString', result: 'N' },
	])('that is missing is one that was not run: %j', (answer) => {
		expect(terrorism(answer)).toEqual({
			verdict: 'incomplete',
			results: { WSCustomerTerrorism: 'notRun' },
			messages: {},
		});
	});

	test.each([
		{},
		null,
		{ result: '' },
		{ result: 'X' },
		{ result: 'constructor' },
		{ result: true },
		{ result: ['N'] },
		{ result: { code: 'N' } },
		7,
	])('that cannot be read is unclear, never passed: %j', (check) => {
		expect(terrorism({ checks: { WSCustomerTerrorism: check } })).toMatchObject({
			verdict: 'incomplete',
			results: { WSCustomerTerrorism: 'unclear' },
		});
	});
});

describe('the verdict', () => {
	const verdictOf = (results: Record<string, string>, of: CheckName[] = asked) =>
		readChecks({ checks: Object.fromEntries(Object.entries(results).map(([name, result]) => [name, { result }])) }, of)
			.verdict;

	test.each([
		['N', 'N', 'passed'],
		['N', 'Y', 'failed'],
		['Y', 'E', 'failed'],
		['N', 'E', 'incomplete'],
		['N', '?', 'incomplete'],
	])('of %s and %s is %s', (first, second, verdict) => {
		expect(verdictOf({ WSCustomerTerrorism: first, WSCustomerBankruptcyInfo: second })).toBe(verdict);
	});

	test('needs every check that was asked for', () => {
		expect(verdictOf({ WSCustomerTerrorism: 'N' })).toBe('incomplete');
		expect(verdictOf({}, [])).toBe('incomplete');
	});

	test('counts a check that failed though nobody asked for it, and no other of those', () => {
		expect(verdictOf({ WSCustomerTerrorism: 'N', WSGlobalSearch: 'Y' }, ['WSCustomerTerrorism'])).toBe('failed');
		expect(verdictOf({ WSCustomerTerrorism: 'N', WSGlobalSearch: 'E' }, ['WSCustomerTerrorism'])).toBe('passed');
		expect(readChecks({ WSGlobalSearch: { result: 'E' } }, ['WSCustomerTerrorism']).results).toEqual({
			WSCustomerTerrorism: 'notRun',
			WSGlobalSearch: 'notRun',
		});
	});
});

describe('message codes', () => {
	const messagesOf = (name: CheckName, check: unknown) =>
		readChecks({ checks: { [name]: check } }, [name]).messages[name];

	test.each([
		['under any key', { result: 'N', whatever: 'PBS0023' }],
		['in a list', { result: 'N', messages: ['PBS0023'] }],
		['in a list of objects', { result: 'N', messages: [{ messageCode: 'PBS0023', text: 'words' }] }],
		['deeper, with spaces', { result: 'N', a: { b: [{ c: ' PBS0023 ' }] } }],
		['twice', { result: 'N', code: 'PBS0023', messages: ['PBS0023'] }],
	])('are found %s, with their meaning', (_place, check) => {
		expect(messagesOf('WSCustomerTerrorism', check)).toEqual([
			{ code: 'PBS0023', meaning: 'no match in terrorist or extremist list' },
		]);
	});

	test('are told without meaning where they are not listed', () => {
		expect(messagesOf('WSCustomerTerrorism', { messages: ['PBS7777', 'ABC0001'], errorCode: 4 })).toEqual([
			{ code: 'PBS7777' },
			{ code: 'ABC0001' },
			{ code: '4' },
		]);
	});

	test('of one digit are anything where a number does not stand for a code', () => {
		expect(messagesOf('WSGlobalSearch', { result: 'N', errorCode: 4, age: 5, year: '2026' })).toEqual([
			{ code: '4', meaning: 'individual data missing (name and birth date, or identity document number)' },
		]);
		expect(messagesOf('WSCustomerTerrorism', { result: 'N', list: ['6'], errorCode: 0 })).toBeUndefined();
	});

	test('are absent where there are none', () => {
		expect(readChecks({ WSCustomerTerrorism: { result: 'N' } }, asked).messages).toEqual({});
	});
});

/** Every message code of 7.3, with one of its checks. */
const weighed = Object.values(errorSection('7.3').messages ?? {}).flatMap(({ checks, weights }) =>
	Object.entries(weights).map(([code, { weight, why }]) => ({ name: checks.at(-1) as CheckName, code, weight, why })),
);

describe('what a message code weighs', () => {
	test('is said of each of the 43', () => expect(weighed).toHaveLength(43));

	test.each(weighed)('$name $code: $weight, because $why', ({ name, code, weight }) => {
		expect(checkMessageOf(name, code)?.weight).toBe(weight);
	});
});

/** Paths of results and codes in real responses. */
const shapes: Record<string, (name: CheckName, result: string, code: string) => unknown> = {
	'as 4.14 shows it': (name, result, code) => ({ checks: { [name]: { result, messages: [{ code, text: 'words' }] } } }),
	'in outParms': (name, result, code) => ({
		outParms: { checks: [{ checkName: name, checkResult: result, errorCode: code }] },
	}),
	'in a list inside the check': (name, result, code) => ({ checks: { [name]: [{ result, code }] } }),
	'in text': (name, result, code) => ({ checks: { [name]: { result, message: `${code}: words of the bank` } } }),
	'in brackets behind the words': (name, result, code) => ({
		checks: { [name]: { result, message: `Words of the bank [${code}]` } },
	}),
	'with the code as a key': (name, result, code) => ({ checks: { [name]: { result, codes: { [code]: 'words' } } } }),
	'with the messages elsewhere': (name, result, code) => ({
		checks: { [name]: { result } },
		messages: { [name]: [code] },
	}),
};

describe.each(Object.entries(shapes))('of all codes, an answer %s', (_shape, answerOf) => {
	test('passes with N and a harmless code, and with nothing else', () => {
		for (const { name, code, weight } of weighed)
			for (const [result, otherwise] of [
				['N', 'unclear'],
				['E', 'unclear'],
				['Y', 'failed'],
			] as const) {
				const isHarmless = weight === 'harmless';
				const wanted = isHarmless ? { N: 'passed', E: 'notRun', Y: 'failed' }[result] : otherwise;
				const { verdict, results, messages } = readChecks(answerOf(name, result, code), [name]);
				expect([code, result, results, verdict]).toEqual([
					code,
					result,
					{ [name]: wanted },
					wanted === 'passed' ? 'passed' : wanted === 'failed' ? 'failed' : 'incomplete',
				]);
				expect(messages[name]?.map((message) => message.code)).toEqual([code]);
			}
	});

	test('passes neither with a code that is not listed nor with a letter that is none of the three', () => {
		for (const code of ['PBS7777', 'WSE0001'])
			expect(readChecks(answerOf('WSCustomerTerrorism', 'N', code), ['WSCustomerTerrorism']).verdict).toBe(
				'incomplete',
			);
		for (const result of ['', 'X', 'YES', 'NO', 'None', '0', 'passed'])
			expect(readChecks(answerOf('WSCustomerTerrorism', result, 'PBS0023'), ['WSCustomerTerrorism'])).toMatchObject({
				verdict: 'incomplete',
				results: { WSCustomerTerrorism: 'unclear' },
			});
	});

	test('is read in whatever letters and with blanks', () => {
		const of = (result: string, code: string) =>
			readChecks(answerOf('WSCustomerTerrorism', result, code), ['WSCustomerTerrorism']).verdict;
		expect([of(' n ', 'pbs0023'), of('y\n', 'PBS0023 '), of('N', ' pbs0021 ')]).toEqual([
			'passed',
			'failed',
			'incomplete',
		]);
	});
});

describe('several results of one check', () => {
	const blocks = { chklst: 'A01,A02' };
	const compliance = (check: unknown, request: Record<string, unknown> = blocks) =>
		readChecks({ checks: { WSCustomerComplianceCheckGet: check } }, ['WSCustomerComplianceCheckGet'], request);

	/** A row about a requested code. */
	const row = (code: string, result: string) => ({ code, result });

	test.each<[string, unknown, string]>([
		['two codes with N and Y', [row('A01', 'N'), row('A02', 'Y')], 'failed'],
		['two codes with Y and N', { A01: { result: 'Y' }, A02: { result: 'N' } }, 'failed'],
		['two codes with N and E', [row('A01', 'N'), row('A02', 'E')], 'notRun'],
		['two codes with N and N', [row('A01', 'N'), row('A02', 'N')], 'passed'],
		['two codes with N and N, by their names', { A01: { result: 'N' }, A02: { result: 'N' } }, 'unclear'],
		['N, and N under two codes', { result: 'N', A01: { result: 'N' }, A02: { result: 'N' } }, 'passed'],
		['N and something else', [{ result: 'N' }, { result: '?' }], 'unclear'],
		['E and something else', [{ result: 'E' }, { result: '?' }], 'unclear'],
		['Y and something else', [{ result: '?' }, { result: 'Y' }], 'failed'],
		['N, and Y further in', { result: 'N', details: { persons: [{ result: 'Y' }] } }, 'failed'],
		['Y, and N further in', { result: 'Y', details: { result: 'N' } }, 'failed'],
		['letters alone under result', { result: ['N', 'Y'] }, 'failed'],
		['letters alone without Y', { result: ['N', 'N'] }, 'unclear'],
		['a row without result', [row('A01', 'N'), { code: 'A02' }], 'unclear'],
		['a row with nothing but codes', [row('A01', 'N'), { messages: ['PBS0020'] }], 'unclear'],
		['a code with nothing but messages', { A01: { result: 'N' }, A02: { messages: [{ code: 'PBS0020' }] } }, 'unclear'],
		['an empty row, as forms have it', [row('A01', 'N'), row('A02', 'N'), {}], 'passed'],
		['N, and Y under a code', { result: 'N', A01: 'N', A02: 'Y' }, 'failed'],
		['N, and E under a code further in', { result: 'N', blocks: [{ A01: 'N' }, { A02: 'E' }] }, 'notRun'],
		['N, and Y beside a code', { result: 'N', blocks: [{ code: 'A01', value: 'Y' }] }, 'failed'],
		[
			'N, and a row about a code without result',
			{ result: 'N', details: [row('A01', 'N'), { code: 'A02' }] },
			'unclear',
		],
		['N, and words under a code', { result: 'N', A01: 'N', A02: 'later' }, 'unclear'],
		['N, and nothing under a code', { result: 'N', A01: 'N', A02: null }, 'unclear'],
		['N, and an empty answer under a code', { A01: { result: 'N' }, A02: {} }, 'unclear'],
		['N, and N under each code', { result: 'N', A01: 'N', A02: 'N' }, 'passed'],
		['N under each code alone', { A01: 'N', A02: 'N' }, 'unclear'],
		['a code without result', { A01: { result: 'N' }, A02: { text: 'later' } }, 'unclear'],
		['a code that was asked for and is not there', [row('A01', 'N')], 'unclear'],
		['a result that is an object', { result: { code: 'N' } }, 'unclear'],
		['a result beside one that is an object', { result: { value: 'Y' }, checkResult: 'N' }, 'unclear'],
		['a result code that says Y', { result: 'N', resultCode: 'Y' }, 'failed'],
		['only a result code that says N', { resultCode: 'N' }, 'unclear'],
	])('%s', (_what, check, result) => {
		expect(compliance(check).results).toEqual({ WSCustomerComplianceCheckGet: result });
	});

	test('in two places, the worst counts', () => {
		const history = { history: { WSCustomerTerrorism: { result: 'Y' } }, WSCustomerTerrorism: { result: 'N' } };
		expect(terrorism(history).verdict).toBe('failed');
		expect(
			terrorism({
				checks: [
					{ checkName: 'WSCustomerTerrorism', result: 'N' },
					{ checkName: 'WSCustomerTerrorism', result: 'E' },
				],
			}).results,
		).toEqual({ WSCustomerTerrorism: 'notRun' });
	});

	test.each<[string, object]>([
		['only its name', {}],
		['an empty list', { messages: [] }],
		['a harmless code', { messages: [{ code: 'PBS0023' }] }],
	])('of which one row of the list has none, but %s, are unclear', (_what, row) => {
		for (const rows of [
			[
				{ checkName: 'WSCustomerTerrorism', result: 'N' },
				{ checkName: 'WSCustomerTerrorism', ...row },
			],
			[
				{ checkName: 'WSCustomerTerrorism', ...row },
				{ checkName: 'WSCustomerTerrorism', checkResult: 'N' },
			],
		])
			expect(terrorism({ checks: rows })).toMatchObject({
				verdict: 'incomplete',
				results: { WSCustomerTerrorism: 'unclear' },
			});
	});

	test('codes of blocks that were asked for are no message codes', () => {
		expect(compliance([row('A01', 'N'), row('A02', 'N')]).messages).toEqual({});
		expect(compliance([row('A01', 'N')], {}).verdict).toBe('incomplete');
	});
});

describe("somebody else's result", () => {
	test.each<unknown>([
		{ checks: [{ checkName: 'WSCustomerTerrorism' }, { checkName: 'WSGlobalSearch', result: 'N' }] },
		{ checks: [{ checkName: 'WSCustomerTerrorism' }, { result: 'N' }] },
		{ checks: { WSCustomerTerrorism: { others: { WSGlobalSearch: { result: 'N' } } } } },
		{ checks: { WSCustomerTerrorism: { others: [{ checkName: 'WSGlobalSearch', result: 'N' }] } } },
		{ checks: { WSCustomerTerrorism: { checkName: 'WSGlobalSearch', result: 'N' } } },
		{ checks: { WSCustomerTerrorism: {} }, result: 'N' },
		{ checks: { WSCustomerTerrorism: { result: null, related: {} } }, WSGlobalSearch: 'N' },
	])('is none of the check: %j', (answer) => {
		expect(terrorism(answer)).toMatchObject({ verdict: 'incomplete', results: { WSCustomerTerrorism: 'unclear' } });
	});

	test('does not pass a check that the bank left out', () => {
		expect(terrorism({ checks: { WSGlobalSearch: { result: 'N' } } })).toMatchObject({
			verdict: 'incomplete',
			results: { WSCustomerTerrorism: 'notRun' },
		});
	});

	test.each<unknown>([
		{ code: 'WSE9999' },
		{ errors: ['KSM0006: input variable not found'] },
		{ result: 'Y' },
		{ overallResult: 'E' },
		{ WSCustomerTerrorismCode: 'PBS0021' },
	])('or code beside the checks makes them unclear: %j', (beside) => {
		expect(terrorism({ checks: { WSCustomerTerrorism: { result: 'N' } }, ...(beside as object) })).toMatchObject({
			verdict: 'incomplete',
			results: { WSCustomerTerrorism: 'unclear' },
		});
	});

	test.each<unknown>([{ code: '0' }, { status: 'OK', httpCode: 200 }, { message: 'PBS0023' }, { result: 'N' }])(
		'that harms nothing does not: %j',
		(beside) => {
			expect(terrorism({ checks: { WSCustomerTerrorism: { result: 'N' } }, ...(beside as object) }).verdict).toBe(
				'passed',
			);
		},
	);

	test('that nobody asked for keeps everything from passing where its code means a match', () => {
		const of = (code: string) => {
			const checks = { WSGlobalSearch: { result: 'N' }, WSCustomerTerrorism: { result: 'N', code } };
			return readChecks({ checks }, ['WSGlobalSearch']).verdict;
		};
		expect([of('PBS0021'), of('PBS0023')]).toEqual(['incomplete', 'passed']);
	});
});

describe('what an answer repeats of the request', () => {
	test('is no block', () => {
		const of = (chklst: string) =>
			readChecks(
				{ chklst, checks: { WSCustomerComplianceCheckGet: { result: 'N', A01: 'N' } } },
				['WSCustomerComplianceCheckGet'],
				{ chklst },
			).verdict;
		expect([of('A01'), of('A01,A02')]).toEqual(['passed', 'incomplete']);
	});

	test('is no message code', () => {
		const request = { crf: '7700000000', customerType: '1', cod: '4' };
		const answer = { checks: [{ checkName: 'WSGlobalSearch', isToCall: '1', ...request, checkResult: 'N' }] };
		expect(readChecks(answer, ['WSGlobalSearch'], request)).toMatchObject({ verdict: 'passed', messages: {} });
		expect(readChecks(answer, ['WSGlobalSearch'], {}).verdict).toBe('incomplete');
	});
});
