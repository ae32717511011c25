import {
	checkConnection,
	hundredths,
	type ListedValue,
	type Operation,
	phoneNumber,
	resources,
	splitList,
	textOrNumber,
	titleCase,
	wholeNumber,
} from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { CredentialError } from './credentialError.ts';

/**
 * Name of the hidden field with which an administrator sets a restriction for the whole instance, through n8n's credential overwrites. It
 * is separate from the owner's field because n8n overwrites only empty fields.
 */
export const instanceField = (name: string): string => `instance${name.charAt(0).toUpperCase()}${name.slice(1)}`;

/** Restrictions of what a credential can be used for. Undefined means not restricted. */
export type Restrictions = ReturnType<typeof readRestrictions>;

/** `owner`: set in the credential. `administrator`: set for the whole instance. */
type SetBy = 'owner' | 'administrator';

/** @throws CredentialError if restrictions of the owner or the administrator cannot be read, or limit nothing */
export function restrictionsOf(credential: ICredentialDataDecryptedObject): Restrictions[] {
	const all = [
		...(isRestrictedByOwner(credential) ? [readRestrictions(credential, 'owner')] : []),
		...(isRestrictedByAdministrator(credential) ? [readRestrictions(credential, 'administrator')] : []),
	];
	for (const one of all) if (!hasLimit(one)) throw noLimit(one.setBy);
	return all;
}

const hasLimit = ({ setBy: _, operations, timeZone: __, onlyPreparedPackages, ...limits }: Restrictions): boolean =>
	operations !== 'all' || onlyPreparedPackages || Object.values(limits).some((limit) => limit !== undefined);

/**
 * The error for restrictions without any limit. Their limits may have been lost: n8n removes fields that the form does
 * not show.
 */
const noLimit = (setBy: SetBy): CredentialError =>
	setBy === 'owner'
		? new CredentialError(
				'Restrict Use is on, but no limit is set, so the credential allows nothing',
				'Enter a limit, or turn off "Restrict Use".',
			)
		: new CredentialError(
				'The limits for the whole n8n instance contain no limit, so the credential allows nothing',
				'Ask your n8n administrator to correct CREDENTIALS_OVERWRITE_DATA.',
			);

export const isRestricted = (credential: ICredentialDataDecryptedObject): boolean =>
	isRestrictedByOwner(credential) || isRestrictedByAdministrator(credential);

const isRestrictedByOwner = ({ restrictUse = false }: ICredentialDataDecryptedObject): boolean =>
	restrictUse !== false && restrictUse !== null && restrictUse !== '';

const isRestrictedByAdministrator = (credential: ICredentialDataDecryptedObject): boolean =>
	Object.entries(credential).some(
		([name, value]) => name.startsWith('instance') && value !== '' && value !== null && value !== undefined,
	);

/** Whether a credential allows an operation. *Connection: Check* is always allowed: it only tests the credential. */
export function isOperationAllowed(
	{ operations: allowed }: Restrictions,
	{ id, effect }: Pick<Operation, 'id' | 'effect'>,
): boolean {
	if (allowed === 'all' || id === checkConnection.id) return true;
	if (allowed === 'read') return effect === 'read';
	if (allowed === 'prepare') return effect === 'read' || effect === 'none';
	return allowed.includes(id);
}

function readRestrictions(credential: ICredentialDataDecryptedObject, setBy: SetBy) {
	const invalid = (name: string, problem: string) => invalidRestriction(setBy, name, problem);
	/**
	 * An administrator may also enter a JSON list, which becomes text with commas. An empty list is refused: as text it
	 * would set no limit.
	 */
	const textIn = (name: string) => {
		const value = credential[setBy === 'owner' ? name : instanceField(name)] ?? '';
		const isList = Array.isArray(value) && value.length > 0 && value.every((one) => textOrNumber(one) !== '');
		if (typeof value === 'object' && !isList)
			throw invalid(name, `must be text, got ${JSON.stringify(value).slice(0, 40)}`);
		return String(value).trim();
	};
	function parsed<Value>(name: string, parse: (text: string) => Value | undefined, rule: string): Value | undefined {
		const text = textIn(name);
		if (text === '') return undefined;
		const value = parse(text);
		if (value === undefined) throw invalid(name, `must be ${rule}, got "${text.slice(0, 40)}"`);
		return value;
	}
	const amount = (name: string) => parsed(name, amountOf, 'an amount such as 15000.00');
	const values = (name: string, of: ListedValue, valueOf: (text: string) => string, rule: string) =>
		parsed(
			name,
			(text) => {
				const list = splitList(text, of).map(valueOf);
				return list.length === 0 || list.includes('') ? undefined : list;
			},
			`${rule}, separated by commas`,
		);
	const choice = textIn('allowedOperations') || 'all';
	// Owners choose *Allowed Operations* and then the list; an administrator enters only the list.
	const listField = setBy === 'owner' ? 'operationList' : 'allowedOperations';
	const listed = () => values(listField, 'identifier', operationId, 'IDs such as payment.sendPackage');
	const hasList = setBy === 'administrator' || choice === 'list';
	const operations = isChoice(choice) ? choice : hasList ? listed() : undefined;
	if (operations === undefined) throw invalid(listField, 'is empty');
	return {
		setBy,
		operations,
		// Amounts are in hundredths.
		largestPayment: amount('largestPayment'),
		largestPackageTotal: amount('largestPackageTotal'),
		largestDailyTotal: amount('largestDailyTotal'),
		mostPaymentsPerDay: parsed('mostPaymentsPerDay', (text) => wholeNumber(text, 0), 'a whole number'),
		timeZone: parsed('limitTimeZone', knownTimeZone, 'a time zone such as Europe/Moscow') ?? 'UTC',
		accounts: values('allowedAccounts', 'account', (text) => text, 'account numbers'),
		phones: values('allowedPhones', 'name', phoneOf, 'phone numbers such as +79000000001'),
		banks: values('allowedBanks', 'identifier', (text) => text, 'bank IDs'),
		onlyPreparedPackages: parsed('onlyPreparedPackages', flagOf, 'true or false') ?? false,
	};
}

function invalidRestriction(setBy: SetBy, name: string, problem: string): CredentialError {
	if (setBy === 'administrator')
		return new CredentialError(
			`${instanceField(name)} ${problem}`,
			'It is a limit for the whole n8n instance: ask your n8n administrator to correct CREDENTIALS_OVERWRITE_DATA.',
		);
	return new CredentialError(
		`${titleCase(name).replace(' Per ', ' per ')} ${problem}`,
		'Correct the field in the credential.',
	);
}

const isChoice = (text: string): text is 'all' | 'read' | 'prepare' => ['all', 'read', 'prepare'].includes(text);

const operationId = (text: string): string =>
	resources.flatMap(({ operations }) => operations).some(({ id }) => id === text) ? text : '';

/** An administrator may write the setting as text, such as "True". */
const flagOf = (text: string): boolean | undefined =>
	/^(?:true|false)$/i.test(text) ? text.toLowerCase() === 'true' : undefined;

function amountOf(text: string): bigint | undefined {
	const size = hundredths(text);
	return size === undefined || size < 0n ? undefined : size;
}

const phoneOf = (text: string): string => (phoneNumber(text).length < '+9000000001'.length ? '' : phoneNumber(text));

function knownTimeZone(text: string): string | undefined {
	try {
		return new Intl.DateTimeFormat('en', { timeZone: text }).resolvedOptions().timeZone;
	} catch {
		return undefined;
	}
}
