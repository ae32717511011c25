import {
	checkConnection as checking,
	definitions,
	findInOperations as finding,
	preparePackage as preparing,
	resolvePayment as resolving,
} from '@bank/core';

import { bindHooks } from '../../shared/form/operationHooks.ts';
import { checkConnection } from './checkConnection.ts';
import { createLoanApplication } from './createLoanApplication.ts';
import { findInOperations } from './findInOperations.ts';
import { preparePackage } from './preparePackage.ts';
import { resolve } from './resolve.ts';
import { sendPackage } from './sendPackage.ts';
import { updateWebhook } from './updateWebhook.ts';

/** Operations that need more than the form generated from their schema. */
export const forms = [
	bindHooks(checking, checkConnection),
	bindHooks(definitions.loanApplication.create, createLoanApplication),
	bindHooks(finding, findInOperations),
	bindHooks(preparing, preparePackage),
	bindHooks(resolving, resolve),
	bindHooks(definitions.payment.sendPackage, sendPackage),
	bindHooks(definitions.webhook.update, updateWebhook),
];
