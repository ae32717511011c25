/** Texts that identify the same payment. */
import { keyDigest, normalizeText } from '../../nodes/shared/idempotency/keys.ts';

it.each([
	['letter case', 'Salary Caf\u00e9'],
	['spaces', ' salary \u00a0 caf\u00e9'],
	['the form of Unicode', 'salary cafe\u0301'],
	['invisible characters', 'salary\u200b caf\u00e9'],
])('A text is equal to another one that differs in %s', (_what, text) => {
	expect(normalizeText(text)).toBe(normalizeText('salary caf\u00e9'));
});

it('A space between two digits stays, because the texts without it would be equal', () => {
	const texts = ['flat 1 11', 'flat 11 1', 'flat 111'].map(normalizeText);
	expect(new Set(texts).size).toBe(3);
	expect(normalizeText('Flat1\u00a0 \u200b11 ')).toBe(texts[0]);
});

it.each(['-', '\u2010', '\u2011', '\u2013', '\u2014', '\u2212', '\uff0d'])('All dashes are equal: %s', (dash) => {
	expect(normalizeText(`2026${dash}11`)).toBe('2026-11');
});

const bank = { environment: 'sandbox', baseUrl: 'https://bank.test' };

it('A digest depends on environment, base URL, kind and value, and does not contain them', () => {
	const digest = keyDigest(bank, 'own', ['salary', 'a']);
	expect(digest).toMatch(/^[\w-]{22}$/);
	expect(keyDigest({ ...bank, baseUrl: 'https://bank.test/' }, 'own', ['salary', 'a'])).toBe(digest);
	const others = [
		keyDigest({ ...bank, environment: 'production' }, 'own', ['salary', 'a']),
		keyDigest({ ...bank, baseUrl: 'https://other.test' }, 'own', ['salary', 'a']),
		keyDigest(bank, 'recipient', ['salary', 'a']),
		keyDigest(bank, 'own', ['salarya', '']),
	];
	expect(new Set([digest, ...others]).size).toBe(5);
});

it('All names of the local host are equal', () => {
	const digests = ['localhost', '127.0.0.1', '[::1]', '127.0.0.2'].map((host) =>
		keyDigest({ ...bank, baseUrl: `http://${host}:3000/` }, 'own', ['a']),
	);
	expect(new Set(digests).size).toBe(1);
});
