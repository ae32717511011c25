import { InputError, issueText, parseServiceDetails, type ServiceDetails } from '@bank/core';
import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import { CredentialError } from './credentialError.ts';
import { gatewayHeadersOf } from './gateway.ts';

const guide = 'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/service-details.md';

/** Details of the bank's partner services that the API description does not show. */
export const serviceDetailsProperty: INodeProperties = {
	displayName: 'Service Details',
	name: 'serviceDetails',
	type: 'json',
	default: '',
	noDataExpression: true,
	description: `Paths, names and fields of partner services as JSON, from your bank. <a href="${guide}" target="_blank">Templates</a>.`,
};

/**
 * The service details of a credential.
 * @throws InputError with all issues
 */
export function serviceDetailsOf(credential: ICredentialDataDecryptedObject): ServiceDetails {
	return parseServiceDetails(credential.serviceDetails, Object.keys(gatewayHeadersOf(credential)));
}

/** The first issues of the service details, as one error. */
export function validateServiceDetails(credential: ICredentialDataDecryptedObject): CredentialError | undefined {
	try {
		serviceDetailsOf(credential);
		return undefined;
	} catch (error) {
		if (!(error instanceof InputError)) throw error;
		const [first, second, ...others] = error.issues.map(issueText);
		const named = [first, second].filter((text) => text !== undefined).join('; ');
		const more = others.length === 0 ? '' : ` (and ${others.length} more)`;
		return new CredentialError(
			`Service Details: ${named}${more}`,
			`Correct them in the credential. Keys and templates: ${guide}.`,
		);
	}
}
