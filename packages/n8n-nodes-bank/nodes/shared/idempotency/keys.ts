import { createHash } from 'node:crypto';

import { canonicalJson } from '@bank/core';

/**
 * Idempotency keys. A key names a payment; its content (amount, bank, sender) is not part of it, so that a corrected payment has the key of
 * the one that was sent.
 */

/** What the caller knows a payment by. The values are normalized and never change from one run to the next. */
export interface PaymentName {
	/** The caller's own identifier with all that makes it unique: payment run and sequence, or a transaction ID. */
	own?: readonly string[];
	/** Payment run and recipient: identifies a payment that has no identifier of its own, counted where there are several. */
	recipient?: readonly string[];
}

/** Where a payment goes. */
export interface Destination {
	/** Production or sandbox. */
	environment: string;
	baseUrl: string;
}

/** SHA-256, hexadecimal: it does not show who was paid. */
export function digestOf({ environment, baseUrl }: Destination, kind: string, value: unknown): string {
	return sha256(canonicalJson([environment, normalizeUrl(baseUrl), kind, value]));
}

/**
 * Digest of an account, a phone number or a name, by which payments of all payouts can be compared. It does not show the value, but
 * anyone who tries all phone numbers can find the one that it belongs to. Empty where there is no value.
 */
export const partyDigest = (environment: string, kind: 'sender' | 'recipient' | 'recipientName', value = ''): string =>
	value === '' ? '' : sha256(canonicalJson([environment, kind, value])).slice(0, 32);

export const sha256 = (text: string): string => createHash('sha256').update(text, 'utf8').digest('hex');

/** The names by which a computer reaches itself are one. */
const loopback = /^(?:localhost|127(?:\.\d+){3}|\[::1\]|0\.0\.0\.0)$/;

function normalizeUrl(baseUrl: string): string {
	const url = new URL(baseUrl);
	if (loopback.test(url.hostname)) url.hostname = 'localhost';
	return url.href.replace(/\/+$/, '');
}

/**
 * Text that a person typed or copied, without the differences that nobody sees: letter case, spaces, invisible characters, the kind of
 * dash, and the forms in which Unicode writes the same letter.
 */
export const normalizeText = (text: string): string =>
	text
		.normalize('NFKC')
		.toLowerCase()
		.replace(/\p{Pd}|\u2212/gu, '-')
		.replace(/[\p{Cf}\s]+/gu, '');

/** Letters and digits of an account or bank ID, however it is grouped. */
export const bareIdentifier = (identifier: string): string => normalizeText(identifier).replace(/[^\p{L}\p{N}]/gu, '');
