/** The changes that a contributor makes to a working tree, one function per section of CONTRIBUTING. */
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { edit, newResourceId, oracleFile, sampleFile, serviceFacts, type WorkingTree } from '../support/workingTree.ts';

const core = 'packages/core/src/operations';
const fixtures = 'packages/fixtures';
const workspace = join(import.meta.dirname, '../../../..');
const readFile = (file: string) => readFileSync(join(workspace, file), 'utf8');

type Facts = Record<string, { operations: Record<string, Record<string, unknown>> }>;
const channels = '4.16';

/** The first operation whose path is shown and whose method is not. */
const gap = Object.entries((JSON.parse(readFile(serviceFacts)) as Facts)[channels]?.operations ?? {}).find(
	([, { method, effect }]) => method === undefined && effect === 'read',
);
if (gap === undefined) throw new Error(`No gap is left in ${channels}: let closeGap close another`);
export const [gapId] = gap;

function rewrite(
	{ root }: Pick<WorkingTree, 'root'>,
	file: string,
	change: (json: Record<string, unknown>) => unknown,
): void {
	const json = JSON.parse(readFileSync(join(root, file), 'utf8')) as Record<string, unknown>;
	writeFileSync(join(root, file), `${JSON.stringify(change(json), null, '\t')}\n`);
}

/** Fills in the skeletons of `currencyRate.get`: operation and resource, with a path field and a query field. */
export function fillInResource(tree: WorkingTree): void {
	const definition = `${core}/currencyRate/get.ts`;
	writeFileSync(
		join(tree.root, definition),
		`import * as v from 'valibot';

import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { day, fields, responseObject, text } from '../../schemas/fields.ts';

export const get = defineOperation({
	id: '${newResourceId}',
	spec: '4, P13',
	name: 'Get',
	action: 'Get currency rate',
	description: 'Read the rate of a currency',
	responseSummary: 'The rate',
	auth: 'authorizationCode',
	scope: 'currency-rates',
	effect: 'read',
	method: 'GET',
	path: '/api/pp/v1/currencies/{currency}/rate',
	pathFields: fields({ currency: text('Currency', 'Code of the currency', { placeholder: 'e.g. EUR' }) }),
	query: fields({ asOf: v.optional(day('As Of', 'Day of the rate')) }),
	response: responseObject({ rate: v.optional(v.pipe(v.number(), v.title('Rate'), v.description('Rate of the day'))) }),
	errors: restErrors('unknown_endpoint'),
});
`,
	);
	writeFileSync(
		join(tree.root, `${fixtures}/src/sandbox/handlers/currencyRate.ts`),
		`import { type Handlers, ok } from './handler.ts';

/** An operation numbered P13. */
export const currencyRate: Handlers<'currencyRate'> = {
	get: { answer: ({ path: { currency } }) => ok({ rate: currency.length }) },
};
`,
	);
	edit(tree, `${core}/resources.ts`, 'TODO: what it is', 'Rates of currencies');
	const path = '/api/pp/v1/currencies/{currency}/rate';
	rewrite(tree, oracleFile(newResourceId), (skeleton) => ({
		...skeleton,
		spec: '4, P13',
		purpose: 'Read the rate of a currency',
		effect: 'read',
		auth: 'authorizationCode',
		scope: 'currency-rates',
		method: 'GET',
		path,
		headers: { Authorization: 'req', Accept: 'req' },
		pathFields: { currency: 'string req' },
		query: { asOf: 'date opt' },
		response: { rate: 'number opt' },
		errors: [
			'400 invalid_request',
			'401 invalid_token',
			'403 insufficient_scope',
			'404 unknown_endpoint',
			'500 internal_error',
		],
	}));
	const request = { method: 'GET', path: path.replace('{currency}', 'EUR') };
	const sampleOf = (name: string, query: Record<string, string>, body: object) => ({
		name,
		input: { path: { currency: 'EUR' }, query },
		request: { ...request, query: Object.entries(query) },
		response: { status: 200, body },
		output: body,
	});
	rewrite(tree, sampleFile(newResourceId), () => ({
		spec: '4 P13',
		cases: [sampleOf('all fields', { asOf: '2026-01-31' }, { rate: 3 }), sampleOf('only the required fields', {}, {})],
	}));
}

/** Fills in the skeletons of `trip.getFinished`, of which only the purpose is shown. */
export function fillInService(tree: WorkingTree): void {
	edit(
		tree,
		`${core}/trips/index.ts`,
		/\t\taction: 'TODO[^]*?\n\t\}\),/,
		`		action: 'Get finished trips',
		description: 'Read the trips that were sent',
		effect: 'read',
		payload: { about: 'Which trips to read', required: false },
	}),`,
	);
}

/** Closes a gap: the bank has published the method. Changes one property and its fact. */
export function closeGap(tree: WorkingTree): void {
	edit(tree, `${core}/cardChannels/index.ts`, `id: '${gapId}',`, `id: '${gapId}',\n\t\tmethod: 'GET',`);
	edit(tree, serviceFacts, `"${gapId}": { `, `"${gapId}": { "method": "GET", `);
}

/** Adds an error code of the courier service with a next step. */
export function addErrorCode(tree: WorkingTree): void {
	edit(
		tree,
		'packages/core/src/errors/courier.ts',
		"\t{ code: '011',",
		"\t{ code: '098', what: 'no courier is free', next: ['waitForCourier'] },\n\t{ code: '011',",
	);
	edit(tree, 'packages/core/src/errors/nextSteps.ts', "\t| 'tryLater'", "\t| 'waitForCourier'\n\t| 'tryLater'");
	edit(
		tree,
		'packages/n8n-nodes-bank/nodes/shared/base/messages.ts',
		'\ttryLater:',
		"\twaitForCourier: 'Try again when a courier is free.',\n\ttryLater:",
	);
	rewrite(tree, `${fixtures}/oracle/errors/courier.json`, ({ errors, ...section }) => ({
		...section,
		errors: [
			...(errors as unknown[]),
			{ code: '098', meaning: 'no courier is free', message: 'no courier is free', next: ['waitForCourier'] },
		],
	}));
}
