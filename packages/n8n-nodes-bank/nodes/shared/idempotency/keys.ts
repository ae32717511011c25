import { hash } from 'node:crypto';

import { canonicalJson } from '@bank/core';

export interface Destination {
	/** Production or sandbox. */
	environment: string;
	baseUrl: string;
}

/** SHA-256, hexadecimal: it does not show who was paid. */
export function keyDigest({ environment, baseUrl }: Destination, kind: string, value: unknown): string {
	return sha256(canonicalJson([environment, normalizeUrl(baseUrl), kind, value]));
}

/**
 * Digest of an account, a phone number or a name, to compare payments across payouts. The digest does not contain the
 * value, but anyone can find it by trying all phone numbers. Empty if there is no value.
 */
export const partyDigest = (environment: string, kind: 'sender' | 'recipient' | 'recipientName', value = ''): string =>
	value === '' ? '' : sha256(canonicalJson([environment, kind, value])).slice(0, 32);

export const sha256 = (text: string): string => hash('sha256', text);

/** All loopback names count as the same host. */
const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/;

function normalizeUrl(baseUrl: string): string {
	const url = new URL(baseUrl);
	if (loopback.test(url.hostname)) url.hostname = 'localhost';
	return url.href.replace(/(?<!\/)\/+$/, '');
}

/**
 * Removes differences in case, spaces, invisible characters, dashes and Unicode forms. One space stays between two digits,
 * because "flat 1 11" and "flat 11 1" are not the same.
 */
export const normalizeText = (text: string): string =>
	text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/\p{Pd}|\u2212/gu, '-')
		.replace(/\p{Cf}+/gu, '')
		.replace(/\s+/g, ' ')
		.replace(/(?<!\d) | (?!\d)/g, '');
