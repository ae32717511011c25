import type { INodeProperties } from 'n8n-workflow';

/** The checks of a caller that the user can switch on. All that are on must pass. */
export const inboundChecks = {
	address: 'address',
	certificate: 'certificate',
	header: 'header',
	path: 'path',
	signature: 'signature',
} as const;

export type InboundCheck = keyof typeof inboundChecks;

const shownFor = (...checks: InboundCheck[]): INodeProperties['displayOptions'] => ({ show: { checks } });
const hmacs = ['sha1', 'sha256', 'sha512'];
const shownForSignature = (more: Record<string, Array<string | boolean>>): INodeProperties['displayOptions'] => ({
	show: { checks: [inboundChecks.signature], ...more },
});

export const inboundProperties: INodeProperties[] = [
	{
		displayName: 'Checks',
		name: 'checks',
		type: 'multiOptions',
		options: [
			{
				name: 'Client Certificate (Through a Proxy)',
				value: 'certificate',
				description: 'A proxy has verified the certificate of the caller and says so in a header',
			},
			{ name: 'Header Value', value: 'header', description: 'The caller sends a secret in a header' },
			{ name: 'IP Address', value: 'address', description: 'The caller has one of the listed addresses' },
			{ name: 'Secret in the Path', value: 'path', description: 'The address that the bank calls ends in a secret' },
			{
				name: 'Signature',
				value: 'signature',
				description: 'The caller signs the body, with a shared secret or a key of its own',
			},
		],
		// n8n 2.41 shows none of several as chosen, whatever the default says.
		default: [],
		hint: 'Choose what you have agreed with the bank: with nothing chosen everybody is refused',
		description:
			'What a caller must prove. All that are chosen must be right, and a choice without its settings refuses everybody',
	},
	{
		displayName: 'Path Secret',
		name: 'pathSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		displayOptions: shownFor('path'),
		description:
			'At least 16 letters, digits, hyphens or underscores. The Bank Trigger registers it with the bank as the last ' +
			'part of the path. Whoever sees the address sees it, so combine it with another check where you can',
	},
	{
		displayName: 'Header Name',
		name: 'headerName',
		type: 'string',
		default: 'Authorization',
		required: true,
		placeholder: 'e.g. X-Api-Key',
		displayOptions: shownFor('header'),
		description: 'Header in which the caller sends the secret',
	},
	{
		displayName: 'Header Secret',
		name: 'headerSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		displayOptions: shownFor('header'),
		description: 'The whole value of the header, for example with "Bearer " in front',
	},
	{
		displayName: 'Signature Header',
		name: 'signatureHeader',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. X-Signature',
		displayOptions: shownFor('signature'),
		description: 'Header in which the caller sends the signature of the body',
	},
	{
		displayName: 'Signature Algorithm',
		name: 'signatureAlgorithm',
		type: 'options',
		options: [
			{ name: 'HMAC-SHA1', value: 'sha1' },
			{ name: 'HMAC-SHA256', value: 'sha256' },
			{ name: 'HMAC-SHA512', value: 'sha512' },
			{ name: 'RSA or EC With SHA-256', value: 'publicSha256', description: 'Verified with a public key' },
			{ name: 'RSA or EC With SHA-512', value: 'publicSha512', description: 'Verified with a public key' },
		],
		default: 'sha256',
		displayOptions: shownFor('signature'),
		description: 'How the signature is made of the body, byte for byte, and the secret or key',
	},
	{
		displayName: 'Signature Encoding',
		name: 'signatureEncoding',
		type: 'options',
		options: [
			{ name: 'Base64', value: 'base64' },
			{ name: 'Base64 URL', value: 'base64url' },
			{ name: 'Hexadecimal', value: 'hex' },
		],
		default: 'hex',
		displayOptions: shownFor('signature'),
		description: 'How the signature is written in the header',
	},
	{
		displayName: 'Signature Prefix',
		name: 'signaturePrefix',
		type: 'string',
		default: '',
		placeholder: 'e.g. sha256=',
		displayOptions: shownFor('signature'),
		description: 'What stands in the header before the signature, if anything',
	},
	{
		displayName: 'Signature Secret',
		name: 'signatureSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		displayOptions: shownForSignature({ signatureAlgorithm: hmacs }),
		description: 'The secret that the caller and you share',
	},
	{
		displayName: 'Second Signature Secret',
		name: 'signatureSecondSecret',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		displayOptions: shownForSignature({ signatureAlgorithm: hmacs }),
		description: 'Also taken, while the secret is being changed: the new one. Empty when that is done',
	},
	{
		displayName: 'Public Key',
		name: 'signaturePublicKey',
		type: 'string',
		typeOptions: { rows: 4 },
		default: '',
		required: true,
		placeholder: '-----BEGIN PUBLIC KEY-----',
		displayOptions: shownForSignature({ signatureAlgorithm: ['publicSha256', 'publicSha512'] }),
		description:
			'The public key or the certificate of the caller, in PEM. While it changes its key, both, one after the other',
	},
	{
		displayName: 'Signature Format',
		name: 'signatureFormat',
		type: 'options',
		options: [
			{ name: 'Elements', value: 'elements', description: 'The header is a list such as t=1700000000,v1=5257a8' },
			{
				name: 'Signature Only',
				value: 'plain',
				description: 'The header is the signature, after the prefix if there is one',
			},
		],
		default: 'plain',
		displayOptions: shownFor('signature'),
		description: 'What the signature header looks like',
	},
	{
		displayName: 'Signature Element',
		name: 'signatureElement',
		type: 'string',
		default: 'v1',
		required: true,
		displayOptions: shownForSignature({ signatureFormat: ['elements'] }),
		description:
			'The name of the element that is the signature. Where it stands there several times, one must be right',
	},
	{
		displayName: 'Time Stamp',
		name: 'signatureTimestamp',
		type: 'boolean',
		default: false,
		displayOptions: shownFor('signature'),
		description:
			'Whether the signature covers a time stamp too. A delivery that somebody has recorded then cannot be sent again later',
	},
	{
		displayName: 'Time Stamp Header',
		name: 'timestampHeader',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. X-Timestamp',
		displayOptions: shownForSignature({ signatureTimestamp: [true], signatureFormat: ['plain'] }),
		description: 'Header with the time of sending: seconds or milliseconds since 1970, or ISO 8601 with its zone',
	},
	{
		displayName: 'Time Stamp Element',
		name: 'timestampElement',
		type: 'string',
		default: 't',
		required: true,
		displayOptions: shownForSignature({ signatureTimestamp: [true], signatureFormat: ['elements'] }),
		description: 'The name of the element that is the time of sending',
	},
	{
		displayName: 'Signed Content',
		name: 'signedContent',
		type: 'string',
		default: '{timestamp}.{body}',
		required: true,
		displayOptions: shownForSignature({ signatureTimestamp: [true] }),
		description:
			'What is signed: {timestamp} as it stands in the header, {body} byte for byte, and what stands around them',
	},
	{
		displayName: 'Time Window (Seconds)',
		name: 'timestampWindow',
		type: 'number',
		default: 300,
		displayOptions: shownForSignature({ signatureTimestamp: [true] }),
		description: 'How far the time stamp may be from now, before or after. The clocks of both machines must be right',
	},
	{
		displayName: 'Allowed Addresses',
		name: 'allowedAddresses',
		type: 'string',
		default: '',
		required: true,
		placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24, 2001:db8::/32',
		displayOptions: shownFor('address'),
		description: 'IP addresses and networks of the caller, separated by commas',
	},
	{
		displayName: 'Certificate Header',
		name: 'certificateHeader',
		type: 'string',
		// n8n's lint takes any name with "cert" for a secret.
		typeOptions: { password: true },
		default: '',
		required: true,
		placeholder: 'e.g. X-Client-Fingerprint',
		displayOptions: shownFor('certificate'),
		description:
			'Header in which the proxy names the certificate it has verified. The proxy must remove this header from what it receives',
	},
	{
		displayName: 'Certificate Value',
		name: 'certificateValue',
		type: 'string',
		typeOptions: { password: true },
		default: '',
		required: true,
		displayOptions: shownFor('certificate'),
		description: 'What the header must say: a fingerprint or a subject, not only that some certificate was verified',
	},
	{
		displayName: 'Trusted Proxies',
		name: 'trustedProxies',
		type: 'string',
		default: '',
		placeholder: 'e.g. 10.0.0.5, 172.16.0.0/12',
		displayOptions: shownFor('address', 'certificate'),
		description:
			'IP addresses and networks of your own proxies. Only they are believed when they name the ' +
			'caller (X-Forwarded-For) or its certificate. Required for the client certificate; ' +
			'without it the address is the one that n8n sees, N8N_PROXY_HOPS included',
	},
];
