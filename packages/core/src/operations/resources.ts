import type { Operation } from '../operation.ts';
import { titleCase } from '../text.ts';
import { connection } from './connection/index.ts';
import { application as cardApplication } from './cardIssuance/index.ts';
import { application as courierApplication } from './courier/index.ts';
import * as definitions from './definitions.ts';
import { event } from './event/index.ts';
import { localPayment } from './payment/index.ts';

/** Node names, as saved in workflows. */
export type NodeName = 'bank' | 'bankChecks' | 'bankCardIssuance' | 'bankCourier' | 'bankPartnerServices';

/** A resource of a node. `value` is saved in workflows. Two nodes may use the same one. */
export interface Resource {
	node: NodeName;
	value: string;
	name: string;
	description: string;
	operations: readonly Operation[];
}

/** All operations, including those that the node provides. */
const byResource = { ...definitions, connection, event, payment: { ...definitions.payment, ...localPayment } };

const resource = (
	node: NodeName,
	value: keyof typeof byResource,
	description: string,
	operations: Readonly<Record<string, Operation>> = byResource[value],
	name = titleCase(value),
): Resource => ({ node, value, name, description, operations: Object.values(operations) });

export const resources: readonly Resource[] = [
	resource('bank', 'accountOperation', 'Operations on cards and accounts'),
	resource('bank', 'cardLimit', 'User limits of a card'),
	resource('bank', 'connection', 'Connection to the bank, and validity of the credential'),
	resource('bank', 'event', 'Events, orders and operations that must be handled once'),
	resource('bank', 'loanApplication', 'Loan application drafts of marketplace sellers'),
	resource('bank', 'payment', 'Payments to individuals by phone number'),
	resource('bank', 'statement', 'Credit and account statements'),
	resource('bank', 'taxpayerAccount', "Self-employed persons' taxpayer accounts"),
	resource('bank', 'webhook', 'Webhook subscriptions'),

	resource('bankChecks', 'entryScore', 'Compliance risk of a client who opens a settlement account'),
	resource('bankChecks', 'unifiedCheck', 'Eight checks of persons and companies in one request'),

	resource('bankCardIssuance', 'application', 'Card applications of the first flow', cardApplication),
	resource('bankCardIssuance', 'card', 'The card of an application'),
	resource('bankCardIssuance', 'channelApplication', 'Card applications in partner sales channels'),
	resource('bankCardIssuance', 'configuration', 'Partner settings of the first flow'),
	resource('bankCardIssuance', 'issuance', 'Handover of the card'),
	resource('bankCardIssuance', 'offer', 'Offers of an application'),
	resource(
		'bankCardIssuance',
		'preApproved',
		'Pre-approved applications (last-mile flow)',
		definitions.preApproved,
		'Pre-Approved Application',
	),
	resource('bankCardIssuance', 'printForm', 'Documents to print and sign'),
	resource('bankCardIssuance', 'scan', 'Scans of the signed documents'),
	resource('bankCardIssuance', 'scoring', 'Results of short and full scoring'),

	resource('bankCourier', 'application', 'Account-opening applications that couriers work on', courierApplication),
	resource('bankCourier', 'courier', 'Couriers who certify documents'),
	resource('bankCourier', 'file', 'Files of an application'),

	resource('bankPartnerServices', 'directDebit', 'Debits from borrowers under a consent'),
	resource('bankPartnerServices', 'profile', 'Data to register a legal-entity user'),
	resource('bankPartnerServices', 'trip', 'Data of completed trips'),
];
