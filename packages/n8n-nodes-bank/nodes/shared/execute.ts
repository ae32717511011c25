import {
	isUsableByAgents,
	isIrreversible,
	type NodeName,
	type Operation,
	operationName,
	resourcesOf,
} from '@bank/core';
import {
	type IExecuteFunctions,
	type ILoadOptionsFunctions,
	type INodeExecutionData,
	type INodeListSearchResult,
	type INodeProperties,
	N8N_NODES_API_VERSION,
	type ResourceMapperFields,
} from 'n8n-workflow';

import type { CredentialFor } from './base/authentication.ts';
import { withInputRow, errorItem, withEscapedDescription, failureOf, notSentError } from './base/failures.ts';
import { useForm } from './base/formLabel.ts';
import type { BoundHooks } from './pipeline/operationHooks.ts';
import { loadBodyFields } from './form/bodyFields.ts';
import { searchChoices } from './form/choices.ts';
import { needsDetails, serviceOf } from './form/serviceDetails.ts';
import { hintAtPayments } from './pipeline/paymentHints.ts';
import { type BankContext, createSession } from './pipeline/bankSession.ts';
import { runJobs } from './pipeline/pipeline.ts';
import { Parameters } from './form/parameters.ts';
import { isInvalid, paymentsIn, plan, stopIfInvalid } from './pipeline/plan.ts';
import { hintsOf } from './pipeline/outcomeHints.ts';
import { inJobOrder } from './pipeline/present.ts';
import { type Run, type RunContext, showHint } from './form/run.ts';

/**
 * Runs an operation of an action node: plan, encode, claim, send, present (pipeline/).
 * Programmatic because the declarative style starts all items together: here every item is checked before the first
 * request that changes anything, reads run a bounded few at a time and everything else one at a time.
 */

/** What differs between the action nodes. */
export interface ActionNode {
	name: NodeName;
	credentialFor: CredentialFor;
	forms: readonly BoundHooks[];
}

export type ExecuteContext = RunContext & BankContext;

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** What a node class needs beside its description. */
export const actionOf = (node: ActionNode, form: readonly INodeProperties[]) => ({
	methods: {
		/** One search method for each field with *From List*, by its name in the form. */
		listSearch: Object.fromEntries(
			searchedFields(form).map((field): [string, ListSearch] => [
				field,
				async function (filter = '') {
					useForm(this, form);
					return await withEscapedDescription(async () => await searchChoices(this, node.credentialFor, field, filter));
				},
			]),
		),
		resourceMapping: {
			async bodyFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
				return await withEscapedDescription(async () => await loadBodyFields(this, node.credentialFor));
			},
		},
	},
	async execute(this: IExecuteFunctions): Promise<INodeExecutionData[][]> {
		useForm(this, form);
		return await withEscapedDescription(async () => await runOperation(this, node));
	},
});

const searchedFields = (form: readonly INodeProperties[]): string[] =>
	form.flatMap(({ modes = [] }) => modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []));

async function runOperation(context: ExecuteContext, node: ActionNode): Promise<INodeExecutionData[][]> {
	const running = runChosen(context, node);
	if (!context.continueOnFail()) return await running;
	// If the node continues on failure, n8n passes the input on as successful when execute() throws. Return error
	// items instead.
	return await running.catch((error: unknown) => {
		const { resource, operation } = context.getNode().parameters;
		const id = `${String(resource)}.${String(operation)}`;
		const inputs = context.getInputData();
		return [inputs.map((_, item) => withInputRow(errorItem(id, failureOf(context, error, item), item), inputs))];
	});
}

async function runChosen(context: ExecuteContext, node: ActionNode): Promise<INodeExecutionData[][]> {
	const parameters = Parameters.ofItems(context);
	const operation = chosenOperation(context, node.name, parameters);
	const hooks = node.forms.find((bound) => bound.operation === operation)?.hooks ?? {};
	const asked: Run = { context, operation, parameters, itemCount: context.getInputData().length };
	rejectUnsafe(asked);

	// Chosen once: an expression could give the address from one credential and the token from another.
	let chosenType: string | undefined;
	const typeFor = (item: number) => node.credentialFor(operation, (name) => parameters.value(name, item, null));
	const credentialType = () => (chosenType ??= typeForAll());
	const typeForAll = () => {
		const type = typeFor(0);
		const other = [...context.getInputData().keys()].find((item) => item > 0 && typeFor(item) !== type);
		if (other === undefined) return type;
		throw notSentError(
			context,
			`Authentication of item ${other} differs from item 0`,
			'Split the items before this node.',
		);
	};
	const run = needsDetails(operation)
		? { ...asked, service: await serviceOf(context, operation, credentialType()) }
		: asked;
	const planned = await plan(run, hooks);
	// A run of payments with invalid items still reports the payments that were sent earlier.
	if (operation.effect !== 'money') stopIfInvalid(run, planned);

	const bank = createSession(context, run, credentialType, paymentsIn(planned));
	const results = inJobOrder(run, await runJobs(run, hooks, planned, bank));
	const inputs = context.getInputData();
	const items = context.continueOnFail() ? results.map((item) => withInputRow(item, inputs)) : results;
	for (const { type = 'info', message } of hintsOf(operation, items, context.getExecutionId()))
		showHint(run, type, message);
	await hooks.summarize?.(run, items, bank);
	const { effect } = operation;
	const payments = paymentsIn(planned.filter((one) => isInvalid(one) || !one.isPreview || effect === 'none'));
	// Added last, so that n8n shows the result above it.
	if ((effect === 'money' || effect === 'none') && payments.length > 0) {
		const hasPaid = items.some(({ json }) => json.outcome === 'accepted');
		hintAtPayments(run, payments, hasPaid ? (await bank.connection()).environment : undefined);
	}
	return hooks.outputs?.(items) ?? [items];
}

/** The resource may be any text: the editor offers "Custom API Call", and workflow files can be edited. */
function chosenOperation(context: RunContext, node: NodeName, parameters: Parameters): Operation {
	const [resource, name] = [parameters.text('resource', 0), parameters.text('operation', 0)];
	const operation = resourcesOf(node)
		.find(({ value }) => value === resource)
		?.operations.find((candidate) => operationName(candidate) === name);
	if (operation !== undefined) return operation;
	throw notSentError(
		context,
		`There is no operation "${name}" for the resource "${resource}"`,
		'Choose the resource and the operation again. For other calls, ' +
			'use the HTTP Request node with the same credential.',
	);
}

/**
 * n8n's API version; undefined before n8n 2.39, which sends a payment again after a 401. The oldest supported version
 * is 2.40.
 */
const apiVersion: number | undefined = N8N_NODES_API_VERSION;

/** @throws NodeOperationError if the operation is not safe here */
function rejectUnsafe({ context, operation }: Run): void {
	const { name, type } = context.getNode();
	const reject = (what: string, next: string): never => {
		throw notSentError(context, `${operation.name} ${what}`, next);
	};
	// An agent may repeat a call, or be manipulated into it.
	if (type.endsWith('Tool') && !isUsableByAgents(operation))
		reject('is not available to AI agents', 'Use it in a workflow that the agent calls after a person has approved.');
	// n8n's AI assistant can execute a single node in a temporary workflow, whose claims are deleted with it.
	if (isIrreversible(operation) && context.getParentNodes(name).length === 0)
		reject('runs only in a workflow', 'Connect this node to a trigger, and run the workflow.');
	if (operation.effect === 'money' && apiVersion === undefined)
		reject(
			'needs n8n 2.40 or newer',
			'With an expired token, this version of n8n may send the same payment twice. Update n8n, then run again.',
		);
}
