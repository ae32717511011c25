/** 4.18 to 4.20: a debit is sent once and never by an AI agent; tokens are sent as configured. */
import { oracleOf } from '../../fixtures/src/oracle.ts';
import { FakeDatabase, InlineWorkflowRunner } from '../../fixtures/src/processedDataStore.ts';
import { BankPartnerServices } from '../nodes/BankPartnerServices/BankPartnerServices.node.ts';
import { jsonOf, refusalOf, runOf, type RunOptions, useBank } from './support/bank.ts';

const bank = useBank();
const run = runOf(BankPartnerServices);
const bodies = () => bank().seen.map(({ body }) => body);

describe('a debit', () => {
	const given = {
		path: '/direct-debit/debits',
		transactionId: 'T-1',
		purpose: 'Repayment',
		names: { purpose: 'purpose' },
		payload: '{"loanAccount": "L-1", "amount": 1500.5}',
	};
	const debit = (parameters: Record<string, unknown> = {}, options?: RunOptions) =>
		run('directDebit.debit', { ...given, ...parameters }, options);
	const purposes = () => bodies().map((body) => (body as { purpose: string }).purpose);
	beforeEach(() => {
		bank().answer = () => [200, { paymentOrder: 'PO-1' }];
	});

	it('has exactly the values of the form', async () => {
		const output = await debit();
		const { path = given.path } = oracleOf('directDebit.debit');
		expect(bank().seen).toMatchObject([{ method: 'POST', path, query: [] }]);
		expect(bodies()).toEqual([{ loanAccount: 'L-1', amount: 1500.5, purpose: 'Repayment service Id: T-1' }]);
		const json = { transactionId: 'T-1', paymentOrder: 'PO-1', outcome: 'accepted' };
		expect(output).toEqual([{ json, pairedItem: { item: 0 } }]);
	});

	it('has its own transaction ID in the item, also if the response has other fields of these names', async () => {
		const answer = { transactionId: 'B-9', outcome: 'DONE' };
		bank().answer = () => [200, answer];
		expect(jsonOf(await debit())).toEqual([{ transactionId: 'T-1', outcome: 'accepted', response: answer }]);
	});

	it('may have another label, and is sent in the field of the service details', async () => {
		await debit({ options: { purposeLabel: 'service number' }, names: { purpose: 'order.purpose' } });
		const order = { purpose: 'Repayment service number: T-1' };
		expect(bodies()).toEqual([{ loanAccount: 'L-1', amount: 1500.5, order }]);
	});

	it.each([
		...[' ', '\u200b'].map((transactionId): [string, Record<string, unknown>, string] => [
			'without an ID that can be seen',
			{ transactionId },
			'Transaction ID is required: your unique identifier of the tranche',
		]),
		['with an empty label', { options: { purposeLabel: '' } }, 'Transaction ID Label must not be empty'],
		['without a payload, because a purpose alone debits nothing', { payload: '' }, 'needs fields from your bank'],
		['with the transaction ID of another item', {}, 'Transaction ID is the same as in item 0'],
		['with the execution ID', { transactionId: '={{ $execution.id }}' }, 'must be the same on every run'],
	])('is refused before anything is sent %s', async (_name, parameters, words) => {
		const refusal = await refusalOf(debit(parameters, { items: [{}, {}] }));
		expect(refusal.text).toContain(words);
		expect(refusal.description).toContain('Nothing was sent.');
		expect(bank().seen).toEqual([]);
	});

	it.each([
		['an object', { a: 1 }, 'Transaction ID must be text or a number, but its expression returns an object'],
		['a list', ['T-1'], 'Transaction ID must be text or a number, but its expression returns an object'],
		// JSON.parse has changed its last digits.
		['a number too long', 2 ** 60, 'Transaction ID is a number with more than 15 digits'],
	])('is refused with a transaction ID that is %s, which is not that of the tranche', async (_name, id, words) => {
		const refusal = await refusalOf(debit({ transactionId: '={{ $json.id }}' }, { items: [{ id }] }));
		expect(refusal.text).toContain(words);
		expect(bank().seen).toEqual([]);
	});

	describe('as a preview', () => {
		it('sends nothing, and shows exactly what would be sent', async () => {
			const [shown] = await debit({ preview: true });
			expect(bank().seen).toEqual([]);
			await debit();
			const [seen] = bank().seen;
			const request = { method: 'POST', url: seen?.path, body: seen?.body };
			expect(shown).toMatchObject({
				json: { preview: true, bodyText: seen?.text, request },
				pairedItem: [{ item: 0 }],
			});
		});

		it('has no hint about a payment, and does not open the payment log', async () => {
			const hints: { message: string }[] = [];
			const remembered = new FakeDatabase();
			const address = { environment: 'production', productionBaseUrl: 'https://bank.test', token: 'x' };
			const credentials = { bankClientCredentialsOAuth2Api: address, bankGatewayApi: address };
			await debit({ preview: true }, { hints, remembered, credentials, mode: 'manual' });
			expect(hints).toEqual([]);
			expect(remembered.tables).toEqual([]);
		});
	});

	it('reads its own rows of the log, not those of all debits', async () => {
		const remembered = new FakeDatabase();
		const debitFrom = (from: number) => {
			const items = Array.from({ length: 21 }, (_, index) => ({ id: `T-${from + index}` }));
			return debit({ transactionId: '={{ $json.id }}' }, { items, remembered });
		};
		await debitFrom(0);
		const inline = jest.spyOn(InlineWorkflowRunner.prototype, 'run');
		await debitFrom(20);
		const outputs = await Promise.all(
			inline.mock.results.map((one) => one.value as ReturnType<InlineWorkflowRunner['run']>),
		);
		const reads = outputs.filter((_, index) => inline.mock.calls[index]?.[0].nodes.some(({ name }) => name === 'get'));
		inline.mockRestore();
		expect(bank().seen).toHaveLength(41);
		const earlier = reads[0]?.[0]?.filter(({ json }) => json.outcome === 'accepted') ?? [];
		expect(earlier.map(({ json }) => json.sequence)).toEqual(['T-20']);
	});

	describe('is never sent twice', () => {
		const items = [{ id: 'T-1' }, { id: 'T-2' }, { id: 'T-3' }];
		const several = (options: RunOptions) => debit({ transactionId: '={{ $json.id }}' }, { items, ...options });
		const ids = () => purposes().map((purpose) => purpose.slice(-3));

		it('after one was rejected: the error says what the run did, and the next run sends the others', async () => {
			const remembered = new FakeDatabase();
			bank().answer = ({ text }) => (text.includes('T-2') ? [400, { message: 'no such loan' }] : [200, { ok: 1 }]);
			const first = await refusalOf(several({ remembered }));
			expect(first.description).toMatch(
				/^1 of 3 accepted; 1 rejected, 1 not sent\. The bank rejected it, so no money moved\./,
			);
			expect(first.context.details).toMatchObject({ transactionId: 'T-2', carriedOut: [{ transactionId: 'T-1' }] });
			expect(ids()).toEqual(['T-1', 'T-2']);
			bank().answer = () => [200, { ok: 1 }];
			const outcomes = jsonOf(await several({ remembered })).map(({ outcome }) => outcome);
			expect(outcomes).toEqual(['alreadyAccepted', 'accepted', 'accepted']);
			expect(ids()).toEqual(['T-1', 'T-2', 'T-2', 'T-3']);
		});
	});
});

describe('a profile', () => {
	const token = 'user-token-0001';
	const get = (parameters: Record<string, unknown> = {}) => run('profile.get', { accessToken: token, ...parameters });

	it.each(['gateway', 'mutualTls'])(
		"is read with the user's token, by default as a bearer token (%s)",
		async (authentication) => {
			bank().answer = () => [200, { inn: '7700000000' }];
			expect(jsonOf(await get({ authenticateWith: authentication }))).toEqual([{ inn: '7700000000' }]);
			expect(bank().seen).toMatchObject([{ method: 'GET', path: '/getProfileInfo', query: [], text: '' }]);
			expect(bank().seen[0]?.headers.authorization).toBe(`Bearer ${token}`);
		},
	);

	it.each([
		['authorizationCode', 'bankAuthorizationCodeOAuth2Api'],
		['clientCredentials', 'bankClientCredentialsOAuth2Api'],
		['hostToHost', 'bankHostToHostOAuth2Api'],
	])('is read with the token of the credential, if it has one (%s)', async (authentication, credential) => {
		await run('profile.get', { authenticateWith: authentication });
		await get({ authenticateWith: authentication });
		const bearer = `Bearer token of ${credential}`;
		expect(bank().seen.map(({ headers }) => headers.authorization)).toEqual([bearer, bearer]);
	});
});
