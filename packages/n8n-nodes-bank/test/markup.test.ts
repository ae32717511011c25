/** n8n shows the description of an error as HTML. Names and texts that do not come from this package are escaped. */
import { excerpt } from '@bank/core';

import { BankPartnerServices } from '../nodes/BankPartnerServices/BankPartnerServices.node.ts';
import { credentials, refusalOf, run, runOf, type RunOptions, useBank } from './support/bank.ts';
import { payoutForm, person } from './support/payout.ts';
import { activation } from './support/poll.ts';

const bank = useBank();

const markups = [
	'<a href="https://elsewhere.test">click</a>',
	'<a<b> href=https://elsewhere.test>zz',
	'<<a> href=x>y</a>',
	'<img src=x onerror=alert(1)>',
	'&lt;a href=x&gt;',
	'<a\nhref=x>y',
];

const type = 'bankClientCredentialsOAuth2Api';
const named = (name: string, own: object = {}): RunOptions => ({
	node: { credentials: { [type]: { id: 'c1', name }, bankGatewayApi: { id: 'c2', name } } },
	credentials: {
		...credentials,
		[type]: { ...credentials[type], ...own },
		bankGatewayApi: { ...credentials.bankGatewayApi, ...own },
	},
});
/** Removes the tags of our own lists of problems. */
const withoutOwnTags = (html: string) => html.replaceAll(/<\/?(?:ul|li|i)>/g, '');
const pay = async (options: RunOptions, parameters: object = {}) =>
	await run('payment.sendPackage', { ...payoutForm, ...parameters }, { items: [{ ...person(1) }], ...options });

describe.each(markups)('%s', (markup) => {
	const failing: Record<string, () => Promise<unknown>> = {
		'as the name of a credential that does not allow the operation': async () =>
			await pay(named(markup, { restrictUse: true, allowedOperations: 'read' })),
		'as the name of a credential with a limit': async () =>
			await pay(named(markup, { restrictUse: true, largestPayment: '1', allowedPhones: '+79000000009' })),
		'as the name of a credential with a daily limit': async () =>
			await pay(named(markup, { restrictUse: true, mostPaymentsPerDay: '0' })),
		'in a limit': async () => await pay(named('a', { restrictUse: true, largestPayment: markup })),
		'in service details': async () =>
			await runOf(BankPartnerServices)(
				'directDebit.getOffer',
				{ authenticateWith: 'gateway', serviceDetails: {} },
				named(markup, {
					serviceDetails: JSON.stringify({ [markup]: markup, 'directDebit.getOffer': { path: markup } }),
				}),
			),
		'as an operation': async () => await run(`payment.${markup.replaceAll('.', '')}`, {}),
		'in the rows': async () => await pay(named('a'), { amount: markup, phone: markup, sequence: markup }),
		'from the bank': async () => {
			bank().answer = () => [400, { error: markup, error_description: `${markup} ${markup}` }];
			return await pay(named('a'));
		},
		'from the bank, in a poll': async () => {
			bank().answer = () => [400, { error: 'invalid_request', error_description: markup }];
			return await activation().poll();
		},
	};

	it.each(Object.entries(failing))('is text %s', async (_where, fail) => {
		const { description } = await refusalOf(fail());
		expect(withoutOwnTags(description)).not.toMatch(/[<>]/);
	});
});

it('is removed from the words of the bank', () => {
	const nested = ['<a href=https://elsewhere.test>zz', '< href=x>y'];
	expect(markups.map((markup) => excerpt(markup))).toEqual(['click', ...nested, '', '&lt;a href=x&gt;', 'y']);
	expect(excerpt('less < more, 2 > 1 and <i>x</i> <')).toBe('less 1 and x <');
});
