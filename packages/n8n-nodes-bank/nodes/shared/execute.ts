import {
	type ArrayFormat,
	call,
	type CallResult,
	callUntil,
	type Fault,
	InputError,
	isBankFailure,
	type NextStep,
	type NodeName,
	type Operation,
	operationById,
	type OperationInput,
	operationName,
	prepare,
	type PreparedRequest,
	readAll,
	readForAnother,
	type Ready,
	resourcesOf,
	type UntilOptions,
} from '@bank/core';
import { type IDataObject, type IExecuteFunctions, type INodeExecutionData, NodeOperationError } from 'n8n-workflow';

import { errorFor, errorItem, type Failure, failureOf } from './failures.ts';
import { type Form, type FormContext, isPreview, type Job, readGenerated } from './form.ts';
import { inParallel } from './inParallel.ts';
import { Ledger } from './ledger.ts';
import { wholeNumbers } from './numbers.ts';
import { OnceOnly, repeatedFaults } from './once.ts';
import { itemsOf } from './output.ts';
import { connect, sendThrough, waitUnlessCancelled } from './transport.ts';

/**
 * The one way in which every action node runs an operation.
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
	/** Operations whose form says more than their schema, by operation id. */
	forms: Readonly<Record<string, Form>>;
}

interface Options {
	timeout?: number;
	concurrency?: number;
	pageSize?: number;
	offset?: number;
	arrayFormat?: ArrayFormat;
	askAgain?: boolean;
	waitAtMost?: number;
	waitEvery?: number;
	waitStatuses?: string;
}

/** See `callUntil`. */
type Waiting = Omit<UntilOptions, 'wait'>;

interface Checked {
	job: Job;
	prepared?: PreparedRequest;
	/** What to wait for, where the user wants to. */
	awaited?: Waiting;
	failure?: Failure;
	items?: INodeExecutionData[];
}

export async function runOperation(context: IExecuteFunctions, node: ActionNode): Promise<INodeExecutionData[][]> {
	const running = runChosen(context, node);
	if (!context.continueOnFail()) return await running;
	// Nothing was sent: the credential is not ready, or there is no such operation. Thrown, it would pass the input on as if
	// everything had succeeded: n8n does that where a node may go on.
	return await running.catch((error: unknown) => {
		const { resource, operation } = context.getNode().parameters;
		return [
			context
				.getInputData()
				.map((_, item) => errorItem(`${String(resource)}.${String(operation)}`, failureOf(context, error, item), item)),
		];
	});
}

async function runChosen(context: IExecuteFunctions, node: ActionNode): Promise<INodeExecutionData[][]> {
	const parameter: FormContext['parameter'] = (name, item, fallback) =>
		context.getNodeParameter(name, item, fallback as never) as unknown;
	const operation = chosenOperation(context, node.name, parameter);
	const form = node.forms[operation.id] ?? {};
	const run: FormContext = { context, operation, parameter, itemCount: context.getInputData().length };
	refuseMoneyToAgents(context, operation);

	const checked = await check(run, form);
	const firstFault = checked.find(({ failure }) => failure !== undefined);
	if (firstFault?.failure !== undefined && !context.continueOnFail())
		throw errorFor(context, allFaults(checked) ?? firstFault.failure, firstFault.job.items);

	// An expression may switch Preview on for some items only.
	const isShown = ({ job }: Checked) => form.preview === true && isPreview(parameter, job.items[0] ?? 0);
	await previewAll(run, form, checked.filter(isShown), () => sender(run, node));
	const toSend = checked.filter((one) => !isShown(one));
	if (toSend.length > 0) await sendAll(run, form, toSend, await sender(run, node));
	return [collect(run, checked)];
}

/** The editor also offers "Custom API Call", and a workflow file may hold any words. */
function chosenOperation(context: IExecuteFunctions, node: NodeName, parameter: FormContext['parameter']): Operation {
	const [resource, name] = [parameter('resource', 0, ''), parameter('operation', 0, '')] as string[];
	const operation = resourcesOf(node)
		.find(({ value }) => value === resource)
		?.operations.find((candidate) => operationName(candidate) === name);
	if (operation !== undefined) return operation;
	throw new NodeOperationError(context.getNode(), `There is no operation "${name}" for the resource "${resource}"`, {
		description:
			'Open the node and choose the resource and the operation again. For a call of your own, use the HTTP Request node with the same credential. Nothing was sent.',
	});
}

function refuseMoneyToAgents(context: IExecuteFunctions, operation: Operation): void {
	if (operation.effect !== 'money' || !context.getNode().type.endsWith('Tool')) return;
	throw new NodeOperationError(context.getNode(), `${operation.name} is not available to AI agents`, {
		description:
			'An agent may repeat a call on its own, and money would move twice. Put the payment into the workflow as a node of its own. Nothing was sent.',
	});
}

/** Jobs with their prepared request, or with what is wrong with them. Nothing is sent here. */
async function check(run: FormContext, form: Form): Promise<Checked[]> {
	const { context, operation, parameter } = run;
	const timeZone = context.getTimezone();
	const all = (await jobsOf(run, form)).map((checked): Checked => {
		if (checked.failure !== undefined) return checked;
		const { job } = checked;
		try {
			const [item = 0] = job.items;
			const { arrayFormat } = parameter('options', item, {}) as Options;
			if (operation.list !== undefined) pagingOf(run, item);
			const awaited = awaitedOf(run, item);
			const prepared = prepare(operation, job.input, {
				timeZone,
				...(arrayFormat === undefined ? {} : { arrayFormat }),
			});
			return { job, prepared, ...(awaited === undefined ? {} : { awaited }) };
		} catch (error) {
			return { job, failure: located(failureOf(context, error, job.items[0] ?? 0), job) };
		}
	});
	const repeated = repeatedFaults(
		operation,
		all.flatMap(({ job, prepared }) => (prepared === undefined ? [] : [{ item: job.items[0] ?? 0, prepared }])),
	);
	return all.map((checked) => {
		const fault = repeated.get(checked.job.items[0] ?? 0);
		return fault === undefined ? checked : { job: checked.job, failure: new InputError([fault]) };
	});
}

async function jobsOf(run: FormContext, form: Form): Promise<Checked[]> {
	if (form.jobs !== undefined) {
		try {
			return form.jobs(run).map((job) => ({ job }));
		} catch (error) {
			const items = Array.from({ length: run.itemCount }, (_, item) => item);
			return [{ job: { items, input: {} }, failure: failureOf(run.context, error, 0) }];
		}
	}
	const checked: Checked[] = [];
	for (let item = 0; item < run.itemCount; item++) {
		try {
			checked.push({ job: { items: [item], input: await (form.read ?? readGenerated)(run, item) } });
		} catch (error) {
			const job = { items: [item], input: {} };
			checked.push({ job, failure: located(failureOf(run.context, error, item), job) });
		}
	}
	return checked;
}

/** Faults in the words of the form, each with its item. */
function located(failure: Failure, job: Job): Failure {
	if (!(failure instanceof InputError)) return failure;
	const [item = 0] = job.items;
	return new InputError(failure.faults.map((fault) => job.locate?.(fault) ?? { ...fault, item }));
}

function allFaults(checked: readonly Checked[]): InputError | undefined {
	const faults = checked.flatMap(({ failure }): readonly Fault[] =>
		failure instanceof InputError ? failure.faults : [],
	);
	return faults.length === 0 ? undefined : new InputError(faults);
}

interface Sender {
	baseUrl: string;
	send: ReturnType<typeof sendThrough>;
	wait: ReturnType<typeof waitUnlessCancelled>;
	signal: AbortSignal | undefined;
	options: Options;
}

async function sender({ context, operation, parameter }: FormContext, { credentialFor }: ActionNode): Promise<Sender> {
	const options = parameter('options', 0, {}) as Options;
	const signal = context.getExecutionCancelSignal();
	const connection = await connect(
		context,
		credentialFor(operation, (name) => parameter(name, 0, null)),
	);
	return {
		baseUrl: connection.baseUrl,
		send: sendThrough(context, connection, options.timeout ?? 60),
		wait: waitUnlessCancelled(signal),
		signal,
		options,
	};
}

async function sendAll(run: FormContext, form: Form, checked: Checked[], to: Sender): Promise<void> {
	const { context, operation } = run;
	const ledger = new Ledger(context);
	const once = new OnceOnly(context, operation, to.baseUrl);
	const limit = operation.effect === 'read' ? concurrencyOf(to.options) : 1;
	let failed = false;
	let done = 0;
	await inParallel(
		checked.length,
		limit,
		async (index) => {
			const current = checked[index];
			if (current?.prepared === undefined) return;
			const { job, prepared, awaited } = current;
			const [item = 0] = job.items;
			const key = ledger.key(operation, prepared, index);
			const send = async (): Promise<CallResult> => {
				await once.claim(prepared, (run.parameter('options', item, {}) as Options).askAgain === true);
				if (awaited === undefined) return await call(operation, prepared, to.send, { wait: to.wait });
				return await callUntil(operation, prepared, to.send, { ...awaited, wait: to.wait });
			};
			try {
				const extra = (await form.before?.(run, job, prepared, reader(run, to))) ?? {};
				if (operation.list !== undefined) current.items = await listItems(run, job, prepared, to);
				else {
					const result = ledger.recall(operation, key) ?? (await send());
					if (operation.effect !== 'read') ledger.accepted(key, result);
					current.items = await presented(run, form, job, prepared, result, extra);
				}
				done++;
			} catch (error) {
				if (isBankFailure(error) && operation.effect !== 'read') {
					ledger.failed(key, error.details);
					await once.release(prepared, error.details);
				}
				current.failure = located(failureOf(context, error, item), job);
				failed ||= !context.continueOnFail();
			}
		},
		() => failed || to.signal?.aborted === true,
	);
	const stopping = failed ? checked.find(({ failure }) => failure !== undefined) : undefined;
	if (stopping?.failure !== undefined)
		throw errorFor(context, stopping.failure, stopping.job.items, progressText(operation, done, checked.length));
}

/** An answer that the node cannot present is shown as it came: whatever was asked for has been done, and must not look as if it had not. */
async function presented(
	run: FormContext,
	form: Form,
	job: Job,
	prepared: PreparedRequest,
	result: CallResult,
	extra: IDataObject,
): Promise<INodeExecutionData[]> {
	const shown = async () =>
		form.output === undefined
			? await itemsOf(run, job, prepared, result, form.more?.(job, result, extra))
			: await form.output(run, job, result, extra);
	if (run.operation.effect === 'read') return await shown();
	return await shown().catch(() =>
		job.items.map((item) => ({ json: { answer: (result.data ?? null) as IDataObject[string] }, pairedItem: { item } })),
	);
}

/** @throws InputError where the form does not say what to wait for */
function awaitedOf({ operation, parameter }: FormContext, item: number): Waiting | undefined {
	if (operation.asynchronous !== true || parameter('waitForResult', item, false) !== true) return undefined;
	const { waitAtMost = 600, waitEvery = 10, waitStatuses = '' } = parameter('options', item, {}) as Options;
	const listed = (text: unknown) =>
		String(text ?? '')
			.split(/[,;]/)
			.map((part) => part.trim())
			.filter((part) => part !== '');
	const when = parameter('waitUntil', item, 'answered') as Ready['when'];
	const field = when === 'answered' ? '' : String(parameter('waitField', item, '') ?? '').trim();
	const values = when === 'is' || when === 'isNot' ? listed(parameter('waitValues', item, '')) : [];
	const [every, atMost] = [Number(waitEvery), Number(waitAtMost)];
	const pending = listed(waitStatuses).map(Number);
	const faults: Fault[] = [];
	if (when !== 'answered' && field === '')
		faults.push({
			path: 'waitField',
			message: 'is required: the field of the answer that tells whether the result is there',
		});
	if ((when === 'is' || when === 'isNot') && values.length === 0)
		faults.push({ path: 'waitValues', message: 'is required: at least one value' });
	if (!(every > 0)) faults.push({ path: 'waitEvery', message: 'must be a number of seconds above 0' });
	if (!(atMost > 0)) faults.push({ path: 'waitAtMost', message: 'must be a number of seconds above 0' });
	if (!pending.every((status) => Number.isInteger(status) && status >= 300 && status < 600))
		faults.push({ path: 'waitStatuses', message: 'must be HTTP statuses such as 404, 409' });
	if (faults.length > 0) throw new InputError(faults);
	const ready: Ready = when === 'answered' ? { when } : when === 'present' ? { when, field } : { when, field, values };
	return { ready, every, atMost, pending };
}

/** What happened before the failure that stops the node, where that matters. */
function progressText(operation: Operation, done: number, total: number): string {
	if (operation.effect === 'read' || total === 1) return '';
	return `Of ${total} requests, ${done} ${done === 1 ? 'was' : 'were'} carried out before this one; the rest were not sent.`;
}

/** Another operation's read, for checks before sending. */
function reader(
	{ context, operation: forOperation }: FormContext,
	to: Sender,
): (id: string, input: OperationInput, advice: NextStep) => Promise<CallResult> {
	return async (id, input, advice) => {
		const operation = operationById(id);
		const prepared = prepare(operation, input, { timeZone: context.getTimezone() });
		return await call(operation, prepared, to.send, { wait: to.wait }).catch((error: unknown) => {
			throw isBankFailure(error) ? readForAnother(forOperation, error, advice) : error;
		});
	};
}

async function previewAll(
	run: FormContext,
	form: Form,
	checked: Checked[],
	connected: () => Promise<Sender>,
): Promise<void> {
	for (const current of checked) {
		const { job, prepared } = current;
		if (prepared === undefined) continue;
		try {
			const extra =
				form.before === undefined
					? {}
					: await form.before(run, job, prepared, async (...read) => await reader(run, await connected())(...read));
			const { method, url, headers, body } = prepared;
			const json = {
				preview: true,
				...extra,
				request: { method, url, headers, body: prepared.input.body as IDataObject },
				bodyText: body ?? '',
			};
			current.items = [{ json, pairedItem: job.items.map((item) => ({ item })) }];
		} catch (error) {
			current.failure = located(failureOf(run.context, error, job.items[0] ?? 0), job);
			if (!run.context.continueOnFail()) throw errorFor(run.context, current.failure, job.items);
		}
	}
}

/** Without room for one request at a time nothing would be read, and the node would look as if there were nothing. */
function concurrencyOf({ concurrency }: Options): number {
	return Math.max(1, Math.trunc(Number(concurrency ?? 5)) || 1);
}

/** @throws InputError where an expression gives no number */
function pagingOf({ parameter }: FormContext, item: number): { limit?: number; pageSize: number } {
	const pageSize = { value: (parameter('options', item, {}) as Options).pageSize ?? 50, min: 1 };
	if (parameter('returnAll', item, false) === true) return wholeNumbers({ pageSize });
	return wholeNumbers({ pageSize, limit: { value: parameter('limit', item, 50), min: 1 } });
}

async function listItems(
	run: FormContext,
	job: Job,
	prepared: PreparedRequest,
	to: Sender,
): Promise<INodeExecutionData[]> {
	const { operation, parameter, context } = run;
	const [item = 0] = job.items;
	const options = parameter('options', item, {}) as Options;
	const { limit, pageSize } = pagingOf(run, item);
	const offset =
		operation.list?.offset === undefined || !options.offset ? {} : { [operation.list.offset]: options.offset };
	const rows = await readAll(operation, { ...prepared.input, query: { ...prepared.input.query, ...offset } }, to.send, {
		...(limit === undefined ? {} : { limit }),
		...(options.arrayFormat === undefined ? {} : { arrayFormat: options.arrayFormat }),
		pageSize,
		ahead: concurrencyOf(options),
		wait: to.wait,
		timeZone: context.getTimezone(),
	});
	const simplify = parameter('simplify', item, true) === true ? operation.list?.simplify : undefined;
	return rows.map((row) => ({ json: (simplify?.(row) ?? row) as IDataObject, pairedItem: { item } }));
}

/** Results and failures in the order of the jobs. A failure of several items is told to each of them. */
function collect({ operation }: FormContext, checked: readonly Checked[]): INodeExecutionData[] {
	return checked.flatMap(({ job, items, failure }) => {
		if (failure === undefined) return items ?? [];
		return job.items.map((item) => errorItem(operation.id, ownFaults(failure, item), item));
	});
}

/** Of the faults of a package, those of one item, where it has any. */
function ownFaults(failure: Failure, item: number): Failure {
	if (!(failure instanceof InputError)) return failure;
	const own = failure.faults.filter((fault) => fault.item === undefined || fault.item === item);
	return own.length === 0 ? failure : new InputError(own);
}
