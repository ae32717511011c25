import type { INodeProperties } from 'n8n-workflow';

import { instanceField } from './instanceField.ts';
import { fixed } from './oauth2.ts';

const shown: INodeProperties['displayOptions'] = { show: { restrictUse: [true] } };

const text = (name: string, displayName: string, placeholder: string, description: string): INodeProperties => ({
	displayName,
	name,
	type: 'string',
	default: '',
	placeholder: `e.g. ${placeholder}`,
	description,
	displayOptions: shown,
});

const toggle: INodeProperties = {
	displayName: 'Restrict Use',
	name: 'restrictUse',
	type: 'boolean',
	default: false,
	description:
		'Whether to limit which operations and payments this credential can be used for. Applies to every workflow, agent and ' +
		'manual run. HTTP Request nodes cannot use a restricted credential.',
};

const operationFields: INodeProperties[] = [
	{
		displayName: 'Allowed Operations',
		name: 'allowedOperations',
		type: 'options',
		options: [
			{ name: 'All', value: 'all' },
			{ name: 'Read and Prepare', value: 'prepare', description: 'Read, and prepare payments without sending them' },
			{ name: 'Read Only', value: 'read' },
			{ name: 'Selected', value: 'list' },
		],
		default: 'all',
		description: 'Operations that this credential can be used for',
		displayOptions: shown,
	},
	{
		...text(
			'operationList',
			'Operation List',
			'payment.preparePackage, payment.sendPackage',
			'IDs of the operations, separated by commas. The reference of each node lists them.',
		),
		required: true,
		displayOptions: { show: { restrictUse: [true], allowedOperations: ['list'] } },
	},
];

const dailyFields: INodeProperties[] = [
	text('mostPaymentsPerDay', 'Most Payments per Day', '50', 'Number of payments that can be sent on one day'),
	{
		...text(
			'limitTimeZone',
			'Limit Time Zone',
			'Europe/Moscow',
			'Time zone in which a day begins and ends, for daily limits',
		),
		default: 'UTC',
	},
];

const paymentFields: INodeProperties[] = [
	text('largestPayment', 'Largest Payment', '15000.00', 'Largest amount of one payment'),
	text('largestPackageTotal', 'Largest Package Total', '300000.00', 'Largest total of one package of payments'),
	text('largestDailyTotal', 'Largest Daily Total', '1000000.00', 'Largest total of all payments of one day'),
	...dailyFields,
	text('allowedAccounts', 'Allowed Accounts', '40702810000000000001', 'Accounts to pay from, separated by commas'),
	text('allowedPhones', 'Allowed Phones', '+79000000001', 'Phone numbers of recipients, separated by commas'),
	text('allowedBanks', 'Allowed Banks', '100000000111', 'Bank IDs of recipients, separated by commas'),
	{
		displayName: 'Only Prepared Packages',
		name: 'onlyPreparedPackages',
		type: 'boolean',
		default: false,
		description: 'Whether to send only packages that Prepare Package has returned, such as after an approval',
		displayOptions: shown,
	},
];

/**
 * n8n adds these two fields, with the default *All*, to every credential type that can authenticate requests of other
 * nodes.
 */
const domainFields: INodeProperties[] = [
	{
		displayName: 'Allowed HTTP Request Domains',
		name: 'httpRequestDomains',
		type: 'options',
		options: [
			{ name: 'All', value: 'all' },
			{ name: 'None', value: 'none', description: 'Only the Bank nodes' },
			{ name: 'Specific Domains', value: 'domains', description: 'The Bank nodes and these hosts' },
		],
		default: 'none',
		description: 'Hosts to which HTTP Request and GraphQL nodes may send requests with this credential',
		displayOptions: { show: { restrictUse: [false] } },
	},
	{
		displayName: 'Allowed Domains',
		name: 'allowedDomains',
		type: 'string',
		default: '',
		placeholder: 'e.g. api.bank.example',
		description: 'Hosts to allow, separated by commas',
		displayOptions: { show: { restrictUse: [false], httpRequestDomains: ['domains'] } },
	},
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
		...[toggle, ...fields].map((field): INodeProperties => ({ ...field, noDataExpression: true })),
		...instanceFields.map((name) => fixed(name, '')),
		...domainFields,
		fixed('allowedHttpRequestDomains', `={{ ${isRestricted} ? "none" : $self["httpRequestDomains"] }}`),
	];
}

/** For the type that sends packages of payments. */
export const paymentRestrictions = withInstanceFields([...operationFields, ...paymentFields]);

/** For the other types. Their only payments are direct debits, of which only the number is known. */
export const operationRestrictions = withInstanceFields([...operationFields, ...dailyFields]);
