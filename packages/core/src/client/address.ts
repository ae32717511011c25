import type { ValidationIssue } from '../validation.ts';
import { hasAddress, type Method, methods, type Operation, type OperationInput } from '../operation.ts';

/** Method and path of a request: from the operation, or from the input if the API description does not show them. */
export function addressOf(
	operation: Operation,
	input: OperationInput,
	issues: ValidationIssue[],
): { method: Method; template: string } {
	if (hasAddress(operation)) return { method: operation.method, template: operation.path };
	const given = String(operation.method ?? input.method)
		.trim()
		.toUpperCase();
	const method = methods.find((known) => known === given);
	if (method === undefined) issues.push({ path: 'method', message: `must be one of ${methods.join(', ')}` });
	const route = String(input.route ?? '').trim();
	const template = route === '' ? (operation.path ?? '') : route;
	if (template === '') {
		issues.push({
			path: 'path',
			message: 'is required. Ask your bank',
		});
	} else {
		for (const issue of routeIssues(template, Object.keys(operation.pathFields?.entries ?? {}))) issues.push(issue);
	}
	// POST accepts every payload, so an invalid method is not followed by misleading issues about the payload.
	return { method: method ?? 'POST', template };
}

/** The path must stay on the host of the base URL, because secrets are sent with the request. */
export function routeIssues(template: string, known: readonly string[]): ValidationIssue[] {
	const issue = (message: string): ValidationIssue[] => [{ path: 'path', message }];
	if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(template))
		return [
			{
				path: 'path',
				message: 'must be a path such as /service/operation, without scheme and host',
				code: 'pathWithHost',
			},
		];
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
