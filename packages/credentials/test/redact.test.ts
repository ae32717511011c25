/** Redaction in errors and data. */
import fc from 'fast-check';

import { createRedactor, scrubSecrets, type SensitiveValues } from '../src/index.ts';

const secret = 'p+ss/w"rd&<é>=Zq9';
const redacted = (values: Partial<SensitiveValues>, text: string) => createRedactor(values)(text);

const base64 = (text: string) => Buffer.from(text).toString('base64');
const toBase64url = (text: string) => Buffer.from(text).toString('base64url');
const ascii = (text: string) =>
	JSON.stringify(text).replace(/[\u0080-\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`);
const encodings: Record<string, (text: string) => string> = {
	'as it is': String,
	'in an address': encodeURIComponent,
	'in an address in small letters': (text) => encodeURIComponent(text).replace(/%../g, (byte) => byte.toLowerCase()),
	'in a form': (text) => new URLSearchParams({ x: text }).toString().slice(2),
	'in JSON': (text) => JSON.stringify(text),
	'in JSON with escaped slashes': (text) => JSON.stringify(text).replaceAll('/', '\\/'),
	'in JSON of ASCII letters': ascii,
	'in base64': base64,
	'in base64 after one byte': (text) => base64(`:${text}`),
	'in base64 after two bytes': (text) => base64(`a:${text}`),
	'in base64url': toBase64url,
	'in base64url after one byte': (text) => toBase64url(`:${text}`),
	'in hex': (text) => Buffer.from(text).toString('hex'),
	'in hex in capitals': (text) => Buffer.from(text).toString('hex').toUpperCase(),
	'in capitals': (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase()),
};

test.each(Object.entries(encodings))('nothing of a secret stays in an error, whatever it is: %s', (_name, encode) => {
	const secrets = fc.string({
		unit: fc.constantFrom(...'abcXYZ0189+/=-_.%&"\'\\<>! éПр€'),
		minLength: 12,
		maxLength: 60,
	});
	fc.assert(
		fc.property(secrets, (value) => {
			const written = encode(value);
			const text = redacted({ secrets: [value] }, `The token ${written} is not known here`);
			expect(text).toMatch(/^The token .*\[REDACTED\].* is not known here$/);
			for (let at = 0; at + 8 <= written.length; at++) expect(text).not.toContain(written.slice(at, at + 8));
		}),
		{ seed: 1, numRuns: 50 },
	);
});

test.each<[string, Partial<SensitiveValues>, string, string]>([
	[
		'a short secret goes as a word',
		{ secrets: ['4711'] },
		'4711 of 14711, a=4711',
		'[REDACTED] of 14711, a=[REDACTED]',
	],
	['a shorter one stays', { secrets: ['471'] }, 'part 471', 'part 471'],
	['an amount that begins like a secret stays', { secrets: ['4711'] }, '47.11 of 47,110', '47.11 of 47,110'],
	[
		'names go as words, in any case',
		{ personal: ['Ann'] },
		'ANN cannot annul, ann.',
		'[REDACTED] cannot annul, [REDACTED].',
	],
	[
		'the longer of two names goes',
		{ personal: ['Иван', 'Иван Петров'] },
		'ИВАН ПЕТРОВ, Иван',
		'[REDACTED], [REDACTED]',
	],
	['a name of two letters stays', { personal: ['Li'] }, 'for Li', 'for Li'],
	['a name in base64', { personal: ['Petrova Anna'] }, `as ${base64('Petrova Anna')}`, 'as [REDACTED]'],
	['a number in base64', { numbers: ['790012345678'] }, `as ${base64('790012345678')}`, 'as [REDACTED]'],
	['an account keeps four digits', { numbers: ['40702810900000012345'] }, 'INN40702810900000012345.', 'INN****2345.'],
	['grouped digits', { numbers: ['40702810900000012345'] }, '4070 2810 9000 0001 2345', '****2345'],
	['another country code', { numbers: ['+7 900 123-45-67'] }, 'call 8 (900) 123-45-67', 'call ****4567'],
	['numbers beside each other go as one', { numbers: ['7700123456'] }, 'of 7700123456 79001234567', 'of ****4567'],
	['a number of fewer than eight digits stays', { numbers: ['1234567'] }, 'no 1234567', 'no 1234567'],
])('%s', (_name, values, text, expected) => expect(redacted(values, text)).toBe(expected));

test('each value is redacted at its own place, in whatever order', () => {
	const values = { secrets: [secret], personal: ['Ann'], numbers: ['40702810900000012345'] };
	const words = ['40702810900000012345', 'Ann', secret];
	const expected = ['****2345', '[REDACTED]', '[REDACTED]'];
	for (const order of [
		[0, 1, 2],
		[2, 1, 0],
		[1, 2, 0],
	]) {
		const textOf = (parts: string[]) => `of ${order.map((index) => parts[index]).join(', not ')} at noon`;
		expect(redacted(values, textOf(words))).toBe(textOf(expected));
	}
});

test('a text without a known value stays as it is', () => {
	for (const text of ['', 'Attribute a.b[0] is missing', '100% of 5 & 6 \\ "x" <y> %zz %', '\ud83d\ude00 \ud800 İ'])
		expect(redacted({ secrets: [secret, 'half \ud800 of a character'] }, text)).toBe(text);
});

test('data keeps everything but whole secrets, and stays JSON', () => {
	const uuid = '0f8fad5b-d9cb-469f-a165-708677289501';
	const scrub = scrubSecrets([secret, uuid, '123456789012', 'short-one']);
	for (const encode of [String, encodeURIComponent, base64, toBase64url]) {
		const data = {
			echo: `Bearer ${encode(uuid)}`,
			list: [encode(secret)],
			id: 123456789012,
			half: uuid.slice(0, 30),
			b: 'short-one',
		};
		const scrubbed = JSON.parse(scrub(JSON.stringify(data))) as typeof data;
		expect(scrubbed).toMatchObject({ id: 123456789012, half: data.half, b: 'short-one' });
		expect(JSON.stringify([scrubbed.echo, scrubbed.list])).toMatch(
			/^\["Bearer .{0,2}\[REDACTED\].{0,4}",\[".{0,2}\[REDACTED\].{0,4}"\]\]$/,
		);
	}
	expect(scrubSecrets([])('as it is')).toBe('as it is');
	expect(scrubSecrets(['pass phrase of 12 words'])('a=pass+phrase+of+12+words&b=pass%20phrase%20of%2012%20words')).toBe(
		'a=[REDACTED]&b=[REDACTED]',
	);
});

test('a text is compared with the few values that may be in it, however many there are', () => {
	const compared = jest.spyOn(String.prototype, 'includes');
	const personal = Array.from({ length: 5_000 }, (_, index) => `R${index.toString(36)}-recipient`);
	expect(redacted({ personal }, 'Payment to R1-recipient was refused. '.repeat(200))).not.toContain('R1');
	const count = compared.mock.calls.length;
	compared.mockRestore();
	expect(count).toBeLessThan(1_000);
});
