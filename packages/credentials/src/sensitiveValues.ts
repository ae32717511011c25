import { digitSeparator, digitsOfNumber, isRecord, isSecretName, type PreparedRequest, textOrNumber } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** Values that must not appear in errors. */
export interface SensitiveValues {
	/** Tokens, keys, passwords. */
	secrets: readonly string[];
	/** Names of people, identifiers and the like. */
	personal: readonly string[];
	/** Accounts, cards, phones, tax numbers. Their last four digits stay visible. */
	numbers: readonly string[];
}

/** Credential fields that are not secret: URLs, options, header names. */
const publicFields = new RegExp(
	[
		'^(?:environment|.*url|.*header|headerName|.*scopes?|authentication|flow|grant_?type|token_?type|beginWith|.*format',
		String.raw`redirect_?uri|testPath|allowed\w*|checks|signatureAlgorithm|signatureEncoding|signaturePrefix|trustedProxies`,
		String.raw`certificateValue|bankCa|partnerId|authorizationParameters|authQueryParameters|clientCredentialType`,
		String.raw`operationList|largest\w*|mostPaymentsPerDay|limitTimeZone|instance\w*|httpRequestDomains`,
		String.raw`probed|serviceDetails|ric|paymentDescription|bankNames|signature|signaturePosition|expires\w*|accessTokenExpiresAt)$`,
	].join('|'),
	'i',
);

const identifiers = /^(?:clientId|client_id|partnerName)$/i;

/** Numbers of the payer, whose last four digits stay visible. */
const ownNumbers = /^(?:account|inn)$/;

/** The lines of private keys in a PEM text, so that they are found with and without line breaks. */
const pemKeys = (text: string): string[] =>
	[...text.matchAll(/-----BEGIN [^-]*PRIVATE KEY-----([\s\S]*?)(?:-----|$)/g)].flatMap(([, key = '']) =>
		key.split(/\s+/).filter((line) => /^[\w+/=]{16,}$/.test(line)),
	);

export function credentialSecrets(credential: ICredentialDataDecryptedObject): SensitiveValues {
	const secrets: string[] = [];
	const personal: string[] = [];
	const numbers: string[] = [];
	const visit = (value: unknown, key: string) => {
		if (publicFields.test(key)) return;
		if (isRecord(value)) for (const [name, field] of Object.entries(value)) visit(field, name);
		const text = textOrNumber(value);
		if (text === '') return;
		if (identifiers.test(key)) personal.push(...(text.length > 3 ? [text] : []));
		else if (ownNumbers.test(key)) numbers.push(text);
		else if (text.includes('-----BEGIN')) secrets.push(...pemKeys(text));
		else secrets.push(text);
	};
	visit(credential, '');
	return { secrets, personal, numbers };
}

const publicHeaders = /^(?:accept|content-type|content-length|user-agent)$/i;

const personalFields =
	/name|patronym|fio|birth|mail|address|city|street|passport|series|inn$|tax|snils|phone|login|holder|owner|person|account|card|iban/i;

/** Whether a text is a term such as `GENERAL_DATA` or `incomingPayment`. */
const isTerm = (text: string): boolean => /^[a-z]+(?:[A-Z][a-z]+)+$|^[A-Z\d]+_[A-Z\d_]+$/.test(text);

/** Whether a field is personal data, judged by its name, or by a text that looks like a name or prose. */
function isPersonal(key: string, text: string): boolean {
	if (text.length < 3 || isTerm(text)) return false;
	return personalFields.test(key) || /@|\p{L}\s|\s\p{L}|\p{Script=Cyrillic}|^\p{Lu}\p{Ll}+$/u.test(text);
}

const numberOnly = new RegExp(String.raw`^(?:[+\p{Nd}]|${digitSeparator})+$`, 'u');

/** Whether a text is a number: at least nine digits, also with separators. */
const isNumber = (text: string): boolean => numberOnly.test(text) && digitsOfNumber(text).length >= 9;

/** Long segments of a URL, such as the secret at the end of a webhook URL. */
const secretSegments = (address: string): string[] =>
	address.split(/[/?#&=]/).filter((segment) => /^[\w~-]{16,}$/.test(segment));

export function requestSecrets(
	{ url, input, parts, secrets = [] }: PreparedRequest,
	headers: Record<string, string>,
): SensitiveValues {
	const found: Record<keyof SensitiveValues, string[]> = { secrets: [...secrets], personal: [], numbers: [] };
	const collect = (key: string, text: string) => {
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
	const visit = (value: unknown, key: string) => {
		if (Array.isArray(value)) for (const element of value) visit(element, key);
		else if (isRecord(value)) for (const [name, field] of Object.entries(value)) visit(field, name);
		else collect(key, textOrNumber(value));
	};
	visit(input, '');
	for (const part of parts ?? []) if ('value' in part) collect(part.name, part.value.trim());
	for (const [name, value] of new URLSearchParams(url.replace(/^[^?]*/, ''))) collect(name, value);
	for (const [name, value] of Object.entries(headers))
		if (!publicHeaders.test(name)) found.secrets.push(value.replace(/^(?:Bearer|Basic)\s+/i, ''));
	return found;
}
