import fc from 'fast-check';

import { carriedBy, clearing, hiding, type Known, knownOf } from '../src/index.ts';

const nothing: Known = { secrets: [], names: [], numbers: [] };
const uuid = '0F8FAD5B-d9cb-469f-a165-708677289501';
const secret = 'p+ss/w"rd&<é>=Zq9';
const hide = hiding({ ...nothing, secrets: [uuid, secret] });

const percent = (text: string) => encodeURIComponent(text);
const everyByte = (text: string) =>
	[...Buffer.from(text)].map((byte) => `%${byte.toString(16).padStart(2, '0')}`).join('');
const base64 = (text: string) => Buffer.from(text).toString('base64');
const html = (text: string) =>
	text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll('"', '&quot;');
const unicode = (text: string) =>
	text
		.split('')
		.map((character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`)
		.join('');

const bytes = (text: string, write: (byte: number) => string, between = '') =>
	[...Buffer.from(text)].map(write).join(between);
const hex = (byte: number) => byte.toString(16).padStart(2, '0');
/** The letters of Asian keyboards, which look nearly the same. */
const wide = (text: string) =>
	text.replace(/[!-~]/g, (character) => String.fromCharCode(character.charCodeAt(0) + 0xfee0));

/** The bold letters of mathematics, each of two code units. */
const bold = (text: string) =>
	text
		.replace(/[a-z]/g, (one) => String.fromCodePoint(0x1d41a + one.charCodeAt(0) - 0x61))
		.replace(/[A-Z]/g, (one) => String.fromCodePoint(0x1d400 + one.charCodeAt(0) - 0x41))
		.replace(/[0-9]/g, (one) => String.fromCodePoint(0x1d7ce + Number(one)));

const ways: [string, (text: string) => string][] = [
	['as it is', (text) => text],
	['URL-encoded', percent],
	['URL-encoded in every byte', everyByte],
	['URL-encoded twice', (text) => percent(percent(text))],
	['form-encoded', (text) => new URLSearchParams({ x: text }).toString().slice(2)],
	['in JSON', (text) => JSON.stringify(text)],
	['in JSON inside of JSON', (text) => JSON.stringify(JSON.stringify(text))],
	['in JSON by numbers', unicode],
	['in HTML', html],
	['in base64', base64],
	['in base64 after one byte', (text) => base64(`:${text}`)],
	['in base64 after two bytes, and before others', (text) => base64(`a:${text} and more`)],
	['in base64 for addresses', (text) => Buffer.from(text).toString('base64url')],
	['in base64 in an address', (text) => percent(base64(text))],
	['in hex', (text) => Buffer.from(text).toString('hex')],
	['in hex in capitals', (text) => Buffer.from(text).toString('hex').toUpperCase()],
	['in small letters', (text) => text.toLowerCase()],
	['in capitals', (text) => text.toUpperCase()],
	['URL-encoded four times', (text) => percent(percent(percent(percent(text))))],
	['by escape() of old', (text) => unicode(text).replaceAll('\\u', '%u')],
	['in bytes of a program', (text) => bytes(text, (byte) => `\\x${hex(byte)}`)],
	['as code points of a program', (text) => [...text].map((one) => `\\u{${one.charCodeAt(0).toString(16)}}`).join('')],
	['for a regular expression', (text) => text.replace(/[^\w]/g, '\\$&')],
	['in a mail', (text) => bytes(text, (byte) => `=${hex(byte).toUpperCase()}`)],
	['in HTML by numbers', (text) => [...text].map((one) => `&#${one.charCodeAt(0)};`).join('')],
	[
		'in HTML by numbers without their end',
		(text) => [...text].map((one) => `&#x${one.charCodeAt(0).toString(16)}`).join(''),
	],
	['in base64 of base64', (text) => base64(base64(text))],
	['in base64 three times over', (text) => base64(base64(base64(text)))],
	['in base64 of what is URL-encoded', (text) => base64(everyByte(text))],
	['in base64 of UTF-16', (text) => Buffer.from(text, 'utf16le').toString('base64')],
	['in UTF-16 that was read as UTF-8', (text) => Buffer.from(text, 'utf16le').toString('utf8')],
	['in hex by bytes', (text) => bytes(text, hex, ':')],
	['letter by letter', (text) => JSON.stringify([...text])],
	['with what nobody sees in between', (text) => [...text].join('\u200e')],
	['with other dashes', (text) => text.replaceAll('-', '\u2011')],
	['without its dashes', (text) => text.replaceAll('-', '')],
	['in wide letters', wide],
	['in bold letters', bold],
	[
		'by the names of its code points',
		(text) => text.replace(/./g, (one) => `U+${unicode(one).slice(2).toUpperCase()} `),
	],
	['in base64 of UTF-16, the high bytes first', (text) => Buffer.from(text, 'utf16le').swap16().toString('base64')],
	['with accents apart', (text) => text.normalize('NFD')],
	['put together in a program', (text) => text.replace(/(.{7})/g, '$1" + "')],
	['wrapped', (text) => text.replace(/(.{5})/g, '$1\r\n  ')],
	['wrapped in JSON', (text) => text.replace(/(.{7})/g, '$1\\n')],
	['in halves', (text) => `${text.slice(0, text.length / 2)} and ${text.slice(text.length / 2)}`],
	['cut off', (text) => `${text.slice(0, -5)}…`],
];

/** The parts that would give it away, whatever stands between. */
function leaked(text: string, value: string): boolean {
	const plain = text.replace(/\s/g, '').toLowerCase();
	const small = value.toLowerCase();
	return Array.from({ length: small.length - 7 }, (_, index) => small.slice(index, index + 8)).some((part) =>
		plain.includes(part),
	);
}

describe('a secret is found', () => {
	test.each(ways)('%s', (_, write) => {
		for (const value of [uuid, secret]) {
			const words = `The token ${write(value)} is not known here`;
			const hidden = hide(words);
			expect(hidden).toMatch(/^The token .*\[removed\].* is not known here$/s);
			expect(hidden.replace(/\[removed\]/g, '')).not.toContain(write(value));
			expect(leaked(hidden, value)).toBe(false);
			expect(hidden.length).toBeLessThan(70);
		}
	});

	test('as a list of bytes', () => {
		for (const write of [hex, (byte: number) => `0x${hex(byte)}`, String])
			expect(hide(`got [${bytes(uuid, write, ', ')}] here`)).toBe('got [[removed]] here');
	});

	test('where it holds itself what looks like a way to write a character', () => {
		const odd = 'a%2Fb\\n&amp;=41%u0041-Zq9x';
		const known = hiding({ ...nothing, secrets: [odd] });
		for (const write of [String, percent, JSON.stringify, html, base64])
			expect(known(`got <${write(odd)}>`).replace(/"/g, '')).toBe('got <[removed]>');
	});

	test('where it is short, in the ways of a short one', () => {
		const short = hiding({ ...nothing, secrets: ['Zq9x7!', 'pa ss 9'] });
		for (const write of [String, percent, everyByte, unicode, base64, (text: string) => text.replaceAll(' ', '+')])
			for (const value of ['Zq9x7!', 'pa ss 9']) expect(short(`got <${write(value)}>`)).toBe('got <[removed]>');
	});
});

test.each([
	['the words of others', 'sandbox server of 2026, not found in section 12'],
	['an amount', '47.11 of 47,110'],
])('%s stay, though a secret begins like them', (_, words) => {
	const known = hiding({ ...nothing, secrets: ['sandbox-secret', '4711'], names: ['sectional'] });
	expect(known(words)).toBe(words);
});

test('a short secret goes only where it stands by itself, and a shorter one stays', () => {
	const short = hiding({ ...nothing, secrets: ['4711', '42'] });
	expect(short('4711 of 14711 and 47110, pin=4711, 42 times')).toBe(
		'[removed] of 14711 and 47110, pin=[removed], 42 times',
	);
});

test('names go whole, in any case, and not inside of other words', () => {
	const people = hiding({ ...nothing, names: ['Ann', 'Иван Петров'] });
	expect(people('ANN cannot annul; ИВАН  ПЕТРОВ, Иван Петрович')).toBe(
		'[removed] cannot annul; [removed], Иван Петрович',
	);
	expect(people('Иван_Петров, "Иван-Петров"')).toBe('[removed], "[removed]"');
	expect(hiding({ ...nothing, names: ['Андрей', 'O’Brien'] })(`${'Андрей'.normalize('NFD')} O'Brien`)).not.toMatch(
		/Андре|Brien/,
	);
});

test('of numbers the last four digits stay, however they are grouped, and none of a part from the middle', () => {
	const numbers = hiding({ ...nothing, numbers: ['40702810900000012345', '+7 900 123-45-67', '7700123456'] });
	expect(numbers('40702.810.9.00000012345')).toBe('****2345');
	expect(numbers('4070 2810 9000 0001 2345, and 8 (900) 123-45-67')).toBe('****2345, and 8 (****4567');
	expect(numbers('INN7700123456 of 1500.00')).toBe('INN****3456 of 1500.00');
	const dash = '\u2011';
	for (const between of [dash, '\u2013', '\u202f', ',', ':', ' | ', "'", '", "', '_'])
		expect(numbers(`(${'40702810900000012345'.replace(/(.{4})(?!$)/g, `$1${between}`)})`)).toBe('(****2345)');
	expect(numbers('7700123456, 40702810900000012345')).toBe('****3456, ****2345');
	expect(numbers('begins 407028109')).toBe('begins ****');
	expect(numbers('limit 40702, 12345')).toBe('limit 40702, 12345');
});

test('words without anything known stay as they are', () => {
	for (const words of ['', 'Attribute a.b[0] is missing', '100% of 5 & 6 \\ "x" <y> %zz %', '\ud83d\ude00 \ud800'])
		expect(hide(words)).toBe(words);
});

test('a credential is known by all its secrets, and not by its addresses and choices', () => {
	const { secrets, names } = knownOf({
		environment: 'production',
		productionBaseUrl: 'https://api.bank.test',
		accessTokenUrl: 'https://id.bank.test/token',
		gatewayClientIdHeader: 'X-GW-Client-Id',
		gatewayClientId: 'gateway-id',
		gatewayClientSecret: 'gateway-secret',
		clientId: 'client-id',
		clientSecret: 'client-secret',
		certificatePassphrase: 'passphrase',
		clientPrivateKey: '-----BEGIN PRIVATE KEY-----\nMIIEvQ\nIBADAN\n-----END PRIVATE KEY-----',
		clientCertificate: '-----BEGIN CERTIFICATE-----\nMIIBpublic\n-----END CERTIFICATE-----',
		bankScopes: ['operations-history'],
		pathSecret: 'path-secret',
		oauthTokenData: { access_token: 'access', refresh_token: 'refresh', token_type: 'Bearer', expires_in: 300 },
	});
	expect(secrets).toEqual([
		'gateway-id',
		'gateway-secret',
		'client-secret',
		'passphrase',
		'MIIEvQIBADAN',
		'path-secret',
		'access',
		'refresh',
	]);
	expect(names).toEqual(['client-id']);
});

test('a key that is locked the old way is known by what stands below its headers', () => {
	const clientPrivateKey = [
		'-----BEGIN RSA PRIVATE KEY-----',
		'Proc-Type: 4,ENCRYPTED',
		'DEK-Info: AES-128-CBC,0011',
		'',
		'MIIEvQ',
		'IBADAN',
		'-----END RSA PRIVATE KEY-----',
		'-----BEGIN EC PRIVATE KEY-----',
		'MHcCAQ',
	].join('\r\n');
	expect(knownOf({ clientPrivateKey }).secrets).toEqual(['MIIEvQIBADAN', 'MHcCAQ']);
});

test('a request is known by its tokens and by what it says of people, and not by the words of the interface', () => {
	const known = carriedBy(
		{
			method: 'POST',
			url: '/x?user_token=from-the-query&limit=10',
			headers: {},
			input: {
				path: { accountNumber: '40702810900000012345' },
				query: {},
				body: {
					code: 'code-of-the-user',
					lastName: 'Petrov',
					purpose: 'For the flat',
					phone: 79001234567,
					callbackUri: 'https://n8n.test/webhook/0f8fad5b-d9cb-469f/path-secret-1234567',
					eventType: 'INCOMING_PAYMENT',
					currency: 'RUB',
					method: 'sms',
					amount: 150.5,
					people: [{ fullName: 'Ann Lee' }],
				},
			},
			secrets: ['token-of-the-user'],
		},
		{ Accept: 'application/json', Authorization: 'Bearer the-token', 'X-Renamed': 'the-secret' },
	);
	expect(known.secrets).toEqual([
		'token-of-the-user',
		'code-of-the-user',
		'0f8fad5b-d9cb-469f',
		'path-secret-1234567',
		'from-the-query',
		'the-token',
		'the-secret',
	]);
	expect(known.names).toEqual(['Petrov', 'Petrov', 'For the flat', 'Ann Lee', 'Ann', 'Lee']);
	expect(known.numbers).toEqual(['40702810900000012345', '79001234567']);
});

test('any secret goes, written in any of these ways, the usual ones also inside of one another', () => {
	const secretOf = fc.string({ unit: fc.constantFrom(...'abcXYZ0189+/=-_.%&"\'\\<>!'), minLength: 12, maxLength: 40 });
	// Of what is left out or cut not all is there to be found.
	const whole = ways
		.filter(([name]) => !/cut off|halves|without its|other dashes/.test(name))
		.map(([, write]) => write);
	const usual: ((text: string) => string)[] = [
		percent,
		everyByte,
		JSON.stringify,
		unicode,
		html,
		base64,
		(text: string) => base64(`:${text}`),
	];
	const writing = fc.oneof(
		fc.constantFrom(...whole).map((write) => [write]),
		fc.array(fc.constantFrom(...usual), { minLength: 2, maxLength: 2 }),
	);
	fc.assert(
		fc.property(secretOf, writing, (value, writes) => {
			fc.pre(value.replace(/[^a-z\d]/gi, '').length >= 10);
			const written = writes.reduce((text, write) => write(text), value);
			const hidden = hiding({ ...nothing, secrets: [value] })(`The token ${written} is not known here`);
			const half = Math.ceil(written.length / 2);
			for (let at = 0; at + half <= written.length; at++) expect(hidden).not.toContain(written.slice(at, at + half));
		}),
		{ numRuns: 300 },
	);
});

test('data keeps everything but whole secrets, and stays JSON', () => {
	const clear = clearing([secret, uuid, '123456789012', 'short-one']);
	for (const write of [
		String,
		percent,
		base64,
		(text: string) => base64(`:${text}`),
		(text: string) => bytes(text, hex),
	]) {
		const data = {
			echo: `Bearer ${write(uuid)}`,
			list: [write(secret)],
			id: 123456789012,
			half: uuid.slice(0, 30),
			b: 'short-one',
		};
		const cleared = JSON.parse(clear(JSON.stringify(data))) as typeof data;
		expect(cleared).toMatchObject({ id: 123456789012, half: data.half, b: 'short-one' });
		expect(JSON.stringify([cleared.echo, cleared.list])).toMatch(
			/^\["Bearer .{0,2}\[removed\].{0,4}",\[".{0,2}\[removed\].{0,4}"\]\]$/,
		);
	}
	expect(clear(new URLSearchParams({ a: 'pass phrase of 12 words' }).toString())).toBe('a=pass+phrase+of+12+words');
	expect(clearing(['pass phrase of 12 words'])('a=pass+phrase+of+12+words&b=pass%20phrase%20of%2012%20words')).toBe(
		'a=[removed]&b=[removed]',
	);
});
