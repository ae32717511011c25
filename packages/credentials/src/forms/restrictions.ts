import type { INodeProperties } from 'n8n-workflow';

import { instanceField } from '../restrictions.ts';
import { choice, hiddenField, shownFor, text, toggle } from './fields.ts';

const restrictUse = toggle(
	'Restrict Use',
	'restrictUse',
	'Whether to limit which operations and payments this credential can be used for. Applies to every workflow, agent and ' +
		'manual run. HTTP Request nodes cannot use a restricted credential.',
);

const limit = (displayName: string, name: string, description: string, example: string, initial = '') =>
	text(displayName, name, description, { default: initial, placeholder: `e.g. ${example}` });

const operationFields: INodeProperties[] = [
	choice('Allowed Operations', 'allowedOperations', 'Operations that this credential can be used for', 'all', [
		['All', 'all'],
		['Read and Prepare', 'prepare', 'Read, and prepare payments without sending them'],
		['Read Only', 'read'],
		['Selected', 'list'],
	]),
	...shownFor({ allowedOperations: ['list'] }, [
		text(
			'Operation List',
			'operationList',
			'IDs of the operations, separated by commas. The reference of each node lists them.',
			{ required: true, placeholder: 'e.g. payment.preparePackage, payment.sendPackage' },
		),
	]),
];

const notCounted =
	'Each project counts its own payments, in the Data Table Bank Daily Totals, which its editors can change. ' +
	'Payments sent while the credential had no daily limit are not counted.';

const dailyFields: INodeProperties[] = [
	limit(
		'Most Payments per Day',
		'mostPaymentsPerDay',
		`Number of payments that can be sent on one day. ${notCounted}`,
		'50',
	),
	limit(
		'Limit Time Zone',
		'limitTimeZone',
		'Time zone in which a day begins and ends, for daily limits',
		'Europe/Moscow',
		'UTC',
	),
];

const paymentFields: INodeProperties[] = [
	limit('Largest Payment', 'largestPayment', 'Largest amount of one payment', '15000.00'),
	limit('Largest Package Total', 'largestPackageTotal', 'Largest total of one package of payments', '300000.00'),
	limit(
		'Largest Daily Total',
		'largestDailyTotal',
		`Largest total of all payments of one day. ${notCounted}`,
		'1000000.00',
	),
	...dailyFields,
	limit('Allowed Accounts', 'allowedAccounts', 'Accounts to pay from, separated by commas', '40702810000000000001'),
	limit('Allowed Phones', 'allowedPhones', 'Phone numbers of recipients, separated by commas', '+79000000001'),
	limit('Allowed Banks', 'allowedBanks', 'Bank IDs of recipients, separated by commas', '100000000111'),
	toggle(
		'Only Prepared Packages',
		'onlyPreparedPackages',
		'Whether to send only packages that Prepare Package has returned, such as after an approval',
	),
];

/**
 * For each credential type that other nodes can use, n8n adds both fields with the default *All*. These replace them.
 */
const domainFields: INodeProperties[] = shownFor({ restrictUse: [false] }, [
	choice(
		'Allowed HTTP Request Domains',
		'httpRequestDomains',
		'Hosts to which HTTP Request and GraphQL nodes may send requests with this credential',
		'none',
		[
			['All', 'all'],
			['None', 'none', 'Only the Bank nodes'],
			['Specific Domains', 'domains', 'Only these hosts, also for token requests'],
		],
	),
	...shownFor({ httpRequestDomains: ['domains'] }, [
		text(
			'Allowed Domains',
			'allowedDomains',
			'Hosts to allow, separated by commas. Include those of base URL and Access Token URL: the list also applies to them.',
			{ placeholder: 'e.g. api.bank.example' },
		),
	]),
]);

/**
 * Names of the hidden fields with the limits of the administrator, which every credential type has. If a limit cannot
 * be checked for an operation, the operation is rejected.
 */
const instanceFields = [...operationFields, ...paymentFields]
	.filter(({ name }) => name !== 'operationList')
	.map(({ name }) => instanceField(name));

function withInstanceFields(fields: INodeProperties[]): INodeProperties[] {
	const isRestricted = ['restrictUse', ...instanceFields].map((name) => `$self["${name}"]`).join(' || ');
	return [
		// Without `noDataExpression`, n8n would evaluate an expression in the workflow that uses the credential.
		...[restrictUse, ...shownFor({ restrictUse: [true] }, fields)].map((field) => ({
			...field,
			noDataExpression: true,
		})),
		...instanceFields.map((name) => hiddenField(name, '')),
		...domainFields,
		hiddenField('allowedHttpRequestDomains', `={{ ${isRestricted} ? "none" : $self["httpRequestDomains"] }}`),
	];
}

/** For the type that sends packages of payments. */
export const paymentRestrictions = withInstanceFields([...operationFields, ...paymentFields]);

/** For all other types. Their only payments are direct debits, of which only the number is known. */
export const operationRestrictions = withInstanceFields([...operationFields, ...dailyFields]);
