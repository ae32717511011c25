import type { Fault } from '../faults.ts';
import { hasAddress, type Method, methods, type Operation, type OperationInput } from '../operation.ts';

/** Method and path: the description's own, or what the user gives where it shows none. */
export function addressOf(
	operation: Operation,
	input: OperationInput,
	faults: Fault[],
): { method: Method; template: string } {
	if (hasAddress(operation)) return { method: operation.method, template: operation.path };
	const given = String(operation.method ?? input.method)
		.trim()
		.toUpperCase();
	const method = methods.find((known) => known === given);
	if (method === undefined) faults.push({ path: 'method', message: `must be one of ${methods.join(', ')}` });
	const route = String(input.route ?? '').trim();
	const template = route === '' ? (operation.path ?? '') : route;
	if (template === '') {
		faults.push({
			path: 'path',
			message: 'is required. Ask your bank',
		});
	} else {
		for (const fault of routeFaults(template, operation)) faults.push(fault);
	}
	// A method that is wrong is one fault: POST takes every payload, so that no other follows from it.
	return { method: method ?? 'POST', template };
}

/** A path stays on the host of the base URL, because secrets travel with the request. */
function routeFaults(template: string, operation: Operation): Fault[] {
	const fault = (message: string): Fault[] => [{ path: 'path', message }];
	if (/^[a-z][a-z\d+.-]*:|^\/\//i.test(template))
		return [
			{
				path: 'path',
				message: 'must be a path such as /service/operation, without scheme and host',
				code: 'pathWithHost',
			},
		];
	if (!template.startsWith('/')) return fault('must begin with a slash, such as /service/operation');
	if (/[^\x21-\x7e]|[\\#]/.test(template))
		return fault('must not hold spaces, backslashes, # or characters outside ASCII');
	if (template.split(/[/?]/).some((segment) => /^(?:\.|%2e){1,2}(?:;|$)/i.test(segment)))
		return fault('must not hold . or .. as a segment');
	if (hidesItsWay(template)) return fault('must not hold encoded slashes, dots, percent signs or control characters');
	const known = Object.keys(operation.pathFields?.entries ?? {});
	const unknown = /\{[^/}]*\}?|\}/.exec(known.reduce((rest, name) => rest.replaceAll(`{${name}}`, ''), template))?.[0];
	if (unknown !== undefined)
		return fault(
			`holds ${unknown}, for which there is no field. ` +
				`${known.length === 0 ? 'Write the value itself' : `Known: ${known.map((name) => `{${name}}`).join(', ')}`}`,
		);
	return [];
}

/** Whether a path holds in a code what would mean another path to whoever decodes it, or what nobody can decode: dots of too many bytes. */
function hidesItsWay(template: string): boolean {
	if (/%(?:[01][\da-f]|7f)/i.test(template)) return true;
	const [path = ''] = template.split('?');
	try {
		return /%2[5e]/i.test(path) || path.split('/').some((segment) => leavesItsSegment(decodeURIComponent(segment)));
	} catch {
		return true;
	}
}

/**
 * Whether a value could mean another path to whoever decodes it once more: slashes, dots alone (also before a parameter, as some servers
 * read `..;`), control characters, and whatever is encoded already. Wide letters count as the plain ones, as some servers read them.
 */
function leavesItsSegment(value: string): boolean {
	const plain = value.normalize('NFKC').replace(/\p{Cf}+/gu, '');
	return /^\.{1,2}(?:;|$)|[/\\?#\p{Cc}]|%[\da-f]{2}/iu.test(plain);
}

/** Path values go one segment at a time, encoded, and can never climb out of the path. */
export function fillPath(template: string, values: Record<string, unknown>, faults: Fault[]): string {
	return template.replace(/\{(\w+)\}/g, (_, name: string) => {
		const value = String(values[name]);
		if (leavesItsSegment(value)) {
			faults.push({ path: name, message: 'must be an identifier, not a path' });
			return '';
		}
		return encodeURIComponent(value);
	});
}
