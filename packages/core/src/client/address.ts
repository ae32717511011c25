import type { ValidationIssue } from '../validation.ts';

/** The path must stay on the host of the base URL, because secrets are sent with the request. */
export function routeIssues(template: string, known: readonly string[]): ValidationIssue[] {
	const issue = (message: string): ValidationIssue[] => [{ path: 'path', message }];
	if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(template))
		return issue('must be a path such as /service/operation, without scheme and host');
	if (!template.startsWith('/')) return issue('must begin with a slash, such as /service/operation');
	if (/[^\x21-\x7e]|[\\#]/.test(template))
		return issue('must not contain spaces, backslashes, # or characters outside ASCII');
	if (template.split(/[/?]/).some((segment) => /^(?:\.|%2e){1,2}(?:;|$)/i.test(segment)))
		return issue('must not contain . or .. as a segment');
	if (decodesToOtherPath(template))
		return issue('must not contain encoded slashes, dots, percent signs or control characters');
	const unknown = /\{[^/}]*\}?|\}/.exec(known.reduce((rest, name) => rest.replaceAll(`{${name}}`, ''), template))?.[0];
	if (unknown !== undefined)
		return issue(
			`holds ${unknown}, for which there is no field. ` +
				`${known.length === 0 ? 'Write the value itself' : `Known: ${known.map((name) => `{${name}}`).join(', ')}`}`,
		);
	return [];
}

/** Whether decoding the path would yield a different path, or fail. */
function decodesToOtherPath(template: string): boolean {
	if (/%(?:[01][\da-f]|7f)/i.test(template)) return true;
	const [path = ''] = template.split('?');
	try {
		return /%2[5e]/i.test(path) || path.split('/').some((segment) => escapesSegment(decodeURIComponent(segment)));
	} catch {
		return true;
	}
}

/**
 * Whether a value would leave its path segment after one more decoding: slashes, dot segments (`..;` too, which some
 * servers accept), control characters, or percent-encoding. Full-width letters are normalized, as some servers do.
 */
function escapesSegment(value: string): boolean {
	const plain = value.normalize('NFKC').replace(/\p{Cf}+/gu, '');
	return /^\.{1,2}(?:;|$)|[/\\?#\p{Cc}]|%[\da-f]{2}/iu.test(plain);
}

/** Encodes each value as a single path segment. */
export function fillPath(template: string, values: Record<string, unknown>, issues: ValidationIssue[]): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = String(values[name]);
		if (escapesSegment(value)) {
			issues.push({ path: name, message: 'must be an identifier, not a path' });
			return '';
		}
		return encodeURIComponent(value);
	});
}
