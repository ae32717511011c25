import { preparePackage as operation } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { bodyField } from '../field.ts';
import { type FormParts, textField } from '../formParts.ts';
import { logToDataTable } from '../protectionFields.ts';
import { recipientFields } from './recipientFields.ts';

/**
 * The fields of a package, for preparing and for sending it. Written by hand because recipients come from items or a
 * list, which the schema does not describe.
 */

const built = { hide: { recipientsFrom: ['prepared'] } };

export const recipientsFrom: INodeProperties = {
	displayName: 'Recipients From',
	name: 'recipientsFrom',
	type: 'options',
	noDataExpression: true,
	options: [
		{
			name: 'Columns of the Input',
			value: 'columns',
			description:
				'Each input item is one recipient, with the columns Amount, Phone and Recipient Bank (Сумма, Телефон, Банк); they are matched by name',
		},
		{
			name: 'Fields Below',
			value: 'items',
			description: 'Each input item is one recipient; you map each field',
		},
		{
			name: 'List',
			value: 'list',
			description: 'One field holds the list of recipients; each input item makes one package',
		},
	],
	default: 'columns',
	description: 'Where the recipients of the package come from',
};

/** Shows a field unless a prepared package is sent. */
const notPrepared = { hide: { '/recipientsFrom': ['prepared'] } };

const maxPayments: INodeProperties = {
	displayName: 'Max Payments per Package',
	name: 'maxPayments',
	type: 'number',
	typeOptions: { minValue: 0 },
	default: 0,
	description: 'Maximum number of payments in one package. Longer lists are split. 0 means no limit.',
	displayOptions: notPrepared,
};

const packagePerItem: INodeProperties = {
	displayName: 'One Package per Item',
	name: 'packagePerItem',
	type: 'boolean',
	default: false,
	description: 'Whether to create a separate package for each input item',
	displayOptions: notPrepared,
};

const checkRecipients: INodeProperties = {
	displayName: 'Check Recipients',
	name: 'checkRecipients',
	type: 'boolean',
	default: false,
	description:
		'Whether to look up each recipient in the payment log. Adds recipientStatus: known (their number was paid), new, newNumber ' +
		'(their name was paid at another number), or unchecked (the log cannot be read).',
};

/** Names of the fields of a package that the form builds, which are not generated. */
export const builtFields = ['account', 'client', 'inn', 'nameCheck', 'payments', 'total'];

/** Options of a package, with values that replace those of the credential. */
export const packageOptions: readonly INodeProperties[] = [
	maxPayments,
	packagePerItem,
	...[
		bodyField(operation, 'client.partnerId', {}, true),
		bodyField(operation, 'inn', {}, true),
		bodyField(operation, 'account', { description: 'Account to pay from, instead of that of the credential' }, true),
		bodyField(operation, 'nameCheck'),
		bodyField(operation, 'client.b2cClientId'),
		textField('Expected Total', 'total', 'Total of the payments of a package. If it differs, nothing is sent.', {
			placeholder: 'e.g. 150000.00',
		}),
		bodyField(
			operation,
			'payments[].ric',
			{ description: 'Code of the kind of income (ric), for rows that have none. The credential can hold it.' },
			true,
		),
		bodyField(
			operation,
			'payments[].paymentDescription',
			{ description: 'What the payment is for, for rows that have no description. The credential can hold it.' },
			true,
		),
	].map((field) => ({ ...field, displayOptions: notPrepared })),
];

export const packageFields: readonly INodeProperties[] = [
	textField(
		'Payment Run',
		'paymentRun',
		'Name of this payout. With the sequence, or else the phone, it identifies a payment (idempotency key). ' +
			"Don't use the current time or random values.",
		{
			required: true,
			placeholder: 'e.g. salary-2026-11',
			displayOptions: built,
			hint: 'Keep it when you run this payout again: nobody is paid twice under one name',
		},
	),
	...recipientFields,
];

/** Example of a payment prepared by *Prepare Package*; *Send Package* uses it too. */
export const preparedItem = {
	outcome: 'prepared',
	paymentRun: 'salary-2026-11',
	sequence: 'payout-0001',
	amount: 1000.5,
	phone: '+70000000001',
	nspkBankId: '100000000111',
	paymentDescription: 'Reward for March',
	ric: 1,
	transactionId: null,
	feeAmount: null,
	createDate: null,
	payPackage: null,
	position: 1,
	count: 1,
	total: 1000.5,
	environment: 'production',
	host: 'bank.example.com',
	account: '40702810000000000001',
	inn: '7700000000',
	client: { partnerId: 1001 },
	sequenceGiven: true,
	fingerprint: '9f86d081884c7d659a2feaa0c55ad015a3bf4f1b2b0b822cd15d6c15b0f00a08',
	check: '60303ae22b998861bce3b28f33eec1be758a213c86c93c076dbe9f558c11c752',
};

export const parts: FormParts = {
	handWritten: [...builtFields, 'maxResponseSize', 'timeout'],
	fields: [recipientsFrom, ...packageFields],
	options: [checkRecipients, logToDataTable, ...packageOptions],
	item: { ...preparedItem, toSign: '{"client":{"partnerId":1001},"inn":"7700000000"}' },
	returns:
		'One item for each payment, with the columns of *Send Package*; columns that only the bank fills are null. `outcome` is `prepared`, ' +
		'or that of a payment that was already sent. `fingerprint` is the SHA-256 of the text to sign, which the last prepared item of each ' +
		'package holds as `toSign`.',
};
