import { InputError, issueText, prepare, preparePackage, textOrNumber } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { bankNamesOf } from './bankNames.ts';
import { CredentialError } from './credentialError.ts';
import { lineOf } from './line.ts';
import { isSigning, assertCanSign } from './signature/index.ts';

/** The fields for payments, with their labels and paths in a package. */
const fields = [
	['Partner ID', 'client.partnerId', 'partnerId'],
	['Tax Number', 'inn', 'inn'],
	['Account', 'account', 'account'],
	['Income Kind Code', 'payments[0].ric', 'ric'],
] as const;

/** What the credential says about each payment. */
export const paymentValuesOf = (credential: ICredentialDataDecryptedObject) => ({
	partnerId: lineOf(textOrNumber(credential.partnerId)),
	inn: lineOf(textOrNumber(credential.inn)),
	account: lineOf(textOrNumber(credential.account)),
	ric: lineOf(textOrNumber(credential.ric)),
	paymentDescription: lineOf(credential.paymentDescription),
});

/**
 * Validates what only payments need, so that other operations work without it.
 * @throws CredentialError for the first setting that cannot be used. Empty fields are allowed
 */
export function validatePaymentSettings(credential: ICredentialDataDecryptedObject, now = new Date()): void {
	const { partnerId, inn, account, ric } = paymentValuesOf(credential);
	const issues = issuesOf({ inn, account, client: { partnerId }, payments: [{ ric }] });
	for (const [label, path] of fields) {
		const issue = issues.find((one) => one.path === path && one.message !== 'is required');
		if (issue !== undefined)
			throw new CredentialError(issueText({ ...issue, label }), `Correct ${label} in the credential.`);
	}
	bankNamesOf(credential);
	if (isSigning(credential)) assertCanSign(credential, now);
}

function issuesOf(body: object) {
	try {
		prepare(preparePackage, { body });
		return [];
	} catch (error) {
		if (error instanceof InputError) return error.issues;
		throw error;
	}
}
