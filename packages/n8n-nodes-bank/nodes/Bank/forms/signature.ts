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
import {
	isCredentialError,
	isSignatureMethod,
	sign,
	validateSignature,
	type SignatureSettings,
} from '@bank/credentials';

import { chosenName, credentialOf } from '../../shared/http/credential.ts';
import { notSentError } from '../../shared/failures.ts';
import { oncePerRun, type Run } from '../../shared/pipeline/run.ts';

type PackageInput = InputOf<typeof definitions.payment.sendPackage>;

const credentialType = 'bankSignatureApi';

/** Stands in a package until its bytes are known. Never sent. */
const placeholder = '(signature)';

export interface Signing {
	/** Value of `signedBody` while the package is validated: the entered signature, or a placeholder. */
	signedBody(item: number): unknown;
	/** Adds the signature of exactly these bytes to a validated package. */
	addSignature(prepared: PreparedRequest<PackageInput>): PreparedRequest<PackageInput>;
}

/**
 * Used when the run is planned and again for each package.
 * @throws InputError | NodeOperationError if signing is not possible with these settings
 */
export const signingOf = oncePerRun(async (run): Promise<Signing> => {
	const { parameters } = run;
	const settings = await settingsOf(run);
	const position = positionOf(run);
	return {
		signedBody: (item) => (settings === undefined ? parameters.value('signedBody', item, '') : placeholder),
		addSignature(prepared) {
			const { body } = prepared.input;
			const { toSign: text } = signableText(body);
			if (settings === undefined) return { ...prepared, body: withSignature(text, body.signedBody, position) };
			// The certificate may have expired since the run was planned.
			const signature = withCredentialName(run, () => sign(Buffer.from(text, 'utf8'), settings));
			return { ...prepared, body: withSignature(text, signature, position) };
		},
	};
});

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
	withCredentialName(run, () => validateSignature(settings));
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
