/** Position of `signedBody` in the body; "not shown" in 2.2. */
export const signaturePositions = ['first', 'last'] as const;
export type SignaturePosition = (typeof signaturePositions)[number];

function withoutSignature<Body extends object>(body: Body): Omit<Body, 'signedBody'> {
	const { signedBody: _signature, ...unsigned }: Body & { signedBody?: unknown } = body;
	return unsigned;
}

/** The JSON of the checked body without `signedBody`. The SHA-256 of its UTF-8 bytes identifies the package. */
export function textToSign(body: object): string {
	return JSON.stringify(withoutSignature(body));
}

/**
 * Inserts the signature into the signed text and changes nothing else, because the bank verifies exactly these bytes.
 * @param signed the text of a package, from `textToSign`
 */
export function withSignature(signed: string, signature: string, position: SignaturePosition): string {
	const field = `"signedBody":${JSON.stringify(signature)}`;
	return position === 'first' ? `{${field},${signed.slice(1)}` : `${signed.slice(0, -1)},${field}}`;
}
