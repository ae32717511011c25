import { carriedBy, hiding, type Known, knownOf } from '../src/index.ts';

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
});

test('of numbers the last four digits stay, however they are grouped, and none of a part from the middle', () => {
	const numbers = hiding({ ...nothing, numbers: ['40702810900000012345', '+7 900 123-45-67', '7700123456'] });
	expect(numbers('40702.810.9.00000012345')).toBe('****2345');
	expect(numbers('4070 2810 9000 0001 2345, and 8 (900) 123-45-67')).toBe('****2345, and 8 (****4567');
	expect(numbers('INN7700123456 of 1500.00')).toBe('INN****3456 of 1500.00');
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
