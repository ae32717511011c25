/** Classifies errors of Node, OpenSSL and axios, and whether the request may have been sent. */
import { connectionCode, connectionCodes, connectionErrorInfo } from '../src/index.ts';

const securing = { request: { socket: { secureConnecting: true } } };
const secured = { request: { socket: { secureConnecting: false } } };
const alert = (number: number) => ({ code: 'EPROTO', message: `ssl3_read_bytes: SSL alert number ${number}` });

describe('the code of what was thrown', () => {
	test.each([
		['nothing', undefined],
		['words', 'ECONNREFUSED'],
		['an error without a code', new Error('broke')],
		['an error with a number for a code', { code: 7, message: 'broke' }],
		['an empty message', { message: '' }],
	])('is none for %s', (_what, thrown) => {
		expect(connectionCode(thrown)).toBeUndefined();
	});

	test.each([
		[{ code: 'ENOTFOUND', message: 'getaddrinfo ENOTFOUND bank.test' }],
		[{ code: 'ECONNRESET', ...secured }],
		[{ code: 'ECONNRESET', request: null }],
		[{ code: 'ECONNRESET', request: { socket: null } }],
		[{ code: 'EPROTO', message: 'wrong version number' }],
		[{ code: 'EX', message: 'too long' }],
	])('is that of the error: %j', (thrown) => {
		expect(connectionCode(thrown)).toBe(thrown.code);
	});

	describe.each(['EHOSTUNREACH', 'ENETUNREACH'])('of a way that is lost: %s', (code) => {
		test.each([
			['one address', { syscall: 'connect' }],
			['the error that another one wraps', { cause: { code, syscall: 'connect' } }],
			['each of several addresses', { errors: [{ syscall: 'connect' }, { syscall: 'connect' }] }],
		])('says so where it was the attempt to connect that failed, to %s', (_what, more) => {
			expect(connectionCode({ code, ...more })).toBe(code);
		});

		test.each([
			['reading', { syscall: 'read' }],
			['writing', { syscall: 'write' }],
			['reading, inside another error', { cause: { syscall: 'read' } }],
			['one of several', { errors: [{ syscall: 'connect' }, { syscall: 'read' }] }],
			['nobody knows what', {}],
			['nothing of several', { errors: [] }],
		])('says that the connection broke where it failed while %s: the request may have arrived', (_what, more) => {
			expect(connectionCode({ code, ...more })).toBe('ECONNRESET');
		});
	});

	test('tells a certificate of ours that OpenSSL cannot use', () => {
		expect(connectionCode({ code: 'ERR_OSSL_X509_KEY_VALUES_MISMATCH' })).toBe('CERTIFICATE');
		expect(connectionCode({ code: 'MY_ERR_OSSL_X' })).toBe('MY_ERR_OSSL_X');
	});

	describe('tells that the server refuses the client certificate', () => {
		// RFC 8446, 6.2: handshake_failure, no_certificate, bad, unsupported, revoked, expired, unknown, unknown_ca, access_denied,
		// certificate_required.
		test.each([40, 41, 42, 43, 44, 45, 46, 48, 49, 116])('by alert %i', (number) => {
			expect(connectionCode(alert(number))).toBe('CERTIFICATE_REFUSED');
		});

		// unexpected_message, illegal_parameter, protocol_version, internal_error, no_application_protocol; and none.
		test.each([10, 47, 70, 80, 120, 404])('and not by alert %i', (number) => {
			expect(connectionCode({ ...alert(number), message: `${alert(number).message}, certificate` })).toBe('EPROTO');
		});

		test.each([
			['ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED', ''],
			['ERR_SSL_TLSV1_ALERT_UNKNOWN_CA', ''],
			['EPROTO', 'tlsv1 alert unknown ca'],
			['EPROTO', 'tlsv1 alert access denied'],
			['EPROTO', 'sslv3 alert handshake failure'],
		])('by its words, where it gives no number: %s %s', (code, message) => {
			expect(connectionCode({ code, message })).toBe('CERTIFICATE_REFUSED');
		});

		test.each([
			['EPROTO', 'something else'],
			['ERR_SSL_TLSV1_ALERT_DECODE_ERROR', ''],
			['CERT_HAS_EXPIRED', 'certificate has expired'],
			['EPROTONOSUPPORT', 'SSL alert number 42'],
			['MY_EPROTO', 'SSL alert number 42'],
			['MY_ERR_SSL_ALERT', 'SSL alert number 42'],
		])('and not by others: %s %s', (code, message) => {
			expect(connectionCode({ code, message })).toBe(code);
		});
	});

	describe('tells that no secure connection could be established', () => {
		test.each([undefined, 'ECONNRESET', 'ECONNABORTED', 'EPIPE', 'EPROTO', 'ETIMEDOUT', 'ERR_SSL_DECRYPTION_FAILED'])(
			'while it was being secured: %s',
			(code) => {
				expect(connectionCode({ code, message: 'broke', ...securing })).toBe('TLS');
			},
		);

		test.each(['CERT_HAS_EXPIRED', 'SELF_SIGNED_CERT_IN_CHAIN', 'ECONNRESETS', 'MY_ECONNRESET', 'MY_ERR_SSL_X'])(
			'and not where a code says more: %s',
			(code) => {
				expect(connectionCode({ code, message: 'broke', ...securing })).toBe(code);
			},
		);

		test.each(['wrong version number', 'packet length too long', 'HTTP request'])(
			'because the server does not speak TLS there: %s',
			(words) => {
				expect(connectionCode({ code: 'EPROTO', message: `error:0A00010B:${words}`, ...securing })).toBe('NO_TLS');
			},
		);
	});
});

describe('what a code means for the request', () => {
	const which = (says: (fault: ReturnType<typeof connectionErrorInfo>) => boolean) =>
		connectionCodes.filter((code) => says(connectionErrorInfo(code))).sort();

	// Everything else fails before connecting, so a payment was not sent.
	const mayHaveArrived = [
		'ANSWER_TOO_LARGE',
		'ECONNABORTED',
		'ECONNRESET',
		'EPIPE',
		'ERR_BAD_RESPONSE',
		'ERR_CANCELED',
		'ESOCKETTIMEDOUT',
		'ETIMEDOUT',
	];

	test('it may have arrived only where the connection had stood', () => {
		expect(which((fault) => fault.mayHaveArrived)).toEqual(mayHaveArrived);
	});

	test('it is worth another try where that may help', () => {
		const passing = ['EAI_AGAIN', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'TLS'];
		const passed = [...passing, ...mayHaveArrived]
			.filter((code) => code !== 'ERR_CANCELED' && code !== 'ANSWER_TOO_LARGE')
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
