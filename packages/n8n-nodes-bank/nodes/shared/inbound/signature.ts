import { createHash, createHmac, createPublicKey, type KeyObject, timingSafeEqual, verify } from 'node:crypto';

import { textOf } from '@bank/core';
import { lineOf, repairPem } from '@bank/credentials';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/**
 * Verifies the signature of a delivery, of the body alone or with a timestamp, which prevents replays. The API
 * description shows neither header nor format, so the user configures everything.
 */

type Settings = ICredentialDataDecryptedObject;

const hmacs = ['sha1', 'sha256', 'sha512'];
/** Methods with a public key. The key determines whether it is RSA or EC. */
const publicDigests: Readonly<Record<string, string>> = { publicSha256: 'sha256', publicSha512: 'sha512' };
const encodings = ['base64', 'base64url', 'hex'];

/** Maximum age in seconds. No sender retries for longer. */
const longestWindow = 7 * 24 * 60 * 60;

/** Settings that are invalid, as texts for the user. */
export function signatureProblems(settings: Settings): string[] {
	const problems: string[] = [];
	const need = (problem: string, isRight: boolean) => void (isRight || problems.push(problem));
	const algorithm = lineOf(settings.signatureAlgorithm);
	const isPublic = publicDigests[algorithm] !== undefined;
	need('Signature Algorithm is not known', isPublic || hmacs.includes(algorithm));
	need('Signature Encoding is not known', encodings.includes(lineOf(settings.signatureEncoding)));
	if (isPublic) need('Public Key holds no public key of RSA or EC that can be read', publicKeys(settings).length > 0);
	const secrets = [settings.signatureSecret, settings.signatureSecondSecret].map(lineOf);
	if (!isPublic) need('Signature Secret is a public key: choose RSA or EC', !secrets.some(isPublicKey));
	if (settings.signatureTimestamp !== true) return problems;
	const content = signedContentOf(settings);
	need(
		'Signed Content must contain {timestamp} and {body}, each once',
		['{timestamp}', '{body}'].every((place) => content.split(place).length === 2),
	);
	const window = windowOf(settings);
	need('Time Window must be a number of seconds from 1 to 604800 (a week)', window >= 1 && window <= longestWindow);
	return problems;
}

/** Whether an HMAC secret is a public key: with such a secret anyone could sign. */
const isPublicKey = (secret: string): boolean => /-----BEGIN [A-Z\d ]*(?:PUBLIC KEY|CERTIFICATE)/.test(secret);

/** The reason why a signature is invalid; undefined if it is valid. `settings` must be valid. */
export function signatureMismatch(
	settings: Settings,
	headerOf: (name: string) => string | undefined,
	rawBody: Buffer | undefined,
): string | undefined {
	const name = lineOf(settings.signatureHeader);
	const given = headerOf(name);
	if (given === undefined) return `the header ${name} is missing`;
	const prefix = lineOf(settings.signaturePrefix);
	if (!given.startsWith(prefix)) return `the header ${name} does not start with the prefix`;
	if (rawBody === undefined) return 'the body could not be read byte for byte';
	let content = rawBody;
	if (settings.signatureTimestamp === true) {
		const stamp = headerOf(lineOf(settings.timestampHeader)) ?? '';
		const age = Math.abs(Date.now() - instantOf(stamp)) / 1000;
		if (Number.isNaN(age)) return 'the timestamp is missing or unreadable';
		if (age > windowOf(settings))
			return `its timestamp is ${Math.round(age)} seconds from now, and ${windowOf(settings)} are allowed`;
		content = signedContent(settings, stamp, rawBody);
	}
	return isSigned(settings, content, given.slice(prefix.length))
		? undefined
		: `the signature in ${name} does not match ${content === rawBody ? 'the body' : 'timestamp and body'}`;
}

/** Compares in constant time, even if the lengths differ. */
export function equalsInConstantTime(given: string, expected: string): boolean {
	const digest = (text: string) => createHash('sha256').update(text).digest();
	return timingSafeEqual(digest(given), digest(expected));
}

function isSigned(settings: Settings, content: Buffer, signature: string): boolean {
	const algorithm = lineOf(settings.signatureAlgorithm);
	const encoding = lineOf(settings.signatureEncoding) as 'hex';
	const digest = publicDigests[algorithm];
	if (digest !== undefined) {
		const bytes = Buffer.from(signature.trim(), encoding);
		return publicKeys(settings).some((key) => isVerified(key, digest, content, bytes));
	}
	// The values are compared as text, because Buffer ignores what follows the first invalid character.
	const hmacOf = (secret: unknown) => createHmac(algorithm, lineOf(secret)).update(content).digest(encoding);
	return [settings.signatureSecret, settings.signatureSecondSecret]
		.filter((secret) => lineOf(secret) !== '')
		.some((secret) => equalsInConstantTime(normalize(signature, encoding), normalize(hmacOf(secret), encoding)));
}

function isVerified(key: KeyObject, digest: string, content: Buffer, signature: Buffer): boolean {
	// ECDSA signatures are DER, or two numbers as in JSON Web Signatures.
	const ways = key.asymmetricKeyType === 'ec' ? (['der', 'ieee-p1363'] as const) : (['der'] as const);
	return ways.some((dsaEncoding) => verify(digest, content, { key, dsaEncoding }, signature));
}

/** One key, or several in PEM while the sender rotates its key. A certificate contains one too. */
function publicKeys({ signaturePublicKey }: Settings): KeyObject[] {
	const blocks = repairPem(textOf(signaturePublicKey)).match(/-----BEGIN ([^-]+)-----[^-]+-----END \1-----/g) ?? [];
	try {
		const keys = blocks.map((block) => createPublicKey(block));
		return keys.every(({ asymmetricKeyType }) => ['rsa', 'ec'].includes(asymmetricKeyType ?? '')) ? keys : [];
	} catch {
		return [];
	}
}

/** Normalizes the case of hexadecimal digits and the padding of base64. */
function normalize(text: string, encoding: string): string {
	return encoding === 'hex' ? text.trim().toLowerCase() : text.trim().replace(/(?<!=)=+$/, '');
}

/** Parses seconds or milliseconds since 1970, or ISO 8601 with a time zone. */
function instantOf(stamp: string): number {
	if (/^\d{10}$/.test(stamp)) return Number(stamp) * 1000;
	if (/^\d{13}$/.test(stamp)) return Number(stamp);
	return /^\d{4}-\d\d-\d\dT[\d:.]+(?:Z|[+-]\d\d:?\d\d)$/.test(stamp) ? Date.parse(stamp) : NaN;
}

const windowOf = ({ timestampWindow }: Settings): number => Number(timestampWindow ?? 300);
const signedContentOf = ({ signedContent: content }: Settings): string => textOf(content) || '{timestamp}.{body}';

function signedContent(settings: Settings, stamp: string, body: Buffer): Buffer {
	const [before = '', after = ''] = signedContentOf(settings)
		.split('{body}')
		.map((part) => part.split('{timestamp}').join(stamp));
	return Buffer.concat([Buffer.from(before), body, Buffer.from(after)]);
}
