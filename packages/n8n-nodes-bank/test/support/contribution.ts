/** What a contributor does to a working tree: an operation of the Bank node, one of a partner service, a gap that is closed. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

/** Made up: the API description has neither. */
export const restId = 'cardLimit.get';
export const serviceId = 'trip.getMany';
/** Its method is not shown. */
export const gapId = 'channelApplication.getResults';

const core = 'packages/core/src/operations';
const fixtures = 'packages/fixtures';
export const oracleFile = (id: string) => `${fixtures}/oracle/${id.replace('.', '/')}.json`;
export const sampleFile = (id: string) => `${fixtures}/samples/${id.replace('.', '/')}.json`;

export function edit(tree: string, file: string, from: string | RegExp, to: string): void {
	const path = join(tree, file);
	const text = readFileSync(path, 'utf8');
	const changed = text.replace(from, () => to);
	if (changed === text) throw new Error(`${file} does not contain ${String(from)}`);
	writeFileSync(path, changed);
}

function rewrite(tree: string, file: string, change: (json: Record<string, unknown>) => unknown): void {
	const path = join(tree, file);
	const json = JSON.parse(readFileSync(path, 'utf8')) as Record<string, unknown>;
	writeFileSync(path, `${JSON.stringify(change(json), null, '\t')}\n`);
}

/** Fills in the skeletons of `cardLimit.get`: fields in the path, one of the query, an answer, errors. */
export function fillInRest(tree: string): void {
	writeFileSync(
		join(tree, core, 'cardLimit/get.ts'),
		`import * as v from 'valibot';

import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { answer, day, fields, text } from '../../schemas/fields.ts';
import { cardId } from './getMany.ts';

export const get = defineOperation({
	id: '${restId}',
	spec: '4, P12',
	name: 'Get',
	action: 'Get a card limit',
	description: 'Read one user limit of a card',
	auth: 'authorizationCode',
	scope: 'limits-control',
	effect: 'read',
	method: 'GET',
	path: '/api/pp/v1/cards/{cardId}/user-limits/{limitId}',
	pathFields: fields({ cardId, limitId: text('Limit ID', 'Identifier of the limit to read') }),
	query: fields({ asOf: v.optional(day('As Of', 'Day for which the rest is counted')) }),
	response: answer({ id: v.pipe(v.number(), v.integer()), validity: v.optional(v.string()) }),
	errors: restErrors('access_denied', 'unknown_endpoint'),
});
`,
	);
	edit(
		tree,
		`${fixtures}/src/sandbox/handlers/cardLimit.ts`,
		/\/\*\* TODO[^]*$/,
		`/** P12 */
export const get: Handler<Definitions['cardLimit']['get']> = {
	answer({ path: { cardId, limitId }, bank, token }) {
		demandCards(token, [cardId]);
		const limit = bank.cardLimits.of(cardId).find(({ id }) => String(id) === limitId);
		if (limit === undefined) throw new Refusal(404, 'unknown_endpoint', 'There is no such limit on this card');
		return { status: 200, body: limit };
	},
};
`,
	);
	rewrite(tree, oracleFile(restId), (skeleton) => ({
		...skeleton,
		spec: '4, P12',
		purpose: 'Read one user limit of a card',
		effect: 'read',
		auth: 'authorizationCode',
		scope: 'limits-control',
		method: 'GET',
		path: '/api/pp/v1/cards/{cardId}/user-limits/{limitId}',
		headers: { Authorization: 'req', Accept: 'req' },
		pathFields: { cardId: 'string req', limitId: 'string req' },
		query: { asOf: 'date opt' },
		response: { id: 'integer req', validity: 'string opt' },
		errors: [
			'400 invalid_request',
			'401 invalid_token',
			'403 insufficient_scope',
			'403 access_denied',
			'404 unknown_endpoint',
			'500 internal_error',
		],
	}));
	const request = { method: 'GET', path: '/api/pp/v1/cards/card-0001/user-limits/1001' };
	const path = { cardId: 'card-0001', limitId: '1001' };
	const [whole, smallest] = [{ id: 1001, validity: 'monthly' }, { id: 1001 }];
	rewrite(tree, sampleFile(restId), () => ({
		spec: '4 P12',
		cases: [
			{
				name: 'all fields',
				input: { path, query: { asOf: '2026-01-31' } },
				request: { ...request, query: [['asOf', '2026-01-31']] },
				response: { status: 200, body: whole },
				output: whole,
			},
			{
				name: 'only the required fields',
				input: { path, query: {} },
				request: { ...request, query: [] },
				response: { status: 200, body: smallest },
				output: smallest,
			},
		],
	}));
}

/** Fills in the skeletons of `trip.getMany`: nothing is shown but what it is for. */
export function fillInService(tree: string): void {
	edit(
		tree,
		`${core}/trips/index.ts`,
		/\t\taction: 'TODO[^]*?\n\t\}\),/,
		`		action: 'Get many trips',
		description: 'Read the trips that were sent',
		effect: 'read',
		payload: { description: 'Which trips to read', required: false },
	}),`,
	);
	edit(
		tree,
		`${fixtures}/src/sandbox/services/trips.ts`,
		/answer\(\) \{\n\t+throw new Error\('TODO[^]*?\},/,
		'answer: ({ bank }) => ok({ trips: bank.trips.list }),',
	);
	edit(
		tree,
		`${fixtures}/src/sandbox/examples.ts`,
		/\n\};\n$/,
		`\n\t'${serviceId}': { path: '/trips/search', payload: '{"from": "A"}' },\n};\n`,
	);
	rewrite(tree, oracleFile(serviceId), ({ $schema, id, node, form }) => ({
		$schema,
		id,
		spec: '4.19',
		node,
		purpose: 'Lets a partner read the trips that were sent',
		effect: 'read',
		auth: 'notShown',
		payload: 'optional',
		notShown: ['authentication', 'method', 'path', 'payload', 'answer', 'errors'],
		form,
	}));
	const request = { method: 'GET', path: '/trips/search' };
	const input = { path: {}, query: {}, method: 'GET', route: '/trips/search' };
	const body = { trips: [] };
	rewrite(tree, sampleFile(serviceId), () => ({
		spec: '4.19',
		cases: [
			{
				name: 'all fields',
				input: { ...input, payload: { from: 'A' } },
				request: { ...request, query: [['from', 'A']] },
				response: { status: 200, body },
				output: body,
			},
			{
				name: 'only the required fields',
				input,
				request: { ...request, query: [] },
				response: { status: 200, body },
				output: body,
			},
		],
	}));
}

/** The bank has published the method: one property, and the oracle. */
export function closeGap(tree: string): void {
	edit(
		tree,
		`${core}/cardChannels/index.ts`,
		"path: '/applications/{appId}/results',",
		"method: 'GET',\n\t\tpath: '/applications/{appId}/results',",
	);
	rewrite(tree, oracleFile(gapId), ({ notShown, ...described }) => ({
		...described,
		method: 'GET',
		notShown: (notShown as string[]).filter((gap) => gap !== 'method'),
	}));
}
