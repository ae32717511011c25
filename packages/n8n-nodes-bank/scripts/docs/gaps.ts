import { type Operation, operations } from '@bank/core';
import { code, table, withStop } from './markdown.ts';
import { bySpec, numberOf, referenceOf, scopeOf, titleOf } from '../names.ts';

/** A detail that the API description does not show: a property that the definition lacks. */
export interface Gap {
	what: string;
	/** Where it comes from, or what the node does. */
	instead: string;
}

export function gapsOf(operation: Operation): Gap[] {
	const { auth, scope, method, path, payload, unnamedFields, accessToken, response, asynchronous, effect, dialect } =
		operation;
	const gaps: Gap[] = [];
	const gap = (what: string, instead: string) => gaps.push({ what, instead });
	if (auth === 'notShown') gap('authentication', '*Authentication*, which offers five types of credential');
	else if (scope === undefined && scopeOf(operation) !== '') gap('scope', '*Webhook Scopes* of the credential');
	const told = (key: string) => `${code(key)} in the [service details](service-details.md)`;
	if (method === undefined) gap('method', told('method'));
	if (path === undefined) gap('path', told('path'));
	if (payload !== undefined)
		gap(
			'payload',
			[told('fields'), payload.about === undefined ? '' : withStop(payload.about)]
				.filter((text) => text !== '')
				.join('. '),
		);
	if (payload?.files !== undefined) gap('how files travel', told('files'));
	for (const name of Object.keys(unnamedFields?.entries ?? {}))
		gap(`name of the field for ${code(name)}`, told(`names.${name}`));
	if (accessToken === true) gap('how the access token travels', told('token'));
	// Delete operations return nothing.
	if (response === undefined && effect !== 'delete')
		gap(
			'answer',
			[
				'it passes through whole',
				`${asynchronous === true ? 'when it is the result, and ' : ''}which one means no: ${told('responses')}`,
			].join('; '),
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
