import {
	call,
	isBankFailure,
	type NodeName,
	type Operation,
	operationName,
	prepare,
	readForAnother,
	resourcesOf,
	shapesUntil,
} from '@bank/core';
import { type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { errorFor, errorItem, failureOf } from './failures.ts';
import { type BoundForm, type Form, isPreview, type Read } from './form.ts';
import { inParallel } from './inParallel.ts';
import { Claims } from './run/claim.ts';
import { connect, type Connection } from './run/connection.ts';
import { isRefused, located, plan, type Planned, type Plan, whyNot } from './run/plan.ts';
import { inOrder, type Outcome, present, presentPreview } from './run/present.ts';
import { firstItem, Parameters, type Run } from './run/run.ts';
import { seal } from './run/seal.ts';
import { Network, send } from './run/send.ts';
import { concurrencyOf, timeoutOf } from './run/settings.ts';
import { waitUnlessCancelled } from './wait.ts';

/**
 * The one way in which every action node runs an operation, through the rooms of run/ in this order:
 * plan (items -> checked jobs), seal (-> exact bytes), claim (written before sending), send (-> answer), present (-> items).
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

export async function runOperation(context: IExecuteFunctions, node: ActionNode): Promise<INodeExecutionData[][]> {
	const running = runChosen(context, node);
	if (!context.continueOnFail()) return await running;
	// Nothing was sent: the credential is not ready, or there is no such operation. Thrown, it would pass the input on as if
	// everything had succeeded: n8n does that where a node may go on.
	return await running.catch((error: unknown) => {
		const { resource, operation } = context.getNode().parameters;
		const id = `${String(resource)}.${String(operation)}`;
		return [context.getInputData().map((_, item) => errorItem(id, failureOf(context, error, item), item))];
	});
}

async function runChosen(context: IExecuteFunctions, node: ActionNode): Promise<INodeExecutionData[][]> {
	const parameters = new Parameters(context);
	const shapes = chosenShapes(context, node.name, parameters);
	const [operation] = shapes;
	const form = formFor(node, shapes);
	const run: Run = { context, operation, parameters, itemCount: context.getInputData().length };
	refuseMoneyToAgents(run);

	const planned = await plan(run, form);
	const refused = context.continueOnFail() ? undefined : whyNot(planned);
	if (refused !== undefined) throw errorFor(context, refused.failure, planned.find(isRefused)?.job.items);

	const bank = new BankOfRun(run, node);
	// An expression may switch Preview on for some items only.
	const isShown = ({ job }: Planned) => form.preview === true && isPreview(run, firstItem(job));
	const outcomes: (Outcome | undefined)[] = planned.map((one) => (isRefused(one) ? one : undefined));
	await previewAll(run, form, planned, isShown, bank, outcomes);
	await sendAll(run, form, planned, (one) => !isShown(one), bank, outcomes);
	return [inOrder(run, outcomes)];
}

/**
 * The shapes of the chosen operation that this version of the node knows, the newest first: that one runs. The editor also offers
 * "Custom API Call", and a workflow file may hold any words.
 */
function chosenShapes(
	context: IExecuteFunctions,
	node: NodeName,
	parameters: Parameters,
): readonly [Operation, ...Operation[]] {
	const [resource, name] = [parameters.text('resource', 0), parameters.text('operation', 0)];
	const definition = resourcesOf(node)
		.find(({ value }) => value === resource)
		?.operations.find((candidate) => operationName(candidate) === name);
	const [shape, ...earlier] = definition === undefined ? [] : shapesUntil(definition, context.getNode().typeVersion);
	if (shape !== undefined) return [shape, ...earlier];
	throw new NodeOperationError(context.getNode(), `There is no operation "${name}" for the resource "${resource}"`, {
		description:
			'Open the node and choose the resource and the operation again. For a call of your own, use the HTTP Request node with the same credential. Nothing was sent.',
	});
}

/** Without a form of its own a shape has that of the shape before it. */
function formFor({ forms }: ActionNode, shapes: readonly Operation[]): Form {
	const bound = shapes.map((shape) => forms.find(({ operation }) => operation === shape));
	return bound.find((found) => found !== undefined)?.form ?? {};
}

function refuseMoneyToAgents({ context, operation }: Run): void {
	if (operation.effect !== 'money' || !context.getNode().type.endsWith('Tool')) return;
	throw new NodeOperationError(context.getNode(), `${operation.name} is not available to AI agents`, {
		description:
			'An agent may repeat a call on its own, and money would move twice. Put the payment into the workflow as a node of its own. Nothing was sent.',
	});
}

/** The bank as this run reaches it. Connected only where something is to be asked of it: a preview needs no credential. */
class BankOfRun {
	readonly signal: AbortSignal | undefined;
	readonly wait;
	readonly #run: Run;
	readonly #node: ActionNode;
	#connected: Promise<{ connection: Connection; network: Network }> | undefined;

	constructor(run: Run, node: ActionNode) {
		this.#run = run;
		this.#node = node;
		this.signal = run.context.getExecutionCancelSignal();
		this.wait = waitUnlessCancelled(this.signal);
	}

	async connected(): Promise<{ connection: Connection; network: Network }> {
		return await (this.#connected ??= this.#connect());
	}

	async #connect() {
		const { context, operation, parameters } = this.#run;
		const type = this.#node.credentialFor(operation, (name) => parameters.value(name, 0, null));
		const connection = await connect(context, type);
		return { connection, network: new Network(context, connection, timeoutOf(this.#run)) };
	}

	/** Another operation's read, for checks before sending. */
	readonly read: Read = async (operation, input, advice) => {
		const { network } = await this.connected();
		const prepared = prepare(operation, input, { timeZone: this.#run.context.getTimezone() });
		return await call(operation, prepared, network.send, { wait: this.wait }).catch((error: unknown) => {
			throw isBankFailure(error) ? readForAnother(this.#run.operation, error, advice) : error;
		});
	};
}

/** A way through the same rooms that ends before anything is claimed. */
async function previewAll(
	run: Run,
	form: Form,
	planned: Plan,
	isShown: (one: Planned) => boolean,
	bank: BankOfRun,
	outcomes: (Outcome | undefined)[],
): Promise<void> {
	for (const [index, one] of planned.entries()) {
		if (isRefused(one) || !isShown(one)) continue;
		const { job } = one;
		try {
			outcomes[index] = { job, items: presentPreview(await seal(run, form, one, bank.read)) };
		} catch (error) {
			const failure = located(failureOf(run.context, error, firstItem(job)), job);
			if (!run.context.continueOnFail()) throw errorFor(run.context, failure, job.items);
			outcomes[index] = { job, failure };
		}
	}
}

async function sendAll(
	run: Run,
	form: Form,
	planned: Plan,
	isMeant: (one: Planned) => boolean,
	bank: BankOfRun,
	outcomes: (Outcome | undefined)[],
): Promise<void> {
	const { context } = run;
	if (!planned.some((one) => !isRefused(one) && isMeant(one))) return;
	const { connection, network } = await bank.connected();
	const claims = new Claims(run, connection.baseUrl);
	let done = 0;
	let stopping: Outcome | undefined;
	await inParallel(
		planned.length,
		concurrencyOf(run),
		async (index) => {
			const one = planned[index];
			if (one === undefined || isRefused(one) || !isMeant(one)) return;
			const outcome = await carriedOut(run, form, one, claims, network, bank);
			outcomes[index] = outcome;
			if ('items' in outcome) done++;
			else if (!context.continueOnFail()) stopping ??= outcome;
		},
		() => stopping !== undefined || bank.signal?.aborted === true,
	);
	const failed = stopping === undefined ? undefined : outcomes.find((outcome) => outcome && 'failure' in outcome);
	if (failed === undefined || 'items' in failed) return;
	throw errorFor(context, failed.failure, failed.job.items, progressText(run.operation, done, planned.length));
}

/** One job through seal, claim, send and present. Never throws: what goes wrong is the outcome. */
async function carriedOut(
	run: Run,
	form: Form,
	planned: Planned,
	claims: Claims,
	network: Network,
	bank: BankOfRun,
): Promise<Outcome> {
	const { job } = planned;
	try {
		const sealed = await seal(run, form, planned, bank.read);
		const earlier = await claims.claim(sealed);
		const sent = earlier?.sent ?? sealed.prepared.input;
		const result =
			earlier?.result ??
			(await send(run, sealed, network, bank.wait).catch(async (error: unknown) => {
				if (isBankFailure(error)) await claims.failed(sealed, error.details);
				throw error;
			}));
		claims.accepted(sealed, result);
		return { job, items: await present(run, form, { job, sent, result, added: sealed.added }) };
	} catch (error) {
		return { job, failure: located(failureOf(run.context, error, firstItem(job)), job) };
	}
}

/** What happened before the failure that stops the node, where that matters. */
function progressText(operation: Operation, done: number, total: number): string {
	if (operation.effect === 'read' || total === 1) return '';
	const were = done === 1 ? 'was' : 'were';
	return `Of ${total} requests, ${done} ${were} carried out before this one; the rest were not sent.`;
}
