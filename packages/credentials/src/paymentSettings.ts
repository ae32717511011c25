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

/** Spaces between the digits, as in printed account numbers, mean nothing. */
const numberOf = (value: unknown): string => lineOf(textOrNumber(value)).replace(/\s/g, '');

/** What the credential says about each payment. */
export const paymentValuesOf = (credential: ICredentialDataDecryptedObject) => ({
	partnerId: numberOf(credential.partnerId),
	inn: numberOf(credential.inn),
	account: numberOf(credential.account),
	ric: numberOf(credential.ric),
	paymentDescription: lineOf(credential.paymentDescription),
});

/**
 * Validates what only payments need, so that other operations work without it.
 * @throws CredentialError for the settings that cannot be used. Empty fields are allowed
 */
export function validatePaymentSettings(credential: ICredentialDataDecryptedObject, now = new Date()): void {
	const { partnerId, inn, account, ric } = paymentValuesOf(credential);
	const issues = issuesOf({ inn, account, client: { partnerId }, payments: [{ ric }] });
	const wrong = fields.flatMap(([label, path]) => {
		const issue = issues.find((one) => one.path === path && one.message !== 'is required');
		return issue === undefined ? [] : [{ ...issue, label }];
	});
	if (wrong.length > 0)
		throw new CredentialError(
			wrong.map(issueText).join('; '),
			`Correct ${wrong.map(({ label }) => label).join(', ')} in the credential.`,
		);
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
