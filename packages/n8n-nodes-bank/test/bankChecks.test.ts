/** 4.14 and 4.17: requests contain the selected checks, and the verdict follows the response. */
import { oracleOf } from '../../fixtures/src/oracle.ts';
import { BankChecks } from '../nodes/BankChecks/BankChecks.node.ts';
import { asTool, jsonOf, refusalOf, runOf, type RunOptions, useBank } from './support/bank.ts';

// Skips the waits between retries.
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

	it('can be asked for by an AI agent: a check only reads', async () => {
		bank().answer = () => [200, { checks: { WSCustomerTerrorism: { result: 'N' } } }];
		expect(
			jsonOf(await asTool(BankChecks)('unifiedCheck.run', { path: '/checks', checks: ['WSCustomerTerrorism'] })),
		).toMatchObject([{ verdict: 'passed' }]);
	});
});

describe('an entry score', () => {
	const score = (operation: string, parameters: Record<string, unknown> = {}, options?: RunOptions) =>
		run(
			`entryScore.${operation}`,
			{ names: { taxNumber: 'inn' }, authenticateWith: 'gateway', ...parameters },
			options,
		);
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

	it.each([
		['scoreCompany', '770000000000', 'Tax Number must have 10 digits, got 12: "****0000"'],
		['scoreSoleProprietor', '7700000000', 'Tax Number must have 12 digits, got 10: "7700000000"'],
		['scoreCompany', '77OOOOOOOO', 'Tax Number must contain digits only: "77OOOOOOOO"'],
		['scoreCompany', '', 'Tax Number is required'],
	])(
		'%s refuses "%s" before anything is sent, because both kinds of client have a path of their own',
		async (operation, taxNumber, fault) => {
			expect((await refusalOf(score(operation, { taxNumber }))).message).toBe(`${fault}`);
			expect(bank().seen).toEqual([]);
		},
	);

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
});
