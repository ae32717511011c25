import { call, type Choice, choicesIn, findOperation, InputError, prepare } from '@bank/core';
import { type ILoadOptionsFunctions, type INodeListSearchResult, NodeOperationError } from 'n8n-workflow';

import type { ActionNode } from './execute.ts';
import { errorFor, failureOf, nodeForErrors } from './failures.ts';
import { Parameters } from './parameters.ts';
import { connect } from './run/connection.ts';
import { Network } from './run/send.ts';
import { boundsOf } from './run/settings.ts';
import { waitUnlessCancelled } from './wait.ts';

/** Identifiers that the bank can list, for the choice *From List* of a form. */

/** The field's search: the generator names it so in the form. */
export async function searchChoices(
	context: ILoadOptionsFunctions,
	node: ActionNode,
	field: string,
	filter: string,
): Promise<INodeListSearchResult> {
	const parameters = Parameters.ofTrigger(context);
	const id = `${parameters.text('resource')}.${parameters.text('operation')}`;
	const choice = findOperation(id)?.choices?.[field];
	if (choice === undefined) return { results: [] };
	const found = await asked(context, node, choice).catch((error: unknown) => {
		throw errorFor(context, failureOf(context, error));
	});
	const results = found.map(({ value, text }) => ({ name: text, value }));
	return { results: results.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase())) };
}

/** What the bank lists at this moment, over the same credential and network as when the node runs. */
async function asked(context: ILoadOptionsFunctions, node: ActionNode, choice: Choice) {
	const parameters = Parameters.ofTrigger(context);
	const { from, value } = choice;
	const fields = Object.keys(from.pathFields?.entries ?? {});
	refuseUnknown(context, fields);
	const prepared = prepare(from, { path: Object.fromEntries(fields.map((name) => [name, parameters.value(name)])) });
	const credentialType = node.credentialFor(from, (name) => parameters.value(name, 0, null));
	const { send } = new Network(context, await connect(context, credentialType), boundsOf({}, 30));
	const { raw } = await call(from, prepared, send, { wait: waitUnlessCancelled(undefined) });
	const found = choicesIn(choice, raw);
	if (found !== undefined) return found;
	// n8n shows nothing but the message.
	throw new NodeOperationError(nodeForErrors(context), `The bank's response has no list with ${value}. Choose By ID`);
}

/** n8n's editor puts values in place of expressions wherever it knows them: one that is left needs data that is not there yet. */
function refuseUnknown(context: ILoadOptionsFunctions, fields: readonly string[]): void {
	const { parameters } = context.getNode();
	const message = 'comes from data that is not there yet: execute the node before this one, or choose By ID';
	const unknown = fields.filter((name) => String(parameters[name]).startsWith('='));
	if (unknown.length > 0) throw new InputError(unknown.map((path) => ({ path, message })));
}
