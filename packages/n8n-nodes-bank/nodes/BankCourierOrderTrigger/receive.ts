import {
	courierRefusal,
	type CourierRefusal,
	isCourierRefusal,
	OrderMemory,
	parseExact,
	readOrders,
	splitList,
	textOf,
} from '@bank/core';
import {
	type IHookFunctions,
	type INode,
	type IWebhookFunctions,
	type IWebhookResponseData,
	NodeOperationError,
} from 'n8n-workflow';

import {
	missingSettings,
	pathSecretOf,
	type RawBody,
	rawBodyOf,
	refusalOfCall,
	textOfBody,
	whenAnswered,
} from '../shared/inbound.ts';
import { itemJson } from '../shared/itemJson.ts';
import { Parameters } from '../shared/parameters.ts';

type Respond = 'onReceived' | 'lastNode' | 'responseNode';

interface Settings {
	pathSecret: string | undefined;
	verifySender: boolean;
	identifierField: string;
	requiredFields: string[];
	respond: Respond;
	ordersField: string;
	refuseRepeats: boolean;
	refusalStatus: 200 | 400;
	successAnswer: unknown;
}

/**
 * Orders known to this process, by workflow and node. It answers at once and cannot be outrun by parallel deliveries; another
 * process of the same n8n has its own. Static data outlives the process, as far as n8n saves it (see `accept`). For good,
 * repeats are removed by n8n's Remove Duplicates on `orderId`.
 */
const memories = new Map<string, OrderMemory>();

/** At activation: what would only show when the first order is lost. @throws NodeOperationError */
export async function checkSettings(context: IHookFunctions): Promise<void> {
	const { verifySender, pathSecret } = settingsOf(context);
	if (!verifySender) {
		context.logger.warn(`"${context.getNode().name}" takes courier orders from anybody who knows its address`);
		return;
	}
	const credential = await context.getCredentials('bankInboundApi');
	const [missing] = missingSettings(credential);
	if (missing !== undefined)
		throw fault(
			context.getNode(),
			'The credential Bank Inbound API is not complete',
			`Open the credential: ${missing}.`,
		);
	const secret = pathSecretOf(credential);
	if (secret !== undefined && secret !== pathSecret) {
		throw fault(
			context.getNode(),
			'The path does not hold the secret',
			'The credential checks for a secret in the path. Make it the last part of Path Prefix, or switch the check off in the credential.',
		);
	}
}

/** Checks a delivery in the order of 7.2 and answers it, or leaves the answer to the workflow. */
export async function receiveOrders(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const settings = settingsOf(context);
	const raw = await rawBodyOf(context);
	const refused = settings.verifySender ? await refusalOfCall(context, raw, settings.pathSecret) : undefined;
	// The reason would help whoever tries to pass for the bank.
	if (refused !== undefined) return refuse(context, settings, courierRefusal('003'), refused.reason);

	const body = bodyOf(context, raw);
	if (!body.ok) return refuse(context, settings, courierRefusal('008', 'the body is not JSON'));
	// Whoever tries a workflow out sends the same order again and again.
	const memory = settings.refuseRepeats && context.getMode() !== 'manual' ? memoryOf(context) : undefined;
	if (settings.respond === 'onReceived') memory?.merge(context.getWorkflowStaticData('node').orders);
	const orders = readOrders(body.value, { ...settings, isKnown: (id) => memory?.has(id) === true });
	if (!Array.isArray(orders)) return refuse(context, settings, orders);

	// Nothing is awaited between the question whether an order is known and this.
	for (const { id } of orders) memory?.add(id);
	const receivedAt = new Date().toISOString();
	const items = orders.map(({ id, order }) => ({ json: itemJson({ orderId: id, receivedAt, order }) }));
	if (settings.respond === 'onReceived') return accept(context, settings, memory, items);
	watchAnswer(context, settings, () => orders.forEach(({ id }) => memory?.forget(id)));
	return { workflowData: [items] };
}

/**
 * n8n saves static data of a webhook only when the answer does not go through n8n: otherwise it starts the run first, and that
 * forgets that there is something to save.
 */
function accept(
	context: IWebhookFunctions,
	settings: Settings,
	memory: OrderMemory | undefined,
	items: NonNullable<IWebhookResponseData['workflowData']>[number],
): IWebhookResponseData {
	if (memory !== undefined) context.getWorkflowStaticData('node').orders = memory.text();
	context.getResponseObject().status(200).json(settings.successAnswer);
	return { noWebhookResponse: true, workflowData: [items] };
}

/** The workflow does not run. */
function refuse(
	context: IWebhookFunctions,
	{ refusalStatus }: Settings,
	refusal: CourierRefusal,
	reason = refusal.errorInfo.errorString,
): IWebhookResponseData {
	const { name } = context.getNode();
	context.logger.warn(`"${name}" refused a courier order with ${refusal.errorInfo.errorCode}: ${reason}`, {
		workflowId: context.getWorkflow().id,
		nodeName: name,
	});
	context.getResponseObject().status(refusalStatus).json(refusal);
	return { noWebhookResponse: true };
}

/**
 * Looks at the answer that the workflow gives. An order that the workflow refuses (011), or fails to answer, is not there: the bank
 * may send it again. And the status of refusals is the one chosen, which the last node cannot set.
 */
function watchAnswer(context: IWebhookFunctions, { respond, refusalStatus }: Settings, forget: () => void): void {
	whenAnswered(context, (given, text) => {
		const refused = isCourierRefusal(parseExact(text).value);
		const status = refused && respond === 'lastNode' ? refusalStatus : given;
		if (refused || status >= 400) forget();
		return status;
	});
}

function memoryOf(context: IWebhookFunctions): OrderMemory {
	const key = `${context.getWorkflow().id} ${context.getNode().id}`;
	let memory = memories.get(key);
	if (memory === undefined) memories.set(key, (memory = new OrderMemory()));
	return memory;
}

/** The body from its bytes: n8n's own parsing changes long numbers, and leaves some content types alone. */
function bodyOf(context: IWebhookFunctions, raw: RawBody): { ok: boolean; value?: unknown } {
	if (!raw.ok) return { ok: false };
	// Without bytes there was a form, which n8n has taken apart.
	if (raw.bytes === undefined) return { ok: true, value: context.getBodyData() };
	const text = textOfBody(context, raw.bytes).replace(/^\uFEFF/, '');
	return text.trim() === '' ? { ok: true } : parseExact(text);
}

type SettingsContext =
	Pick<IWebhookFunctions, 'getNodeParameter' | 'getNode'> | Pick<IHookFunctions, 'getNodeParameter' | 'getNode'>;

/** @throws NodeOperationError where no order could ever be checked or answered */
function settingsOf(context: SettingsContext): Settings {
	const parameters = Parameters.ofTrigger(context);
	const { ordersField, refuseRepeats, refusalStatus, successAnswer } = parameters.options();
	const identifierField = parameters.text('identifierField');
	const respond = parameters.text('respond');
	if (identifierField === '')
		throw fault(
			context.getNode(),
			'Identifier Field is empty',
			'Give the field in which an order holds its identifier.',
		);
	return {
		pathSecret: parameters
			.text('pathPrefix')
			.split('/')
			.map((part) => part.trim())
			.filter((part) => part !== '')
			.at(-1),
		verifySender: parameters.value('verifySender', 0, true) !== false,
		identifierField,
		requiredFields: splitList(parameters.value('requiredFields', 0, []), 'name'),
		respond: respond === 'lastNode' || respond === 'responseNode' ? respond : 'onReceived',
		ordersField: textOf(ordersField),
		refuseRepeats: refuseRepeats !== false,
		refusalStatus: Number(refusalStatus ?? 400) === 200 ? 200 : 400,
		successAnswer: answerOf(context.getNode(), successAnswer),
	};
}

function answerOf(node: INode, given: unknown): unknown {
	if (typeof given !== 'string') return given ?? {};
	const { ok, value } = given.trim() === '' ? { ok: true, value: {} } : parseExact(given);
	if (!ok) throw fault(node, 'Success Answer is not JSON', 'Correct it, or leave it empty for {}.');
	return value;
}

function fault(node: INode, message: string, description: string): NodeOperationError {
	return new NodeOperationError(node, message, { description });
}
