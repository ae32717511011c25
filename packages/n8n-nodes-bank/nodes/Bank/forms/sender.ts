import { keysOf, type ValidationIssue } from '@bank/core';

import { paymentValuesOf } from '@bank/credentials';

import { restCredential } from '../../shared/base/authentication.ts';
import { credentialOf } from '../../shared/http/credential.ts';
import { oncePerRun } from '../../shared/form/run.ts';

/** The credential that pays. */
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
	/** From the options of the node, or else from the credential. An option whose expression returns nothing is not replaced. */
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
