import { isBlank, keysOf, textOrNumber, type ValidationIssue } from '@bank/core';
import { type BankNames, bankNamesOf, credentialErrorOf, paymentValuesOf } from '@bank/credentials';

import { restCredential } from '../../shared/base/authentication.ts';
import { joinNames } from '../../shared/base/messages.ts';
import { credentialOf } from '../../shared/http/credential.ts';
import { oncePerRun } from '../../shared/form/run.ts';
import { type PackageRow, rowNameOf } from './package.ts';

/** Values of packages and rows that come from the options of the node or from the credential. */

export const paymentCredential = oncePerRun(({ context }) =>
	credentialOf(context, restCredential('clientCredentials')),
);

/** The fields of the sender, with their labels and paths in a package. */
export const senderFields = {
	partnerId: { label: 'Partner ID', path: 'client.partnerId' },
	inn: { label: 'Tax Number', path: 'inn' },
	account: { label: 'Account', path: 'account' },
} as const;

export type SenderField = keyof typeof senderFields;

export interface Sender {
	/**
	 * The value from the options of the node, or else from the credential. An option whose expression returns nothing
	 * is not replaced.
	 */
	valueOf(field: SenderField, item: number): unknown;
	/** Paths of fields that are missing in both. */
	missing: readonly string[];
	issues: readonly ValidationIssue[];
}

export const senderOf = oncePerRun(async (run): Promise<Sender> => {
	const { parameters } = run;
	const credential = paymentValuesOf(await paymentCredential(run));
	const valueOf = (field: SenderField, item: number): unknown => {
		const options = parameters.options(item);
		return Object.hasOwn(options, field) ? options[field] : credential[field];
	};
	const isGiven = (field: SenderField) => Object.hasOwn(parameters.options(0), field);
	const empty = keysOf(senderFields).filter((name) => !isGiven(name) && credential[name] === '');
	if (empty.length === 0) return { valueOf, missing: [], issues: [] };
	const labels = empty.map((name) => senderFields[name].label).join(', ');
	const message = `The credential has no ${labels}. Enter it there, or under "Options"`;
	return { valueOf, missing: empty.map((name) => senderFields[name].path), issues: [{ path: '', message }] };
});

/** Fields that may have one value for all rows, under Options or in the credential. */
const defaultFields = ['ric', 'paymentDescription'] as const;

/** What the options and the credential add to the rows of a run. */
export interface RowDefaults {
	/** Required fields that a row may lack, because the options or the credential have them. */
	fields: readonly string[];
	issues: readonly ValidationIssue[];
	/** The row with its missing fields filled in, and with the number of its bank instead of the bank's name. */
	complete(row: PackageRow): { row: PackageRow; issues: readonly ValidationIssue[] };
}

export const rowDefaultsOf = oncePerRun(async (run): Promise<RowDefaults> => {
	const { parameters } = run;
	const credential = await paymentCredential(run);
	const values = paymentValuesOf(credential);
	const valueOf = (field: (typeof defaultFields)[number], item: number): unknown => {
		const own = parameters.options(item)[field];
		return isBlank(own) ? values[field] : own;
	};
	let banks: BankNames | undefined;
	const error = credentialErrorOf(() => (banks = bankNamesOf(credential)));
	return {
		fields: defaultFields.filter((field) => textOrNumber(valueOf(field, 0)) !== ''),
		issues: error === undefined ? [] : [{ path: '', message: error.message.replace(/\.$/, '') }],
		complete(row) {
			const recipient = { ...row.recipient };
			for (const field of defaultFields) if (isBlank(recipient[field])) recipient[field] = valueOf(field, row.item);
			const bank = textOrNumber(recipient.nspkBankId);
			if (banks === undefined || banks.names.length === 0 || !/\p{L}/u.test(bank))
				return { row: { ...row, recipient }, issues: [] };
			const number = banks.numberOf(bank);
			if (number !== undefined) return { row: { ...row, recipient: { ...recipient, nspkBankId: number } }, issues: [] };
			const message = `is not in "Bank Names" of the credential, which are ${joinNames(banks.names, 10)}`;
			const issue = { path: 'nspkBankId', message, value: bank.slice(0, 40), item: row.item, row: rowNameOf(row) };
			// The run is refused because of this issue. A placeholder avoids a second issue of the same value.
			return { row: { ...row, recipient: { ...recipient, nspkBankId: '0' } }, issues: [issue] };
		},
	};
});
