import type { Operation } from '../operation.ts';
import { titleCase } from '../text.ts';
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
import { connection } from './connection/index.ts';
import { application as courierApplication, courier, file } from './courier/index.ts';
import { directDebit } from './directDebit/index.ts';
import { entryScore } from './entryScore/index.ts';
import { loanApplication } from './loanApplication/index.ts';
import { localPayment, payment } from './payment/index.ts';
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
}

const resource = (
	node: NodeName,
	value: string,
	description: string,
	described: Readonly<Record<string, Operation>>,
	name = titleCase(value),
): Resource => ({ node, value, name, description, operations: Object.values(described) });

export const resources: readonly Resource[] = [
	resource('bank', 'accountOperation', 'Operations on cards and accounts', accountOperation),
	resource('bank', 'cardLimit', 'User limits of a card', cardLimit),
	resource('bank', 'connection', 'Connection to the bank, and validity of the credential', connection),
	resource('bank', 'loanApplication', 'Loan application drafts of marketplace sellers', loanApplication),
	resource('bank', 'payment', 'Payments to individuals by phone number', { ...payment, ...localPayment }),
	resource('bank', 'statement', 'Credit and account statements', statement),
	resource('bank', 'taxpayerAccount', "Self-employed persons' taxpayer accounts", taxpayerAccount),
	resource('bank', 'webhook', 'Webhook subscriptions', webhook),

	resource('bankChecks', 'entryScore', 'Compliance risk of a client who opens a settlement account', entryScore),
	resource('bankChecks', 'unifiedCheck', 'Eight checks of persons and companies in one request', unifiedCheck),

	resource('bankCardIssuance', 'application', 'Card applications of the first flow', cardApplication),
	resource('bankCardIssuance', 'card', 'The card of an application', card),
	resource('bankCardIssuance', 'channelApplication', 'Card applications in partner sales channels', channelApplication),
	resource('bankCardIssuance', 'configuration', 'Partner settings of the first flow', configuration),
	resource('bankCardIssuance', 'issuance', 'Handover of the card', issuance),
	resource('bankCardIssuance', 'offer', 'Offers of an application', offer),
	resource(
		'bankCardIssuance',
		'preApproved',
		'Pre-approved applications of the last-mile flow',
		preApproved,
		'Pre-Approved Application',
	),
	resource('bankCardIssuance', 'printForm', 'Documents to print and sign', printForm),
	resource('bankCardIssuance', 'scan', 'Scans of the signed documents', scan),
	resource('bankCardIssuance', 'scoring', 'Results of short and full scoring', scoring),

	resource('bankCourier', 'application', 'Account-opening applications that couriers work on', courierApplication),
	resource('bankCourier', 'courier', 'Couriers who certify documents', courier),
	resource('bankCourier', 'file', 'Files of an application', file),

	resource('bankPartnerServices', 'directDebit', 'Debits from borrowers under a consent', directDebit),
	resource('bankPartnerServices', 'profile', 'Data to register a legal-entity user', profile),
	resource('bankPartnerServices', 'trip', 'Data of completed trips', trip),
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
