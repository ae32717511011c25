/** Pure rules for webhook subscriptions (P9-P11). */
import {
	editedSubscription,
	editRequest,
	unconfirmedChanges,
	isInEffect,
	isOwnAddress,
	isReadable,
	prepare,
	operationById,
	type Subscription,
	subscriptionOf,
	type DesiredSubscription,
	subscriptionIssues,
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

const issuesOf = (wanted: DesiredSubscription, before: Subscription | undefined) =>
	subscriptionIssues(wanted.object, editedSubscription(wanted, before), before);

describe('enabling', () => {
	const hashed = { ...present, organizationIdHash: 'registered' };

	it.each<[string, DesiredSubscription, Subscription | undefined, object]>([
		['the accounts that are registered', desired, present, { data: { accounts: ['1', '2'] } }],
		['all accounts', { ...desired, accounts: 'all' }, present, { data: { accounts: [] } }],
		['the accounts that the user chooses', { ...desired, accounts: ['7'] }, present, { data: { accounts: ['7'] } }],
		['the registered digest of the organisation', incoming, hashed, { organizationIdHash: 'registered' }],
		['its own digest', { ...incoming, organizationIdHash: 'mine' }, hashed, { organizationIdHash: 'mine' }],
		// Subscriptions to incoming payments have no data (P10, rule 3).
		['no data for incoming payments', incoming, registered, {}],
		['no data for incoming payments of all accounts', { ...incoming, accounts: 'all' }, undefined, {}],
		['no data for incoming payments of one account', { ...incoming, accounts: ['1'] }, undefined, {}],
	])('sends the whole subscription, with %s', (_what, wanted, before, more) => {
		const body = { object: wanted.object, enabled: true, callbackUri: desired.callbackUri, version: 1, ...more };
		expect(editRequest(wanted, editedSubscription(wanted, before))).toStrictEqual({ path: { id }, body });
	});

	it('and restoring pass the checks of P10', () => {
		for (const input of [
			editRequest(desired, editedSubscription(desired, present)),
			editRequest(incoming, editedSubscription(incoming, undefined)),
			editRequest(desired, present),
			editRequest(incoming, { enabled: false, callbackUri: desired.callbackUri }),
		]) {
			expect(prepare(operationById('webhook.update'), input).method).toBe('PUT');
		}
	});
});

describe('issues of a subscription', () => {
	it('include another host, with both names', () => {
		const [fault] = issuesOf(desired, { ...present, callbackUri: 'https://other.test/old' });
		expect(fault?.message).toContain('https://other.test, not https://n8n.test');
	});

	it('are none otherwise, also if the subscription cannot be read', () => {
		expect(issuesOf(desired, present)).toEqual([]);
		expect(issuesOf(incoming, undefined)).toEqual([]);
	});
});

describe('the response to an edit', () => {
	it('confirms the edit if it repeats what was requested; other fields may be missing', () => {
		expect(unconfirmedChanges(editedSubscription(desired, present), registered)).toEqual([]);
		expect(unconfirmedChanges(editedSubscription(desired, present), { enabled: true })).toEqual([]);
		expect(unconfirmedChanges(editedSubscription(desired, present), {})).toEqual([
			'its response shows no subscription',
		]);
	});

	it('names why the subscription stays disabled', () => {
		const disabled = (...statusDescriptions: NonNullable<Subscription['statusDescriptions']>) =>
			unconfirmedChanges(editedSubscription(desired, present), { ...registered, enabled: false, statusDescriptions });
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

	it('must have the URL and the accounts of the edit', () => {
		expect(
			unconfirmedChanges(editedSubscription(desired, present), { ...registered, callbackUri: 'https://n8n.test/old' }),
		).toEqual(['the bank has kept another callback address']);
		expect(
			unconfirmedChanges(editedSubscription(desired, present), { ...registered, data: { accounts: ['1'] } }),
		).toEqual(['the bank has kept other accounts']);
		expect(
			unconfirmedChanges(editedSubscription(incoming, undefined), { ...registered, data: { accounts: ['1'] } }),
		).toEqual([]);
	});
});

describe('a subscription in a response', () => {
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
		[{ statusDescriptions: { cause: 'REVOKED' } }, {}],
		[{ statusDescriptions: [null, 'gone'] }, { statusDescriptions: [{}, {}] }],
		['<html>', {}],
	])('%j is read as %j', (answer, subscription) => expect(subscriptionOf(answer)).toEqual(subscription));

	it('never becomes one of all accounts because its accounts are unknown', () => {
		const unknown = subscriptionOf({ callbackUri: 'https://n8n.test/old', data: { accounts: null } });
		expect(issuesOf(desired, unknown)).toHaveLength(1);
		expect(editRequest(desired, unknown).body).not.toHaveProperty('data');
		expect(() => prepare(operationById('webhook.update'), editRequest(desired, unknown))).toThrow('data.accounts');
	});
});

describe('in effect', () => {
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
		expect(isInEffect(editedSubscription(wanted, there), there)).toBe(expected);
	});

	it('accounts that the bank does not report cannot be kept', () => {
		expect(issuesOf({ ...desired, accounts: 'all' }, { ...present, data: undefined })).toEqual([]);
		for (const unknown of [undefined, {}])
			expect(issuesOf(desired, unknown)).toEqual([
				{
					path: 'accounts',
					message:
						'cannot be kept, because the bank does not say which are registered. Choose all accounts, or list them',
				},
			]);
	});
});

it.each<[string, DesiredSubscription, Subscription, object]>([
	['switches on again what was on', incoming, registered, { enabled: true, callbackUri: desired.callbackUri }],
	['sends nothing that was not there', desired, { enabled: true, organizationIdHash: '' }, { enabled: true }],
	['disables what is not known to have been enabled', incoming, {}, { enabled: false }],
	[
		'puts everything back as it was',
		desired,
		{ ...present, organizationIdHash: 'h' },
		{ ...present, organizationIdHash: 'h' },
	],
])('giving back %s', (_what, wanted, before, body) => {
	expect(editRequest(wanted, before).body).toStrictEqual({ object: wanted.object, version: 1, ...body });
});

it('only the subscription to statements can be read (P9)', () => {
	expect([isReadable(desired.object), isReadable(incoming.object)]).toEqual([true, false]);
});

it('a URL of the trigger differs from one that only begins like it', () => {
	const own = 'https://n8n.test/webhook/x';
	expect([own, `${own}/bank`, `${own}/x/bank/secret`].every((address) => isOwnAddress(address, own))).toBe(true);
	expect([undefined, `${own}y/bank`, 'https://n8n.test/webhook'].some((address) => isOwnAddress(address, own))).toBe(
		false,
	);
});
