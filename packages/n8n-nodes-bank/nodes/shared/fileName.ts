/** Most file systems allow 255 bytes, and n8n adds some characters to the name. */
const mostBytes = 200;

/**
 * Makes a file name safe to store: removes folders, control characters and characters that file systems reject.
 * Undefined if nothing is left, as for `..`.
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
