import { keysOf, textOrNumber, type ValidationIssue } from '@bank/core';

import { restCredential } from '../../shared/authentication.ts';
import { credentialOf } from '../../shared/http/credential.ts';
import { oncePerRun } from '../../shared/pipeline/run.ts';

/** The fields of the sender, with their labels and paths in a package. */
export const senderFields = {
	partnerId: { label: 'Partner ID', path: 'client.partnerId' },
	inn: { label: 'Tax Number', path: 'inn' },
	account: { label: 'Account', path: 'account' },
} as const;

export type SenderField = keyof typeof senderFields;

export interface Sender {
	/** Values from the credential; absent if the form has these fields. */
	fields?: Readonly<Record<SenderField, unknown>>;
	/** Paths of fields that are missing in the credential. */
	missing: readonly string[];
	issues: readonly ValidationIssue[];
}

export const senderOf = oncePerRun(async ({ context, parameters }): Promise<Sender> => {
	if (parameters.value('senderFrom', 0) === 'fields') return { missing: [], issues: [] };
	const { partnerId, inn, account } = await credentialOf(context, restCredential('clientCredentials'));
	const fields = { partnerId, inn, account };
	const empty = keysOf(senderFields).filter((name) => textOrNumber(fields[name]) === '');
	if (empty.length === 0) return { fields, missing: [], issues: [] };
	const labels = empty.map((name) => senderFields[name].label).join(', ');
	const message = `The credential has no ${labels}. Enter it there, or choose Fields Below as Sender`;
	return { fields, missing: empty.map((name) => senderFields[name].path), issues: [{ path: '', message }] };
});
