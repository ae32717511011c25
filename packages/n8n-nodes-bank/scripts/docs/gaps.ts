import type { Operation } from '@bank/core';
import { code } from './markdown.ts';
import { scopeOf } from '../names.ts';

/** A detail that the API description does not show: a property that the definition lacks. */
interface Gap {
	what: string;
	/** The key or field in which the user enters it, or a remark; may be empty. */
	instead: string;
}

export function gapsOf(operation: Operation): Gap[] {
	const { auth, scope, method, path, payload, unnamedFields, accessToken, response, effect, dialect } = operation;
	const gaps: Gap[] = [];
	const gap = (what: string, instead = '') => gaps.push({ what, instead });
	if (auth === 'notShown') gap('authentication', 'choose it under *Authentication*');
	else if (scope === undefined && scopeOf(operation) !== '') gap('scope', '*Webhook Scopes* of the credential');
	if (method === undefined) gap('method', code('method'));
	if (path === undefined) gap('path', code('path'));
	if (payload !== undefined)
		gap('payload', [code('fields'), payload.about ?? ''].filter((text) => text !== '').join('; '));
	if (payload?.files !== undefined) gap('how files are sent', code('files'));
	for (const name of Object.keys(unnamedFields?.entries ?? {}))
		gap(`name of the field for ${code(name)}`, code(`names.${name}`));
	if (accessToken === true) gap('how the access token is sent', code('token'));
	// Delete operations return nothing.
	if (response === undefined && effect !== 'delete') gap('response', code('responses'));
	if (dialect?.listed.length === 0) gap('errors');
	return gaps;
}
