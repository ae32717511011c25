export interface PemBlock {
	label: string;
	/** `Proc-Type` and `DEK-Info` of keys that were locked the old way. */
	headers: string[];
	body: string;
}

/** What stands between the lines -----BEGIN and -----END, however the text was pasted. */
export function pemBlocks(text: string): PemBlock[] {
	const lines = text.replaceAll(/\\r|\\n/g, '\n');
	return [...lines.matchAll(/-----BEGIN ([A-Z0-9 ]+)-----([\s\S]*?)-----END \1-----/g)].map(
		([, label = '', content = '']) => {
			const head = /^\s*(?:[\w-]+:\s*\S+\s+)*/.exec(content)?.[0] ?? '';
			return {
				label,
				headers: [...head.matchAll(/([\w-]+):\s*(\S+)/g)].map(([, name, value]) => `${name}: ${value}`),
				body: content.slice(head.length).replaceAll(/\s/g, ''),
			};
		},
	);
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

/**
 * PEM as it was before somebody pasted it into a field of one line, where line breaks became spaces, `\n` or nothing. Words around
 * the blocks go. Empty where there is no block.
 */
export function repairPem(text: string): string {
	return pemBlocks(text).map(writePem).join('');
}

export const isCertificate = ({ label }: PemBlock): boolean => /^(?:X509 |TRUSTED )?CERTIFICATE$/.test(label);
export const isKey = ({ label }: PemBlock): boolean => label.endsWith('PRIVATE KEY');
export const isLocked = ({ label, headers }: PemBlock): boolean =>
	label === 'ENCRYPTED PRIVATE KEY' || headers.some((header) => header.includes('ENCRYPTED'));
