import type { Operation } from '../operation.ts';
import { accountOperationOperations } from './accountOperation/index.ts';
import { cardLimitOperations } from './cardLimit/index.ts';
import { loanApplicationOperations } from './loanApplication/index.ts';
import { paymentOperations } from './payment/index.ts';
import { statementOperations } from './statement/index.ts';
import { taxpayerAccountOperations } from './taxpayerAccount/index.ts';
import { webhookOperations } from './webhook/index.ts';

/** A resource of the node: the word saved workflows hold, and how the form and the reference show it. */
export interface Resource {
	value: string;
	name: string;
	description: string;
	operations: readonly Operation[];
}

export const resources: readonly Resource[] = [
	{ value: 'accountOperation', name: 'Account Operation', description: 'Operations on cards and accounts', operations: accountOperationOperations },
	{ value: 'cardLimit', name: 'Card Limit', description: 'User limits of a card', operations: cardLimitOperations },
	{ value: 'loanApplication', name: 'Loan Application', description: 'Loan application drafts of marketplace sellers', operations: loanApplicationOperations },
	{ value: 'payment', name: 'Payment', description: 'Payments to individuals by phone number', operations: paymentOperations },
	{ value: 'statement', name: 'Statement', description: 'Credit and account statements', operations: statementOperations },
	{ value: 'taxpayerAccount', name: 'Taxpayer Account', description: "Self-employed persons' taxpayer accounts", operations: taxpayerAccountOperations },
	{ value: 'webhook', name: 'Webhook', description: 'Webhook subscriptions', operations: webhookOperations },
];

export const operations: readonly Operation[] = resources.flatMap((resource) => resource.operations);

export function findOperation(id: string): Operation | undefined {
	return operations.find((candidate) => candidate.id === id);
}

/** For ids that stand in the code. */
export function operationById(id: string): Operation {
	const operation = findOperation(id);
	if (operation === undefined) throw new Error(`There is no operation "${id}"`);
	return operation;
}
