/**
 * Makes a file name safe to store: removes folders, control characters and characters that file systems reject.
 * Undefined if nothing is left, as for `..`.
 */
export function safeFileName(given: string): string | undefined {
	const last = given.normalize('NFC').split(/[/\\]/).pop() ?? '';
	const name = last
		.replace(/[\p{Cc}\p{Cf}\p{Surrogate}]/gu, '')
		.replace(/[<>:"|?*]/g, '_')
		.replace(/^[\s.]+|(?<![\s.])[\s.]+$/g, '');
	if (name === '') return undefined;
	// Most file systems allow 255 bytes, and n8n adds some. The end of a longer name is kept, for its extension.
	return Buffer.from(name)
		.subarray(-200)
		.toString()
		.replace(/^\uFFFD+/, '');
}
