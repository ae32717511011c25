import { isRecord, isSecretName, type PreparedRequest, textOrNumber } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** What an error must not repeat, by its value. */
export interface SensitiveValues {
	/** Tokens, keys, passwords. */
	secrets: readonly string[];
	/** Names of people, identifiers and the like. */
	personal: readonly string[];
	/** Accounts, cards, phones, tax numbers: their last four digits stay. */
	numbers: readonly string[];
}

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

/** The lines of the keys in a PEM text, so that they are found with and without line breaks. Certificates in it are public. */
const pemKeys = (text: string): string[] =>
	[...text.matchAll(/-----BEGIN [^-]*PRIVATE KEY-----([\s\S]*?)(?:-----|$)/g)].flatMap(([, key = '']) =>
		key.split(/\s+/).filter((line) => /^[\w+/=]{16,}$/.test(line)),
	);

/** The sensitive values of a credential. */
export function credentialSecrets(credential: ICredentialDataDecryptedObject): SensitiveValues {
	const secrets: string[] = [];
	const personal: string[] = [];
	const numbers: string[] = [];
	const look = (value: unknown, key: string) => {
		if (open.test(key)) return;
		if (isRecord(value)) for (const [name, field] of Object.entries(value)) look(field, name);
		const text = textOrNumber(value);
		if (text === '') return;
		if (identifiers.test(key)) personal.push(...(text.length > 3 ? [text] : []));
		else if (ownNumbers.test(key)) numbers.push(text);
		else if (text.includes('-----BEGIN')) secrets.push(...pemKeys(text));
		else secrets.push(text);
	};
	look(credential, '');
	return { secrets, personal, numbers };
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

/** The sensitive values of a request. */
export function requestSecrets(
	{ url, input, parts, secrets = [] }: PreparedRequest,
	headers: Record<string, string>,
): SensitiveValues {
	const found: Record<keyof SensitiveValues, string[]> = { secrets: [...secrets], personal: [], numbers: [] };
	const take = (key: string, text: string) => {
		if (text === '') return;
		if (isSecretName(key)) found.secrets.push(text);
		else if (isNumber(text)) found.numbers.push(text);
		else if (/^https?:\/\//i.test(text)) found.secrets.push(...secretSegments(text));
		else if (isPersonal(key, text)) {
			found.personal.push(text);
			if (/name|fio|holder|owner/i.test(key))
				found.personal.push(...text.split(/[\s.,]+/).filter((word) => /^\p{L}[\p{L}'-]{2,}$/u.test(word)));
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
		if (!openHeaders.test(name)) found.secrets.push(value.replace(/^(?:Bearer|Basic)\s+/i, ''));
	return found;
}
