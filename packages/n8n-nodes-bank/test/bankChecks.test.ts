/** 4.14 and 4.17: what the user picked is what the bank is asked, and its verdict reads as it was meant. */
import { oracleOf } from '../../fixtures/src/oracle.ts';
import { BankChecks } from '../nodes/BankChecks/BankChecks.node.ts';
import { asTool, jsonOf, refusalOf, runOf, type RunOptions, useBank } from './support/bank.ts';

// Between the tries of a read.
jest.mock('n8n-workflow', () => ({ ...jest.requireActual<object>('n8n-workflow'), sleep: async () => undefined }));

const bank = useBank();
const run = runOf(BankChecks);
const all = [
	'WSCodeInvalidIdentityCard',
	'WSConsumerSubjectInfoGet',
	'WSCustomerBankruptcyInfo',
	'WSCustomerComplianceCheckGet',
	'WSCustomerReputationRisk',
	'WSCustomerTerrorism',
	'WSGlobalSearch',
	'WSResultSOZSalaryProject',
];
const check = (parameters: Record<string, unknown> = {}, options?: RunOptions) =>
	run('unifiedCheck.run', { path: '/checks', ...parameters }, options);
const bodies = () =>
	bank().seen.map(
		({ body }) => body as { checks: { checkName: string; isToCall: string }[] } & Record<string, unknown>,
	);
const called = () =>
	bodies().map(({ checks }) => checks.filter(({ isToCall }) => isToCall === 'true').map(({ checkName }) => checkName));

describe('a unified check', () => {
	it('goes where the user says, with the picked checks as the text "true" and the others as "false"', async () => {
		await check({ checks: ['WSCustomerTerrorism', 'WSCustomerBankruptcyInfo'] });
		const { path = '/checks' } = oracleOf('unifiedCheck.run');
		expect(bank().seen).toMatchObject([{ method: 'POST', path, query: [] }]);
		expect(bank().seen[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
		expect(bank().seen[0]?.headers).not.toHaveProperty('authorization');
		const [body] = bodies();
		expect(Object.keys(body ?? {})).toEqual(['checks']);
		expect(Object.fromEntries((body?.checks ?? []).map(({ checkName, isToCall }) => [checkName, isToCall]))).toEqual(
			Object.fromEntries(
				all.map((name) => [
					name,
					['WSCustomerTerrorism', 'WSCustomerBankruptcyInfo'].includes(name) ? 'true' : 'false',
				]),
			),
		);
	});

	it('names only the picked checks where the others are to be left out', async () => {
		await check({ checks: ['WSCustomerTerrorism'], options: { otherChecks: 'leaveOut' } });
		expect(bodies()[0]?.checks).toEqual([{ checkName: 'WSCustomerTerrorism', isToCall: 'true' }]);
	});

	it('runs the three that need nothing but a person, unless others are picked', async () => {
		await check();
		expect(called()).toEqual([['WSCodeInvalidIdentityCard', 'WSCustomerBankruptcyInfo', 'WSCustomerTerrorism']]);
	});

	it('carries every field that is filled in, numbers as text', async () => {
		await check(
			{
				additionalFields: {
					fnm1: 'Ivanova',
					fnm2: '={{ $json.name }}',
					num: 123456,
					customerType: '1',
					dtbr: '1990-01-31',
				},
			},
			{ items: [{ name: 'Anna' }] },
		);
		const { checks: _checks, ...fields } = bodies()[0] ?? { checks: [] };
		expect(fields).toEqual({ fnm1: 'Ivanova', fnm2: 'Anna', num: '123456', customerType: '1', dtbr: '1990-01-31' });
	});

	it.each([
		['values', ['A01', 'A02']],
		['text with spaces', ['A01, A02']],
		['a list from an expression', [() => ['A01', ' A02']]],
		['a list for the whole field', () => ['A01', 'A02']],
		['semicolons', () => 'A01;A02;'],
	])('joins codes given as %s with commas and without spaces', async (_name, chklst) => {
		await check({ checks: ['WSCustomerComplianceCheckGet'], idg: 'SYS1', chklst });
		expect(bodies()[0]).toMatchObject({ idg: 'SYS1', chklst: 'A01,A02' });
	});

	it('does not send the system code of a check that is no longer picked', async () => {
		await check({ checks: ['WSCustomerTerrorism'], idg: 'SYS1', chklst: ['A01'] });
		expect(bodies()[0]).not.toHaveProperty('idg');
		expect(bodies()[0]).not.toHaveProperty('chklst');
	});

	it.each([
		['WSGlobalSearch', { crf: '7700000000' }],
		['WSGlobalSearch', { fnm1: 'Ivanova', fnm2: 'Anna', dtbr: '1990-01-31' }],
		['WSGlobalSearch', { num: '123456' }],
		['WSResultSOZSalaryProject', { crf: '7700000000' }],
	])('%s runs with %p', async (name, additionalFields) => {
		await check({ checks: [name], additionalFields });
		expect(called()).toEqual([[name]]);
	});

	it('picked by an expression may be a list or text', async () => {
		const items = [{ picked: ['WSCustomerTerrorism'] }, { picked: 'WSCustomerTerrorism, WSCustomerBankruptcyInfo' }];
		await check({ checks: '={{ $json.picked }}', options: { concurrency: 1 } }, { items });
		expect(called()).toEqual([['WSCustomerTerrorism'], ['WSCustomerBankruptcyInfo', 'WSCustomerTerrorism']]);
	});

	it('picked by an expression demands codes only of the items that pick blacklists', async () => {
		const items = [{ picked: 'WSCustomerTerrorism' }, { picked: 'WSCustomerComplianceCheckGet' }];
		const parameters = { checks: '={{ $json.picked }}', idg: 'SYS1', chklst: ['A01'], options: { concurrency: 1 } };
		await check(parameters, { items });
		expect(bodies().map(({ idg, chklst }) => [idg, chklst])).toEqual([
			[undefined, undefined],
			['SYS1', 'A01'],
		]);
		const demanded = new BankChecks().description.properties.filter(
			({ name, required }) => ['idg', 'chklst'].includes(name) && required === true,
		);
		expect(demanded).toEqual([]);
	});

	describe('is refused before anything is sent', () => {
		afterEach(() => expect(bank().seen).toEqual([]));

		it.each([
			['no check', { checks: [] }, 'checks must hold at least one check to run'],
			[
				'a check that there is not',
				{ checks: () => ['WSGlobalSearch', 'Everything'] },
				'checks must be among WSCodeInvalidIdentityCard',
			],
			[
				'blacklists without system code',
				{ checks: ['WSCustomerComplianceCheckGet'], chklst: ['A01'] },
				'System Code (idg) is needed for Blacklist Blocks (WSCustomerComplianceCheckGet)',
			],
			[
				'blacklists without codes',
				{ checks: ['WSCustomerComplianceCheckGet'], idg: 'S', chklst: [' ', ','] },
				'Check Codes (chklst) is needed for Blacklist Blocks',
			],
			[
				'a salary project without tax number',
				{ checks: ['WSResultSOZSalaryProject'] },
				'Tax Number (crf) is needed for Salary Project Reliability',
			],
			[
				'leasing with half a person',
				{ checks: ['WSGlobalSearch'], additionalFields: { fnm1: 'Ivanova' } },
				'Tax Number (crf) is needed for Leasing Eligibility (WSGlobalSearch), or surname, ' +
					'first name and date of birth, or the number of the identity document',
			],
		])('with %s', async (_name, parameters, fault) => {
			const refusal = await refusalOf(check(parameters));
			expect(refusal.message).toContain(`Item 0: ${fault}`);
			expect(refusal.description).toContain('Nothing was sent.');
		});
	});
});

describe('the answer of a unified check', () => {
	const checks = ['WSCodeInvalidIdentityCard', 'WSCustomerTerrorism'];
	const answering = async (answer: unknown) => {
		bank().answer = () => [200, answer];
		return (await check({ checks }))[0]?.json;
	};

	it('is a field for each check, the verdict, the meaning of the messages and the untouched answer', async () => {
		const answer = {
			checks: {
				WSCodeInvalidIdentityCard: { result: 'N', message: { code: 'PBS0005' } },
				WSCustomerTerrorism: { result: 'Y', message: { code: 'PBS0021', text: 'Full' } },
			},
			requestId: 'R-1',
		};
		expect(await answering(answer)).toEqual({
			verdict: 'failed',
			WSCodeInvalidIdentityCard: 'passed',
			WSCustomerTerrorism: 'failed',
			messages: {
				WSCodeInvalidIdentityCard: [{ code: 'PBS0005', meaning: 'national passport is valid' }],
				WSCustomerTerrorism: [{ code: 'PBS0021', meaning: 'full match in terrorist or extremist list' }],
			},
			answer,
		});
	});

	it.each([
		[
			'every check passed',
			{ WSCodeInvalidIdentityCard: { result: 'N' }, WSCustomerTerrorism: { result: 'N' } },
			'passed',
			['passed', 'passed'],
		],
		[
			'one has a code that means a match, though its result is N',
			{ WSCodeInvalidIdentityCard: { result: 'N' }, WSCustomerTerrorism: { result: 'N', code: 'PBS0021' } },
			'incomplete',
			['passed', 'unclear'],
		],
		[
			'one was not run',
			{ WSCodeInvalidIdentityCard: { result: 'N' }, WSCustomerTerrorism: { result: 'E' } },
			'incomplete',
			['passed', 'notRun'],
		],
		['one is missing', { WSCodeInvalidIdentityCard: { result: 'N' } }, 'incomplete', ['passed', 'notRun']],
		[
			'a result is none of the three',
			{ WSCodeInvalidIdentityCard: { result: 'N' }, WSCustomerTerrorism: { result: '?' } },
			'incomplete',
			['passed', 'unclear'],
		],
		[
			'one failed and one was not run',
			{ WSCodeInvalidIdentityCard: { result: 'E' }, WSCustomerTerrorism: { result: 'Y' } },
			'failed',
			['notRun', 'failed'],
		],
		['there is nothing', {}, 'incomplete', ['notRun', 'notRun']],
	])('when %s', async (_name, found, verdict, results) => {
		const json = await answering({ checks: found });
		expect([json?.verdict, checks.map((name) => json?.[name])]).toEqual([verdict, results]);
	});

	it.each([
		[
			'below another key',
			{
				Response: {
					Body: { checks: { WSCodeInvalidIdentityCard: { result: 'N' }, WSCustomerTerrorism: { result: 'N' } } },
				},
			},
		],
		[
			'as a list',
			{
				checks: [
					{ checkName: 'WSCodeInvalidIdentityCard', result: 'N' },
					{ checkName: 'WSCustomerTerrorism', result: 'N' },
				],
			},
		],
		[
			'beside an echo of the request',
			{
				request: { checks: [{ checkName: 'WSCustomerTerrorism', isToCall: 'true' }] },
				checks: { WSCodeInvalidIdentityCard: { result: 'N' }, WSCustomerTerrorism: { result: 'n' } },
			},
		],
	])('is found %s', async (_name, answer) => {
		expect(await answering(answer)).toMatchObject({
			verdict: 'passed',
			WSCodeInvalidIdentityCard: 'passed',
			WSCustomerTerrorism: 'passed',
		});
	});

	it('of another check, that nobody picked, is not lost', async () => {
		expect(
			await answering({
				checks: {
					WSCodeInvalidIdentityCard: { result: 'N' },
					WSCustomerTerrorism: { result: 'N' },
					WSCustomerBankruptcyInfo: { result: 'Y' },
				},
			}),
		).toMatchObject({ verdict: 'failed', WSCustomerBankruptcyInfo: 'failed' });
	});

	it('that is empty passes nobody', async () => {
		expect(await answering('')).toMatchObject({ verdict: 'incomplete', answer: null });
	});

	it('belongs to its item, also when another was refused', async () => {
		bank().answer = ({ body }) =>
			(body as { fnm1: string }).fnm1 === 'B'
				? [422, { httpCode: '422', httpMessage: 'Validate REST', moreInformation: 'fnm1' }]
				: [200, { checks: { WSCustomerTerrorism: { result: 'N' } } }];
		const output = await check(
			{ checks: ['WSCustomerTerrorism'], additionalFields: { fnm1: '={{ $json.name }}' } },
			{ items: [{ name: 'A' }, { name: 'B' }, { name: 'C' }], continueOnFail: true },
		);
		expect(
			output.map(({ json, pairedItem }) => [
				json.verdict ?? (json.details as { httpStatus: number }).httpStatus,
				pairedItem,
			]),
		).toEqual([
			['passed', { item: 0 }],
			[422, { item: 1 }],
			['passed', { item: 2 }],
		]);
		expect(Object.keys(output[1]?.json ?? {})).toEqual(['error', 'message', 'details']);
		expect(output[1]?.json.message).toContain('Validate REST: fnm1');
	});

	it.each([
		[401, { httpCode: '401', httpMessage: 'Unauthorized' }, 'not registered for mutual TLS', 'x-gw-client-id'],
		[
			500,
			{ Error: { ErrorCode: '1', ErrorString: 'WSTechnicalException', ErrorTrace: 'T-1' } },
			'internal technical error of the checks service',
			'error trace',
		],
		[
			500,
			{ httpCode: '500', httpMessage: 'URL Open error' },
			'unified service behind the gateway is unreachable',
			'tell the bank',
		],
	])('with status %i says what happened and what to do', async (status, body, what, next) => {
		bank().answer = () => [status, body];
		const refusal = await refusalOf(check());
		expect(refusal.message).toContain(what);
		expect(refusal.description).toContain(next);
	});

	it('can be asked for by an AI agent: a check only reads', async () => {
		bank().answer = () => [200, { checks: { WSCustomerTerrorism: { result: 'N' } } }];
		expect(
			jsonOf(await asTool(BankChecks)('unifiedCheck.run', { path: '/checks', checks: ['WSCustomerTerrorism'] })),
		).toMatchObject([{ verdict: 'passed' }]);
	});
});

describe('an entry score', () => {
	const score = (operation: string, parameters: Record<string, unknown> = {}, options?: RunOptions) =>
		run(`entryScore.${operation}`, { taxNumberField: 'inn', authenticateWith: 'gateway', ...parameters }, options);
	const company = { taxNumber: '7700000000' };

	it.each([
		['scoreCompany', '7700000000', '/llc/score'],
		['scoreSoleProprietor', '770000000000', '/ie/score'],
	])(
		'%s posts the tax number in the field that the bank named, to the path of the description',
		async (operation, taxNumber, path) => {
			await score(operation, { taxNumber });
			expect(bank().seen).toMatchObject([{ method: 'POST', path, query: [], body: { inn: taxNumber } }]);
		},
	);

	it('carries a payload beside the tax number, which goes as deep as its field says', async () => {
		await score('scoreCompany', {
			...company,
			taxNumberField: 'request.client.inn',
			payloadFrom: 'json',
			payload: '{"request": {"channel": "n8n", "comment": ""}}',
		});
		expect(bank().seen[0]?.body).toEqual({ request: { channel: 'n8n', client: { inn: '7700000000' } } });
	});

	it('takes a tax number that is a number', async () => {
		await score('scoreCompany', { taxNumber: () => 7700000000 });
		expect(bank().seen[0]?.body).toEqual({ inn: '7700000000' });
	});

	it.each([
		['scoreCompany', '770000000000', 'taxNumber must have 10 digits, got 12'],
		['scoreSoleProprietor', '7700000000', 'taxNumber must have 12 digits, got 10'],
		['scoreCompany', '77OOOOOOOO', 'taxNumber must hold digits only'],
		['scoreCompany', '', 'taxNumber is required'],
	])(
		'%s refuses "%s" before anything is sent, because both kinds of client have a path of their own',
		async (operation, taxNumber, fault) => {
			expect((await refusalOf(score(operation, { taxNumber }))).message).toBe(`Item 0: ${fault}`);
			expect(bank().seen).toEqual([]);
		},
	);

	it('asks for the field of the tax number, which the description does not show', async () => {
		expect((await refusalOf(score('scoreCompany', { ...company, taxNumberField: ' ' }))).message).toBe(
			'Item 0: taxNumberField is required. Ask your bank for the name',
		);
		expect(bank().seen).toEqual([]);
	});

	it.each([
		[{ score: 0.1, category: 'green' }, 'green'],
		[{ result: { zone: 'RED' } }, 'red'],
		[{ score: 0.4 }, undefined],
		[{ zone: 'green', worst: 'red' }, undefined],
	])('of %p names the category where there is exactly one of the three: %s', async (answer, category) => {
		bank().answer = () => [200, answer];
		expect(jsonOf(await score('scoreCompany', company))).toEqual([
			{ ...answer, ...(category === undefined ? {} : { scoreCategory: category }) },
		]);
	});

	it.each([
		['#1000', 'has no such company', 'Check the tax number'],
		['#1001', 'carried no JSON body', 'Choose JSON or Fields as payload and the method POST'],
		['#1002', 'is not a valid JSON object', 'Enter one JSON object'],
		['#2001', "tax authority's data provider", 'Try again later'],
		['#2002', 'scoring did not succeed', "contact the bank's support"],
		['#9999', 'refused the request', ''],
	])('with the code %s in an answer of status 200 is a failure, with the next step', async (code, what, next) => {
		bank().answer = () => [200, { error: { code, message: 'Words of the bank' } }];
		const refusal = await refusalOf(score('scoreCompany', company));
		expect(refusal.message).toContain(what);
		expect(refusal.message).toContain(code);
		expect(refusal.description).toContain(next);
		expect(refusal.description).toContain('Words of the bank');
	});

	it('that is refused goes to the error output with its code', async () => {
		bank().answer = () => [200, { code: '#1000' }];
		const [item] = await score('scoreCompany', company, { continueOnFail: true });
		expect(item).toMatchObject({
			json: {
				details: { code: '#1000', httpStatus: 200, outcome: 'nothingChanged', operation: 'entryScore.scoreCompany' },
			},
			pairedItem: { item: 0 },
		});
	});

	it('is asked for with the credential that was chosen', async () => {
		await score('scoreCompany', { ...company, authenticateWith: 'clientCredentials' });
		await score('scoreCompany', { ...company, authenticateWith: 'hostToHost' });
		await score('scoreCompany', { ...company, authenticateWith: 'mutualTls' });
		expect(bank().seen.map(({ headers }) => headers.authorization)).toEqual([
			'Bearer token of bankClientCredentialsOAuth2Api',
			'Bearer token of bankHostToHostOAuth2Api',
			undefined,
		]);
	});
});
