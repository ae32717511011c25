import { type Operation, operations } from '@bank/core';
import { likelyMethod } from '@bank/core/docs';
import { sandboxExamples } from '@bank/fixtures/examples';
import * as v from 'valibot';

import { code, table, withStop } from './markdown.ts';
import { bySpec, numberOf, referenceOf, scopeOf, titleOf } from '../names.ts';

/** A detail that the API description does not show: a property that the definition lacks. */
export interface Gap {
	what: string;
	/** What the form asks for, or the node does. */
	instead: string;
}

export function gapsOf(operation: Operation): Gap[] {
	const { auth, scope, method, path, payload, unnamedFields, accessToken, response, asynchronous, effect, dialect } =
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
		const words = [
			choices,
			payload.about === undefined ? '' : withStop(payload.about),
			tried('takes, for example,', sandboxPayload),
		];
		gap(
			'payload',
			`*Payload From*: ${words
				.filter((word) => word !== '')
				.join(' ')
				.trim()}`,
		);
	}
	if (payload?.files !== undefined) gap('how files travel', '*Files*, with the place of each, and *Send Files As*');
	for (const [name, schema] of Object.entries(unnamedFields?.entries ?? {}))
		gap(`name of the field for ${code(name)}`, `*${v.getTitle(schema) ?? name} Field Name*`);
	if (accessToken === true) gap('how the access token travels', '*Send Access Token As*');
	// Delete operations return nothing.
	if (response === undefined && effect !== 'delete')
		gap(
			'answer',
			`it passes through whole${asynchronous === true ? '; *Wait for Result* and its condition say when it is the result' : ''}`,
		);
	if (dialect?.listed.length === 0) gap('errors', "explained by their HTTP status, with the bank's own words");
	return gaps;
}

/** All gaps, in the order of the API description. */
export function gapTable(): string {
	const rows = [...operations]
		.sort(bySpec)
		.map((operation) => ({ operation, gaps: gapsOf(operation) }))
		.filter(({ gaps }) => gaps.length > 0)
		.map(({ operation, gaps }) => [
			numberOf(operation),
			`[${titleOf(operation)}](${referenceOf(operation)})`,
			gaps.map(({ what }) => what).join(', '),
		]);
	return table(['API', 'Operation', 'Not shown'], rows);
}
