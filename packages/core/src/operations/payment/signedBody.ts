import { InputError } from '../../faults.ts';

/** Where `signedBody` stands among the fields of the body: "its position in the body: not shown" (2.2). */
export const signaturePositions = ['first', 'last'] as const;
export type SignaturePosition = (typeof signaturePositions)[number];

/** The body as it is before somebody has signed it. */
export function withoutSignature<Body extends object>(body: Body): Omit<Body, 'signedBody'> {
	const { signedBody: _signature, ...unsigned }: Body & { signedBody?: unknown } = body;
	return unsigned;
}

/**
 * What is signed: the JSON of the checked body without `signedBody`, letter for letter. Its bytes are those of UTF-8, and their SHA-256
 * stands for the package wherever somebody else is asked to sign or to approve it.
 */
export function toSign(body: object): string {
	return JSON.stringify(withoutSignature(body));
}

/**
 * What is sent: the text that was signed, with the signature inserted. Nothing else of it changes, because the bank verifies the very
 * letters that were signed, and the same JSON can be written in many ways.
 *
 * @throws InputError where the text is no JSON object, or is signed already
 */
export function withSignature(signed: string, signature: string, position: SignaturePosition): string {
	const isAlone = Object.keys(unsignedObject(signed)).length === 0;
	const field = `"signedBody":${JSON.stringify(signature)}`;
	// In an object without fields there is no last one: what stands in it, a space perhaps, stays behind.
	const isFirst = position === 'first' || isAlone;
	const at = isFirst ? signed.indexOf('{') + 1 : signed.lastIndexOf('}');
	const inserted = isAlone ? field : isFirst ? `${field},` : `,${field}`;
	return signed.slice(0, at) + inserted + signed.slice(at);
}

function unsignedObject(text: string): object {
	const value = parsed(text);
	if (typeof value !== 'object' || value === null || Array.isArray(value))
		throw new InputError([{ path: '', message: 'The text that was signed must be a JSON object' }]);
	if (Object.hasOwn(value, 'signedBody'))
		throw new InputError([{ path: 'signedBody', message: 'must not stand in the text that was signed' }]);
	return value;
}

function parsed(text: string): unknown {
	try {
		return JSON.parse(text);
	} catch {
		return undefined;
	}
}
