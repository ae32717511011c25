import { call, type ChoiceSource, readChoices, findOperation, InputError, prepare } from '@bank/core';
import { type ILoadOptionsFunctions, type INodeListSearchResult, isExpression, NodeOperationError } from 'n8n-workflow';

import type { CredentialFor } from '../base/authentication.ts';
import { errorFor, failureOf, nodeForErrors } from '../base/failures.ts';
import { Parameters } from './parameters.ts';
import { BankHttpClient } from '../http/bankHttpClient.ts';
import { requestLimitsOf } from '../http/deadline.ts';
import { waitUnlessCancelled } from '../base/wait.ts';

/** List search of a field, for *From List*. The generator writes its method name into the form. */
export async function searchChoices(
	context: ILoadOptionsFunctions,
	credentialFor: CredentialFor,
	field: string,
	filter: string,
): Promise<INodeListSearchResult> {
	const parameters = Parameters.ofTrigger(context);
	const id = `${parameters.text('resource')}.${parameters.text('operation')}`;
	const choice = findOperation(id)?.choices?.[field];
	if (choice === undefined) return { results: [] };
	const found = await fetchChoices(context, credentialFor, choice).catch((error: unknown) => {
		throw errorFor(context, failureOf(context, error));
	});
	const results = found.map(({ value, text }) => ({ name: text, value }));
	return { results: results.filter(({ name }) => name.toLowerCase().includes(filter.trim().toLowerCase())) };
}

async function fetchChoices(context: ILoadOptionsFunctions, credentialFor: CredentialFor, choice: ChoiceSource) {
	const parameters = Parameters.ofTrigger(context);
	const { from, value } = choice;
	const fields = Object.keys(from.pathFields?.entries ?? {});
	refuseUnknown(context, fields);
	const prepared = prepare(from, { path: Object.fromEntries(fields.map((name) => [name, parameters.value(name)])) });
	const credentialType = credentialFor(from, (name) => parameters.value(name, 0, null));
	const { send } = await BankHttpClient.open(context, credentialType, requestLimitsOf({}, 30));
	const { raw } = await call(from, prepared, send, { wait: waitUnlessCancelled(undefined) });
	const found = readChoices(choice, raw);
	if (found !== undefined) return found;
	// n8n shows only the message.
	throw new NodeOperationError(nodeForErrors(context), `The bank's response has no list with ${value}. Choose "By ID"`);
}

/** n8n's editor resolves expressions whose data it has. */
function refuseUnknown(context: ILoadOptionsFunctions, fields: readonly string[]): void {
	const { parameters } = context.getNode();
	const message = 'depends on data that is not available yet: execute the previous node, or choose "By ID"';
	const unknown = fields.filter((name) => isExpression(parameters[name]));
	if (unknown.length > 0) throw new InputError(unknown.map((path) => ({ path, message })));
}
