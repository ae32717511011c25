import {
	canonicalJson,
	courierRefusal,
	type CourierOrder,
	type CourierRefusal,
	isCourierRefusal,
	omitUndefined,
	parseLossless,
	readOrders,
	repeatedRefusal,
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

import { credentialOf } from '../shared/http/credential.ts';
import { authenticate, requiredPathSecret, warn, warnOfMissingAuthentication } from '../shared/inbound/authenticate.ts';
import { parseBody, readRawBody } from '../shared/inbound/body.ts';
import { digestOf, shortenIdentifier } from '../shared/inbound/digest.ts';
import { respondToProbe } from '../shared/inbound/probe.ts';
import { deduplicatorOf } from '../shared/inbound/recentDeliveries.ts';
import { onResponse } from '../shared/inbound/response.ts';
import { itemJson } from '../shared/form/itemJson.ts';
import { Parameters } from '../shared/form/parameters.ts';
import { pathParts } from './webhook.ts';

type Settings = ReturnType<typeof settingsOf>;

/**
 * Checks at activation what would otherwise fail with the first order.
 * @throws NodeOperationError
 */
export async function checkSettings(context: IHookFunctions): Promise<void> {
	const { verifySender, pathSecret } = settingsOf(context);
	if (!verifySender) return warnOfMissingAuthentication(context);
	const secret = requiredPathSecret(context, await credentialOf(context, 'bankInboundApi'));
	if (secret !== undefined && secret !== pathSecret)
		throw invalidSetting(
			context.getNode(),
			'The path does not contain the secret',
			'The credential checks for a secret in the path. Make it the last part of "Path Prefix", or turn off the check in the credential.',
		);
}

/** Validates a delivery in the order of 7.2. Responds itself, or leaves the response to the workflow. */
export async function receiveOrders(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const probed = respondToProbe(context);
	if (probed !== undefined) return probed;
	const settings = settingsOf(context);
	const raw = await readRawBody(context);
	const refused = settings.verifySender ? await authenticate(context, raw, settings.pathSecret) : undefined;
	// The response does not say why, because the reason would help an attacker.
	if (refused !== undefined) return refuse(context, settings, courierRefusal('003'), refused.reason);

	const body = parseBody(context, raw);
	if (!body.ok) {
		const what = body.status === 413 ? 'the body is too large' : 'the body is not JSON that can be read';
		return refuse(context, settings, courierRefusal('008', what), `its body cannot be read: ${body.why}`);
	}
	const given = readOrders(body.value, settings);
	if (!Array.isArray(given)) return refuse(context, settings, given);

	const memory = deduplicatorOf(context);
	// Static data keeps the orders over restarts, as far as n8n saves it.
	memory?.merge(context.getWorkflowStaticData('node').orders);
	const keys = given.map((order) => keyOf(order, settings));
	const isSenderGone = () => context.getResponseObject().closed;
	const { fresh, end } = (await memory?.claim(keys, isSenderGone)) ?? { fresh: new Set(keys), end: () => undefined };
	const orders = given.filter((_, index) => fresh.has(keys[index] ?? ''));
	if (orders.length === 0) return refuse(context, settings, repeatedRefusal(given));
	watchResponse(context, settings, end);
	const receivedAt = new Date().toISOString();
	const items = orders.map(({ id, order, envelope }) => {
		const orderId = settings.identifierField === '' ? undefined : shortenIdentifier(id);
		return { json: itemJson(omitUndefined({ orderId, receivedAt, order, envelope })) };
	});
	const workflowData = [items];
	if (settings.respond !== 'onReceived') return { workflowData };
	return {
		// n8n reads this property after it has stored the execution and before it saves static data. Static data that was
		// changed earlier would not be saved, because creating the execution resets its changed flag. If the execution
		// could not be stored, n8n saves nothing.
		get webhookResponse() {
			end(true);
			if (memory !== undefined) context.getWorkflowStaticData('node').orders = memory.text();
			return settings.successResponse;
		},
		workflowData,
	};
}

/**
 * The key of an order is its ID if the sender is authenticated. Otherwise the content is part of the key: someone who
 * guesses an ID must not be able to make the bank's real order look like a duplicate.
 */
function keyOf({ id, order }: CourierOrder, { verifySender }: Settings): string {
	const digest = verifySender ? digestOf('id', id) : digestOf('unverified', id, canonicalJson(order));
	// Half of a digest is enough to tell all orders apart, and keeps the static data in n8n's database small.
	return digest.slice(0, 32);
}

/** Rejects the delivery. The workflow does not run. */
function refuse(
	context: IWebhookFunctions,
	{ refusalStatus }: Settings,
	refusal: CourierRefusal,
	reason = refusal.errorInfo.errorString,
): IWebhookResponseData {
	warn(context, `refused a courier order with ${refusal.errorInfo.errorCode}: ${reason}`);
	context.getResponseObject().status(refusalStatus).json(refusal);
	return { noWebhookResponse: true };
}

/**
 * Handles the response of n8n or of the workflow. If the execution could not be stored, or the workflow rejects the
 * order (011) or fails, the order is forgotten, so that the bank can send it again. Rejections get the configured HTTP
 * status, which the last node of a workflow cannot set.
 */
function watchResponse(
	context: IWebhookFunctions,
	{ respond, refusalStatus }: Settings,
	end: (stored: boolean) => void,
): void {
	onResponse(
		context,
		(given, text) => {
			const refused = respond !== 'onReceived' && isCourierRefusal(parseLossless(text).value);
			const status = refused && respond === 'lastNode' ? refusalStatus : given;
			end(!refused && status < 400);
			return status;
		},
		respond === 'onReceived' ? undefined : () => end(false),
	);
}

/** @throws NodeOperationError if no order could ever be validated or responded to with these settings */
function settingsOf(context: Pick<IHookFunctions | IWebhookFunctions, 'getMode' | 'getNodeParameter' | 'getNode'>) {
	const parameters = Parameters.ofTrigger(context);
	const { ordersField, refusalStatus, successResponse } = parameters.options();
	const identifierField = parameters.text('identifierField');
	const respond = parameters.text('respond');
	// A test shows which fields an order has.
	if (identifierField === '' && context.getMode() !== 'manual')
		throw invalidSetting(
			context.getNode(),
			'Identifier Field is empty',
			'Enter the name of the field with the identifier of an order.',
		);
	return {
		pathSecret: pathParts(parameters.text('pathPrefix')).at(-1),
		verifySender: parameters.value('verifySender', 0, true) !== false,
		identifierField,
		requiredFields: splitList(parameters.value('requiredFields', 0, []), 'name'),
		respond: respond === 'lastNode' || respond === 'responseNode' ? respond : 'onReceived',
		ordersField: textOf(ordersField),
		refusalStatus: Number(refusalStatus ?? 400) === 200 ? 200 : 400,
		successResponse: responseOf(context.getNode(), successResponse),
	};
}

function responseOf(node: INode, given: unknown): unknown {
	if (typeof given !== 'string') return given ?? {};
	const { ok, value } = given.trim() === '' ? { ok: true, value: {} } : parseLossless(given);
	if (!ok) throw invalidSetting(node, 'Success Response is not JSON', 'Correct it, or leave it empty for {}.');
	return value;
}

function invalidSetting(node: INode, message: string, description: string): NodeOperationError {
	return new NodeOperationError(node, message, { description });
}
