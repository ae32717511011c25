import type { Form } from '../../shared/form.ts';
import { createLoanApplication } from './createLoanApplication.ts';
import { sendPackage } from './sendPackage.ts';
import { updateWebhook } from './updateWebhook.ts';

/** Operations whose form says more than their schema, by operation id. */
export const forms: Readonly<Record<string, Form>> = {
	'loanApplication.create': createLoanApplication,
	'payment.sendPackage': sendPackage,
	'webhook.update': updateWebhook,
};
