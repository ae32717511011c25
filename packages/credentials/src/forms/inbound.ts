import type { INodeProperties } from 'n8n-workflow';

import { choice, purposeNotice, secret, shown, text, toggle } from './fields.ts';

/** Checks of inbound requests. All chosen checks must pass. */
export type InboundCheck = 'address' | 'certificate' | 'header' | 'path' | 'signature';

const shownFor = (...checks: InboundCheck[]) => shown({ checks });
const shownForSignature = (more: Record<string, Array<string | boolean>> = {}) =>
	shown({ checks: ['signature'] satisfies InboundCheck[], ...more });
const forHmac = shownForSignature({ signatureAlgorithm: ['sha1', 'sha256', 'sha512'] });
const forElements = { signatureFormat: ['elements'] };
const forTimestamp = { signatureTimestamp: [true] };

const option = (name: string, value: InboundCheck, description: string) => ({ name, value, description });

const signatureFields: INodeProperties[] = [
	text('Signature Header', 'signatureHeader', 'Header that contains the signature', {
		required: true,
		placeholder: 'e.g. X-Signature',
		...shownForSignature(),
	}),
	choice(
		'Signature Algorithm',
		'signatureAlgorithm',
		'Algorithm that the signature of the raw body is made with',
		'sha256',
		[
			['HMAC-SHA1', 'sha1'],
			['HMAC-SHA256', 'sha256'],
			['HMAC-SHA512', 'sha512'],
			['RSA or EC With SHA-256', 'publicSha256', 'Verified with a public key'],
			['RSA or EC With SHA-512', 'publicSha512', 'Verified with a public key'],
		],
		shownForSignature(),
	),
	choice(
		'Signature Encoding',
		'signatureEncoding',
		'Encoding of the signature in the header',
		'hex',
		[
			['Base64', 'base64'],
			['Base64 URL', 'base64url'],
			['Hexadecimal', 'hex'],
		],
		shownForSignature(),
	),
	text('Signature Prefix', 'signaturePrefix', 'Text before the signature in the header, if any', {
		placeholder: 'e.g. sha256=',
		...shownForSignature(),
	}),
	secret('Signature Secret', 'signatureSecret', 'Secret that you share with the bank', {
		required: true,
		...forHmac,
	}),
	secret(
		'Second Signature Secret',
		'signatureSecondSecret',
		'New secret, also accepted while you rotate secrets. Clear it afterwards.',
		forHmac,
	),
	text(
		'Public Key',
		'signaturePublicKey',
		'Public key or certificate of the bank in PEM. During key rotation, paste both, one after the other.',
		{
			typeOptions: { rows: 4 },
			required: true,
			placeholder: '-----BEGIN PUBLIC KEY-----',
			...shownForSignature({ signatureAlgorithm: ['publicSha256', 'publicSha512'] }),
		},
	),
	choice(
		'Signature Format',
		'signatureFormat',
		'Format of the signature header',
		'plain',
		[
			['Elements', 'elements', 'A list such as t=1700000000,v1=5257a8'],
			['Signature Only', 'plain', 'The signature, after the prefix if there is one'],
		],
		shownForSignature(),
	),
	text(
		'Signature Element',
		'signatureElement',
		'Name of the element with the signature. If it occurs several times, one must match.',
		{ default: 'v1', required: true, ...shownForSignature(forElements) },
	),
	toggle(
		'Timestamp',
		'signatureTimestamp',
		'Whether the signature also covers a timestamp, which protects against replayed requests',
		shownForSignature(),
	),
	text(
		'Timestamp Header',
		'timestampHeader',
		'Header with the sending time: Unix time in seconds or milliseconds, or ISO 8601 with a time zone',
		{
			required: true,
			placeholder: 'e.g. X-Timestamp',
			...shownForSignature({ ...forTimestamp, signatureFormat: ['plain'] }),
		},
	),
	text('Timestamp Element', 'timestampElement', 'Name of the element with the sending time', {
		default: 't',
		required: true,
		...shownForSignature({ ...forTimestamp, ...forElements }),
	}),
	text(
		'Signed Content',
		'signedContent',
		'Template of the signed text: {timestamp} as in the header, and {body} as the raw body',
		{ default: '{timestamp}.{body}', required: true, ...shownForSignature(forTimestamp) },
	),
	text(
		'Time Window (Seconds)',
		'timestampWindow',
		'Maximum difference between the timestamp and now, in seconds. Both clocks must be right.',
		{ type: 'number', default: 300, ...shownForSignature(forTimestamp) },
	),
];

export const inboundProperties: INodeProperties[] = [
	purposeNotice('For triggers: authenticates the requests that your bank sends to n8n.'),
	text('Checks', 'checks', 'Checks that every request must pass. A check without its settings rejects all requests.', {
		type: 'multiOptions',
		options: [
			option(
				'Client Certificate (Through a Proxy)',
				'certificate',
				'A proxy verifies the certificate and passes it on in a header',
			),
			option('Header Value', 'header', 'Requests contain a secret in a header'),
			option('IP Address', 'address', 'Requests come from one of the listed addresses'),
			option('Secret in the Path', 'path', 'The webhook URL ends with a secret'),
			option('Signature', 'signature', 'Requests are signed with a shared secret or a private key'),
		],
		// The dialog of n8n 2.41 ignores the default of multiple options.
		default: [],
		hint: 'Choose what you agreed with your bank. Without a check, all requests are rejected.',
	}),
	secret(
		'Path Secret',
		'pathSecret',
		'Last part of the webhook URL: at least 16 letters, digits, hyphens or underscores. The Bank Trigger registers it ' +
			'with the bank. URLs can appear in logs, so combine it with another check if you can.',
		{ required: true, ...shownFor('path') },
	),
	text('Header Name', 'headerName', 'Header that contains the secret', {
		default: 'Authorization',
		required: true,
		placeholder: 'e.g. X-Api-Key',
		...shownFor('header'),
	}),
	secret('Header Secret', 'headerSecret', 'Complete value of the header, including a prefix such as "Bearer "', {
		required: true,
		...shownFor('header'),
	}),
	...signatureFields,
	text('Allowed Addresses', 'allowedAddresses', 'IP addresses and networks of the bank, separated by commas', {
		required: true,
		placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24, 2001:db8::/32',
		...shownFor('address'),
	}),
	// Masked, because n8n's lint requires it for any name with "cert".
	secret(
		'Certificate Header',
		'certificateHeader',
		'Header that the proxy sets to the verified certificate. The proxy must remove it from incoming requests.',
		{ required: true, placeholder: 'e.g. X-Client-Fingerprint', ...shownFor('certificate') },
	),
	secret(
		'Certificate Value',
		'certificateValue',
		'Expected value: a fingerprint or subject of the certificate, not only the result of the verification',
		{ required: true, ...shownFor('certificate') },
	),
	text(
		'Trusted Proxies',
		'trustedProxies',
		'IP addresses and networks of your proxies, separated by commas. X-Forwarded-For and the certificate header are ' +
			'accepted only from them. Required for Client Certificate. If empty, n8n determines the address (N8N_PROXY_HOPS).',
		{ placeholder: 'e.g. 10.0.0.5, 172.16.0.0/12', ...shownFor('address', 'certificate') },
	),
];
