/** Most file systems take 255 bytes, and n8n adds to the name. */
const mostBytes = 200;

/**
 * A file name from elsewhere that is safe to store: without folders, control characters and what file systems refuse; undefined where
 * nothing is left, as of `..`.
 */
export function safeFileName(given: string): string | undefined {
	const last = given.normalize('NFC').split(/[/\\]/).pop() ?? '';
	const plain = last
		.replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '')
		.replace(/[<>:"|?*]/g, '_')
		.replace(/^[\s.]+|[\s.]+$/g, '');
	if (plain === '') return undefined;
	const [extension = ''] = /\.\w{1,10}$/.exec(plain) ?? [];
	let stem = '';
	for (const character of plain.slice(0, plain.length - extension.length)) {
		if (Buffer.byteLength(stem + character + extension) > mostBytes) break;
		stem += character;
	}
	return stem + extension;
}
