import { headerNameProblem } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CredentialError } from './credentialError.ts';
import { lineOf } from './line.ts';

/** Whether the type sends only a client ID with its certificate (Mutual TLS). */
export const sendsClientIdAlone = (credential: ICredentialDataDecryptedObject): boolean =>
	credential.useGateway === undefined && lineOf(credential.gatewayClientIdHeader) !== '';

/** Label and name of each value and of its header field, and whether the gateway requires it. */
const fields = [
	['Gateway Client ID', 'gatewayClientId', 'Client ID Header', 'gatewayClientIdHeader', true],
	['Gateway Client Secret', 'gatewayClientSecret', 'Client Secret Header', 'gatewayKeyHeader', true],
	['Partner Name', 'partnerName', 'Partner Name Header', 'partnerNameHeader', false],
	['Certificate in Header', 'gatewayCertificate', 'Certificate Header', 'gatewayCertificateHeader', false],
] as const;

const partsOf = (credential: ICredentialDataDecryptedObject) =>
	fields.map(([field, name, headerField, headerName, isRequired]) => ({
		field,
		value: credential.useGateway === false ? '' : lineOf(credential[name]),
		headerField,
		header: lineOf(credential[headerName]),
		isRequired: isRequired && credential.useGateway === true,
	}));

export function gatewayHeadersOf(credential: ICredentialDataDecryptedObject): Record<string, string> {
	return Object.fromEntries(
		partsOf(credential).flatMap(({ header, value }) => (header === '' || value === '' ? [] : [[header, value]])),
	);
}

/** @throws CredentialError for the first value that is missing or not allowed in a header */
export function validateGateway(credential: ICredentialDataDecryptedObject): void {
	for (const { field, value, headerField, header, isRequired } of partsOf(credential)) {
		if (value === '' && !isRequired) continue;
		if (value === '') throw new CredentialError(`${field} is empty`, 'Enter the value that your bank gave you.');
		if (header === '')
			throw new CredentialError(
				`${field} is set, but ${headerField} is empty, so it cannot be sent`,
				isRequired ? 'Enter the header name.' : `Ask your bank for the header name, or clear ${field}.`,
			);
		const unusable = headerNameProblem(header);
		if (unusable !== undefined)
			throw new CredentialError(
				`${headerField} ${unusable}`,
				'Enter the header name that your bank gave you: letters, digits and hyphens only.',
			);
		if (!/^[\x20-\x7e]+$/.test(value))
			throw new CredentialError(
				`${field} contains characters that are not allowed in a header`,
				'Enter it in Latin letters and one line, as registered with your bank.',
			);
	}
}
