import { headerNameFault, textOf } from '@bank/core';
import type { ICredentialDataDecryptedObject, INodeProperties } from 'n8n-workflow';

import { CredentialFault } from './faults.ts';

const whenUsed: INodeProperties['displayOptions'] = { show: { useGateway: [true] } };

/** The header names are those of part 5. They can be edited: gateways have been seen to rename. */
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
		description: 'Certificate in one line, for the profile info service. Ask your bank.',
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
		// Not "secret": n8n's lint would have the name of the header masked.
		name: 'gatewayKeyHeader',
		type: 'string',
		default: 'x-gw-client-secret',
		required: true,
		description: 'Header for the client secret',
		displayOptions: whenUsed,
	},
];

/** For services that cannot be reached without (5.7, 5.8). */
export const requiredGatewayProperties: INodeProperties[] = [
	{ displayName: 'Gateway', name: 'useGateway', type: 'hidden', default: true },
	...gatewayFields,
];

/** Beside a token: the service that takes it may stand behind the gateway. */
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

/** The client ID alone, beside a certificate (5.6). */
export const gatewayIdProperties: INodeProperties[] = [
	{
		displayName: 'Gateway Client ID',
		name: 'gatewayClientId',
		type: 'string',
		default: '',
		description: 'Of the partner that the certificate is registered for. The unified checks service needs it',
	},
	clientIdHeader('x-gw-client-id'),
];

/** Of a type whose form has no choice of the gateway: it sends the client ID, where there is one, beside its certificate. */
export const sendsClientIdAlone = (credential: ICredentialDataDecryptedObject): boolean =>
	credential.useGateway === undefined && textOf(credential.gatewayClientIdHeader) !== '';

interface Part {
	field: string;
	value: string;
	headerField: string;
	header: string;
	isRequired: boolean;
}

function partsOf(credential: ICredentialDataDecryptedObject): Part[] {
	if (credential.useGateway === false) return [];
	const isRequired = credential.useGateway === true;
	const part = (field: string, value: unknown, headerField: string, header: unknown, required: boolean): Part => ({
		field,
		value: textOf(value),
		headerField,
		header: textOf(header),
		isRequired: required,
	});
	return [
		part(
			'Gateway Client ID',
			credential.gatewayClientId,
			'Client ID Header',
			credential.gatewayClientIdHeader,
			isRequired,
		),
		part(
			'Gateway Client Secret',
			credential.gatewayClientSecret,
			'Client Secret Header',
			credential.gatewayKeyHeader,
			isRequired,
		),
		part('Partner Name', credential.partnerName, 'Partner Name Header', credential.partnerNameHeader, false),
		part(
			'Certificate in Header',
			credential.gatewayCertificate,
			'Certificate Header',
			credential.gatewayCertificateHeader,
			false,
		),
	];
}

/** The headers by which the gateway knows the partner. */
export function gatewayHeadersOf(credential: ICredentialDataDecryptedObject): Record<string, string> {
	return Object.fromEntries(
		partsOf(credential).flatMap(({ header, value }) => (header === '' || value === '' ? [] : [[header, value]])),
	);
}

/** What is missing, or cannot travel in a header. */
export function gatewayFault(credential: ICredentialDataDecryptedObject): CredentialFault | undefined {
	for (const { field, value, headerField, header, isRequired } of partsOf(credential)) {
		if (value === '' && !isRequired) continue;
		if (value === '') return new CredentialFault(`${field} is empty`, 'Enter what the bank gave you.');
		if (header === '')
			return new CredentialFault(
				`${field} is given, but ${headerField} is empty, so it cannot be sent`,
				isRequired ? 'Enter the name of the header.' : `Ask the bank for the name of the header, or clear ${field}.`,
			);
		const unusable = headerNameFault(header);
		if (unusable !== undefined)
			return new CredentialFault(
				`${headerField} ${unusable}`,
				'Enter the name that the bank gave you: letters, digits and hyphens only.',
			);
		if (!/^[\x20-\x7e]+$/.test(value))
			return new CredentialFault(
				`${field} has characters that no header can carry`,
				'Enter it in plain Latin letters and one line, as the bank has registered it.',
			);
	}
	return undefined;
}
