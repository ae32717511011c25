import type { Operation } from '@bank/core';
import { code } from './markdown.ts';
import { scopeOf } from '../names.ts';

/** What the API description does not show of an operation: the properties that its definition lacks. */
export function gapsOf(operation: Operation): string[] {
	const { auth, scope, method, path, payload, unnamedFields, accessToken, response, effect, dialect } = operation;
	const gaps: [isMissing: boolean, gap: string][] = [
		[auth === 'notShown', 'authentication'],
		[auth !== 'notShown' && scope === undefined && scopeOf(operation) !== '', 'scope'],
		[method === undefined, 'method'],
		[path === undefined, 'path'],
		[payload !== undefined, 'payload'],
		[payload?.files !== undefined, 'how files are sent'],
		...Object.keys(unnamedFields?.entries ?? {}).map((name): [boolean, string] => [
			true,
			`name of the field for ${code(name)}`,
		]),
		[accessToken === true, 'how the access token is sent'],
		// Delete operations return nothing.
		[response === undefined && effect !== 'delete', 'response'],
		[dialect?.listed.length === 0, 'errors'],
	];
	return gaps.filter(([isMissing]) => isMissing).map(([, gap]) => gap);
}
