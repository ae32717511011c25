import { likelyMethod, type Operation, operations } from '@bank/core';
import { sandboxExamples } from '@bank/fixtures/examples';
import * as v from 'valibot';

import { code, table, withStop } from './markdown.ts';
import { anchorOf, bySpec, numberOf, scopeOf, titleOf } from './names.ts';

/** What the API description does not show of an operation, read from the properties that its definition does not have. */
export interface Gap {
	what: string;
	/** What the node does instead, or asks in the form. */
	instead: string;
}

export function gapsOf(operation: Operation): Gap[] {
	const { auth, scope, method, path, payload, nameless, accessToken, response, asynchronous, effect, dialect } =
		operation;
	const gaps: Gap[] = [];
	const gap = (what: string, instead: string) => gaps.push({ what, instead });
	if (auth === 'notShown') gap('authentication', '*Authentication*, which offers five types of credential');
	else if (scope === undefined && scopeOf(operation) !== '') gap('scope', '*Webhook Scopes* of the credential');
	if (method === undefined) gap('method', `*Method*, which begins with ${likelyMethod(operation)} as a guess`);
	const { path: sandboxPath, payload: sandboxPayload } = sandboxExamples[operation.id] ?? {};
	const tried = (verb: string, what = '') => (what === '' ? '' : `The sandbox bank ${verb} ${code(what)}.`);
	if (path === undefined) gap('path', ['*Path*.', tried('has the operation at', sandboxPath)].join(' ').trim());
	if (payload !== undefined) {
		const choices = `${payload.required ? '' : 'nothing, or '}JSON, fields or a binary file.`;
		const words = [choices, withStop(payload.description), tried('takes, for example,', sandboxPayload)];
		gap('payload', `*Payload From*: ${words.join(' ').trim()}`);
	}
	if (payload?.files !== undefined) gap('how files travel', '*Files*, with the place of each, and *Send Files As*');
	for (const [name, schema] of Object.entries(nameless?.entries ?? {}))
		gap(`name of the field for ${code(name)}`, `*${v.getTitle(schema) ?? name} Goes Into*`);
	if (accessToken === true) gap('how the access token travels', '*Send Access Token As*');
	// Where something is deleted there is nothing to show.
	if (response === undefined && effect !== 'delete')
		gap(
			'answer',
			`it passes through whole${asynchronous === true ? '; *Wait for Result* and its condition say when it is the result' : ''}`,
		);
	if (dialect?.listed.length === 0) gap('errors', "explained by their HTTP status, with the bank's own words");
	return gaps;
}

/** Every gap of every operation, in the order of the description. */
export function gapTable(): string {
	const rows = [...operations]
		.sort(bySpec)
		.map((operation) => ({ operation, gaps: gapsOf(operation) }))
		.filter(({ gaps }) => gaps.length > 0)
		.map(({ operation, gaps }) => [
			numberOf(operation),
			`[${titleOf(operation)}](reference.md#${anchorOf(operation)})`,
			gaps.map(({ what }) => what).join(', '),
		]);
	return table(['API', 'Operation', 'Not shown'], rows);
}
