/** Pure rules for webhook subscriptions (P9-P11). */
import {
	unconfirmedChanges,
	restoreRequest,
	matchesDesired,
	isOwnAddress,
	isReadable,
	isWebhookObject,
	prepare,
	operationById,
	type Subscription,
	subscriptionOf,
	enableRequest,
	type DesiredSubscription,
	desiredSubscriptionIssues,
} from '../src/index.ts';

const id = '123e4567-e89b-42d3-a456-426614174000';
const desired: DesiredSubscription = {
	id,
	object: 'ul_transaction_default',
	callbackUri: 'https://n8n.test/webhook/x/bank',
	accounts: 'keep',
};
const incoming: DesiredSubscription = { ...desired, object: 'jp_sbp_incoming_payments' };
const present: Subscription = { enabled: false, callbackUri: 'https://n8n.test/old', data: { accounts: ['1', '2'] } };
const registered: Subscription = { enabled: true, callbackUri: desired.callbackUri, data: { accounts: ['1', '2'] } };

describe('switching on', () => {
	it('sends the whole subscription, with the accounts that are registered', () => {
		expect(enableRequest(desired, present)).toEqual({
			path: { id },
			body: {
				object: 'ul_transaction_default',
				enabled: true,
				data: { accounts: ['1', '2'] },
				callbackUri: desired.callbackUri,
				version: 1,
			},
		});
	});

	it.each([
		['all' as const, []],
		[['7'], ['7']],
	])('with %j sends %j', (accounts, sent) => {
		expect(enableRequest({ ...desired, accounts, organizationIdHash: 'h' }, present)).toMatchObject({
			body: { data: { accounts: sent }, organizationIdHash: 'h' },
		});
	});

	it.each([
		['that the user gives', 'mine', 'mine'],
		['that is registered, where the user gives none', undefined, 'registered'],
	])('sends the digest of the organisation %s', (_which, given, sent) => {
		const mine = { ...desired, ...(given === undefined ? {} : { organizationIdHash: given }) };
		expect(enableRequest(mine, { ...present, organizationIdHash: 'registered' }).body).toMatchObject({
			organizationIdHash: sent,
		});
	});

	it('never sends data for incoming payments (P10, rule 3)', () => {
		for (const accounts of ['keep', 'all', ['1']] as const)
			expect(enableRequest({ ...incoming, accounts }, undefined).body).toEqual({
				object: incoming.object,
				enabled: true,
				callbackUri: desired.callbackUri,
				version: 1,
			});
	});

	it('and giving back pass the checks of P10', () => {
		for (const input of [
			enableRequest(desired, present),
			enableRequest(incoming, undefined),
			restoreRequest(desired, present),
			restoreRequest(incoming, { enabled: false, callbackUri: desired.callbackUri }),
		]) {
			expect(prepare(operationById('webhook.update'), input).method).toBe('PUT');
		}
	});
});

describe('what speaks against it', () => {
	it('is another host, and both are named', () => {
		const [fault] = desiredSubscriptionIssues(desired, { ...present, callbackUri: 'https://other.test/old' });
		expect(fault?.message).toContain('https://other.test, not https://n8n.test');
	});

	it('is nothing otherwise, also where nothing can be read', () => {
		expect(desiredSubscriptionIssues(desired, present)).toEqual([]);
		expect(desiredSubscriptionIssues(incoming, undefined)).toEqual([]);
	});
});

describe("the bank's answer", () => {
	it('is right when it says what was asked, and leaves the rest out', () => {
		expect(unconfirmedChanges(desired, present, registered)).toEqual([]);
		expect(unconfirmedChanges(desired, present, { enabled: true })).toEqual([]);
		expect(unconfirmedChanges(desired, present, {})).toEqual(['its response shows no subscription']);
	});

	it('names why the subscription stays disabled', () => {
		const disabled = (...statusDescriptions: NonNullable<Subscription['statusDescriptions']>) =>
			unconfirmedChanges(desired, present, { ...registered, enabled: false, statusDescriptions });
		const because = (why: string) => [`the bank keeps the subscription disabled${why}`];
		const revoked = { cause: 'REVOKED', description: 'The agreement was revoked' };
		expect(disabled(revoked, { description: 'and more' })).toEqual(
			because(' (REVOKED: The agreement was revoked; and more)'),
		);
		expect(disabled({}, { cause: '', description: 'more' }, { cause: 'X', description: '' })).toEqual(
			because(' (more; X)'),
		);
		for (const none of [disabled(), disabled({})]) expect(none).toEqual(because(' and gives no reason'));
	});

	it('must have our address and our accounts', () => {
		expect(unconfirmedChanges(desired, present, { ...registered, callbackUri: 'https://n8n.test/old' })).toEqual([
			'the bank has kept another callback address',
		]);
		expect(unconfirmedChanges(desired, present, { ...registered, data: { accounts: ['1'] } })).toEqual([
			'the bank has kept other accounts',
		]);
		expect(unconfirmedChanges(incoming, undefined, { ...registered, data: { accounts: ['1'] } })).toEqual([]);
	});
});

describe('a subscription as the bank answers it', () => {
	it.each([
		[{ enabled: null, callbackUri: null, data: null, statusDescriptions: null }, {}],
		[{ data: { accounts: '40702810000000000001' } }, {}],
		[{ data: { accounts: [] } }, { data: { accounts: [] } }],
		[{ data: { accounts: [7, '8'] } }, { data: { accounts: ['7', '8'] } }],
		[{ data: { accounts: ['7', {}] } }, {}],
		[
			{ enabled: true, callbackUri: 'https://n8n.test/old', organizationIdHash: 'h', object: 'x' },
			{ enabled: true, callbackUri: 'https://n8n.test/old', organizationIdHash: 'h' },
		],
		[{ enabled: 'true', callbackUri: 7, organizationIdHash: 7 }, {}],
		[{ statusDescriptions: [{ cause: 7, description: 'gone' }] }, { statusDescriptions: [{ description: 'gone' }] }],
		[undefined, {}],
		['<html>', {}],
	])('%j says %j', (answer, subscription) => expect(subscriptionOf(answer)).toEqual(subscription));

	it('never becomes one of all accounts because none are known', () => {
		const unknown = subscriptionOf({ callbackUri: 'https://n8n.test/old', data: { accounts: null } });
		expect(desiredSubscriptionIssues(desired, unknown)).toHaveLength(1);
		expect(restoreRequest(desired, unknown).body).not.toHaveProperty('data');
		expect(() => prepare(operationById('webhook.update'), restoreRequest(desired, unknown))).toThrow('data.accounts');
	});
});

describe('as wanted', () => {
	const on: Subscription = { enabled: true, callbackUri: desired.callbackUri };

	it.each<[string, DesiredSubscription, Subscription, boolean]>([
		['what is registered', desired, registered, true],
		['the same accounts in another order', { ...desired, accounts: ['2', '1'] }, registered, true],
		['one account that is another', { ...desired, accounts: ['1', '3'] }, registered, false],
		['one account less', { ...desired, accounts: ['1'] }, registered, false],
		['all accounts', { ...desired, accounts: 'all' }, registered, false],
		['all accounts where none are known', { ...desired, accounts: 'all' }, on, false],
		['accounts where none are known', { ...desired, accounts: ['1'] }, on, false],
		['incoming payments, which have no accounts', { ...incoming, accounts: ['1'] }, on, true],
		['incoming payments for which the bank names accounts', incoming, registered, false],
		['one that is switched off', desired, { ...registered, enabled: false }, false],
		['one of which the bank does not say that it is on', desired, { ...registered, enabled: undefined }, false],
		['one of another address', desired, { ...registered, callbackUri: 'https://n8n.test/old' }, false],
	])('is or is not: %s', (_kind, wanted, there, expected) => {
		expect(matchesDesired(wanted, there)).toBe(expected);
	});

	it('accounts cannot be kept that the bank does not say', () => {
		expect(desiredSubscriptionIssues({ ...desired, accounts: 'all' }, { ...present, data: undefined })).toEqual([]);
		for (const unknown of [undefined, {}])
			expect(desiredSubscriptionIssues(desired, unknown)).toEqual([
				{
					path: 'accounts',
					message: 'cannot be kept, because the bank does not say which are registered',
					code: 'accountsUnknown',
				},
			]);
	});
});

describe('giving back', () => {
	it('switches on again what was on, and sends nothing that was not there', () => {
		expect(restoreRequest(desired, { enabled: true, organizationIdHash: '' }).body).toStrictEqual({
			object: desired.object,
			enabled: true,
			version: 1,
		});
		expect(restoreRequest(incoming, registered).body).toStrictEqual({
			object: incoming.object,
			enabled: true,
			callbackUri: desired.callbackUri,
			version: 1,
		});
	});

	it('disables a subscription that is not known to have been enabled', () => {
		expect(restoreRequest(incoming, {}).body).toStrictEqual({ object: incoming.object, enabled: false, version: 1 });
	});

	it('puts everything back as it was', () => {
		expect(restoreRequest(desired, { ...present, organizationIdHash: 'h' }).body).toEqual({
			object: desired.object,
			enabled: false,
			organizationIdHash: 'h',
			data: { accounts: ['1', '2'] },
			callbackUri: 'https://n8n.test/old',
			version: 1,
		});
	});
});

it.each([
	['ul_transaction_default', true],
	['jp_sbp_incoming_payments', true],
	['constructor', false],
	['', false],
])('%j is one of the two objects: %s', (object, expected) => expect(isWebhookObject(object)).toBe(expected));

it('only the subscription to statements can be read (P9)', () => {
	expect([isReadable(desired.object), isReadable(incoming.object)]).toEqual([true, false]);
});

it('an address of our own is told from one that only begins like it', () => {
	const own = 'https://n8n.test/webhook/x';
	expect([own, `${own}/bank`, `${own}/x/bank/secret`].every((address) => isOwnAddress(address, own))).toBe(true);
	expect([undefined, `${own}y/bank`, 'https://n8n.test/webhook'].some((address) => isOwnAddress(address, own))).toBe(
		false,
	);
});
