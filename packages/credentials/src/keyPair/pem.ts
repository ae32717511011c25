export interface PemBlock {
	label: string;
	/** `Proc-Type` and `DEK-Info` of keys in OpenSSL's traditional encryption. */
	headers: string[];
	body: string;
}

/** A block of a PEM text. Matches in linear time: the content of a block ends before the next five hyphens. */
const pemBlock = /-----BEGIN ([A-Z\d ]+)-----([^-]*(?:-(?!----)[^-]*)*)-----END \1-----/g;

export const pemBlocks = (text: string): PemBlock[] =>
	[...text.replaceAll(/\\r|\\n/g, '\n').matchAll(pemBlock)].map(([, label = '', content = '']) =>
		blockOf(label, content),
	);

function blockOf(label: string, content: string): PemBlock {
	const head = /^\s*(?:[\w-]+:\s*\S+\s+)*/.exec(content)?.[0] ?? '';
	return {
		label,
		headers: [...head.matchAll(/([\w-]+):\s*(\S+)/g)].map(([, name, value]) => `${name}: ${value}`),
		body: content.slice(head.length).replaceAll(/\s/g, ''),
	};
}

export function writePem({ label, headers, body }: PemBlock): string {
	return [
		`-----BEGIN ${label}-----`,
		...(headers.length === 0 ? [] : [...headers, '']),
		...(body.match(/.{1,64}/g) ?? []),
		`-----END ${label}-----`,
		'',
	].join('\n');
}

/** Restores line breaks that became spaces, `\n` or nothing when pasted. Drops text around the blocks; empty if there is no block. */
export function repairPem(text: string): string {
	return pemBlocks(text).map(writePem).join('');
}

export const isCertificate = ({ label }: PemBlock): boolean => /^(?:X509 |TRUSTED )?CERTIFICATE$/.test(label);
export const isKey = ({ label }: PemBlock): boolean => label.endsWith('PRIVATE KEY');
/** PKCS#8. Keys in OpenSSL's traditional encryption have an `ENCRYPTED` header instead. */
export const encryptedKeyLabel = 'ENCRYPTED PRIVATE KEY';
export const isEncrypted = ({ label, headers }: PemBlock): boolean =>
	label === encryptedKeyLabel || headers.some((header) => header.includes('ENCRYPTED'));
