import { isRecord, isSecretName, type PreparedRequest, textOrNumber } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Known } from './hiding.ts';

/** Fields of a credential that hold no secret: addresses, choices, names of headers, what stands in the bank's own papers. */
const open = new RegExp(
	[
		'^(?:environment|.*url|.*header|headerName|.*scopes?|authentication|flow|grant_?type|token_?type|beginWith|.*format',
		String.raw`redirect_?uri|testPath|allowed\w*|checks|signatureAlgorithm|signatureEncoding|signaturePrefix|trustedProxies`,
		String.raw`certificateValue|bankCa|partnerId|authorizationParameters|authQueryParameters|probed|expires\w*|accessTokenExpiresAt)$`,
	].join('|'),
	'i',
);

const identifiers = /^(?:clientId|client_id|partnerName)$/i;

/** Whose payments they are: of these the last digits may be seen. */
const ownNumbers = /^(?:account|inn)$/;

/** Keys of a PEM text that may hold certificates as well, which are shown to everybody. A key that is locked the old way has headers. */
const pemKeys = (text: string): string[] =>
	[...text.matchAll(/-----BEGIN [^-]*PRIVATE KEY-----([\s\S]*?)(?:-----|$)/g)].map(([, key = '']) =>
		key.replace(/^[\w-]+:.*$/gm, '').replace(/\s+/g, ''),
	);

/** What a credential holds, by its value. */
export function knownOf(credential: ICredentialDataDecryptedObject): Known {
	const secrets: string[] = [];
	const names: string[] = [];
	const numbers: string[] = [];
	const look = (value: unknown, key: string) => {
		if (open.test(key)) return;
		if (isRecord(value)) for (const [name, field] of Object.entries(value)) look(field, name);
		const text = textOrNumber(value);
		if (text === '') return;
		if (identifiers.test(key)) names.push(...(text.length > 3 ? [text] : []));
		else if (ownNumbers.test(key)) numbers.push(text);
		else if (text.includes('-----BEGIN')) secrets.push(...pemKeys(text));
		else secrets.push(text);
	};
	look(credential, '');
	return { secrets, names, numbers };
}

/** Headers that say nothing about who asks. */
const openHeaders = /^(?:accept|content-type|content-length|user-agent)$/i;

/** Names of fields that hold something about people. */
const aboutPeople =
	/name|patronym|fio|birth|mail|address|city|street|passport|series|inn$|tax|snils|phone|login|holder|owner|person|account|card|iban/i;

/** A word of an interface, and of no person: `GENERAL_DATA`, `incomingPayment`. */
const isTerm = (text: string): boolean => /^[a-z]+(?:[A-Z][a-z]+)+$|^[A-Z\d]+_[A-Z\d_]+$/.test(text);

/** A text that speaks of somebody, or was written by somebody, rather than a word that the interface knows. */
function isPersonal(key: string, text: string): boolean {
	if (text.length < 3 || isTerm(text)) return false;
	return aboutPeople.test(key) || /@|\p{L}\s|\s\p{L}|\p{Script=Cyrillic}|^\p{Lu}\p{Ll}+$/u.test(text);
}

/** Nothing but digits and what people write between them, and enough of them to be somebody's. */
const isNumber = (text: string): boolean => /^[+\d\s.\-()/]+$/.test(text) && text.replace(/\D/g, '').length >= 9;

/** Parts of an address that are hard to guess, as of a webhook that ends in a secret. */
const secretSegments = (address: string): string[] =>
	address.split(/[/?#&=]/).filter((segment) => /^[\w~-]{16,}$/.test(segment));

/** What travels in a request, by its value. */
export function carriedBy(
	{ url, input, parts, secrets = [] }: PreparedRequest,
	headers: Record<string, string>,
): Known {
	const known: Record<keyof Known, string[]> = { secrets: [...secrets], names: [], numbers: [] };
	const take = (key: string, text: string) => {
		if (text === '') return;
		if (isSecretName(key)) known.secrets.push(text);
		else if (isNumber(text)) known.numbers.push(text);
		else if (/^https?:\/\//i.test(text)) known.secrets.push(...secretSegments(text));
		else if (isPersonal(key, text)) {
			known.names.push(text);
			if (/name|fio|holder|owner/i.test(key))
				known.names.push(...text.split(/[\s.,]+/).filter((word) => /^\p{L}[\p{L}'-]{2,}$/u.test(word)));
		}
	};
	const look = (value: unknown, key: string) => {
		if (Array.isArray(value)) for (const element of value) look(element, key);
		else if (isRecord(value)) for (const [name, field] of Object.entries(value)) look(field, name);
		else take(key, textOrNumber(value));
	};
	look(input, '');
	for (const part of parts ?? []) if ('value' in part) take(part.name, part.value.trim());
	for (const [name, value] of new URLSearchParams(url.replace(/^[^?]*/, ''))) take(name, value);
	for (const [name, value] of Object.entries(headers))
		if (!openHeaders.test(name)) known.secrets.push(value.replace(/^(?:Bearer|Basic)\s+/i, ''));
	return known;
}
