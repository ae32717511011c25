/** What every operation of the node has in common: checks first, reads in parallel, results paired with their items. */
import { type IExecuteFunctions, type INodeTypeDescription, NodeHelpers } from 'n8n-workflow';

import { fakeN8n } from '../../fixtures/src/fakeN8n.ts';
import { Bank } from '../nodes/Bank/Bank.node.ts';
import { credentials, jsonOf, origin, refusalOf, run, useBank } from './support/bank.ts';

// Between the tries of a read.
jest.mock('n8n-workflow', () => ({ ...jest.requireActual<object>('n8n-workflow'), sleep: async () => undefined }));

const bank = useBank();
const webhookId = '123e4567-e89b-42d3-a456-426614174000';
const account = '40702810000000000001';
const operationRow = (id: string | number, more: object = {}) => ({
	id,
	dateTime: '2026-03-31T10:15:30.000Z',
	title: 'Fake Market',
	amount: { value: 150050, currency: 'RUB', minorUnits: 100 },
	direction: 'EXPENSE',
	status: 'SUCCESS',
	fee: 0,
	isAnotherClient: false,
	cashout: false,
	reference: 'R-1',
	...more,
});

/** A bank that pages through `rows`, and never gives more than `most` of them. */
const paging = (rows: unknown[], most = Infinity) =>
	(bank().answer = ({ query }) => {
		const { offset = '0', limit = '20' } = Object.fromEntries(query);
		return [200, { operations: rows.slice(Number(offset), Number(offset) + Math.min(Number(limit), most)) }];
	});
const numbered = (count: number) => Array.from({ length: count }, (_, index) => operationRow(`op-${index}`));
const queries = () => bank().seen.map(({ query }) => Object.fromEntries(query));

describe('a request', () => {
	it('is exactly what the form says, with the token of the credential and no headers for a body that is not there', async () => {
		bank().answer = () => [200, { status: 'SUCCESS', bonusAmount: 12.5, unpaidAmmount: '7', somethingNew: [1] }];
		const output = await run('taxpayerAccount.get', { requestId: 'a b&c' });
		expect(output).toEqual([
			{
				json: { status: 'SUCCESS', bonusAmount: '12.5', unpaidAmount: '7', somethingNew: [1] },
				pairedItem: { item: 0 },
			},
		]);
		const [seen] = bank().seen;
		expect(bank().seen).toHaveLength(1);
		expect(seen).toMatchObject({
			method: 'GET',
			path: '/api/semp/v1/selfemployed/taxpayer-account-info/a%20b%26c',
			query: [],
			text: '',
		});
		expect(seen?.headers).toMatchObject({
			accept: 'application/json',
			authorization: 'Bearer token of bankAuthorizationCodeOAuth2Api',
		});
		expect(seen?.headers).not.toHaveProperty('content-type');
	});

	it('cannot climb out of its path', async () => {
		expect((await refusalOf(run('taxpayerAccount.get', { requestId: '..' }))).message).toContain(
			'requestId must be an identifier, not a path',
		);
		expect(bank().seen).toEqual([]);
	});

	it('goes to the address of the environment that is chosen', async () => {
		const credential = {
			...credentials.bankAuthorizationCodeOAuth2Api,
			environment: 'production',
			productionBaseUrl: `${origin}/prefix//`,
			sandboxBaseUrl: 'https://elsewhere.test',
		};
		await run(
			'taxpayerAccount.get',
			{ requestId: '1' },
			{ credentials: { bankAuthorizationCodeOAuth2Api: credential } },
		);
		expect(bank().seen[0]?.path).toBe('/prefix/api/semp/v1/selfemployed/taxpayer-account-info/1');
	});

	it.each(['', '   ', 'bank.test', 'ftp://bank.test'])(
		'is not made when the base URL is "%s"',
		async (sandboxBaseUrl) => {
			const refusal = await refusalOf(
				run(
					'taxpayerAccount.get',
					{ requestId: '1' },
					{ credentials: { bankAuthorizationCodeOAuth2Api: { environment: 'sandbox', sandboxBaseUrl } } },
				),
			);
			expect(refusal.message).toBe('The credential has no usable base URL');
			expect(refusal.description).toContain('Nothing was sent');
			expect(bank().seen).toEqual([]);
		},
	);
});

describe('the flow of a token (part 5, rule 2)', () => {
	it('is host to host where the user says so, and only for operations with an authorization code', async () => {
		await run('taxpayerAccount.get', { requestId: '1', flow: 'hostToHost' });
		await run('taxpayerAccount.get', { requestId: '1', flow: 'authorizationCode' });
		expect(bank().seen.map(({ headers }) => headers.authorization)).toEqual([
			'Bearer token of bankHostToHostOAuth2Api',
			'Bearer token of bankAuthorizationCodeOAuth2Api',
		]);
	});

	it('stays that of client credentials for a loan application, whatever was chosen before', async () => {
		bank().answer = () => [200, { dealId: webhookId }];
		await run('loanApplication.create', {
			dealId: webhookId,
			borrowerType: 'individual',
			inn: '770000000000',
			partner: '{}',
			flow: 'hostToHost',
		});
		expect(bank().seen.map(({ headers }) => headers.authorization)).toEqual([
			'Bearer token of bankClientCredentialsOAuth2Api',
		]);
	});

	it('is an authorization code in workflows that were saved before one could choose', async () => {
		const parameters = { resource: 'taxpayerAccount', operation: 'get', requestId: '1' };
		await new Bank().execute.call(fakeN8n({ parameters, credentials }) as unknown as IExecuteFunctions);
		expect(bank().seen.map(({ headers }) => headers.authorization)).toEqual([
			'Bearer token of bankAuthorizationCodeOAuth2Api',
		]);
	});
});

describe('ordering a statement', () => {
	const answer = {
		id: 77,
		date: '2026-03-31T09:00:00.000Z',
		type: { code: 'ufr_stmt_physical_vypiska', title: 'Statement' },
		status: 'ENQUEUED',
	};
	const period = { dateBegin: '2026-01-01', dateEnd: '2026-01-31' };

	it('takes numbers, lists of lists and text with commas for accounts, and answers with the identifier as text', async () => {
		bank().answer = () => [200, answer];
		const output = await run('statement.orderAccount', { ...period, accountIds: ['1, 2', () => [3, '4;5'], () => 6] });
		expect(jsonOf(output)).toEqual([{ ...answer, id: '77' }]);
		expect(bank().seen).toMatchObject([
			{
				method: 'POST',
				path: '/api/pp/v1/reports/type/account',
				body: { ...period, accountIds: ['1', '2', '3', '4', '5', '6'] },
			},
		]);
		expect(bank().seen[0]?.headers['content-type']).toBe('application/json');
	});

	it('refuses an account number that has lost digits as a number', async () => {
		const refusal = await refusalOf(run('statement.orderAccount', { ...period, accountIds: [() => Number(account)] }));
		expect(refusal.message).toContain('Accounts (accountIds[0]) arrived as a number with more than 15 digits');
		expect(refusal.text).not.toContain('40702810');
		expect(bank().seen).toEqual([]);
	});

	it('sends optional fields only when they were added', async () => {
		bank().answer = () => [200, answer];
		await run('statement.orderCredit', { ...period, accountIds: ['1'], operationsHistory: true });
		await run('statement.orderCredit', { ...period, accountIds: ['1'], additionalFields: { agreementNumber: 12 } });
		expect(bank().seen.map(({ body }) => body)).toEqual([
			{ ...period, accountIds: ['1'], operationsHistory: true },
			{ ...period, accountIds: ['1'], operationsHistory: false, agreementNumber: '12' },
		]);
	});

	// n8n's date picker gives text without a zone; other nodes give instants.
	it.each([
		['2026-01-31T00:00:00', '2026-01-31'],
		['2026-01-31T23:59:59', '2026-01-31'],
		['2026-01-31T23:30:00+05:00', '2026-01-31'],
		['2026-01-30T22:30:00.000Z', '2026-01-31'],
		['2026-01-31T00:00:00.000Z', '2026-01-31'],
		[new Date('2026-01-30T21:30:00.000Z'), '2026-01-31'],
		[{ toISODate: () => '2026-01-30', toMillis: () => Date.parse('2026-01-30T22:30:00Z') }, '2026-01-31'],
	])('takes the day of %s in the time zone of the workflow', async (dateEnd, day) => {
		bank().answer = () => [200, answer];
		await run(
			'statement.orderAccount',
			{ dateBegin: '2026-01-01', dateEnd: () => dateEnd, accountIds: ['1'] },
			{ timezone: 'Europe/Moscow' },
		);
		expect(bank().seen[0]?.body).toMatchObject({ dateEnd: day });
	});

	it.each(['31.01.2026', '2026-02-30', 'yesterday', '2026-1-5', 20260131])(
		'refuses the day %s before anything is sent',
		async (dateEnd) => {
			const refusal = await refusalOf(
				run('statement.orderAccount', { dateBegin: '2026-01-01', dateEnd: () => dateEnd, accountIds: ['1'] }),
			);
			expect(refusal.message).toContain('dateEnd');
			expect(refusal.description).toContain('Nothing was sent');
			expect(bank().seen).toEqual([]);
		},
	);

	it('refuses a period that ends before it begins', async () => {
		expect(
			(
				await refusalOf(
					run('statement.orderAccount', { dateBegin: '2026-02-01', dateEnd: '2026-01-31', accountIds: ['1'] }),
				)
			).message,
		).toContain('End Date (dateEnd) must not be before dateBegin');
		expect(bank().seen).toEqual([]);
	});

	it('checks all items before the first request, and names every fault with its item', async () => {
		const items = [
			{ to: '2026-01-31', account },
			{ to: 'never', account },
			{ to: '2026-01-31', account: '' },
		];
		const refusal = await refusalOf(
			run(
				'statement.orderAccount',
				{ dateBegin: '2026-01-01', dateEnd: '={{ $json.to }}', accountIds: '={{ $json.account }}' },
				{ items },
			),
		);
		expect(refusal.message).toBe('Item 1: End Date (dateEnd) must be a day such as 2026-01-31 (and 1 more)');
		expect(refusal.description).toContain('- Item 2: Accounts (accountIds)');
		expect(refusal.context).toMatchObject({ itemIndex: 1 });
		expect(bank().seen).toEqual([]);
	});

	it('sends what can be sent when the node goes on, one at a time and in order, and says of the rest that nothing was sent', async () => {
		let inFlight = 0;
		bank().answer = async () => {
			expect(++inFlight).toBe(1);
			await Promise.resolve();
			inFlight--;
			return [200, answer];
		};
		const items = [{ to: '2026-01-31' }, { to: 'never' }, { to: '2026-03-31' }];
		const output = await run(
			'statement.orderAccount',
			{ dateBegin: '2026-01-01', dateEnd: '={{ $json.to }}', accountIds: ['1'] },
			{ items, continueOnFail: true },
		);
		expect(bank().seen.map(({ body }) => (body as { dateEnd: string }).dateEnd)).toEqual(['2026-01-31', '2026-03-31']);
		expect(output.map(({ pairedItem }) => pairedItem)).toEqual([{ item: 0 }, { item: 1 }, { item: 2 }]);
		expect(Object.keys(output[1]?.json ?? {})).toEqual(['error', 'message', 'details']);
		expect(output[1]?.json).toMatchObject({
			error: 'End Date (dateEnd) must be a day such as 2026-01-31',
			details: {
				operation: 'statement.orderAccount',
				code: 'invalid_input',
				outcome: 'notSent',
				retryable: false,
				faults: [{ path: 'dateEnd', message: 'must be a day such as 2026-01-31' }],
			},
		});
	});

	it('stops at the first refusal and says how much was done before', async () => {
		bank().answer = () =>
			bank().seen.length === 2 ? [403, { error: 'access_denied', error_description: 'no' }] : [200, answer];
		const refusal = await refusalOf(
			run('statement.orderAccount', { ...period, accountIds: ['1'] }, { items: [{}, {}, {}, {}] }),
		);
		expect(refusal.message).toBe('Order account statement: access to the account is prohibited (403 access_denied)');
		expect(refusal.description).toContain('Of 4 requests, 1 was carried out before this one; the rest were not sent.');
		expect(refusal.context).toMatchObject({ itemIndex: 1 });
		expect(bank().seen).toHaveLength(2);
	});
});

describe('a number of reads', () => {
	/** Answers only when `open` says so, and knows how many wait. */
	function gate() {
		const waiting: (() => void)[] = [];
		let most = 0;
		const arrivals: (() => void)[] = [];
		bank().answer = async ({ path }) => {
			await new Promise<void>((resolve) => {
				waiting.push(resolve);
				most = Math.max(most, waiting.length);
				arrivals.splice(0).forEach((arrived) => arrived());
			});
			return [200, { status: path.slice(path.lastIndexOf('/') + 1) }];
		};
		return {
			most: () => most,
			/** Lets the newest through first, so that answers come in another order than requests. */
			async serve(count: number, atOnce: number) {
				for (let served = 0; served < count; served++) {
					while (waiting.length < Math.min(atOnce, count - served))
						await new Promise<void>((resolve) => arrivals.push(resolve));
					waiting.pop()?.();
				}
			},
		};
	}
	const items = Array.from({ length: 12 }, (_, index) => ({ id: `r${index}` }));

	it.each([
		[undefined, 5],
		[1, 1],
		[3, 3],
		[20, 12],
	])(
		'with %s parallel requests has exactly %i under way at most, and keeps the order of the items',
		async (concurrency, most) => {
			const { serve, most: seen } = gate();
			const options = concurrency === undefined ? {} : { options: { concurrency } };
			const running = run('taxpayerAccount.get', { requestId: '={{ $json.id }}', ...options }, { items });
			await serve(items.length, most);
			const output = await running;
			expect(seen()).toBe(most);
			expect(output).toEqual(items.map(({ id }, item) => ({ json: { status: id }, pairedItem: { item } })));
		},
	);

	it.each([0, -1, 'many'])('with %s parallel requests still reads', async (concurrency) => {
		bank().answer = () => [200, { status: 'SUCCESS' }];
		expect(await run('taxpayerAccount.get', { requestId: 'a', options: { concurrency } })).toHaveLength(1);
	});

	it('puts a refusal at the place of its item when the node goes on', async () => {
		bank().answer = ({ path }) => (path.endsWith('/r1') ? [404, ''] : [200, { status: 'SUCCESS' }]);
		const output = await run(
			'taxpayerAccount.get',
			{ requestId: '={{ $json.id }}' },
			{ items: items.slice(0, 3), continueOnFail: true },
		);
		expect(
			output.map(({ json, pairedItem }) => [
				json.details === undefined ? json.status : (json.details as { httpStatus: number }).httpStatus,
				pairedItem,
			]),
		).toEqual([
			['SUCCESS', { item: 0 }],
			[404, { item: 1 }],
			['SUCCESS', { item: 2 }],
		]);
	});
});

describe('many operations', () => {
	it("are asked for with every filter in the API's own names", async () => {
		paging([]);
		const filters = {
			dateFrom: '2026-01-01T00:00:00',
			dateTo: '2026-01-31',
			accounts: ['1', '2'],
			cards: ['c-1'],
			operationDirection: 'EXPENSE',
		};
		await run('accountOperation.getMany', { filters, limit: 7 });
		expect(bank().seen[0]).toMatchObject({ method: 'GET', path: '/api/pp/v1/operations' });
		expect(bank().seen[0]?.query).toEqual([
			['dateFrom', '2026-01-01'],
			['dateTo', '2026-01-31'],
			['accounts', '1'],
			['accounts', '2'],
			['cards', 'c-1'],
			['operationDirection', 'EXPENSE'],
			['offset', '0'],
			['limit', '7'],
		]);
	});

	it.each([
		[
			'repeat',
			[
				['accounts', '1'],
				['accounts', '2'],
			],
		],
		[
			'brackets',
			[
				['accounts[]', '1'],
				['accounts[]', '2'],
			],
		],
		[
			'indices',
			[
				['accounts[0]', '1'],
				['accounts[1]', '2'],
			],
		],
		['comma', [['accounts', '1,2']]],
	])('take lists in the format %s, on every page', async (arrayFormat, expected) => {
		paging(numbered(3));
		await run('accountOperation.getMany', {
			returnAll: true,
			filters: { accounts: ['1', '2'] },
			options: { arrayFormat, pageSize: 2 },
		});
		expect(bank().seen.length).toBeGreaterThan(1);
		for (const { query } of bank().seen) expect(query.filter(([key]) => key.startsWith('accounts'))).toEqual(expected);
	});

	it('are 50 at most unless another limit is given, in one request', async () => {
		paging(numbered(80));
		expect(await run('accountOperation.getMany')).toHaveLength(50);
		expect(queries()).toEqual([{ offset: '0', limit: '50' }]);
	});

	it('stop at the limit, which no page exceeds', async () => {
		paging(numbered(80));
		const output = await run('accountOperation.getMany', {
			limit: 25,
			options: { pageSize: 10, offset: 5, concurrency: 1 },
		});
		expect(output.map(({ json }) => json.id)).toEqual(
			numbered(30)
				.slice(5)
				.map(({ id }) => id),
		);
		expect(output.every(({ pairedItem }) => (pairedItem as { item: number }).item === 0)).toBe(true);
	});

	it.each([0, -1, '', 'ten', 1.5])('refuse the limit "%s" instead of answering with nothing', async (limit) => {
		paging(numbered(3));
		const refusal = await refusalOf(run('accountOperation.getMany', { limit: () => limit }));
		expect(refusal.message).toContain('limit must be a whole number');
		expect(bank().seen).toEqual([]);
	});

	it.each([0, -1, 'many'])('refuse the page size "%s"', async (pageSize) => {
		expect((await refusalOf(run('accountOperation.getMany', { returnAll: true, options: { pageSize } }))).message).toBe(
			'Item 0: pageSize must be a whole number of at least 1',
		);
		expect(bank().seen).toEqual([]);
	});

	it.each([20, 7])(
		'are returned to the last one, once each, also from a bank that gives %i at a time',
		async (most) => {
			const rows = [...numbered(63), operationRow('op-3')];
			paging(rows, most);
			const output = await run('accountOperation.getMany', { returnAll: true, options: { pageSize: 20 } });
			expect(output.map(({ json }) => json.id)).toEqual(numbered(63).map(({ id }) => id));
		},
	);

	it('are simplified, with the decimal amount beside the raw one', async () => {
		const row = operationRow(7, {
			amount: { value: '1999', currency: 'RUB', minorUnits: 100 },
			recipient: { name: 'Shop', bankName: 'B' },
			category: { id: 'c', name: 'Food' },
			newField: 1,
		});
		paging([row]);
		const [simple] = jsonOf(await run('accountOperation.getMany'));
		expect(simple).toEqual({
			id: '7',
			dateTime: row.dateTime,
			title: 'Fake Market',
			direction: 'EXPENSE',
			status: 'SUCCESS',
			amount: 19.99,
			currency: 'RUB',
			amountRaw: { value: 1999, currency: 'RUB', minorUnits: 100 },
			fee: 0,
			category: 'Food',
			counterparty: 'Shop',
			counterpartyBank: 'B',
		});
	});

	it('are whole when they are not simplified, with fields that the description does not know', async () => {
		paging([operationRow(7, { newField: { a: [1] }, status: null, sender: { phoneNumber: 79000000001 } })]);
		const [raw] = jsonOf(await run('accountOperation.getMany', { output: 'raw' }));
		expect(raw).toEqual({
			...operationRow('7'),
			newField: { a: [1] },
			status: null,
			sender: { phoneNumber: '79000000001' },
		});
	});

	it('belong to the item that asked for them', async () => {
		bank().answer = ({ query }) => [
			200,
			{ operations: query.some(([, value]) => value === 'A') ? [operationRow(1), operationRow(2)] : [operationRow(1)] },
		];
		const output = await run(
			'accountOperation.getMany',
			{ filters: { accounts: '={{ $json.account }}' }, limit: 2 },
			{ items: [{ account: 'A' }, { account: 'B' }] },
		);
		expect(output.map(({ json, pairedItem }) => [json.id, (pairedItem as { item: number }).item])).toEqual([
			['1', 0],
			['2', 0],
			['1', 1],
		]);
	});

	it('are an unreadable answer, not none, when the list is missing', async () => {
		bank().answer = () => [200, { items: [] }];
		expect((await refusalOf(run('accountOperation.getMany'))).message).toContain('it holds no list "operations"');
	});
});

describe('card limits', () => {
	const limit = {
		id: '5',
		created: '2026-01-01',
		limits: {
			single: { value: 1050, currency: 'RUB', minorUnits: 100 },
			max: { value: 5, currency: 'RUB', minorUnits: 1 },
		},
		countriesRestrictions: { restrictionType: 'all' },
	};

	it('are read in one request, simplified or whole, up to the limit', async () => {
		bank().answer = () => [200, { limits: [limit, { ...limit, id: 6 }] }];
		expect(jsonOf(await run('cardLimit.getMany', { cardId: 12, limit: 1 }))).toEqual([
			{
				id: 5,
				created: '2026-01-01',
				single: 10.5,
				max: 5,
				currency: 'RUB',
				limitsRaw: limit.limits,
				countries: 'all',
			},
		]);
		expect(jsonOf(await run('cardLimit.getMany', { cardId: '12', output: 'raw', returnAll: true }))).toEqual([
			{ ...limit, id: 5 },
			{ ...limit, id: 6 },
		]);
		expect(bank().seen.map(({ path, query }) => [path, query])).toEqual([
			['/api/pp/v1/cards/12/user-limits', []],
			['/api/pp/v1/cards/12/user-limits', []],
		]);
	});

	it.each([['{}'], ['']])('say what was deleted when the bank answers "%s"', async (text) => {
		bank().answer = () => [200, text];
		expect(await run('cardLimit.delete', { cardId: 'c', limitId: 1001 })).toEqual([
			{ json: { deleted: true, cardId: 'c', limitId: '1001' }, pairedItem: { item: 0 } },
		]);
		expect(bank().seen).toMatchObject([{ method: 'DELETE', path: '/api/pp/v1/cards/c/user-limits/1001', text: '' }]);
	});
});

describe('webhooks', () => {
	it('are read with their object', async () => {
		bank().answer = () => [200, { id: webhookId, enabled: 'true', version: '1', data: { accounts: [] } }];
		expect(jsonOf(await run('webhook.get', { id: webhookId }))).toEqual([
			{ id: webhookId, enabled: true, version: 1, data: { accounts: [] } },
		]);
		expect(bank().seen).toMatchObject([
			{ method: 'GET', path: `/api/v1/webhooks/${webhookId}`, query: [['object', 'ul_transaction_default']] },
		]);
	});

	it.each([200, 204])('say what was deleted when the bank answers %i without a body', async (status) => {
		bank().answer = () => [status];
		const object = 'jp_sbp_incoming_payments';
		expect(jsonOf(await run('webhook.delete', { id: webhookId, object }))).toEqual([
			{ deleted: true, id: webhookId, object },
		]);
		expect(bank().seen).toMatchObject([
			{ method: 'DELETE', path: `/api/v1/webhooks/${webhookId}`, query: [['object', object]] },
		]);
	});

	it('need an identifier that is one', async () => {
		expect((await refusalOf(run('webhook.delete', { id: '42' }))).message).toContain('Webhook ID (id) must be a UUID');
		expect(bank().seen).toEqual([]);
	});
});

describe('what a user may get wrong', () => {
	it('an operation of another resource is refused by name', async () => {
		const refusal = await refusalOf(run('payment.orderCredit'));
		expect(refusal.message).toBe('There is no operation "orderCredit" for the resource "payment"');
		expect(refusal.description).toContain('Nothing was sent');
		expect(bank().seen).toEqual([]);
	});

	it('an expression that fails stops before anything is sent, and names its item', async () => {
		const failing = () => {
			throw new Error(`Cannot read ${account}`);
		};
		const items = [{ id: '1' }, {}];
		const refusal = await refusalOf(
			run('taxpayerAccount.get', { requestId: (json: { id?: string }) => json.id ?? failing() }, { items }),
		);
		expect(refusal.message).toBe('Cannot read ****0001');
		expect(refusal.context).toMatchObject({ itemIndex: 1 });
		expect(bank().seen).toEqual([]);
	});

	it("an expression that fails for one item is that item's own fault when the node goes on", async () => {
		bank().answer = () => [200, { status: 'SUCCESS' }];
		const requestId = (json: { id?: string }) => {
			if (json.id === undefined) throw new Error('No id');
			return json.id;
		};
		const output = await run('taxpayerAccount.get', { requestId }, { items: [{}, { id: '1' }], continueOnFail: true });
		expect(output).toMatchObject([
			{ json: { error: 'No id', details: { outcome: 'notSent' } }, pairedItem: { item: 0 } },
			{ json: { status: 'SUCCESS' }, pairedItem: { item: 1 } },
		]);
	});

	it('a field that $json does not have is a required field that is missing', async () => {
		expect((await refusalOf(run('taxpayerAccount.get', { requestId: '={{ $json.nothing }}' }))).message).toBe(
			'Item 0: requestId is required',
		);
		expect(bank().seen).toEqual([]);
	});

	it('no items are no requests', async () => {
		expect(await run('taxpayerAccount.get', { requestId: '1' }, { items: [] })).toEqual([]);
		expect(bank().seen).toEqual([]);
	});
});

describe('an AI agent', () => {
	const asTool = (id: string, parameters: Record<string, unknown>) => {
		const [resource, operation] = id.split('.');
		const context = fakeN8n({
			parameters: { resource, operation, ...parameters },
			credentials,
			node: { type: 'n8n-nodes-bank.bankTool' },
		});
		return new Bank().execute.call(context as unknown as IExecuteFunctions);
	};

	it('cannot pay, whatever else it gives', async () => {
		const refusal = await refusalOf(asTool('payment.sendPackage', { preview: true }));
		expect(refusal.message).toBe('Send Package is not available to AI agents');
		expect(refusal.description).toContain('Nothing was sent');
		expect(bank().seen).toEqual([]);
	});

	it.each(['webhook.delete', 'cardLimit.delete', 'payment.sendPackage'])(
		'cannot do what stays done: %s, and is not offered it',
		async (id) => {
			expect((await refusalOf(asTool(id, {}))).message).toMatch(/is not available to AI agents$/);
			expect(bank().seen).toEqual([]);
			const [resource, operation] = id.split('.');
			const offered = (name: string): unknown[] =>
				new Bank().description.properties
					.filter(
						(field) => field.name === 'operation' && field.displayOptions?.show?.resource?.includes(resource ?? ''),
					)
					.flatMap(({ options = [] }) => options)
					.filter(
						(option) =>
							'value' in option &&
							option.value === operation &&
							NodeHelpers.displayParameter({}, option, null, { name } as INodeTypeDescription),
					);
			expect(offered('bank')).toHaveLength(1);
			expect(offered('bankTool')).toEqual([]);
		},
	);

	it('can read', async () => {
		bank().answer = () => [200, { status: 'SUCCESS' }];
		expect(await asTool('taxpayerAccount.get', { requestId: '1' })).toEqual([
			[{ json: { status: 'SUCCESS' }, pairedItem: { item: 0 } }],
		]);
	});
});
