/** 4.14 and 4.17: requests contain the selected checks, and the verdict follows the response. */
import { oracleOf } from '../../fixtures/src/oracle.ts';
import { BankChecks } from '../nodes/BankChecks/BankChecks.node.ts';
import { jsonOf, refusalOf, runOf, type RunOptions, useBank } from './support/bank.ts';

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
	run('unifiedCheck.run', { path: '/checks', crf: '7700000000', ...parameters }, options);
const bodies = () =>
	bank().seen.map(
		({ body }) => body as { checks: { checkName: string; isToCall: string }[] } & Record<string, unknown>,
	);
const called = () =>
	bodies().map(({ checks }) => checks.filter(({ isToCall }) => isToCall === 'true').map(({ checkName }) => checkName));

describe('a unified check', () => {
	it('has the text "true" for chosen checks and "false" for the others', async () => {
		await check({ checks: ['WSCustomerTerrorism', 'WSCustomerBankruptcyInfo'] });
		const { path = '/checks' } = oracleOf('unifiedCheck.run');
		expect(bank().seen).toMatchObject([{ method: 'POST', path, query: [] }]);
		expect(bank().seen[0]?.headers).toMatchObject({ 'content-type': 'application/json' });
		expect(bank().seen[0]?.headers).not.toHaveProperty('authorization');
		const picked = ['WSCustomerTerrorism', 'WSCustomerBankruptcyInfo'];
		const isToCall = (checkName: string) => (picked.includes(checkName) ? 'true' : 'false');
		const checks = all.map((checkName) => ({ checkName, isToCall: isToCall(checkName) }));
		expect(bodies()).toEqual([{ checks, crf: '7700000000' }]);
	});

	it('contains only the chosen checks if the user leaves out the others', async () => {
		await check({ checks: () => 'WSCustomerTerrorism, WSCustomerTerrorism', options: { otherChecks: 'leaveOut' } });
		expect(bodies()[0]?.checks).toEqual([{ checkName: 'WSCustomerTerrorism', isToCall: 'true' }]);
	});

	it('runs by default the three checks that need only a person', async () => {
		await check();
		expect(called()).toEqual([['WSCodeInvalidIdentityCard', 'WSCustomerBankruptcyInfo', 'WSCustomerTerrorism']]);
	});

	it('may have its checks from an expression that returns a list or text', async () => {
		const items = [{ picked: ['WSCustomerTerrorism'] }, { picked: 'WSCustomerTerrorism, WSCustomerBankruptcyInfo' }];
		await check({ checks: '={{ $json.picked }}', options: { concurrency: 1 } }, { items });
		expect(called()).toEqual([['WSCustomerTerrorism'], ['WSCustomerBankruptcyInfo', 'WSCustomerTerrorism']]);
	});

	it('is refused if an expression returns a check that does not exist', async () => {
		await expect(check({ checks: () => 'WSCustomerTerrorism, WSOther' })).rejects.toThrow(
			/must be among WS.*: "WSOther"/,
		);
		expect(bank().seen).toEqual([]);
	});

	it('is refused before anything is sent if the columns that name the person are not recognized', async () => {
		const person = { crf: '', fnm1: '={{ $json.surname }}', dtbr: '={{ $json.birthDate }}' };
		const failed = await refusalOf(
			check({ ...person, additionalFields: { customerType: '1' } }, { items: [{ Surname: 'Ivanova' }] }),
		);
		expect(failed.message).toMatch(/^Surname is needed, or another field that says who is checked: .*tax number/);
		expect(bank().seen).toEqual([]);
	});

	it('has codes of blacklists only for items that choose that check', async () => {
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

describe('the response to a unified check', () => {
	const checks = ['WSCodeInvalidIdentityCard', 'WSCustomerTerrorism'];
	const answering = async (answer: unknown) => {
		bank().answer = () => [200, answer];
		return (await check({ checks }))[0]?.json;
	};

	it('becomes the verdict, a field for each check, the meaning of the messages and the unchanged response', async () => {
		const answer = {
			checks: {
				WSCodeInvalidIdentityCard: { result: 'N', message: { code: 'PBS0005' } },
				WSCustomerTerrorism: { result: 'Y', message: { code: 'PBS0021', text: 'Full' } },
			},
		};
		expect(await answering(answer)).toEqual({
			verdict: 'failed',
			WSCodeInvalidIdentityCard: 'passed',
			WSCustomerTerrorism: 'failed',
			messages: {
				WSCodeInvalidIdentityCard: [{ code: 'PBS0005', meaning: 'national passport is valid' }],
				WSCustomerTerrorism: [{ code: 'PBS0021', meaning: 'full match in terrorist or extremist list' }],
			},
			response: answer,
		});
	});
});

describe('an entry score', () => {
	const score = (operation: string, parameters: Record<string, unknown> = {}) =>
		run(`entryScore.${operation}`, { names: { taxNumber: 'inn' }, authenticateWith: 'gateway', ...parameters });
	const company = { taxNumber: '7700000000' };

	it.each([
		['scoreCompany', '7700000000', '/llc/score'],
		['scoreSoleProprietor', '770000000000', '/ie/score'],
	])('%s sends the tax number in the field of the service details', async (operation, taxNumber, path) => {
		await score(operation, { taxNumber });
		expect(bank().seen).toMatchObject([{ method: 'POST', path, query: [], body: { inn: taxNumber } }]);
	});

	it.each([
		[{ score: 0.1, category: ' GREEN' }, 'green'],
		[{ score: 0.9, category: 'stop' }, 'red'],
		[{ score: 0.4 }, 'unclear'],
		[{ score: 0.95, previousCategory: 'GREEN', category: null }, 'unclear'],
		[{ company: 'Green', category: 'blue' }, 'unclear'],
	])('of %p has the category that the service details name: %s', async (answer, category) => {
		bank().answer = () => [200, answer];
		const responses = {
			green: { field: 'category', values: ['green'] },
			red: { field: 'category', values: ['red', 'STOP'] },
		};
		expect(jsonOf(await score('scoreCompany', { ...company, responses }))).toEqual([
			{ ...answer, scoreCategory: category },
		]);
		expect(jsonOf(await score('scoreCompany', company))).toEqual([answer]);
	});
});
