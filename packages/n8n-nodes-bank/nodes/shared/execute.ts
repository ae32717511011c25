import { isIrreversible, type NodeName, type Operation, operationName, resourcesOf } from '@bank/core';
import type { IExecuteFunctions, INodeExecutionData } from 'n8n-workflow';

import { besideItsInput, errorFor, errorItem, failureOf, unsent } from './failures.ts';
import type { BoundForm } from './form.ts';
import { type BankContext, BankOfRun } from './run/bank.ts';
import { walk } from './run/corridor.ts';
import { isOldN8n } from './oldN8n.ts';
import { Parameters } from './parameters.ts';
import { plan, whyNot } from './run/plan.ts';
import { hintsOf, inOrder } from './run/present.ts';
import type { Run, RunContext } from './run/run.ts';

/**
 * The one way in which every action node runs an operation: plan (items -> checked jobs), then the corridor through the other rooms of
 * run/: seal (-> exact bytes), claim (written before sending), send (-> answer), present (-> items).
 *
 * Programmatic rather than declarative, because the declarative runner starts all items together and knows no order of
 * checking and sending: here every item is checked before the first request that changes anything; reads run a bounded few
 * at a time, everything else one at a time.
 */

/** What one node has of its own. */
export interface ActionNode {
	name: NodeName;
	/** The credential type that an operation goes with, by what the user chose. */
	credentialFor: (operation: Operation, parameter: (name: string) => unknown) => string;
	/** Operations whose form says more than their schema. */
	forms: readonly BoundForm[];
}

/** What `execute()` has of n8n, as far as the rooms need it. */
export type ExecuteContext = RunContext & BankContext & Pick<IExecuteFunctions, 'addExecutionHints'>;

export async function runOperation(context: ExecuteContext, node: ActionNode): Promise<INodeExecutionData[][]> {
	const running = runChosen(context, node);
	if (!context.continueOnFail()) return await running;
	// Nothing was sent: the credential is not ready, or there is no such operation. Thrown, it would pass the input on as if
	// everything had succeeded: n8n does that where a node may go on.
	const outputs = await running.catch((error: unknown) => {
		const { resource, operation } = context.getNode().parameters;
		const id = `${String(resource)}.${String(operation)}`;
		return [context.getInputData().map((_, item) => errorItem(id, failureOf(context, error, item), item))];
	});
	const inputs = context.getInputData();
	return outputs.map((items) => items.map((item) => besideItsInput(item, inputs)));
}

async function runChosen(context: ExecuteContext, node: ActionNode): Promise<INodeExecutionData[][]> {
	const parameters = Parameters.ofItems(context);
	const operation = chosenOperation(context, node.name, parameters);
	const form = node.forms.find((bound) => bound.operation === operation)?.form ?? {};
	const run: Run = { context, operation, parameters, itemCount: context.getInputData().length };
	refuseToAgents(run);
	refuseToOldN8n(run);

	const planned = await plan(run, form);
	const refused = context.continueOnFail() ? undefined : whyNot(planned);
	if (refused !== undefined)
		throw errorFor(context, refused.failure, { items: refused.job.items, itemCount: run.itemCount });

	const credentialType = () => node.credentialFor(operation, (name) => parameters.value(name, 0, null));
	const items = inOrder(run, await walk(run, form, planned, new BankOfRun(context, run, credentialType)));
	const hints = hintsOf(operation, items);
	if (hints.length > 0) context.addExecutionHints(...hints);
	return [items];
}

/** The editor also offers "Custom API Call", and a workflow file may hold any text. */
function chosenOperation(context: RunContext, node: NodeName, parameters: Parameters): Operation {
	const [resource, name] = [parameters.text('resource', 0), parameters.text('operation', 0)];
	const operation = resourcesOf(node)
		.find(({ value }) => value === resource)
		?.operations.find((candidate) => operationName(candidate) === name);
	if (operation !== undefined) return operation;
	throw unsent(
		context,
		`There is no operation "${name}" for the resource "${resource}"`,
		'Open the node and choose the resource and the operation again. For a call of your ' +
			'own, use the HTTP Request node with the same credential.',
	);
}

function refuseToAgents({ context, operation }: Run): void {
	if (!isIrreversible(operation) || !context.getNode().type.endsWith('Tool')) return;
	throw unsent(
		context,
		`${operation.name} is not available to AI agents`,
		'An agent may repeat a call on its own or be talked into it, and this cannot be taken back. Put it ' +
			'into the workflow as a node of its own.',
	);
}

function refuseToOldN8n({ context, operation }: Run): void {
	if (operation.effect !== 'money' || !isOldN8n) return;
	throw unsent(
		context,
		`${operation.name} needs n8n 2.40 or newer`,
		'Where a token has ended, this n8n may send the same payment once more. Update n8n, then run again.',
	);
}
