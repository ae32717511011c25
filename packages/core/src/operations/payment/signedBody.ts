import { isRecord, jsonOrText } from '../../json.ts';
import { InputError } from '../../validation.ts';

/** Position of `signedBody` in the body; "not shown" in 2.2. */
export const signaturePositions = ['first', 'last'] as const;
export type SignaturePosition = (typeof signaturePositions)[number];

export function withoutSignature<Body extends object>(body: Body): Omit<Body, 'signedBody'> {
	const { signedBody: _signature, ...unsigned }: Body & { signedBody?: unknown } = body;
	return unsigned;
}

/** The JSON of the checked body without `signedBody`. The SHA-256 of its UTF-8 bytes identifies the package. */
export function textToSign(body: object): string {
	return JSON.stringify(withoutSignature(body));
}

/**
 * Inserts the signature into the signed text and changes nothing else, because the bank verifies exactly these bytes.
 * @throws InputError if the text is not a JSON object or already contains a signature
 */
export function withSignature(signed: string, signature: string, position: SignaturePosition): string {
	const isAlone = Object.keys(unsignedObject(signed)).length === 0;
	const field = `"signedBody":${JSON.stringify(signature)}`;
	// In an empty object both positions are the same.
	const isFirst = position === 'first' || isAlone;
	const at = isFirst ? signed.indexOf('{') + 1 : signed.lastIndexOf('}');
	const inserted = isAlone ? field : isFirst ? `${field},` : `,${field}`;
	return signed.slice(0, at) + inserted + signed.slice(at);
}

function unsignedObject(text: string): object {
	const value = jsonOrText(text);
	if (!isRecord(value)) throw new InputError([{ path: '', message: 'The text that was signed must be a JSON object' }]);
	if (Object.hasOwn(value, 'signedBody'))
		throw new InputError([{ path: 'signedBody', message: 'must not occur in the text that was signed' }]);
	return value;
}
