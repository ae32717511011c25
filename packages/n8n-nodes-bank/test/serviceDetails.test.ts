/** Service details of the credential: nodes send them, and may override them. */
import type { ILoadOptionsFunctions } from 'n8n-workflow';

import { fakeN8n } from '../../fixtures/src/fakeN8n.ts';
import { FakeDatabase } from '../../fixtures/src/processedDataStore.ts';
import { BankCardIssuance } from '../nodes/BankCardIssuance/BankCardIssuance.node.ts';
import { BankCourier } from '../nodes/BankCourier/BankCourier.node.ts';
import { BankPartnerServices } from '../nodes/BankPartnerServices/BankPartnerServices.node.ts';
import { credentials, jsonOf, refusalOf, type Run, runOf, type RunOptions, useBank } from './support/bank.ts';

const bank = useBank();
const withDocument = (serviceDetails: unknown): RunOptions => ({
	credentials: {
		...credentials,
		bankGatewayApi: {
			...credentials.bankGatewayApi,
			serviceDetails: typeof serviceDetails === 'string' ? serviceDetails : JSON.stringify(serviceDetails),
		},
	},
});
const document = {
	'courier.checkCode': {
		method: 'PUT',
		path: '/orders/{orderId}/code',
		names: { code: 'auth.code' },
		fields: {
			orderId: { type: 'string' },
			attempt: { type: 'integer', label: 'Attempt', required: true },
			lang: { type: 'string', value: 'en' },
		},
	},
	'trip.send': {
		method: 'POST',
		path: '/trips',
		fields: {
			'route.from': { type: 'string', required: true },
			km: { type: 'number' },
			at: { type: 'date' },
			kind: { type: 'string', options: ['BUSINESS'] },
		},
	},
	'scoring.getShort': {
		responses: {
			notReady: { field: 'state', values: ['WORK'] },
			no: { field: 'state', values: ['NO'] },
			yes: { field: 'state', values: ['YES'] },
		},
	},
	'directDebit.debit': {
		method: 'POST',
		path: '/debits',
		names: { purpose: 'purpose' },
		fields: { amount: { type: 'number', required: true } },
		responses: { no: { field: 'status', values: ['NOT_ENOUGH'] } },
	},
};
const [courier, cards, partner] = [runOf(BankCourier), runOf(BankCardIssuance), runOf(BankPartnerServices)];
const mapped = (value: Record<string, unknown>) => ({ mappingMode: 'defineBelow', value });
/** Runs an operation without Override Service Details. */
const send = (run: Run, id: string, parameters: Record<string, unknown>, options: RunOptions = {}) =>
	run(id, { serviceDetails: {}, ...parameters }, { ...withDocument(document), ...options });

describe('with service details', () => {
	it('a request has what the document says and the values of the item', async () => {
		const bodyFields = mapped({ orderId: '={{ $json.id }}', attempt: '2' });
		await send(courier, 'courier.checkCode', { code: '0042', bodyFields }, { items: [{ id: 'A 1' }, { id: 'B' }] });
		expect(bank().seen).toMatchObject(
			['A%201', 'B'].map((id) => ({
				method: 'PUT',
				path: `/orders/${id}/code`,
				body: { attempt: 2, lang: 'en', auth: { code: '0042' } },
			})),
		);
		expect(Object.keys(bank().seen[0]?.body ?? {})).not.toContain('orderId');
	});

	it('the fields may come from the columns of the item', async () => {
		const items = [{ route: { from: 'A' }, km: 3, other: 'x' }, { 'route.from': 'B' }];
		const parameters = { bodyFields: { mappingMode: 'autoMapInputData', value: null } };
		await send(partner, 'trip.send', parameters, { items });
		expect(bank().seen.map(({ body }) => body)).toEqual([{ route: { from: 'A' }, km: 3 }, { route: { from: 'B' } }]);
		const fields = { '[0].route.from': { type: 'string' }, 'X-Trip': { type: 'string', in: 'header' } };
		const list = withDocument({ 'trip.send': { method: 'POST', path: '/trips', fields } });
		await send(partner, 'trip.send', parameters, { ...list, items: [{ route: { from: 'C' }, 'X-Trip': 'T-1' }] });
		expect(bank().seen[2]).toMatchObject({ body: [{ route: { from: 'C' } }], headers: { 'x-trip': 'T-1' } });
	});

	it('waiting ends with a result that the document describes, and has a verdict', async () => {
		const answers = [{ state: 'WORK' }, { state: 'NO' }];
		bank().answer = () => [200, answers.shift() ?? { state: 'YES' }];
		const wait = { appId: '1', waitForResult: true };
		expect(jsonOf(await send(cards, 'scoring.getShort', wait))).toEqual([{ state: 'NO', verdict: 'no' }]);
		expect(jsonOf(await send(cards, 'scoring.getShort', wait))).toEqual([{ state: 'YES', verdict: 'yes' }]);
		expect(bank().seen).toHaveLength(3);
	});

	it('loses no field of the response that has the name of one of the node', async () => {
		bank().answer = () => [200, { verdict: 'NO', score: 3 }];
		const options = withDocument({ 'scoring.getShort': { responses: { no: { field: 'verdict', values: ['NO'] } } } });
		expect(jsonOf(await send(cards, 'scoring.getShort', { appId: '1' }, options))).toEqual([
			{ verdict: 'no', score: 3, response: { verdict: 'NO', score: 3 } },
		]);
	});

	it.each([404, 409])('status %i that the document calls not ready says so without waiting', async (status) => {
		bank().answer = () => [status, { message: 'no result' }];
		const options = withDocument({ 'scoring.getShort': { responses: { notReadyStatuses: [404, 409] } } });
		const refusal = await refusalOf(send(cards, 'scoring.getShort', { appId: '1' }, options));
		expect(refusal.message).toBe(
			`Get result of short scoring: the result is not ready yet, according to the service details (${status})`,
		);
		expect(refusal.description).toBe('The bank says: "no result". Try again later.');
		expect(refusal.context.details).toMatchObject({ httpStatus: status, retryable: true });
	});

	it.each([
		['the path', { path: '/debits/{amount}' }],
		['the query', { fields: { amount: { type: 'number', in: 'query' } } }],
	])('a debit with another amount in %s is a conflict', async (_name, details) => {
		const other = { 'directDebit.debit': { ...document['directDebit.debit'], ...details, responses: {} } };
		const remembered = new FakeDatabase();
		const debit = (amount: number) => {
			const parameters = { transactionId: 'T-1', bodyFields: mapped({ amount }) };
			const options = { remembered, continueOnFail: true, ...withDocument(other) };
			return send(partner, 'directDebit.debit', parameters, options);
		};
		await debit(5);
		expect(jsonOf(await debit(6))).toMatchObject([{ details: { outcome: 'conflict' } }]);
		expect(bank().seen).toHaveLength(1);
	});
});

describe('without service details', () => {
	it('nothing is sent; the error names the operation, what is missing, the credential and the templates', async () => {
		const node = { credentials: { bankGatewayApi: { id: '1', name: 'Our bank' } } };
		const refusal = await refusalOf(
			send(courier, 'courier.checkCode', { code: '1' }, { ...withDocument(''), node, items: [{}, {}] }),
		);
		expect(refusal.message).toBe(
			'Check SMS code of courier needs method, path, names.code from your bank: add this to "courier.checkCode" in Service Details ' +
				'of "Our bank", or use "Override Service Details". Templates: ' +
				'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/service-details.md (all 2 items)',
		);
		expect(refusal.message.length).toBeLessThanOrEqual(300);
		expect(bank().seen).toEqual([]);
	});

	it('the node may have them instead', async () => {
		const serviceDetails = '{"method": "POST", "path": "/c", "names": {"code": "sms"}, "payload": {"a": 1}}';
		const fields = { 'X-Partner-Id': { type: 'string', in: 'header', value: 'P-1' } };
		const options = withDocument({ 'courier.checkCode': { fields } });
		await send(courier, 'courier.checkCode', { code: '1', serviceDetails }, options);
		expect(bank().seen).toMatchObject([
			{ method: 'POST', path: '/c', body: { a: 1, sms: '1' }, headers: { 'x-partner-id': 'P-1' } },
		]);
	});

	it('the node may add fields to those of the credential, for each item', async () => {
		const serviceDetails = ({ lang }: { lang?: string }) => ({ fields: { lang: { type: 'string', value: lang } } });
		const fields = mapped({ orderId: '1', attempt: 1 });
		const items = [{ lang: 'de' }, { lang: 'fr' }];
		await send(courier, 'courier.checkCode', { code: '1', bodyFields: fields, serviceDetails }, { items });
		expect(bank().seen.map(({ body }) => body)).toEqual(
			['de', 'fr'].map((lang) => ({ attempt: 1, lang, auth: { code: '1' } })),
		);
	});
});

describe('Override Service Details is validated like the credential, and the error names the key', () => {
	it.each([
		['not JSON', '{"path": "/a" "method": "GET"}', 'The document is not JSON: look at line 1'],
		[
			'a header of the credential',
			{ fields: { 'x-partner': { type: 'string', in: 'header' } } },
			'fields["x-partner"] must be the name of a header that neither another field nor',
		],
		['a method that does not fit the fields', { method: 'GET' }, 'fields["route.from"] must be a plain'],
	])('%s', async (_name, serviceDetails, fault) => {
		const held = withDocument(document).credentials?.bankGatewayApi;
		const bankGatewayApi = { ...held, partnerName: 'x', partnerNameHeader: 'X-Partner' };
		const sending = send(partner, 'trip.send', { serviceDetails }, { credentials: { ...credentials, bankGatewayApi } });
		expect((await refusalOf(sending)).text).toContain(`Override Service Details: ${fault}`);
		expect(bank().seen).toEqual([]);
	});
});

it('an invalid document is refused before anything is sent, with its keys', async () => {
	const wrong = { 'trip.send': { path: 'https://evil.test/' }, 'trip.sent': {} };
	const refusal = await refusalOf(send(partner, 'profile.get', { accessToken: 'x' }, withDocument(wrong)));
	expect(refusal.message).toContain('The Service Details of the credential');
	expect(refusal.description).toContain('"trip.send".path must be a path such as /service/operation');
	expect(refusal.description).toContain('"trip.sent" is not an operation');
	expect(bank().seen).toEqual([]);
});

describe('the fields of the form', () => {
	const fieldsOf = async (
		operation: string,
		details: unknown,
		serviceDetails = '{}',
		node: Record<string, unknown> = { credentials: { bankGatewayApi: { id: '1', name: 'gateway' } } },
		mapper: Record<string, unknown> = {},
	) => {
		const [resource, name] = operation.split('.');
		const chosen = { resource, operation: name, authenticateWith: 'gateway' };
		const parameters: Record<string, unknown> = {
			...chosen,
			bodyFields: mapper,
			'options.serviceDetails': serviceDetails,
		};
		const context = fakeN8n({ ...withDocument(details), parameters, node }) as unknown as ILoadOptionsFunctions;
		const getNodeParameter = (field: string, fallback: unknown) => parameters[field] ?? fallback;
		const { bodyFields } = new BankPartnerServices().methods.resourceMapping;
		return await bodyFields.call(Object.assign(context, { getNodeParameter }));
	};

	it('are those of the document, with types, labels and choices', async () => {
		expect(await fieldsOf('trip.send', document)).toMatchObject({
			fields: [
				{ id: 'route.from', displayName: 'route.from', required: true, type: 'string' },
				{ id: 'km', required: false, type: 'number' },
				{ id: 'at', type: 'dateTime' },
				{ id: 'kind', type: 'options', options: [{ name: 'BUSINESS', value: 'BUSINESS' }] },
			],
		});
	});

	/**
	 * n8n's editor as far as it requests the fields: when the form opens, and when the second column to match changes.
	 */
	const openForm = async (operation: string, selectedAfter: number) => {
		let mapper: Record<string, unknown> = { mappingMode: 'defineBelow', value: null, schema: [] };
		let requests = 0;
		for (let last: unknown; requests === 0 || matchedIn(mapper) !== last;) {
			last = matchedIn(mapper);
			const node = requests++ < selectedAfter ? {} : undefined;
			const { fields } = await fieldsOf(operation, document, '{}', node, { ...mapper, value: null, schema: [] });
			const matched = fields.length === 1 ? fields : fields.filter(({ defaultMatch }) => defaultMatch);
			mapper = { ...mapper, schema: fields, matchingColumns: matched.map(({ id }) => id) };
			expect(requests).toBeLessThan(10);
		}
		return { mapper, requests };
	};
	const matchedIn = ({ matchingColumns }: Record<string, unknown>) => [matchingColumns].flat()[1];
	const idsIn = ({ schema }: Record<string, unknown>) => [schema].flat().map((field) => Object(field).id);

	it.each([0, 1, 2, 3, 4])(
		'are loaded if the editor selects the credential after %i requests',
		async (selectedAfter) => {
			const { mapper } = await openForm('trip.send', selectedAfter);
			expect(idsIn(mapper)).toEqual(['route.from', 'km', 'at', 'kind']);
			expect(idsIn((await openForm('directDebit.getOffer', selectedAfter)).mapper)).toEqual([]);
		},
	);

	it('say what to do if no credential is selected in the end', async () => {
		const { mapper, requests } = await openForm('trip.send', Infinity);
		expect(requests).toBe(5);
		expect(mapper.schema).toMatchObject([
			{ display: false },
			{ display: true, readOnly: true, displayName: expect.stringContaining('Select a credential') },
		]);
	});

	it('are not replaced if they have values', async () => {
		const mapped = { mappingMode: 'defineBelow', value: { km: '={{ $json.km }}' }, schema: [] };
		await expect(fieldsOf('trip.send', document, '{}', {}, mapped)).rejects.toThrow('No credential is selected');
		await expect(fieldsOf('trip.send', '{', '{}', undefined, mapped)).rejects.toThrow('cannot be used');
	});

	it('are absent without a valid document, and a notice says why', async () => {
		expect(await fieldsOf('trip.send', '')).toEqual({
			fields: [],
			emptyFieldsNotice: 'Add the fields of "trip.send" (data of the trip) to the Service Details of the credential.',
		});
		expect(await fieldsOf('trip.send', '{')).toMatchObject({
			fields: [],
			emptyFieldsNotice: expect.stringContaining('cannot be used. The document is not JSON'),
		});
	});

	it('include those that the node adds; an expression without data adds none', async () => {
		const idsOf = async (override: string) =>
			(await fieldsOf('trip.send', document, override)).fields.map(({ id }) => id);
		const ofCredential = ['route.from', 'km', 'at', 'kind'];
		expect(await idsOf('{"fields": {"more": {"type": "string"}}}')).toEqual([...ofCredential, 'more']);
		expect(await idsOf('={{ $json.details }}')).toEqual(ofCredential);
		expect(await fieldsOf('trip.send', document, '{')).toMatchObject({
			fields: [],
			emptyFieldsNotice: expect.stringContaining('Override Service Details: The document is not JSON'),
		});
	});
});
