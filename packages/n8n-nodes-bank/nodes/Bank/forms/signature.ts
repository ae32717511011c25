import { hash } from 'node:crypto';

import {
	type definitions,
	InputError,
	type InputOf,
	type PreparedRequest,
	textOrNumber,
	textToSign,
	type ValidationIssue,
	withSignature,
} from '@bank/core';
import { credentialErrorOf, isSignatureFirst, sign, signatureOf, assertCanSign } from '@bank/credentials';

import { restCredential } from '../../shared/base/authentication.ts';
import { chosenName } from '../../shared/http/credential.ts';
import type { Run } from '../../shared/form/run.ts';
import { paymentCredential } from './defaults.ts';

type PackageInput = InputOf<typeof definitions.payment.sendPackage>;

const givenSignature = ({ parameters }: Run, item: number): unknown => parameters.options(item).signedBody;

/** Why the packages of this run cannot be signed: reported together with the other problems of the run. */
export async function signatureIssues(run: Run): Promise<ValidationIssue[]> {
	const credential = await paymentCredential(run);
	const name = chosenName(run.context, restCredential('clientCredentials'));
	const error = credentialErrorOf(() => {
		if (signatureOf(credential) !== 'given') assertCanSign(credential);
	});
	if (error !== undefined)
		return [
			{ path: '', message: `The credential "${name}" cannot sign: ${error.what}. ${error.next.replace(/\.$/, '')}` },
		];
	const isGiven = signatureOf(credential) === 'given';
	const hasValue = textOrNumber(givenSignature(run, 0)) !== '';
	if (isGiven === hasValue) return [];
	const message = isGiven
		? `is missing: the credential "${name}" says that signatures are made elsewhere. Add it under "Options"`
		: `must not be given: the credential "${name}" signs the packages. Remove it under "Options"`;
	return [{ path: 'signedBody', message }];
}

/** The signature that the user enters for an item, or a placeholder that is never sent: it completes a package to be validated. */
export async function signedBodyOf(run: Run): Promise<(item: number) => unknown> {
	const isGiven = (await signatureIssues(run)).length === 0 && signatureOf(await paymentCredential(run)) === 'given';
	return (item) => (isGiven ? givenSignature(run, item) : '(signature)');
}

/**
 * Adds the signature of exactly these bytes to a validated package.
 * @throws InputError if the certificate has expired since the run was planned
 */
export async function addSignature(run: Run, prepared: PreparedRequest<PackageInput>) {
	const credential = await paymentCredential(run);
	const { body } = prepared.input;
	const { toSign: text } = signableText(body);
	const issues = await signatureIssues(run);
	if (issues.length > 0) throw new InputError(issues);
	const signature = signatureOf(credential) === 'given' ? body.signedBody : sign(Buffer.from(text, 'utf8'), credential);
	return { ...prepared, body: withSignature(text, signature, isSignatureFirst(credential)) };
}

/** The exact text that the user's own service signs, and its SHA-256. */
export function signableText(body: object): { toSign: string; fingerprint: string } {
	const text = textToSign(body);
	return { toSign: text, fingerprint: hash('sha256', text) };
}
