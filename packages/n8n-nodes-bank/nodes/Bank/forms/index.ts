import { definitions } from '@bank/core';

import { formOf } from '../../shared/form.ts';
import { createLoanApplication } from './createLoanApplication.ts';
import { sendPackage } from './sendPackage.ts';
import { updateWebhook } from './updateWebhook.ts';

/** Operations whose form says more than their schema. */
export const forms = [
	formOf(definitions.loanApplication.create, createLoanApplication),
	formOf(definitions.payment.sendPackage, sendPackage),
	formOf(definitions.webhook.update, updateWebhook),
];
