import { InputError, issueText, parseServiceDetails, type ServiceDetails } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CredentialError } from './credentialError.ts';
import { gatewayHeadersOf } from './gateway.ts';

export const serviceDetailsGuide = 'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/service-details.md';

/** @throws InputError with all issues */
export function serviceDetailsOf(credential: ICredentialDataDecryptedObject): ServiceDetails {
	return parseServiceDetails(credential.serviceDetails, ownHeadersOf(credential));
}

export const ownHeadersOf = (credential: ICredentialDataDecryptedObject): string[] =>
	Object.keys(gatewayHeadersOf(credential));

/** @throws CredentialError with the first issues of the service details */
export function validateServiceDetails(credential: ICredentialDataDecryptedObject): void {
	try {
		serviceDetailsOf(credential);
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		throw new CredentialError(`Service Details: ${firstIssues(error)}`, `Templates: ${serviceDetailsGuide}.`);
	}
}

/** As many issues as a message of 300 characters has room for, and how many more there are. */
export function firstIssues({ issues }: InputError): string {
	const texts = issues.map(issueText);
	const end = texts.findIndex((_, index) => index > 0 && texts.slice(0, index + 1).join('; ').length > 170);
	const named = texts.slice(0, end === -1 ? texts.length : end).join('; ');
	return end === -1 ? named : `${named} (and ${texts.length - end} more)`;
}
