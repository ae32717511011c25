import { hostIssues, hostOf, operationById } from '../src/index.ts';
import { bodyOf, issuesOf, pathsIn, pathsOf } from './support/bank.ts';

const path = { id: '00000000-0000-4000-8000-00000000a001' };
const issues = (body: Record<string, unknown>) => issuesOf('webhook.update', { path, body });
const statements = { object: 'ul_transaction_default', data: { accounts: ['40702810000000000001'] } };
const incoming = { object: 'jp_sbp_incoming_payments' };

describe('rules of P10', () => {
	test('1: data.accounts is required for ul_transaction_default', () => {
		expect(issues(statements)).toEqual([]);
		for (const body of [
			{ object: 'ul_transaction_default' },
			{ ...statements, data: {} },
			{ ...statements, data: null },
			{ ...statements, data: { accounts: null } },
		]) {
			expect(issues(body)).toEqual([
				{ path: 'data.accounts', message: expect.stringContaining('must list all accounts') },
			]);
		}
	});

	test('3: data is not filled for jp_sbp_incoming_payments', () => {
		expect(issues(incoming)).toEqual([]);
		expect(issues({ ...incoming, data: {} })).toEqual([]);
		expect(bodyOf('webhook.update', { path, body: { ...incoming, data: {} } })).toEqual(incoming);
		for (const accounts of [['1'], []])
			expect(issues({ ...incoming, data: { accounts } })).toEqual([
				{ path: 'data', message: expect.stringContaining('must be left out') },
			]);
	});

	test('5: the version is 1', () => {
		expect(bodyOf('webhook.update', { path, body: { ...incoming, version: '1' } })).toEqual({
			...incoming,
			version: 1,
		});
		for (const version of [0, 2, -1])
			expect(issues({ ...incoming, version })).toEqual([
				{ path: 'version', message: expect.stringContaining('must be 1') },
			]);
		expect(pathsOf(issues({ ...incoming, version: 1.5 }))).toEqual(['version']);
	});
});

describe('callbackUri', () => {
	test.each([
		'https://n8n.example.com/webhook/bank',
		'http://localhost:5678/x',
		'HTTPS://N8N.example.com/?a=b#c',
		'https://[::1]:8443/x',
	])('may be %s', (callbackUri) => {
		expect(issues({ ...incoming, callbackUri })).toEqual([]);
	});

	test.each([
		'/webhook/bank',
		'n8n.example.com/x',
		'ftp://n8n.example.com/x',
		'https://',
		'https://user:pass@n8n.example.com/x',
		'https://n8n.example.com@evil.example/x',
		'https://n8n.example.com/a b',
	])('cannot be %j', (callbackUri) => {
		expect(issues({ ...incoming, callbackUri })).toEqual([
			{ path: 'callbackUri', message: expect.stringContaining('must be a complete URL') },
		]);
	});

	test.each([
		['https://N8N.Example.com:8443/Webhook/X', 'https://n8n.example.com:8443'],
		['https://a:443/b', 'https://a'],
		['http://a:80', 'http://a'],
		['http://a:443', 'http://a:443'],
		['https://a?x=/b', 'https://a'],
		['https://a#@b', 'https://a'],
		['https://u@a/', undefined],
		['a', undefined],
		['', undefined],
	])('the host of %s is %s', (address, host) => {
		expect(hostOf(address)).toBe(host);
	});
});

describe('rule 4 of P10: the host of callbackUri may not be changed', () => {
	const registered = 'https://n8n.example.com/webhook/bank';

	test.each([
		'https://n8n.example.com/other',
		'https://n8n.example.com',
		'https://n8n.example.com/',
		'HTTPS://N8N.EXAMPLE.COM/webhook/bank',
		'https://n8n.example.com:443/other',
	])('%s is the same host', (wanted) => {
		expect(hostIssues(registered, wanted)).toEqual([]);
	});

	test.each([
		'https://n8n.example.org/webhook/bank',
		'http://n8n.example.com/webhook/bank',
		'https://n8n.example.com:8443/webhook/bank',
		'https://n8n.example.com.evil.example/webhook/bank',
		'https://evil.example\\n8n.example.com/webhook/bank',
		'https://n8n.exаmple.com/webhook/bank', // with a Cyrillic letter
	])('%s is another one', (wanted) => {
		expect(hostIssues(registered, wanted)).toEqual([
			{
				path: 'callbackUri',
				message: expect.stringMatching(/registered for https:\/\/n8n\.example\.com, not https?:\/\//),
			},
		]);
	});

	test.each(['https://n8n.example.com/other?x=1', 'https://n8n.example.com?x=1', 'https://n8n.example.com/#x'])(
		'only the path: %s changes what follows it',
		(wanted) => {
			expect(hostIssues(registered, wanted)).toEqual([
				{ path: 'callbackUri', message: expect.stringContaining('the part after the path') },
			]);
			expect(hostIssues(wanted, registered)).toHaveLength(1);
			expect(hostIssues(wanted, wanted.replace('.com', '.com/new').replace('/other', ''))).toEqual([]);
		},
	);

	test('an unreadable URL differs from every other one', () => {
		for (const [present, wanted] of [
			['https://u:p@a.example/x', 'https://b.example/x'],
			['ftp://a', 'ftp://b'],
			[registered, 'https://user:pass@n8n.example.com/'],
			['', registered],
		] as const) {
			const [fault] = hostIssues(present, wanted);
			expect(fault?.path).toBe('callbackUri');
			expect(fault?.message).toContain('an unreadable URL');
			expect(fault?.message).not.toMatch(/undefined|u:p|user:pass/);
		}
		expect(hostIssues('ftp://a', 'ftp://a')).toEqual([]);
	});

	test('an unknown host is not compared', () => {
		expect(hostIssues(undefined, registered)).toEqual([]);
		expect(hostIssues(registered, undefined)).toEqual([]);
	});
});

describe('a period', () => {
	const statement = (id: string, dateBegin: string, dateEnd: string) =>
		issuesOf(id, {
			body: {
				dateBegin,
				dateEnd,
				accountIds: ['1'],
				...(id === 'statement.orderCredit' ? { operationsHistory: false } : {}),
			},
		});

	test.each(['statement.orderCredit', 'statement.orderAccount'])('of %s does not end before it begins', (id) => {
		expect(statement(id, '2026-01-31', '2026-02-01')).toEqual([]);
		expect(statement(id, '2026-01-31', '2026-01-31')).toEqual([]);
		expect(statement(id, '2026-01-31', '2025-12-31')).toEqual([
			{ path: 'dateEnd', message: 'must not be before the first day' },
		]);
	});

	test('of the operations may have no first or last day', () => {
		const period = (query: Record<string, unknown>) => issuesOf('accountOperation.getMany', { query });
		expect([period({ dateFrom: '2026-01-01' }), period({ dateTo: '2026-01-01' }), period({})]).toEqual([[], [], []]);
		expect(period({ dateFrom: '2026-01-02', dateTo: '2026-01-01' })).toEqual([
			{ path: 'dateTo', message: 'must not be before the first day' },
		]);
	});
});

test('rules over several fields are not checked while a field is invalid', () => {
	expect(
		pathsIn('statement.orderAccount', { body: { dateBegin: '2026-02-01', dateEnd: '2026-01-01', accountIds: [] } }),
	).toEqual(['accountIds']);
});

test('a missing operation is named in the error', () => {
	expect(() => operationById('webhook.create')).toThrow('There is no operation "webhook.create"');
});
