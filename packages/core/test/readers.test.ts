/** What is made of answers, names and texts of the services beyond the request. */
import { errorSection, oracleOf } from '../../fixtures/src/oracle.ts';
import { type CheckName, checkNames, readChecks, scanFaults, scoreCategory, tranchePurpose } from '../src/index.ts';

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
		['nested below another key', { response: { body: { checks: { WSCustomerTerrorism: { result: 'N' } } } } }],
		['with the code as the value', { checks: { WSCustomerTerrorism: 'N' } }],
		['in a list of checks', { checks: [{ checkName: 'WSCustomerTerrorism', result: 'N' }] }],
		['in a list of objects by name', [{ WSCustomerTerrorism: { result: 'N' } }]],
		['in a list inside the check', { checks: { WSCustomerTerrorism: [{ messages: [] }, { result: 'N' }] } }],
		['deeper inside the check', { checks: { WSCustomerTerrorism: { data: { result: 'N' } } } }],
		['with a capital', { checks: { WSCustomerTerrorism: { Result: 'N' } } }],
		[
			'beside an echo of the request before it',
			{
				request: { checks: [{ checkName: 'WSCustomerTerrorism', isToCall: 'true' }] },
				checks: { WSCustomerTerrorism: { result: 'N' } },
			},
		],
		[
			'beside an echo of the request after it',
			{
				checks: { WSCustomerTerrorism: { result: 'N' } },
				request: { checks: [{ checkName: 'WSCustomerTerrorism', isToCall: 'true' }] },
			},
		],
		[
			'below an echo of the request',
			{
				checks: [{ checkName: 'WSCustomerTerrorism', isToCall: 'true' }],
				answer: { checks: { WSCustomerTerrorism: { result: 'N' } } },
			},
		],
		[
			'before one further in',
			{ history: { WSCustomerTerrorism: { result: 'Y' } }, WSCustomerTerrorism: { result: 'N' } },
		],
		['before one further in of the check itself', { WSCustomerTerrorism: { details: { result: 'Y' }, result: 'N' } }],
	])('is read %s', (_place, answer) => {
		expect(terrorism(answer)).toMatchObject({ verdict: 'passed', results: { WSCustomerTerrorism: 'passed' } });
	});

	test.each<unknown>([
		undefined,
		null,
		'',
		'N',
		7,
		[],
		{},
		{ checks: {} },
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
		{ result: 'YES' },
		{ result: 'constructor' },
		{ result: '__proto__' },
		{ result: true },
		{ result: ['N'] },
		{ result: { code: 'N' } },
		'passed',
		7,
	])('that cannot be read is unclear, never passed: %j', (check) => {
		expect(terrorism({ checks: { WSCustomerTerrorism: check } })).toMatchObject({
			verdict: 'incomplete',
			results: { WSCustomerTerrorism: 'unclear' },
		});
	});

	test('is had from an answer of any depth', () => {
		let answer: unknown = { WSCustomerTerrorism: { result: 'Y' } };
		for (let depth = 0; depth < 50_000; depth++) answer = { deeper: answer };
		expect(terrorism(answer).verdict).toBe('failed');
	});

	test('is read of each of the eight', () => {
		const names = Object.keys(checkNames) as CheckName[];
		const { results } = readChecks({ checks: Object.fromEntries(names.map((name) => [name, { result: 'N' }])) }, names);
		expect(results).toEqual(Object.fromEntries(names.map((name) => [name, 'passed'])));
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
		expect(messagesOf('WSCustomerTerrorism', { messages: ['PBS7777', 'ABC0001', 'PBS00231'] })).toEqual([
			{ code: 'PBS7777' },
		]);
	});

	test('are those of the table of the check', () => {
		const { messages: tables = {} } = errorSection('7.3');
		const described = Object.values(tables).flatMap(({ checks, codes }) =>
			checks.map((check) => [check, codes] as const),
		);
		expect(described.map(([check]) => check).sort()).toEqual(Object.keys(checkNames).sort());
		for (const [check, codes] of described) {
			const found = messagesOf(
				check as CheckName,
				Object.keys(codes).map((code) => ({ code })),
			);
			expect(Object.fromEntries((found ?? []).map(({ code, meaning }) => [code, meaning]))).toEqual(codes);
		}
	});

	test('of one digit count only under a key that says "code": elsewhere a digit is anything', () => {
		expect(messagesOf('WSGlobalSearch', { result: 'N', errorCode: 4, age: 5, list: ['6'] })).toEqual([
			{ code: '4', meaning: 'individual data missing (name and birth date, or identity document number)' },
		]);
		expect(messagesOf('WSGlobalSearch', { codes: ['0', 10, 'constructor'] })).toEqual([
			{ code: '0', meaning: 'no errors' },
		]);
		expect(messagesOf('WSCustomerTerrorism', { errorCode: 4 })).toBeUndefined();
	});

	test('are absent where there are none', () => {
		expect(readChecks({ WSCustomerTerrorism: { result: 'N' } }, asked).messages).toEqual({});
	});
});

describe('the category of a score', () => {
	test.each([
		['green', 'green'],
		[' RED ', 'red'],
		[{ category: 'Yellow' }, 'yellow'],
		[{ a: [{ b: { score: 'green' } }] }, 'green'],
		[{ score: 'green', category: 'GREEN' }, 'green'],
		[[{ score: 0.2, colour: 'red' }], 'red'],
	])('of %j is %s', (answer, category) => expect(scoreCategory(answer)).toBe(category));

	test.each<unknown>([
		undefined,
		null,
		'',
		7,
		{},
		[],
		{ category: 'blue' },
		{ text: 'the light is green' },
		{ green: true },
		{ green: 0.9, red: 0.1 },
		'constructor',
	])('of %j is none', (answer) => expect(scoreCategory(answer)).toBeUndefined());

	test.each([
		{ scale: ['green', 'yellow', 'red'], result: 'red' },
		{ before: 'green', now: 'red' },
	])('is none where there is more than one, rather than a wrong one: %j', (answer) => {
		expect(scoreCategory(answer)).toBeUndefined();
	});
});

describe('the purpose of a tranche', () => {
	test.each([
		['Repayment', 'T-1', 'Repayment service Id: T-1'],
		[' Repayment \n', 'T-1', 'Repayment service Id: T-1'],
		['', 'T-1', 'service Id: T-1'],
		['Repayment service Id: T-1', 'T-1', 'Repayment service Id: T-1'],
		['service Id: T-1, repayment', 'T-1', 'service Id: T-1, repayment'],
		['Repayment (service Id: T-1)', 'T-1', 'Repayment (service Id: T-1)'],
	])('%j holds the text that 4.18 demands', (purpose, id, text) => expect(tranchePurpose(purpose, id)).toBe(text));

	test.each(['T-12', 'T-1-2', 'T-1a', 'T-1_b', 'T-1я'])('is not taken for that of T-1 where it names %s', (other) => {
		expect(tranchePurpose(`service Id: ${other}`, 'T-1')).toBe(`service Id: ${other} service Id: T-1`);
	});

	test('is found behind that of another tranche', () => {
		const purpose = 'service Id: T-12; service Id: T-1';
		expect(tranchePurpose(purpose, 'T-1')).toBe(purpose);
	});

	test('may be marked with the name of the service', () => {
		expect(tranchePurpose('Repayment', 'T-1', 'Invented Service Id')).toBe('Repayment Invented Service Id: T-1');
	});
});

describe('scans', () => {
	const said = (...input: Parameters<typeof scanFaults>) =>
		scanFaults(...input).map(({ path, message }) => `${path} ${message}`);

	test('of the first upload are the whole set', () => {
		expect(said('whole', ['Consent', 'Form'], ['form', ' CONSENT '])).toEqual([]);
		expect(said('whole', ['Consent', 'Form', 'Photo'], ['Form'])).toEqual([
			'files lack "Consent", "Photo": the first upload carries the whole set in one request',
		]);
		expect(said('whole', ['Form'], ['Form', 'Appendix'])).toEqual([]);
	});

	test('of a repeat are the rejected documents, all of them and no other', () => {
		expect(said('rejected', ['Form'], ['Form'])).toEqual([]);
		expect(said('rejected', ['Form', 'Photo'], ['Photo', 'Consent'])).toEqual([
			'files lack "Form": every document that was rejected is sent again',
			'files hold "Consent", which the bank did not reject: a repeat carries only rejected documents',
		]);
	});

	test('are sent once each', () => {
		expect(said('whole', ['Form'], ['Form', 'form', 'Form'])).toEqual([
			expect.stringMatching(/^files hold "form".* more than once$/),
		]);
	});

	test('are refused where nothing was rejected', () => {
		expect(said('rejected', [], ['Form'])).toHaveLength(1);
		expect(said('rejected', [], [])).toEqual([]);
	});
});
