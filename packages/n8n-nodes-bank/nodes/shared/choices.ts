import { call, type Choice, choicesIn, prepare, resourcesOf } from '@bank/core';
import { type ILoadOptionsFunctions, type INodeListSearchResult, NodeOperationError } from 'n8n-workflow';

import type { ActionNode } from './execute.ts';
import { errorFor, failureOf, nodeForErrors } from './failures.ts';
import { Parameters } from './parameters.ts';
import { connect } from './run/connection.ts';
import { Network } from './run/send.ts';
import { boundsOf } from './run/settings.ts';
import { waitUnlessCancelled } from './wait.ts';

/** Identifiers that the bank can list, for the choice *From List* of a form. */

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** One search for each field of the node that has choices, under the name of the field: the generator names it so in the form. */
export function listSearchOf(node: ActionNode): Record<string, ListSearch> {
	const operations = resourcesOf(node.name).flatMap((resource) => resource.operations);
	const search = (field: string): ListSearch =>
		async function (filter = '') {
			const parameters = Parameters.ofTrigger(this);
			const id = `${parameters.text('resource')}.${parameters.text('operation')}`;
			const choice = operations.find((operation) => operation.id === id)?.choices?.[field];
			if (choice === undefined) return { results: [] };
			const found = await asked(this, node, choice).catch((error: unknown) => {
				throw errorFor(this, failureOf(this, error));
			});
			const results = found.map(({ value, text }) => ({ name: text, value }));
			return { results: results.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase())) };
		};
	const fields = operations.flatMap(({ choices = {} }) => Object.keys(choices));
	return Object.fromEntries(fields.map((field) => [field, search(field)]));
}

/** What the bank lists at this moment, over the same credential and network as when the node runs. */
async function asked(context: ILoadOptionsFunctions, node: ActionNode, choice: Choice) {
	const parameters = Parameters.ofTrigger(context);
	const { from, value } = choice;
	const fields = Object.keys(from.pathFields?.entries ?? {});
	const prepared = prepare(from, { path: Object.fromEntries(fields.map((name) => [name, parameters.value(name)])) });
	const credentialType = node.credentialFor(from, (name) => parameters.value(name, 0, null));
	const { send } = new Network(context, await connect(context, credentialType), boundsOf({}, 30));
	const { raw } = await call(from, prepared, send, { wait: waitUnlessCancelled(undefined) });
	const found = choicesIn(choice, raw);
	if (found !== undefined) return found;
	throw new NodeOperationError(nodeForErrors(context), `The bank's answer holds no list with ${value}`, {
		description: 'The API description does not show this answer. Choose By ID and enter what the bank gave you.',
	});
}
