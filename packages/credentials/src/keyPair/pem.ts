export interface PemBlock {
	label: string;
	/** `Proc-Type` and `DEK-Info` of keys in OpenSSL's traditional encryption. */
	headers: string[];
	body: string;
}

const dashes = '-----';
const begin = `${dashes}BEGIN `;

/**
 * The PEM blocks in a pasted text. Uses indexOf, because a regular expression would search the rest of the text for the end of each block,
 * in quadratic time.
 */
export function pemBlocks(text: string): PemBlock[] {
	const lines = text.replaceAll(/\\r|\\n/g, '\n');
	const blocks: PemBlock[] = [];
	for (let at = lines.indexOf(begin); at >= 0; at = lines.indexOf(begin, at)) {
		const labelEnd = lines.indexOf(dashes, at + begin.length);
		const contentEnd = lines.indexOf(dashes, labelEnd + dashes.length);
		if (labelEnd < 0 || contentEnd < 0) break;
		const label = lines.slice(at + begin.length, labelEnd);
		const end = `${dashes}END ${label}${dashes}`;
		const isWhole = lines.startsWith(end, contentEnd) && /^[A-Z\d ]+$/.test(label);
		if (isWhole) blocks.push(blockOf(label, lines.slice(labelEnd + dashes.length, contentEnd)));
		at = isWhole ? contentEnd + end.length : labelEnd;
	}
	return blocks;
}

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
