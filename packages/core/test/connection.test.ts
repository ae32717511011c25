/** Classifies errors of Node, OpenSSL and axios, and whether the request may have been sent. */
import { connectionCode, connectionCodes, connectionErrorInfo } from '../src/index.ts';

const securing = { request: { socket: { secureConnecting: true } } };
const secured = { request: { socket: { secureConnecting: false } } };
const alert = (number: number) => ({ code: 'EPROTO', message: `ssl3_read_bytes: SSL alert number ${number}` });

describe('the code of a thrown error', () => {
	type Case = [what: string, thrown: unknown, code: string | undefined];
	const withCode = (thrown: { code: string; [more: string]: unknown }): Case => ['its own', thrown, thrown.code];

	// EHOSTUNREACH and ENETUNREACH: the request was not sent only if the attempt to connect failed.
	const lost = ['EHOSTUNREACH', 'ENETUNREACH'].flatMap((code): Case[] => [
		...[
			{ syscall: 'connect' },
			{ cause: { code, syscall: 'connect' } },
			{ errors: [{ syscall: 'connect' }, { syscall: 'connect' }] },
		].map((more): Case => ['not connected', { code, ...more }, code]),
		...[
			...[{ syscall: 'read' }, { syscall: 'write' }, { cause: { syscall: 'read' } }],
			...[{ errors: [{ syscall: 'connect' }, { syscall: 'read' }] }, {}, { errors: [] }],
		].map((more): Case => ['broken while connected', { code, ...more }, 'ECONNRESET']),
	]);

	// RFC 8446, 6.2: handshake_failure, no_certificate, bad, unsupported, revoked, expired, unknown, unknown_ca, access_denied,
	// certificate_required.
	const refusing = [40, 41, 42, 43, 44, 45, 46, 48, 49, 116];
	// unexpected_message, illegal_parameter, protocol_version, internal_error, no_application_protocol, and a number
	// that is no alert.
	const others = [10, 47, 70, 80, 120, 404];

	const broken = [undefined, 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'EPROTO', 'ETIMEDOUT', 'ERR_SSL_DECRYPTION_FAILED'];
	const withoutTls = ['wrong version number', 'packet length too long', 'HTTP request'];

	test.each<Case>([
		...[undefined, 'ECONNREFUSED', new Error('broke'), { code: 7, message: 'broke' }, { message: '' }].map(
			(thrown): Case => ['none', thrown, undefined],
		),
		...[
			{ code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND bank.test' },
			{ code: 'ECONNRESET', ...secured },
			{ code: 'ECONNRESET', request: null },
			{ code: 'ECONNRESET', request: { socket: null } },
			{ code: 'EPROTO', message: 'wrong version number' },
			{ code: 'EX', message: 'too long' },
			{ code: 'MY_ERR_OSSL_X' },
			{ code: 'EPROTO', message: 'something else' },
			{ code: 'ERR_SSL_TLSV1_ALERT_DECODE_ERROR' },
			{ code: 'CERT_HAS_EXPIRED', message: 'certificate has expired' },
			{ code: 'EPROTONOSUPPORT', message: 'SSL alert number 42' },
			{ code: 'MY_EPROTO', message: 'SSL alert number 42' },
			{ code: 'MY_ERR_SSL_ALERT', message: 'SSL alert number 42' },
		].map(withCode),
		...others.map((number) => withCode({ ...alert(number), message: `${alert(number).message}, certificate` })),
		...['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'ECONNRESETS', 'MY_ECONNRESET', 'MY_ERR_SSL_X'].map((code) =>
			withCode({ code, message: 'broke', ...securing }),
		),
		...lost,
		...['it resolves to a restricted IP address', 'the destination hostname is restricted'].map((why): Case => [
			"n8n's SSRF protection",
			new Error(`The request was blocked because ${why}`),
			'BLOCKED',
		]),
		...['ETIMEDOUT', 'ECONNRESET', 'EPERM', 'EMFILE', undefined].flatMap((code): Case[] => [
			['not connected', { code, syscall: 'connect' }, 'CONNECT'],
			['not connected', { code, errors: [{ syscall: 'connect' }, { syscall: 'connect' }] }, 'CONNECT'],
			['broken while connected', { code, syscall: 'read' }, code],
		]),
		['a client certificate that OpenSSL cannot use', { code: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH' }, 'CERTIFICATE'],
		...[
			...refusing.map(alert),
			{ code: 'ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED' },
			{ code: 'ERR_SSL_TLSV1_ALERT_UNKNOWN_CA' },
			{ code: 'EPROTO', message: 'tlsv1 alert unknown ca' },
			{ code: 'EPROTO', message: 'tlsv1 alert access denied' },
			{ code: 'EPROTO', message: 'sslv3 alert handshake failure' },
		].map((thrown): Case => ['the server refuses the client certificate', thrown, 'CERTIFICATE_REFUSED']),
		...broken.map((code): Case => ['no secure connection', { code, message: 'broke', ...securing }, 'TLS']),
		...withoutTls.map((words): Case => [
			'the server does not speak TLS there',
			{ code: 'EPROTO', message: `error:0A00010B:${words}`, ...securing },
			'NO_TLS',
		]),
	])('%s: %j is %s', (_what, thrown, code) => {
		expect(connectionCode(thrown)).toBe(code);
	});
});

describe('the meaning of a code for the request', () => {
	const which = (says: (fault: ReturnType<typeof connectionErrorInfo>) => boolean) =>
		connectionCodes.filter((code) => says(connectionErrorInfo(code))).sort();

	// Everything else fails before connecting, so a payment was not sent.
	const mayHaveArrived = [
		'ECONNABORTED',
		'ECONNRESET',
		'EPIPE',
		'ERR_BAD_RESPONSE',
		'ERR_CANCELED',
		'ESOCKETTIMEDOUT',
		'ETIMEDOUT',
		'RESPONSE_TOO_LARGE',
	];

	test('the request may have arrived only if the connection was established', () => {
		expect(which((fault) => fault.mayHaveArrived)).toEqual(mayHaveArrived);
	});

	test('a temporary error may be retried', () => {
		const passing = ['CONNECT', 'EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'TLS'];
		const passed = [...passing, ...mayHaveArrived]
			.filter((code) => code !== 'ERR_CANCELED' && code !== 'RESPONSE_TOO_LARGE')
			.sort();
		expect(which((fault) => fault.isTemporary)).toEqual(passed);
	});

	test('with an unknown code the request may have arrived and is not retried', () => {
		expect(connectionErrorInfo('EWHATEVER')).toMatchObject({ mayHaveArrived: true, isTemporary: false });
		expect(connectionErrorInfo(undefined)).toMatchObject({ mayHaveArrived: true, isTemporary: true });
	});

	test.each([...connectionCodes, 'EWHATEVER', undefined])('%s says what happened and what to do', (code) => {
		const { what, next } = connectionErrorInfo(code);
		expect(what).toMatch(/^(?:the|no) \w.+[^.]$/);
		expect(next).not.toHaveLength(0);
	});
});
