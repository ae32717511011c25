import type { INodeProperties } from 'n8n-workflow';

import { choice, purposeNotice, secret, shownFor, text, toggle } from './fields.ts';

/** Checks of inbound requests. All chosen checks must pass. */
export type InboundCheck = 'address' | 'certificate' | 'header' | 'path' | 'signature';

const forCheck = (check: InboundCheck, fields: INodeProperties[]) => shownFor({ checks: [check] }, fields);

const signatureFields = forCheck('signature', [
	text('Signature Header', 'signatureHeader', 'Header that contains the signature', {
		required: true,
		placeholder: 'e.g. X-Signature',
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
	),
	choice('Signature Encoding', 'signatureEncoding', 'Encoding of the signature in the header', 'hex', [
		['Base64', 'base64'],
		['Base64 URL', 'base64url'],
		['Hexadecimal', 'hex'],
	]),
	text('Signature Prefix', 'signaturePrefix', 'Text before the signature in the header, if any', {
		placeholder: 'e.g. sha256=',
	}),
	...shownFor({ signatureAlgorithm: ['sha1', 'sha256', 'sha512'] }, [
		secret('Signature Secret', 'signatureSecret', 'Secret that you share with the bank', { required: true }),
		secret(
			'Second Signature Secret',
			'signatureSecondSecret',
			'New secret, also accepted while you rotate secrets. Clear it afterwards.',
		),
	]),
	...shownFor({ signatureAlgorithm: ['publicSha256', 'publicSha512'] }, [
		text(
			'Public Key',
			'signaturePublicKey',
			'Public key or certificate of the bank in PEM. During key rotation, paste both, one after the other.',
			{ typeOptions: { rows: 4 }, required: true, placeholder: '-----BEGIN PUBLIC KEY-----' },
		),
	]),
	toggle(
		'Timestamp',
		'signatureTimestamp',
		'Whether the signature also covers a timestamp, which protects against replayed requests',
	),
	...shownFor({ signatureTimestamp: [true] }, [
		text(
			'Timestamp Header',
			'timestampHeader',
			'Header with the sending time: Unix time in seconds or milliseconds, or ISO 8601 with a time zone',
			{ required: true, placeholder: 'e.g. X-Timestamp' },
		),
		text(
			'Signed Content',
			'signedContent',
			'Template of the signed text: {timestamp} as in the header, and {body} as the raw body',
			{ default: '{timestamp}.{body}', required: true },
		),
		text(
			'Time Window (Seconds)',
			'timestampWindow',
			'Maximum difference between the timestamp and now, in seconds. Both clocks must be right.',
			{ type: 'number', default: 300 },
		),
	]),
]);

const checks: [name: string, value: InboundCheck, description: string][] = [
	[
		'Client Certificate (Through a Proxy)',
		'certificate',
		'A proxy verifies the certificate and passes it on in a header',
	],
	['Header Value', 'header', 'Requests contain a secret in a header'],
	['IP Address', 'address', 'Requests come from one of the listed addresses'],
	['Secret in the Path', 'path', 'The webhook URL ends with a secret'],
	['Signature', 'signature', 'Requests are signed with a shared secret or a private key'],
];

export const inboundProperties: INodeProperties[] = [
	purposeNotice('For triggers: authenticates the requests that your bank sends to n8n.'),
	choice(
		'Checks',
		'checks',
		'Checks that every request must pass. A check without its settings rejects all requests.',
		// Empty, because the dialog of n8n 2.41 ignores the default of a multiple choice.
		[],
		checks,
		{ hint: 'Choose what you agreed with your bank. Without a check, all requests are rejected.' },
	),
	...forCheck('path', [
		secret(
			'Path Secret',
			'pathSecret',
			'Last part of the webhook URL: at least 16 letters, digits, hyphens or underscores. The Bank Trigger registers it ' +
				'with the bank. URLs can appear in logs, so combine it with another check if you can.',
			{ required: true },
		),
	]),
	...forCheck('header', [
		text('Header Name', 'headerName', 'Header that contains the secret', {
			default: 'Authorization',
			required: true,
			placeholder: 'e.g. X-Api-Key',
		}),
		secret('Header Secret', 'headerSecret', 'Complete value of the header, including a prefix such as "Bearer "', {
			required: true,
		}),
	]),
	...signatureFields,
	...forCheck('address', [
		text('Allowed Addresses', 'allowedAddresses', 'IP addresses and networks of the bank, separated by commas', {
			required: true,
			placeholder: 'e.g. 203.0.113.7, 198.51.100.0/24, 2001:db8::/32',
		}),
	]),
	...forCheck('certificate', [
		// The field is masked, because n8n's lint requires it for any name with "cert".
		secret(
			'Certificate Header',
			'certificateHeader',
			'Header that the proxy sets to the verified certificate. The proxy must remove it from incoming requests.',
			{ required: true, placeholder: 'e.g. X-Client-Fingerprint' },
		),
		secret(
			'Certificate Value',
			'certificateValue',
			'Expected value: a fingerprint or subject of the certificate, not only the result of the verification',
			{ required: true },
		),
	]),
	...shownFor({ checks: ['address', 'certificate'] satisfies InboundCheck[] }, [
		text(
			'Trusted Proxies',
			'trustedProxies',
			'IP addresses and networks of your proxies, separated by commas. X-Forwarded-For and the certificate header are ' +
				'accepted only from them. Required for Client Certificate. If empty, n8n determines the address (N8N_PROXY_HOPS).',
			{ placeholder: 'e.g. 10.0.0.5, 172.16.0.0/12' },
		),
	]),
];
