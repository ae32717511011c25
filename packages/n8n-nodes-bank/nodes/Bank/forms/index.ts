import {
	checkConnection as checking,
	definitions,
	findInOperations as finding,
	preparePackage as preparing,
	resolvePayment as resolving,
} from '@bank/core';

import { formOf } from '../../shared/form.ts';
import { checkConnection } from './checkConnection.ts';
import { createLoanApplication } from './createLoanApplication.ts';
import { findInOperations } from './findInOperations.ts';
import { preparePackage } from './preparePackage.ts';
import { resolve } from './resolve.ts';
import { sendPackage } from './sendPackage.ts';
import { updateWebhook } from './updateWebhook.ts';

/** Operations whose form says more than their schema. */
export const forms = [
	formOf(checking, checkConnection),
	formOf(definitions.loanApplication.create, createLoanApplication),
	formOf(finding, findInOperations),
	formOf(preparing, preparePackage),
	formOf(resolving, resolve),
	formOf(definitions.payment.sendPackage, sendPackage),
	formOf(definitions.webhook.update, updateWebhook),
];
