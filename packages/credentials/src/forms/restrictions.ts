import type { INodeProperties } from 'n8n-workflow';

import { instanceField } from '../restrictions.ts';
import { choice, fixed, shown, text, toggle } from './fields.ts';

const restrictUse = toggle(
	'Restrict Use',
	'restrictUse',
	'Whether to limit which operations and payments this credential can be used for. Applies to every workflow, agent and ' +
		'manual run. HTTP Request nodes cannot use a restricted credential.',
);

const whenRestricted = shown({ restrictUse: [true] });

const limit = (name: string, displayName: string, example: string, description: string, initial = '') =>
	text(displayName, name, description, { default: initial, placeholder: `e.g. ${example}`, ...whenRestricted });

const operationFields: INodeProperties[] = [
	choice(
		'Allowed Operations',
		'allowedOperations',
		'Operations that this credential can be used for',
		'all',
		[
			['All', 'all'],
			['Read and Prepare', 'prepare', 'Read, and prepare payments without sending them'],
			['Read Only', 'read'],
			['Selected', 'list'],
		],
		whenRestricted,
	),
	text(
		'Operation List',
		'operationList',
		'IDs of the operations, separated by commas. The reference of each node lists them.',
		{
			required: true,
			placeholder: 'e.g. payment.preparePackage, payment.sendPackage',
			...shown({ restrictUse: [true], allowedOperations: ['list'] }),
		},
	),
];

const dailyFields: INodeProperties[] = [
	limit('mostPaymentsPerDay', 'Most Payments per Day', '50', 'Number of payments that can be sent on one day'),
	limit(
		'limitTimeZone',
		'Limit Time Zone',
		'Europe/Moscow',
		'Time zone in which a day begins and ends, for daily limits',
		'UTC',
	),
];

const paymentFields: INodeProperties[] = [
	limit('largestPayment', 'Largest Payment', '15000.00', 'Largest amount of one payment'),
	limit('largestPackageTotal', 'Largest Package Total', '300000.00', 'Largest total of one package of payments'),
	limit('largestDailyTotal', 'Largest Daily Total', '1000000.00', 'Largest total of all payments of one day'),
	...dailyFields,
	limit('allowedAccounts', 'Allowed Accounts', '40702810000000000001', 'Accounts to pay from, separated by commas'),
	limit('allowedPhones', 'Allowed Phones', '+79000000001', 'Phone numbers of recipients, separated by commas'),
	limit('allowedBanks', 'Allowed Banks', '100000000111', 'Bank IDs of recipients, separated by commas'),
	toggle(
		'Only Prepared Packages',
		'onlyPreparedPackages',
		'Whether to send only packages that Prepare Package has returned, such as after an approval',
		whenRestricted,
	),
];

/**
 * n8n adds these two fields, with the default *All*, to every credential type that can authenticate requests of other
 * nodes.
 */
const domainFields: INodeProperties[] = [
	choice(
		'Allowed HTTP Request Domains',
		'httpRequestDomains',
		'Hosts to which HTTP Request and GraphQL nodes may send requests with this credential',
		'none',
		[
			['All', 'all'],
			['None', 'none', 'Only the Bank nodes'],
			['Specific Domains', 'domains', 'The Bank nodes and these hosts'],
		],
		shown({ restrictUse: [false] }),
	),
	text('Allowed Domains', 'allowedDomains', 'Hosts to allow, separated by commas', {
		placeholder: 'e.g. api.bank.example',
		...shown({ restrictUse: [false], httpRequestDomains: ['domains'] }),
	}),
];

/**
 * All types have all restrictions of an administrator: a restriction that cannot be checked for an operation rejects
 * the operation.
 */
const instanceFields = [...operationFields, ...paymentFields]
	.filter(({ name }) => name !== 'operationList')
	.map(({ name }) => instanceField(name));

function withInstanceFields(fields: readonly INodeProperties[]): INodeProperties[] {
	const isRestricted = ['restrictUse', ...instanceFields].map((name) => `$self["${name}"]`).join(' || ');
	return [
		// Otherwise n8n would evaluate an expression in the workflow that uses the credential.
		...[restrictUse, ...fields].map((field): INodeProperties => ({ ...field, noDataExpression: true })),
		...instanceFields.map((name) => fixed(name, '')),
		...domainFields,
		fixed('allowedHttpRequestDomains', `={{ ${isRestricted} ? "none" : $self["httpRequestDomains"] }}`),
	];
}

/** For the type that sends packages of payments. */
export const paymentRestrictions = withInstanceFields([...operationFields, ...paymentFields]);

/** For the other types. Their only payments are direct debits, of which only the number is known. */
export const operationRestrictions = withInstanceFields([...operationFields, ...dailyFields]);
