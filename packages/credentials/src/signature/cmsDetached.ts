import { hash, sign, type X509Certificate } from 'node:crypto';

import { Der, der, derSet, objectIdentifier, tags } from '../der.ts';
import { CredentialError } from '../credentialError.ts';
import type { SignatureMethod } from './method.ts';

const ids = {
	data: objectIdentifier('1.2.840.113549.1.7.1'),
	signedData: objectIdentifier('1.2.840.113549.1.7.2'),
	contentType: objectIdentifier('1.2.840.113549.1.9.3'),
	messageDigest: objectIdentifier('1.2.840.113549.1.9.4'),
	signingTime: objectIdentifier('1.2.840.113549.1.9.5'),
	sha256: objectIdentifier('2.16.840.1.101.3.4.2.1'),
	rsaEncryption: objectIdentifier('1.2.840.113549.1.1.1'),
	ecdsaWithSha256: objectIdentifier('1.2.840.10045.4.3.2'),
} as const;

const { sequence, set, octetString, context } = tags;

/** SHA-256 without parameters (RFC 5754, 2). rsaEncryption without the hash is the identifier that every verifier accepts. */
const digestAlgorithm = der(sequence, ids.sha256);
const signatureAlgorithms: Readonly<Record<string, Buffer | undefined>> = {
	rsa: der(sequence, ids.rsaEncryption, der(tags.null)),
	ec: der(sequence, ids.ecdsaWithSha256),
};

/** CMS SignedData without its content (RFC 5652, 5), known as PKCS#7 detached. Includes the certificates. */
export const cmsDetached: SignatureMethod = ({ privateKey, certificates }) => {
	const [own] = certificates;
	const algorithm = signatureAlgorithms[String(privateKey.asymmetricKeyType)];
	if (algorithm === undefined)
		throw new CredentialError(
			'Signature Key is neither an RSA nor an EC key, which "CMS Detached" requires',
			'Paste an RSA or EC key and its certificate.',
		);
	if (own === undefined)
		throw new CredentialError(
			'Signature Certificate is empty, and "CMS Detached" requires it',
			'Paste the certificate of the key, or choose RSA-SHA256 if your bank accepts it.',
		);
	return (bytes, now) => {
		const attributes = [
			attribute(ids.contentType, ids.data),
			attribute(ids.messageDigest, der(octetString, hash('sha256', bytes, 'buffer'))),
			attribute(ids.signingTime, time(now)),
		];
		const signerInfo = der(
			sequence,
			version,
			signerOf(own),
			digestAlgorithm,
			derSet(context(0), attributes),
			algorithm,
			// The signature covers the attributes encoded as SET, not with the implicit [0] tag used here (RFC 5652, 5.4).
			der(octetString, sign('sha256', derSet(set, attributes), privateKey)),
		);
		const rawCertificates = certificates.map(({ raw }) => raw);
		const signedData = der(
			sequence,
			version,
			der(set, digestAlgorithm),
			der(sequence, ids.data),
			derSet(context(0), rawCertificates),
			der(set, signerInfo),
		);
		return der(sequence, ids.signedData, der(context(0), signedData));
	};
};

/** Version 1: issuerAndSerialNumber and content type id-data (RFC 5652, 5.1). */
const version = der(tags.integer, Buffer.from([1]));

const attribute = (id: Buffer, value: Buffer): Buffer => der(sequence, id, der(set, value));

/** IssuerAndSerialNumber. TBSCertificate starts with the optional `[0]` version, serial number, algorithm and issuer. */
function signerOf({ raw }: X509Certificate): Buffer {
	const content = Der.read(raw).part(0);
	const at = content.part(0).tag === context(0) ? 1 : 0;
	return der(sequence, content.part(at + 2).whole, content.part(at).whole);
}

/** UTCTime, which ends with 2049 (RFC 5652, 11.3). */
function time(now: Date): Buffer {
	const digits = now.toISOString().replace(/\.\d+|[-:T]/g, '');
	return der(tags.utcTime, Buffer.from(digits.slice(2)));
}
