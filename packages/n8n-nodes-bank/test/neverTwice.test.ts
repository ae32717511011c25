/** What n8n does by itself, and must not do with what has an effect: send again, run again, follow, keep. */
import { type Effect, operations } from '@bank/core';

import { jsonOf, refusalOf, type Run, run, type RunOptions, useBank } from './support/bank.ts';

// Between the tries of a read.
jest.mock('n8n-workflow', () => ({ ...jest.requireActual<object>('n8n-workflow'), sleep: async () => undefined }));

const bank = useBank();
const webhookId = '123e4567-e89b-42d3-a456-426614174000';
const account = '40702810000000000001';
const signature = 'c2lnbmF0dXJl';
const payments = (phones: string[]) => ({
	paymentRun: 'salary-2026-11',
	partnerId: 1,
	inn: '7700000000',
	account,
	signedBody: signature,
	recipientsFrom: 'list',
	payments: () =>
		phones.map((phone) => ({ amount: 10, phone, nspkBankId: '100000000111', paymentDescription: 'Reward', ric: 1 })),
});

interface Kind {
	effect: Effect;
	id: string;
	parameters: Record<string, unknown>;
	/** An answer that confirms it. */
	success: unknown;
}

/** One for each effect that an operation can have. */
const kinds: readonly Kind[] = [
	{ effect: 'read', id: 'taxpayerAccount.get', parameters: { requestId: '1' }, success: { status: 'SUCCESS' } },
	{
		effect: 'order',
		id: 'statement.orderAccount',
		parameters: { dateBegin: '2026-01-01', dateEnd: '2026-01-31', accountIds: [account] },
		success: { id: '1', date: '2026-01-31T09:00:00.000Z', type: { code: 'c', title: 't' }, status: 'ENQUEUED' },
	},
	{
		effect: 'change',
		id: 'loanApplication.create',
		parameters: { dealId: webhookId, borrowerType: 'individual', inn: '770000000000', partner: '{}' },
		success: { dealId: webhookId },
	},
	{ effect: 'delete', id: 'cardLimit.delete', parameters: { cardId: 'c', limitId: '1' }, success: {} },
	{
		effect: 'money',
		id: 'payment.sendPackage',
		parameters: payments(['+79000000001']),
		success: { client: { partnerId: 1 }, payPackage: 7, payments: [] },
	},
];
const withEffect = (effect: Effect) => kinds.find((kind) => kind.effect === effect)!;
const [read, money] = [withEffect('read'), withEffect('money')];
const named = kinds.map((kind) => [kind.effect, kind] as const);
const acting = named.filter(([effect]) => effect !== 'read');

const running = (kind: Kind, options: RunOptions = {}): ReturnType<Run> => run(kind.id, kind.parameters, options);
const addressesAsked = () => bank().seen.map(({ path }) => path);
const tokensAsked = () => bank().seen.map(({ headers }) => headers.authorization);

it('there is one of each effect, so that the tests below leave none out', () => {
	expect(kinds.map(({ effect }) => effect).sort()).toEqual([...new Set(operations.map(({ effect }) => effect))].sort());
	for (const { id, effect } of kinds) expect(operations.find((operation) => operation.id === id)?.effect).toBe(effect);
});

describe('a token that has expired', () => {
	/** Each type of credential that a token comes with; the first answer is a 401. */
	const withRenewal = () => {
		const credential = {
			environment: 'sandbox',
			sandboxBaseUrl: 'https://bank.test',
			token: 'old',
			renewed: 'new',
		};
		return { bankClientCredentialsOAuth2Api: credential, bankAuthorizationCodeOAuth2Api: credential };
	};
	const expiredFirst = (success: unknown) =>
		(bank().answer = ({ headers }) =>
			headers.authorization === 'Bearer new' ? [200, success] : [401, { error: 'invalid_token' }]);

	it('is renewed, and the payment that was refused with the old one is not sent again', async () => {
		const credentials = withRenewal();
		expiredFirst(money.success);
		const { message } = await refusalOf(running(money, { credentials }));
		expect(message).toContain('401 invalid_token');
		expect(tokensAsked()).toEqual(['Bearer old']);
		// Whoever runs it again runs it with the new one.
		await running(money, { credentials, executionId: '2' });
		expect(tokensAsked()).toEqual(['Bearer old', 'Bearer new']);
	});

	it.each(named.filter(([effect]) => effect !== 'money'))(
		'is renewed, and the refused request with the effect %s goes once more with the new one',
		async (_effect, kind) => {
			expiredFirst(kind.success);
			await running(kind, { credentials: withRenewal() });
			expect(tokensAsked()).toEqual(['Bearer old', 'Bearer new']);
		},
	);
});

it.each(named)(
	'a redirect is not followed with the effect %s: token and body would go elsewhere',
	async (_effect, kind) => {
		for (const status of [301, 302, 307, 308]) {
			bank().seen.length = 0;
			bank().answer = ({ path }) =>
				path === '/elsewhere' ? [200, kind.success] : [status, '', { Location: 'https://bank.test/elsewhere' }];
			const { message } = await refusalOf(running(kind, { executionId: String(status) }));
			expect(message).toContain('redirect');
			expect(new Set(addressesAsked())).not.toContain('/elsewhere');
			expect(addressesAsked()).toHaveLength(1);
		}
	},
);

describe('Retry On Fail, which runs the whole node again,', () => {
	it('does not send a payment again that was rejected', async () => {
		const context = {};
		bank().answer = () => [400, { error: 'invalid_request', error_description: 'No such bank' }];
		const first = await refusalOf(running(money, { context }));
		bank().answer = () => [200, money.success];
		for (let again = 0; again < 3; again++) {
			const later = await refusalOf(running(money, { context }));
			expect([later.message, later.context.details]).toEqual([first.message, first.context.details]);
		}
		expect(bank().seen).toHaveLength(1);
	});

	it('sends a payment again that was rejected, when a person retries the execution', async () => {
		const context = {};
		bank().answer = () => [400, { error: 'invalid_request' }];
		await refusalOf(running(money, { context }));
		bank().answer = () => [200, money.success];
		await running(money, { context, executionId: '2' });
		expect(bank().seen).toHaveLength(2);
	});

	it.each(acting)('does not send what is unknown again, with the effect %s', async (_effect, kind) => {
		const context = {};
		bank().answer = () => [500, { error: 'internal_error' }];
		await refusalOf(running(kind, { context }));
		bank().answer = () => [200, kind.success];
		await refusalOf(running(kind, { context }));
		expect(bank().seen).toHaveLength(1);
	});

	it.each(acting)('answers from what was accepted, with the effect %s', async (_effect, kind) => {
		const context = {};
		bank().answer = () => [200, kind.success];
		const first = await running(kind, { context });
		bank().answer = () => [500, ''];
		expect(await running(kind, { context })).toEqual(first);
		expect(bank().seen).toHaveLength(1);
	});

	it('reads again what only reads, and gives what is true now', async () => {
		const context = {};
		bank().answer = () => [200, { status: 'FIRST' }];
		await running(read, { context });
		bank().answer = () => [200, { status: 'SECOND' }];
		expect(jsonOf(await running(read, { context }))).toEqual([{ status: 'SECOND' }]);
		bank().answer = () => [403, { error: 'access_denied' }];
		await refusalOf(running(read, { context }));
		bank().answer = () => [200, { status: 'THIRD' }];
		expect(jsonOf(await running(read, { context }))).toEqual([{ status: 'THIRD' }]);
		expect(bank().seen).toHaveLength(4);
	});

	it.each(acting)('is not what the next round of a loop is: that sends, with the effect %s', async (_effect, kind) => {
		const context = {};
		bank().answer = () => [200, kind.success];
		await running(kind, { context, runIndex: 0 });
		await running(kind, { context, runIndex: 1 });
		await running(kind, { context, runIndex: 1 });
		expect(bank().seen).toHaveLength(2);
	});
});

describe('an error, which n8n stores with its node,', () => {
	/** The node as it stands in what was thrown. */
	const nodeIn = async (failing: Promise<unknown>) => {
		const thrown = await failing.then(
			() => undefined,
			(error: unknown) => error,
		);
		expect(thrown).toBeDefined();
		expect(JSON.stringify(thrown)).not.toMatch(new RegExp(`${account}|${signature}|79000000001`));
		return (thrown as { node: { parameters: unknown } }).node.parameters;
	};
	const chosen = { resource: 'payment', operation: 'sendPackage' };

	it.each([
		['the bank refused', () => [400, { error: 'invalid_request' }]],
		['nobody knows of', () => [500, '']],
		['was answered with a page', () => [200, '<html>']],
	] as const)('holds none of its parameters: a payment that %s', async (_what, answer) => {
		bank().answer = () => answer() as [number, unknown];
		expect(await nodeIn(running(money))).toEqual(chosen);
	});

	it('holds none of its parameters: a payment with a fault', async () => {
		const faulty = { ...money.parameters, inn: 'no number' };
		expect(await nodeIn(run(money.id, faulty))).toEqual(chosen);
	});

	it('holds none of its parameters: an expression that fails', async () => {
		const failing = () => {
			throw new Error('Cannot read');
		};
		expect(await nodeIn(run(money.id, { ...money.parameters, inn: failing }))).toEqual(chosen);
	});

	it('holds none of its parameters: no address in the credential', async () => {
		const credentials = { bankClientCredentialsOAuth2Api: { environment: 'sandbox', sandboxBaseUrl: '' } };
		expect(await nodeIn(running(money, { credentials }))).toEqual(chosen);
	});
});
