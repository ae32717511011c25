import type { INodeProperties } from 'n8n-workflow';

import { serviceDetailsGuide } from '../serviceDetails.ts';
import { choice, secret, shownFor, text, toggle } from './fields.ts';

/** Paths are identical in both environments (part 1). */
export const environmentProperties: INodeProperties[] = [
	choice('Environment', 'environment', 'Environment to send requests to', 'sandbox', [
		['Production', 'production'],
		['Sandbox', 'sandbox'],
	]),
	...shownFor({ environment: ['production'] }, [
		text('Production Base URL', 'productionBaseUrl', 'URL of the production environment. Your bank gives it to you.', {
			required: true,
			placeholder: 'e.g. https://api.bank.example',
		}),
	]),
	...shownFor({ environment: ['sandbox'] }, [
		text('Sandbox Base URL', 'sandboxBaseUrl', 'URL of the sandbox environment. Your bank gives it to you.', {
			required: true,
			placeholder: 'e.g. https://sandbox.bank.example',
		}),
	]),
];

/** Default header names from part 5. Editable, because gateways can use other names. */
const clientIdHeader = (initial: string): INodeProperties =>
	text('Client ID Header', 'gatewayClientIdHeader', 'Header for the client ID', { default: initial, required: true });

/** Fields of the gateway (5.7, 5.8), after the field that turns it on. */
export const gatewayProperties: INodeProperties[] = shownFor({ useGateway: [true] }, [
	text('Gateway Client ID', 'gatewayClientId', 'Client ID of the gateway. Your bank gives it to you.', {
		required: true,
	}),
	secret('Gateway Client Secret', 'gatewayClientSecret', 'Client secret of the gateway', { required: true }),
	text('Partner Name', 'partnerName', 'Partner name, for the card issuance service only', {
		placeholder: 'e.g. Example Partner',
	}),
	text('Partner Name Header', 'partnerNameHeader', 'Header for the partner name. Ask your bank.', {
		placeholder: 'e.g. X-Partner-Name',
	}),
	secret(
		'Certificate in Header',
		'gatewayCertificate',
		'Certificate in one line, for the profile info service only. Ask your bank.',
	),
	text('Certificate Header', 'gatewayCertificateHeader', 'Header for the certificate', {
		default: 'x-client-certificate',
		required: true,
	}),
	clientIdHeader('X-GW-Client-Id'),
	// The field is not named "secret", because n8n's lint would require masking.
	text('Client Secret Header', 'gatewayKeyHeader', 'Header for the client secret', {
		default: 'x-gw-client-secret',
		required: true,
	}),
]);

/** For types with a token, whose service can be behind the gateway. */
export const useGateway = toggle(
	'Gateway Headers',
	'useGateway',
	'Whether to also send the client ID and secret of the gateway',
);

/** Client ID only, sent together with a certificate (5.6). */
export const gatewayIdProperties: INodeProperties[] = [
	text(
		'Gateway Client ID',
		'gatewayClientId',
		'Client ID that the certificate is registered for. Required for unified checks.',
	),
	clientIdHeader('x-gw-client-id'),
];

/** Details of the bank's partner services that the API description does not show. */
export const serviceDetailsProperty: INodeProperties = text(
	'Service Details',
	'serviceDetails',
	'Paths, names and fields of partner services as JSON, from your bank. ' +
		`<a href="${serviceDetailsGuide}" target="_blank">Templates</a>.`,
	{ type: 'json', noDataExpression: true },
);
