/** Each check accepts the right caller and rejects all others. */
import { createHmac, generateKeyPairSync, type KeyObject, sign as signWith } from 'node:crypto';

import fc from 'fast-check';

import { testInboundSettings } from '../../nodes/shared/inbound/authenticate.ts';
import {
	type InboundRequest,
	type InboundSettings,
	pathSecretOf,
	rejectionOf,
	settingsProblems,
} from '../../nodes/shared/inbound/checks.ts';

const body = Buffer.from('{"a":"é"}');
const requestWith = (change: Partial<InboundRequest> = {}): InboundRequest => ({
	headers: {},
	rawBody: body,
	pathSecret: undefined,
	socketAddress: '203.0.113.7',
	callerAddress: '203.0.113.7',
	...change,
});
const rejected = (settings: InboundSettings, change: Partial<InboundRequest> = {}) =>
	rejectionOf(settings, requestWith(change));

describe('no check', () => {
	it.each([[{}], [{ checks: [] }], [{ checks: 'header' }], [{ checks: ['other'] }], [{ checks: ['toString'] }]])(
		'%j lets nobody in',
		(settings) => {
			expect(rejected(settings as InboundSettings)).toMatchObject({ status: 503 });
		},
	);
});

describe('a header', () => {
	const settings = { checks: ['header'], headerName: 'X-Api-Key', headerSecret: 'horse' };
	const given = (value: string | string[] | undefined, change: object = {}) =>
		rejected({ ...settings, ...change }, { headers: { 'x-api-key': value, '': '' } });

	it('with the secret is accepted', () => expect(given('horse')).toBeUndefined());

	it.each([[undefined], [''], ['hors'], ['horsey'], ['Horse'], ['horse, horse'], [['horse']]])(
		'of %j does not',
		(value) => expect(given(value)).toEqual({ status: 401, reason: expect.not.stringMatching(/horse/i) }),
	);

	it.each([{ headerSecret: '' }, { headerSecret: '   ' }, { headerName: '' }, { headerSecret: undefined }])(
		'without its settings (%j) lets nobody in',
		(change) => expect(given('', change)).toMatchObject({ status: 503 }),
	);
});

describe('the path', () => {
	const settings = { checks: ['path'], pathSecret: 'abcdefgh-0123456789' };

	it.each([
		[undefined, 401],
		['', 401],
		['abcdefgh-012345678', 401],
		['abcdefgh-0123456789', undefined],
	])('with %j gets the status %j', (pathSecret, status) =>
		expect(rejected(settings, { pathSecret })?.status).toBe(status),
	);

	it.each(['short', 'with/slash-0123456789', 'with space 0123456789'])('cannot have the secret %j', (pathSecret) =>
		expect(settingsProblems({ ...settings, pathSecret })).toHaveLength(1),
	);

	it('has its secret only where the check is on', () => {
		expect(pathSecretOf(settings)).toBe('abcdefgh-0123456789');
		expect(pathSecretOf({ ...settings, checks: ['header'] })).toBeUndefined();
	});
});

/** Status with which a request with this signature is rejected; undefined if it is accepted. */
const statusOf = (settings: InboundSettings, signature: string, change: Partial<InboundRequest> = {}) =>
	rejected(settings, { headers: { 'x-signature': signature }, ...change })?.status;
const hmac = {
	checks: ['signature'],
	signatureHeader: 'X-Signature',
	signatureAlgorithm: 'sha256',
	signatureEncoding: 'hex',
	signatureSecret: 'top secret',
};
const hmacOf = (content: string | Buffer, secret = 'top secret') =>
	createHmac('sha256', secret).update(content).digest('hex');

describe('a signature', () => {
	describe.each(['sha1', 'sha256', 'sha512'])('%s', (signatureAlgorithm) => {
		it.each(['hex', 'base64', 'base64url'] as const)(
			'in %s lets in what is signed with the secret, and nothing else',
			(signatureEncoding) => {
				const settings = { ...hmac, signatureAlgorithm, signatureEncoding };
				const sign = (algorithm = signatureAlgorithm, secret = 'top secret') =>
					createHmac(algorithm, secret).update(body).digest(signatureEncoding);
				const right = sign();
				expect(statusOf(settings, right)).toBeUndefined();
				const wrong = [
					...['', right.slice(0, -4), `00${right}`, `${right}00`, `${right}zz`, `x${right}`],
					...[sign('md5'), sign(undefined, 'other secret')],
				];
				for (const signature of wrong) expect(statusOf(settings, signature)).toBe(401);
			},
		);
	});

	it('covers each byte of the body', () => {
		for (const rawBody of [Buffer.from('{"a": "é"}'), body.subarray(0, -1), Buffer.alloc(0), undefined])
			expect(rejected(hmac, { headers: { 'x-signature': hmacOf(body) }, rawBody })?.status).toBe(401);
	});

	it('may have a prefix, capital digits, and base64 without its end', () => {
		const prefixed = { ...hmac, signaturePrefix: 'sha256=' };
		expect(statusOf(prefixed, `sha256=${hmacOf(body).toUpperCase()}`)).toBeUndefined();
		expect(statusOf(prefixed, hmacOf(body))).toBe(401);
		const base64 = Buffer.from(hmacOf(body), 'hex').toString('base64').replace(/=+$/, '');
		expect(statusOf({ ...hmac, signatureEncoding: 'base64' }, base64)).toBeUndefined();
	});

	it.each([
		{ signatureAlgorithm: 'md5' },
		{ signatureAlgorithm: '' },
		{ signatureEncoding: 'latin1' },
		{ signatureSecret: '' },
		{ signatureHeader: '' },
	])('without its settings (%j) lets nobody in', (change) =>
		expect(statusOf({ ...hmac, ...change }, hmacOf(body))).toBe(503),
	);
});

describe('a signature while secrets are changed', () => {
	const settings = { ...hmac, signatureSecret: 'the old one', signatureSecondSecret: 'the new one' };

	it('may be made with either', () => {
		for (const secret of ['the old one', 'the new one'])
			expect(statusOf(settings, hmacOf(body, secret))).toBeUndefined();
	});

	it.each([undefined, '', '  '])('is not accepted with a second secret of %j', (signatureSecondSecret) => {
		const change = { ...settings, signatureSecondSecret } as InboundSettings;
		expect(statusOf(change, hmacOf(body, signatureSecondSecret ?? ''))).toBe(401);
	});
});

describe('a signature over a timestamp', () => {
	const plain = {
		...hmac,
		signatureTimestamp: true,
		timestampHeader: 'X-Timestamp',
		signedContent: '{timestamp}.{body}',
		timestampWindow: 300,
	};
	const now = Date.parse('2026-01-31T12:00:00Z');
	const seconds = (change = 0) => String(now / 1000 + change);
	const sign = (stamp: string) => hmacOf(`${stamp}.${body.toString()}`);

	beforeEach(() => jest.useFakeTimers({ now }));
	afterEach(() => jest.useRealTimers());

	it.each(['true', 'yes', 1, 0, {}])('is not skipped if its switch is %j', (signatureTimestamp) => {
		expect(statusOf({ ...plain, signatureTimestamp } as InboundSettings, hmacOf(body))).toBe(503);
	});

	const inHeader = (stamp: string, signature = sign(stamp), change: object = {}) =>
		statusOf({ ...plain, ...change }, signature, { headers: { 'x-timestamp': stamp, 'x-signature': signature } });

	it.each([
		seconds(),
		seconds(-300),
		seconds(300),
		String(now),
		'2026-01-31T12:04:00Z',
		'2026-01-31T15:00:00.000+03:00',
	])('of %s lets in', (stamp) => expect(inHeader(stamp)).toBeUndefined());

	it.each([seconds(-301), seconds(301), '', '0', 'now', '2026-01-31', '2026-01-31T12:00:00', '-1', '1e9', 'NaN'])(
		'of %j does not',
		(stamp) => expect(inHeader(stamp)).toBe(401),
	);

	it('does not fit another timestamp, or the body alone', () => {
		expect(inHeader(seconds(1), sign(seconds()))).toBe(401);
		expect(inHeader(seconds(), hmacOf(body))).toBe(401);
		expect(statusOf(plain, sign(seconds()))).toBe(401);
	});

	it('covers the text that the user configured, within the configured window', () => {
		const signedContent = 'v0:{timestamp}:{body}!';
		const signature = hmacOf(`v0:${seconds()}:${body.toString()}!`);
		expect(inHeader(seconds(), signature, { signedContent })).toBeUndefined();
		expect(inHeader(seconds(-20), undefined, { timestampWindow: 10 })).toBe(401);
	});

	it.each([
		{ timestampHeader: '' },
		{ signedContent: '{body}' },
		{ signedContent: '{timestamp}' },
		{ signedContent: '{timestamp}{body}{body}' },
		{ timestampWindow: 0 },
		{ timestampWindow: 'long' },
		{ timestampWindow: Infinity },
		{ timestampWindow: '1e9' },
	])('without its settings (%j) lets nobody in', (change) => expect(inHeader(seconds(), undefined, change)).toBe(503));
});

describe('a signature with a key', () => {
	const rsa = generateKeyPairSync('rsa', { modulusLength: 2048 });
	const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const other = generateKeyPairSync('ec', { namedCurve: 'P-256' });
	const pem = (key: KeyObject) => key.export({ type: 'spki', format: 'pem' }).toString();
	const signedWith = (key: KeyObject) => signWith('sha256', body, key).toString('base64');
	const settings = (signaturePublicKey: string, change: object = {}) => ({
		checks: ['signature'],
		signatureHeader: 'X-Signature',
		signatureAlgorithm: 'publicSha256',
		signatureEncoding: 'base64',
		signaturePublicKey,
		...change,
	});

	it.each([
		['RSA', rsa, 'der'],
		['EC', ec, 'der'],
		['EC in the form of JSON Web Signatures', ec, 'ieee-p1363'],
	] as const)(
		'of %s lets in what is signed with it, and nothing else',
		(_name, { publicKey, privateKey }, dsaEncoding) => {
			for (const [signatureAlgorithm, digest] of [
				['publicSha256', 'sha256'],
				['publicSha512', 'sha512'],
			] as const) {
				const signature = signWith(digest, body, { key: privateKey, dsaEncoding }).toString('base64');
				const given = settings(pem(publicKey), { signatureAlgorithm });
				expect(statusOf(given, signature)).toBeUndefined();
				expect(statusOf(given, signature, { rawBody: Buffer.from('{"a":"e"}') })).toBe(401);
				expect(statusOf(given, signature.slice(4))).toBe(401);
				expect(statusOf(settings(pem(other.publicKey), { signatureAlgorithm }), signature)).toBe(401);
			}
		},
	);

	it('may be made with one of several keys, while they are changed', () => {
		const both = settings(pem(other.publicKey) + pem(ec.publicKey));
		for (const { privateKey } of [ec, other]) expect(statusOf(both, signedWith(privateKey))).toBeUndefined();
		expect(statusOf(both, signedWith(rsa.privateKey))).toBe(401);
	});

	it('accepts a key that lost its line breaks when it was pasted', () => {
		const flat = settings(pem(ec.publicKey).replace(/\n/g, ' '));
		expect(statusOf(flat, signedWith(ec.privateKey))).toBeUndefined();
	});

	it.each([
		'',
		'a key',
		'-----BEGIN PUBLIC KEY-----\nAAAA\n-----END PUBLIC KEY-----',
		pem(generateKeyPairSync('ed25519').publicKey),
	])('lets nobody in where %j stands for the key', (key) => expect(statusOf(settings(key), 'AAAA')).toBe(503));

	it('needs no secret, and a secret does not replace a key', () => {
		const signature = createHmac('sha256', pem(rsa.publicKey)).update(body).digest('base64');
		expect(statusOf(settings(pem(rsa.publicKey), { signatureSecret: 'x' }), signature)).toBe(401);
		expect(settingsProblems(settings(pem(rsa.publicKey)))).toEqual([]);
	});

	it.each([
		['PEM', pem(rsa.publicKey)],
		['a certificate', '-----BEGIN TRUSTED CERTIFICATE-----\nMIIB\n-----END TRUSTED CERTIFICATE-----'],
	])('is rejected as a secret, in the form of %s', (_form, key) => {
		for (const field of ['signatureSecret', 'signatureSecondSecret'])
			expect(rejected({ ...hmac, [field]: key }, { headers: { 'x-signature': hmacOf(body, key) } })).toMatchObject({
				status: 503,
				reason: expect.stringContaining('is a public key'),
			});
	});

	it('is rejected without an exception, whatever the header contains', () => {
		fc.assert(
			fc.property(fc.string({ unit: 'binary' }), fc.constantFrom(rsa, ec), (header, { publicKey }) => {
				expect(statusOf(settings(pem(publicKey)), header)).toBe(401);
			}),
		);
	});
});

describe('an address', () => {
	const settings = { checks: ['address'], allowedAddresses: '203.0.113.7, 198.51.100.0/24\n2001:db8::/32' };
	const notAllowed = (address: string) => ({ status: 403, reason: `the IP address ${address} is not allowed` });
	const unknownCaller = { status: 403, reason: 'the IP address of the caller is unknown' };

	it.each(['203.0.113.7', '198.51.100.255', '::ffff:203.0.113.7', '2001:db8:1::1'])('%s is allowed', (callerAddress) =>
		expect(rejected(settings, { callerAddress })).toBeUndefined(),
	);

	it.each(['203.0.113.8', '198.51.101.1', '2001:db9::1'])('%s is not, which the log says', (callerAddress) =>
		expect(rejected(settings, { callerAddress })).toEqual(notAllowed(callerAddress)),
	);

	it.each(['', undefined, 'localhost'])('%j is no address', (callerAddress) =>
		expect(rejected(settings, { callerAddress })).toEqual(unknownCaller),
	);

	it.each(['', '203.0.113.7/33', 'example.com', '10.0.0.0/8/8', '10.0.0.0/x', '203.0.113.7-9', '1', '2001:db8::/129'])(
		'the list %j lets nobody in',
		(allowedAddresses) => {
			expect(rejected({ ...settings, allowedAddresses })).toMatchObject({ status: 503 });
		},
	);

	it('may be a network of IPv4 written as IPv6', () => {
		expect(rejected({ ...settings, allowedAddresses: '::ffff:203.0.113.0/120' })).toBeUndefined();
		expect(rejected({ ...settings, allowedAddresses: '::ffff:203.0.114.0/120' })).toMatchObject({ status: 403 });
	});

	describe('behind a proxy', () => {
		const behind = { ...settings, trustedProxies: '10.0.0.0/8, fd00::/8' };
		const through = (forwarded: string | undefined, socketAddress = '10.0.0.5') =>
			rejected(behind, { headers: { 'x-forwarded-for': forwarded }, socketAddress, callerAddress: '203.0.113.7' });

		it.each([
			'203.0.113.7',
			'1.1.1.1, 203.0.113.7',
			'rubbish, 203.0.113.7',
			'203.0.113.7, 10.0.0.9',
			'203.0.113.7:4711',
			'[2001:db8::1]:443, fd00::1',
			' 203.0.113.7 ',
		])('is the last one that no proxy of ours has: %s', (forwarded) => {
			expect(through(forwarded)).toBeUndefined();
		});

		it.each([
			['203.0.113.7, 1.1.1.1', notAllowed('1.1.1.1')],
			['1.1.1.1', notAllowed('1.1.1.1')],
			['203.0.113.7, rubbish', unknownCaller],
			['', notAllowed('10.0.0.5')],
			[undefined, notAllowed('10.0.0.5')],
			['10.0.0.9', notAllowed('10.0.0.9')],
		])('is not one that anybody may have written: %s', (forwarded, rejection) =>
			expect(through(forwarded)).toEqual(rejection),
		);

		it('is that of the connection where it does not come from a proxy', () => {
			expect(through('203.0.113.7', '1.1.1.1')).toMatchObject({ status: 403 });
			expect(through('1.1.1.1', '203.0.113.7')).toBeUndefined();
		});
	});
});

describe('a client certificate', () => {
	const settings = {
		checks: ['certificate'],
		certificateHeader: 'X-Client-Fingerprint',
		certificateValue: 'AB:CD',
		trustedProxies: '10.0.0.5',
	};
	const headers = { 'x-client-fingerprint': 'AB:CD' };

	it('that a trusted proxy names is accepted', () =>
		expect(rejected(settings, { headers, socketAddress: '::ffff:10.0.0.5' })).toBeUndefined());

	it.each([
		[{ headers, socketAddress: '203.0.113.7' }, 'came from 203.0.113.7, which is not a trusted proxy'],
		[{ headers, socketAddress: undefined }, 'came from an unknown address, which is not a trusted proxy'],
		[{ headers: {} }, 'the header X-Client-Fingerprint is missing'],
		[{ headers: { 'x-client-fingerprint': 'AB:CE' } }, 'names a different certificate'],
		[{ headers: { 'x-client-fingerprint': 'AB:CD, AB:CD' } }, 'names a different certificate'],
	])('does not otherwise, and the log says why: %j', (change, reason) =>
		expect(rejected(settings, { socketAddress: '10.0.0.5', ...change })).toEqual({
			status: 403,
			reason: expect.stringContaining(reason),
		}),
	);

	it('needs the list of proxies', () =>
		expect(rejected({ ...settings, trustedProxies: '' }, { headers, socketAddress: '10.0.0.5' })).toMatchObject({
			status: 503,
		}));
});

describe('several checks', () => {
	const settings = {
		checks: ['header', 'address'],
		headerName: 'x',
		headerSecret: 's',
		allowedAddresses: '203.0.113.7',
	};

	it('must all pass', () => {
		expect(rejected(settings, { headers: { x: 's' } })).toBeUndefined();
		expect(rejected(settings, { headers: { x: 't' } })).toMatchObject({ status: 401 });
		expect(rejected(settings, { headers: { x: 's' }, callerAddress: '1.1.1.1' })).toMatchObject({ status: 403 });
	});
});

describe('the test of the credential', () => {
	const test = (data: InboundSettings) => testInboundSettings({ id: '1', name: 'x', type: 'bankInboundApi', data });

	it('says what is missing', async () => {
		expect(
			await test({ checks: ['header', 'address'], headerName: 'x', headerSecret: '', allowedAddresses: 'here' }),
		).toEqual({
			status: 'Error',
			message:
				'Not complete: Header Secret is empty; Allowed Addresses: "here" is neither an IP address nor a range such as 192.0.2.0/24',
		});
		expect((await test({ checks: [] })).status).toBe('Error');
	});

	it.each([
		['header', 'headerName', 'Header Name'],
		['signature', 'signatureHeader', 'Signature Header'],
		['signature', 'timestampHeader', 'Timestamp Header'],
		['certificate', 'certificateHeader', 'Certificate Header'],
	])('says that the header of the check %s can have no such name (%s)', async (check, field, label) => {
		const { message } = await test({ checks: [check], signatureTimestamp: true, [field]: 'X Sig: ' });
		expect(message).toContain(`${label} is not the name of a header: X Sig:`);
	});

	it('says that the settings are complete', async () => {
		expect((await test({ checks: ['header'], headerName: 'x', headerSecret: 'y' })).status).toBe('OK');
	});
});
