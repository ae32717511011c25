import type { Operation } from '../operation.ts';
import { accountOperation } from './accountOperation/index.ts';
import { channelApplication, preApproved } from './cardChannels/index.ts';
import {
	application as cardApplication,
	card,
	configuration,
	issuance,
	offer,
	printForm,
	scan,
	scoring,
} from './cardIssuance/index.ts';
import { cardLimit } from './cardLimit/index.ts';
import { localConnectionOperations } from './connection/index.ts';
import { application as courierApplication, courier, file } from './courier/index.ts';
import { directDebit } from './directDebit/index.ts';
import { entryScore } from './entryScore/index.ts';
import { loanApplication } from './loanApplication/index.ts';
import { localPaymentOperations, payment } from './payment/index.ts';
import { profile } from './profile/index.ts';
import { statement } from './statement/index.ts';
import { taxpayerAccount } from './taxpayerAccount/index.ts';
import { trip } from './trips/index.ts';
import { unifiedCheck } from './unifiedChecks/index.ts';
import { webhook } from './webhook/index.ts';

/** Node names, as saved in workflows. */
export type NodeName = 'bank' | 'bankChecks' | 'bankCardIssuance' | 'bankCourier' | 'bankPartnerServices';

/** A resource of a node. `value` is saved in workflows. Two nodes may use the same one. */
export interface Resource {
	node: NodeName;
	value: string;
	name: string;
	description: string;
	operations: readonly Operation[];
	/** Operations that the node provides and the bank's API does not have. */
	localOperations?: readonly Operation[];
}

export const resources: readonly Resource[] = [
	{
		node: 'bank',
		value: 'accountOperation',
		name: 'Account Operation',
		description: 'Operations on cards and accounts',
		operations: Object.values(accountOperation),
	},
	{
		node: 'bank',
		value: 'cardLimit',
		name: 'Card Limit',
		description: 'User limits of a card',
		operations: Object.values(cardLimit),
	},
	{
		node: 'bank',
		value: 'connection',
		name: 'Connection',
		description: 'Connection to the bank, and validity of the credential',
		operations: [],
		localOperations: Object.values(localConnectionOperations),
	},
	{
		node: 'bank',
		value: 'loanApplication',
		name: 'Loan Application',
		description: 'Loan application drafts of marketplace sellers',
		operations: Object.values(loanApplication),
	},
	{
		node: 'bank',
		value: 'payment',
		name: 'Payment',
		description: 'Payments to individuals by phone number',
		operations: Object.values(payment),
		localOperations: Object.values(localPaymentOperations),
	},
	{
		node: 'bank',
		value: 'statement',
		name: 'Statement',
		description: 'Credit and account statements',
		operations: Object.values(statement),
	},
	{
		node: 'bank',
		value: 'taxpayerAccount',
		name: 'Taxpayer Account',
		description: "Self-employed persons' taxpayer accounts",
		operations: Object.values(taxpayerAccount),
	},
	{
		node: 'bank',
		value: 'webhook',
		name: 'Webhook',
		description: 'Webhook subscriptions',
		operations: Object.values(webhook),
	},

	{
		node: 'bankChecks',
		value: 'entryScore',
		name: 'Entry Score',
		description: 'Compliance risk of a client who opens a settlement account',
		operations: Object.values(entryScore),
	},
	{
		node: 'bankChecks',
		value: 'unifiedCheck',
		name: 'Unified Check',
		description: 'Eight checks of persons and companies in one request',
		operations: Object.values(unifiedCheck),
	},

	{
		node: 'bankCardIssuance',
		value: 'application',
		name: 'Application',
		description: 'Card applications of the first flow',
		operations: Object.values(cardApplication),
	},
	{
		node: 'bankCardIssuance',
		value: 'card',
		name: 'Card',
		description: 'The card of an application',
		operations: Object.values(card),
	},
	{
		node: 'bankCardIssuance',
		value: 'channelApplication',
		name: 'Channel Application',
		description: 'Card applications in partner sales channels',
		operations: Object.values(channelApplication),
	},
	{
		node: 'bankCardIssuance',
		value: 'configuration',
		name: 'Configuration',
		description: 'Partner settings of the first flow',
		operations: Object.values(configuration),
	},
	{
		node: 'bankCardIssuance',
		value: 'issuance',
		name: 'Issuance',
		description: 'Handover of the card',
		operations: Object.values(issuance),
	},
	{
		node: 'bankCardIssuance',
		value: 'offer',
		name: 'Offer',
		description: 'Offers of an application',
		operations: Object.values(offer),
	},
	{
		node: 'bankCardIssuance',
		value: 'preApproved',
		name: 'Pre-Approved Application',
		description: 'Pre-approved applications of the last-mile flow',
		operations: Object.values(preApproved),
	},
	{
		node: 'bankCardIssuance',
		value: 'printForm',
		name: 'Print Form',
		description: 'Documents to print and sign',
		operations: Object.values(printForm),
	},
	{
		node: 'bankCardIssuance',
		value: 'scan',
		name: 'Scan',
		description: 'Scans of the signed documents',
		operations: Object.values(scan),
	},
	{
		node: 'bankCardIssuance',
		value: 'scoring',
		name: 'Scoring',
		description: 'Results of short and full scoring',
		operations: Object.values(scoring),
	},

	{
		node: 'bankCourier',
		value: 'application',
		name: 'Application',
		description: 'Account-opening applications that couriers work on',
		operations: Object.values(courierApplication),
	},
	{
		node: 'bankCourier',
		value: 'courier',
		name: 'Courier',
		description: 'Couriers who certify documents',
		operations: Object.values(courier),
	},
	{
		node: 'bankCourier',
		value: 'file',
		name: 'File',
		description: 'Files of an application',
		operations: Object.values(file),
	},

	{
		node: 'bankPartnerServices',
		value: 'directDebit',
		name: 'Direct Debit',
		description: 'Debits from borrowers under a consent',
		operations: Object.values(directDebit),
	},
	{
		node: 'bankPartnerServices',
		value: 'profile',
		name: 'Profile',
		description: 'Data to register a legal-entity user',
		operations: Object.values(profile),
	},
	{
		node: 'bankPartnerServices',
		value: 'trip',
		name: 'Trip',
		description: 'Data of completed trips',
		operations: Object.values(trip),
	},
];

/** Operations by resource and name, with the types of their fields. */
export const definitions = {
	accountOperation,
	cardLimit,
	loanApplication,
	payment,
	statement,
	taxpayerAccount,
	webhook,

	entryScore,
	unifiedCheck,

	// Two nodes have a resource of this name.
	application: { ...cardApplication, ...courierApplication },
	card,
	channelApplication,
	configuration,
	issuance,
	offer,
	preApproved,
	printForm,
	scan,
	scoring,

	courier,
	file,

	directDebit,
	profile,
	trip,
};

export type Definitions = typeof definitions;
