import { excerpt, isSecretName, redact } from '../src/index.ts';

const jwt = 'eyJhbGciOiJSUzI1NiJ9.eyJzdWIiOiIxMjM0NTY3ODkwIn0.c2lnbmF0dXJlLW9mLWl0';

describe('what must not be read stays unread:', () => {
	test.each([
		['Authorization: Bearer abcDEF-123.x~y+z/==', 'Authorization: Bearer [REDACTED]'],
		['Bearer  abc', 'Bearer [REDACTED]'],
		['Basic dXNlcjpwYXNz, next', 'Basic [REDACTED], next'],
		[`token ${jwt}, next`, 'token [REDACTED], next'],
		['-----BEGIN RSA PRIVATE KEY-----\nA-B: c\n\nMIIE\n-----END RSA PRIVATE KEY-----, next', '[REDACTED], next'],
		['-----BEGIN PRIVATE KEY-----\\nMIIE', '[REDACTED]'],
		['password: hunter2, id_token=hunter2', 'password: [REDACTED], id_token=[REDACTED]'],
		['{"client_secret": "hunter2", "a": 1}', '{"client_secret": "[REDACTED]", "a": 1}'],
		[
			'{"body":"{\\"access_token\\":\\"hunter2\\",\\"a\\":1}"}',
			'{"body":"{\\"access_token\\":\\"[REDACTED]\\",\\"a\\":1}"}',
		],
		["{'refresh_token' : 'hunter2'}", "{'refresh_token' : '[REDACTED]'}"],
		['{"X-GW-Client-Secret":["hunter2"]}', '{"X-GW-Client-Secret":["[REDACTED]"]}'],
		[
			'{"headers":"{\\"x-gw-client-secret\\":[\\"hunter2\\"]}"}',
			'{"headers":"{\\"x-gw-client-secret\\":[\\"[REDACTED]\\"]}"}',
		],
		['clientSecret=hunter2&accessToken=hunter2', 'clientSecret=[REDACTED]&accessToken=[REDACTED]'],
		['CLIENT_SECRET=hunter\\2', 'CLIENT_SECRET=[REDACTED]'],
		['code=hunter2&state=1', 'code=[REDACTED]&state=1'],
		['"signedBody":"RkFLRQ==",', '"signedBody":"[REDACTED]",'],
		['client_assertion=hunter2', 'client_assertion=[REDACTED]'],
	])('%s', (text, redacted) => {
		expect(redact(text)).toBe(redacted);
	});

	const separators = [
		' ',
		'-',
		'.',
		'_',
		'/',
		'\u00a0',
		'\u2009',
		'\u202f',
		'\u2011',
		'\u2013',
		'\u2212',
		' - ',
		// Invisible: zero-width, right-to-left and other marks.
		...'\u200b\u200c\u200d\u200e\u200f\u202a\u2066\ufeff\u180e\u2061\u00ad\u034f',
		..."\t\n|\\'·•․．／⁄∕－﹣⸺\u205f\u1680\u2028",
	];
	const inDigits = (number: string, zero: number) =>
		number.replace(/\d/g, (digit) => String.fromCodePoint(zero + Number(digit)));

	test.each(['4111111111111111', '40702810000000000001', '79000000001'])(
		'%s, however its digits are written',
		(number) => {
			const ending = number.slice(-4);
			for (const separator of separators)
				for (const size of [1, 3, 4, 5]) {
					const groups = number.match(new RegExp(`.{1,${size}}`, 'g'))?.join(separator) ?? '';
					expect([groups, redact(`number ${groups} is wrong`)]).toEqual([groups, `number ****${ending} is wrong`]);
				}
			for (const zero of [0xff10, 0x1d7ce])
				expect(redact(`number ${inDigits(number, zero)} is wrong`)).toBe(`number ****${ending} is wrong`);
			expect(redact(`number ${inDigits(number, 0x660)} is wrong`)).toBe('number **** is wrong');
		},
	);

	test.each([
		['https://user:pass@bank.test/a', 'https://[REDACTED]@bank.test/a'],
		['at HTTP://user:p@ss:w0rd@bank.test:8080?x=1', 'at HTTP://[REDACTED]@bank.test:8080?x=1'],
		['via https://only-a-token@bank.test', 'via https://[REDACTED]@bank.test'],
		['"socks5://:secret@127.0.0.1:1080"', '"socks5://[REDACTED]@127.0.0.1:1080"'],
		['{"a":"https:\\/\\/user:pass@bank.test\\/a"}', '{"a":"https:\\/\\/[REDACTED]@bank.test\\/a"}'],
		['https:\\\\user:pass@bank.test', 'https:\\\\[REDACTED]@bank.test'],
		['https:\\u002F\\u002fuser:pass@bank.test', 'https:\\u002F\\u002f[REDACTED]@bank.test'],
		['?to=https%3A%2F%2Fuser%3Apass%40bank.test%2Fa', '?to=https%3A%2F%2F[REDACTED]@bank.test%2Fa'],
		['//user:pass@bank.test', '//[REDACTED]@bank.test'],
		['https:///user:pass＠bank.test', 'https:///[REDACTED]@bank.test'],
		['https://user:pa/s#s?w@bank.test/a', 'https://[REDACTED]@bank.test/a'],
		['{"a":"https:\\/\\/user:pa\\/ss@bank.test"}', '{"a":"https:\\/\\/[REDACTED]@bank.test"}'],
		['https://user:pa\\ss@bank.test', 'https://[REDACTED]@bank.test'],
		['https://bank.test/a@b', 'https://bank.test/a@b'],
		['https://bank.test:8080/a@b', 'https://bank.test:8080/a@b'],
		['https://[::1]:8080/a@b', 'https://[::1]:8080/a@b'],
		['https://bank.test?mail=a@b.test', 'https://bank.test?mail=a@b.test'],
	])('%s', (text, redacted) => expect(redact(text)).toBe(redacted));

	test.each([
		['account 40702810000000000001.', 'account ****0001.'],
		['card 4111 1111 1111 1111', 'card ****1111'],
		['card 4111111111111113', 'card ****1113'],
		['card 411111111111-11-14', 'card ****1114'],
		['{"account":40702810000000000006}', '{"account":****0006}'],
		['a40702810000000000008b', 'a****0008b'],
		['trace 4111111111111111', 'trace ****1111'],
		['account 40702.810.9.00000000009', 'account ****0009'],
		['account 40702\u00a0810\u00a0000000000010', 'account ****0010'],
		['phone +79000000011', 'phone +****0011'],
		['account ****999999999999', 'account ****9999'],
		['phone 8 (900) 000-00-12.', 'phone ****0012.'],
	])('%s', (text, redacted) => {
		expect(redact(text)).toBe(redacted);
	});
});

test.each([
	'400 invalid_request, attempt 3 of 10',
	'from 10.120.130.140 to 192.168.100.200',
	'on 31.03.2026 10:15:30, 2026-03-31 (10:15)',
	'inn 7700000000',
	'amounts 4111,1111,1111,1111',
	'2026-03-31T10:15:30.000Z',
	'request 0f8fad5b-d9cb-469f-a165-708677289501',
	'trace 4bf92f3577b34da6a3ce929d0e0e4736',
	// Eleven digits in a row occur in every twentieth hexadecimal identifier of 32 characters.
	'trace a3ce12345678901f3577b34da6929d0e',
	'span 12345678901a4da6',
	'partner.vat.counterparts[2].sales[0].date',
	'host api.bank.example.com',
	'field responseData.applicationResult.scoringStatus is empty',
	'Account ****0001 is blocked',
	'credential "bankClientCredentialsOAuth2Api": no token',
])('what helps stays: %s', (text) => {
	expect(redact(text)).toBe(text);
});

test.each([
	['access_token', true],
	['CLIENT_SECRET', true],
	['userPassword', true],
	['x-signature', true],
	['codeVerifier', true],
	['apiKey', true],
	['private_key', true],
	['code', true],
	['authorization_code', true],
	['token_type', false],
	['postcode', false],
	['codeOfRegion', false],
	['pinned', false],
])('a field that is named %s proves who asks: %p', (name, isSecret) => expect(isSecretName(name)).toBe(isSecret));

test('redacting a redacted text changes nothing', () => {
	const text = `Bearer abc client_secret=hunter2 ${jwt} 4111 1111 1111 1111 code: x`;
	expect(redact(redact(text))).toBe(redact(text));
});

describe('an excerpt', () => {
	const page =
		'<html><head><style>p{}</style><SCRIPT>\nevil()</SCRIPT></head>\n' +
		'<body class="x"><h1>502</h1>\tBad\n\n Gateway </body></html>';

	test.each([
		['a page', page, '502 Bad Gateway'],
		['a secret with markup around it', '<b>Bearer</b>\n<i>hunter2</i>', 'Bearer [REDACTED]'],
		['a number in two lines', '4070281000\n0000000001', '****0001'],
		...['', ' \n ', '<br>'].map((text) => ['nothing', text, '']),
		['a text of 300 characters', 'x'.repeat(300), 'x'.repeat(300)],
		['a longer text', 'x'.repeat(400), `${'x'.repeat(299)}…`],
		['a long line without spaces', `{"id":"${'x'.repeat(20_000)}`, `{"id":"${'x'.repeat(292)}…`],
		['words before a secret that would be cut', `<style>${' '.repeat(9_950)}</style>two words ${jwt}`, 'two words'],
		['a script that does not end', 'one<script>evil()</script>two <script>evil() <b>', 'one two'],
	])('of %s', (_what, text, expected) => expect(excerpt(text)).toBe(expected));

	test('is cut after redaction, so that no secret is cut in half and missed', () => {
		for (let length = 5; length < 40; length++) {
			expect(excerpt('account 40702810000000000001 Bearer hunter2hunter2', length)).not.toMatch(/4070|hunter/);
		}
	});

	test.each(['<', '<script ', '://', ':\\\\', '%3a%2f%2f', '@', 'a-', '1 ', '//a:', '4111,', 'code ', ' ', 'x'])(
		'of 300,000 characters of %j is had, and short',
		(part) => {
			expect(excerpt(part.repeat(300_000 / part.length)).length).toBeLessThanOrEqual(300);
		},
	);

	test('of a long page ends before a secret that it would cut in half', () => {
		for (let shift = 0; shift < jwt.length; shift += 7)
			expect(excerpt(`<style>${' '.repeat(9_900 + shift)}</style>${jwt}`)).toMatch(/^(\[REDACTED\])?$/);
	});

	test('leaves out a known value that looks like markup', () => {
		const redactSecrets = (text: string) => text.replaceAll('p<ss>word', '***');
		expect(excerpt('it was p<ss>word.', 300, redactSecrets)).toBe('it was ***.');
	});
});
