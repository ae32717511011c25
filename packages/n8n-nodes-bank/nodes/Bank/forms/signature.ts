import { hash } from 'node:crypto';

import {
	type definitions,
	InputError,
	type InputOf,
	type PreparedRequest,
	type SignaturePosition,
	signaturePositions,
	textToSign,
	withSignature,
} from '@bank/core';
import { isCredentialError, isSignatureMethod, sign, assertCanSign, type SignatureSettings } from '@bank/credentials';

import { chosenName, credentialOf } from '../../shared/http/credential.ts';
import { notSentError } from '../../shared/failures.ts';
import { oncePerRun, type Run } from '../../shared/pipeline/run.ts';

type PackageInput = InputOf<typeof definitions.payment.sendPackage>;

const credentialType = 'bankSignatureApi';

/**
 * How packages are signed; without settings the user supplies the signature.
 * @throws InputError | NodeOperationError if signing is not possible with these settings
 */
const signingOf = oncePerRun(async (run) => ({ settings: await settingsOf(run), position: positionOf(run) }));

/** The signature that the user enters for an item, or a placeholder that is never sent: it completes a package to be validated. */
export async function signedBodyOf(run: Run): Promise<(item: number) => unknown> {
	const { settings } = await signingOf(run);
	return (item) => (settings === undefined ? run.parameters.value('signedBody', item, '') : '(signature)');
}

/** Adds the signature of exactly these bytes to a validated package. */
export async function addSignature(run: Run, prepared: PreparedRequest<PackageInput>) {
	const { settings, position } = await signingOf(run);
	const { body } = prepared.input;
	const { toSign: text } = signableText(body);
	// The certificate may have expired since the run was planned.
	const signature =
		settings === undefined ? body.signedBody : withCredentialName(run, () => sign(Buffer.from(text, 'utf8'), settings));
	return { ...prepared, body: withSignature(text, signature, position) };
}

/** The exact text that the user's own service signs, and its SHA-256. */
export function signableText(body: object): { toSign: string; fingerprint: string } {
	const text = textToSign(body);
	return { toSign: text, fingerprint: hash('sha256', text) };
}

/**
 * The settings for signing in the node; undefined if the user supplies the signature.
 * @throws NodeOperationError if the credential cannot sign
 */
async function settingsOf(run: Run): Promise<SignatureSettings | undefined> {
	const method = run.parameters.text('signature', 0, 'given');
	if (method === 'given') return undefined;
	if (!isSignatureMethod(method))
		throw new InputError([{ path: 'signature', message: `"${method}" is not a signature of the form`, item: 0 }]);
	const settings = { method, credential: await credentialOf(run.context, credentialType) };
	withCredentialName(run, () => assertCanSign(settings));
	return settings;
}

function positionOf({ parameters }: Run): SignaturePosition {
	const { signaturePosition: given = 'last' } = parameters.options(0);
	const position = signaturePositions.find((known) => known === given);
	if (position !== undefined) return position;
	throw new InputError([{ path: 'signaturePosition', message: `must be ${signaturePositions.join(' or ')}`, item: 0 }]);
}

/** The node has two credentials, so the message names the one that failed. */
function withCredentialName<Result>({ context }: Run, use: () => Result): Result {
	try {
		return use();
	} catch (error) {
		const name = chosenName(context, credentialType);
		throw isCredentialError(error)
			? notSentError(
					context,
					`The credential "${name}" cannot sign: ${error.what}`,
					`Open the credential "${name}". ${error.next}`,
				)
			: error;
	}
}
