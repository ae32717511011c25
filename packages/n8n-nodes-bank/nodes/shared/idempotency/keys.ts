import { hash } from 'node:crypto';

import { canonicalJson } from '@bank/core';

export interface Destination {
	/** Name of the environment: production or sandbox. */
	environment: string;
	baseUrl: string;
}

/**
 * Key of a payment or payment run. It contains no phone number, but anyone can find the number by trying all of them. 22 characters of a
 * SHA-256 are unique, and short, because the log has many keys.
 */
export function keyDigest({ environment, baseUrl }: Destination, kind: string, value: unknown): string {
	return shortDigest(canonicalJson([environment, normalizeUrl(baseUrl), kind, value]), 22);
}

const shortDigest = (text: string, length: number): string => hash('sha256', text, 'base64url').slice(0, length);

/**
 * Digest of an account, a phone number or a name, to compare payments across payouts. The digest does not contain the
 * value, but anyone can find it by trying all phone numbers. Empty if there is no value.
 */
export const partyDigest = (environment: string, kind: 'sender' | 'recipient' | 'recipientName', value = ''): string =>
	value === '' ? '' : shortDigest(canonicalJson([environment, kind, value]), 16);

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

/** Small Cyrillic letters that look like Latin ones, at least as capitals. */
const lookAlikes: ReadonlyMap<string, string> = new Map(
	[...'авекмнорстух'].map((letter, index) => [letter, 'abekmhopctyx'.charAt(index)]),
);

/**
 * One form of all spellings that a person considers the same: like `normalizeText`, but without spaces, leading zeros and the zero of
 * `7.0`, and with one letter for those that look alike. A sheet and a CSV file of one payout differ in exactly these.
 */
export const normalizeIdentifier = (text: string): string =>
	[...normalizeText(text).replaceAll(' ', '')]
		.map((letter) => lookAlikes.get(letter) ?? letter)
		.join('')
		.replace(/^(\d+)[.,]0+$/, '$1')
		.replace(/(?<![\d.,])0+(?=\d)/g, '');

/**
 * A short digest of each field of a payment, in the order of their names: the log shows which fields have changed, but not their values.
 */
export const contentOf = (fields: Readonly<Record<string, string>>): string =>
	fieldsOf(fields)
		.map((name) => shortDigest(`${name} ${fields[name]}`, 6))
		.join('.');

const fieldsOf = (fields: Readonly<Record<string, string>>): string[] => Object.keys(fields).sort();

/** Names of the fields that differ from those of a row; empty if a user has deleted the digests from the log. */
export function changedFields(before: string, fields: Readonly<Record<string, string>>): string[] {
	const digests = before.split('.');
	const now = contentOf(fields).split('.');
	return digests.length !== now.length ? [] : fieldsOf(fields).filter((_, index) => digests[index] !== now[index]);
}
