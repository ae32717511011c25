import {
	canonicalJson,
	type DeliveredEvent,
	maxCopiedCharacters,
	maxPerDelivery,
	omitUndefined,
	readDelivery,
	textOf,
} from '@bank/core';
import { type INodeExecutionData, type IWebhookFunctions, type IWebhookResponseData } from 'n8n-workflow';

import { authenticate, reject } from '../shared/inbound/authenticate.ts';
import { parseBody, readRawBody } from '../shared/inbound/body.ts';
import type { InboundRejection } from '../shared/inbound/checks.ts';
import { digestOf, shortenIdentifier } from '../shared/inbound/digest.ts';
import { respondToProbe } from '../shared/inbound/probe.ts';
import { deduplicatorOf } from '../shared/inbound/recentDeliveries.ts';
import { onResponse } from '../shared/inbound/response.ts';
import { itemJson } from '../shared/form/itemJson.ts';
import { Parameters } from '../shared/form/parameters.ts';
import { secretOf } from './addresses.ts';

/** The response has been sent, and no workflow runs. */
const responded: IWebhookResponseData = { noWebhookResponse: true };

/**
 * Handles one delivery: authenticates the sender, reads the events and drops duplicates. Each event becomes one item
 * with its payload unchanged.
 */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const probed = respondToProbe(context);
	if (probed !== undefined) return probed;
	const rejected = (rejection: InboundRejection): IWebhookResponseData => {
		reject(context, rejection);
		return responded;
	};
	const raw = await readRawBody(context);
	const isVerified = context.getNodeParameter('verifySender', true) !== false;
	const rejection = isVerified ? await authenticate(context, raw, secretOf(context)) : undefined;
	if (rejection !== undefined) return rejected(rejection);

	const parameters = Parameters.ofTrigger(context);
	const options = parameters.options();
	const body = parseBody(context, raw);
	if (!body.ok) return rejected({ status: body.status, reason: `its body cannot be read: ${body.why}` });

	const receivedAt = new Date().toISOString();
	const subscribed = parameters.text('object');
	const events = readDelivery(body.value, {
		idField: textOf(options.eventIdField),
		eventsField: textOf(options.eventsField),
	});
	if (events === undefined)
		return rejected({ status: 413, reason: `it holds more than ${maxPerDelivery} events, the limit` });
	const identified = identify(events, isVerified);
	if (identified === undefined)
		return rejected({ status: 413, reason: 'its envelope is too large to be copied to each event' });
	const fresh = await withoutRepeats(context, identified);
	if (fresh.length === 0) {
		context.getResponseObject().status(200).end();
		return responded;
	}
	const items = fresh.map(({ event, eventId }): INodeExecutionData => {
		const { payload, envelope, object = subscribed } = event;
		return { json: itemJson(omitUndefined({ eventId, object, receivedAt, payload, envelope })) };
	});
	return { workflowData: [items] };
}

interface Identified {
	event: DeliveredEvent;
	/** Identifies the event: equal for all deliveries of the event, even if its keys are in another order. */
	eventId: string;
	/** Shows duplicates: equal for all deliveries of the event. */
	key: string;
}

/**
 * An event is identified by its own ID if the sender is authenticated. Otherwise the content is part of the key and of
 * `eventId`: someone who guesses the ID of a future event must not be able to make that event look like a duplicate,
 * here or in a later node.
 * @returns undefined if the events with their envelopes are too large
 */
function identify(events: readonly DeliveredEvent[], isVerified: boolean): Identified[] | undefined {
	let copied = 0;
	// The events of one list share their envelope.
	const envelopes = new Map<unknown, { digest: string; length: number }>();
	const identified: Identified[] = [];
	for (const event of events) {
		const { id, idIsOfEvent, payload, envelope } = event;
		let known = envelopes.get(envelope);
		if (known === undefined) {
			const text = envelope === undefined ? '' : canonicalJson(envelope);
			envelopes.set(envelope, (known = { digest: digestOf(text), length: text.length }));
		}
		copied += known.length;
		if (copied > maxCopiedCharacters) return undefined;
		if (isVerified && idIsOfEvent && id !== undefined) {
			identified.push({ event, eventId: shortenIdentifier(id), key: digestOf('id', id) });
			continue;
		}
		// Events may have the same ID and differ only in their envelope.
		const content = digestOf(known.digest, canonicalJson(payload));
		const named = id === undefined ? undefined : shortenIdentifier(id);
		const before = named ?? (isVerified ? undefined : 'unverified');
		const eventId = before === undefined ? content : `${before}:${content}`;
		identified.push({ event, eventId, key: isVerified ? content : digestOf('unverified', content) });
	}
	return identified;
}

async function withoutRepeats(context: IWebhookFunctions, events: Identified[]): Promise<Identified[]> {
	const known = deduplicatorOf(context);
	if (known === undefined) return events;
	const byKey = new Map<string, Identified>();
	for (const event of events) if (!byKey.has(event.key)) byKey.set(event.key, event);
	const { fresh, end } = await known.claim([...byKey.keys()], () => context.getResponseObject().closed);
	const repeats = events.length - fresh.size;
	if (repeats > 0)
		context.logger.info(
			`"${context.getNode().name}" left out ${repeats} of ${events.length} events of a delivery: they were received before`,
			{ workflowId: context.getWorkflow().id },
		);
	// If the execution could not be stored, the bank gets an error and delivers again. That delivery must not count as a
	// duplicate.
	if (fresh.size > 0)
		onResponse(
			context,
			(status) => end(status < 400),
			context.getNodeParameter('respond', 'onReceived') === 'responseNode' ? () => end(false) : undefined,
		);
	return [...byKey.values()].filter(({ key }) => fresh.has(key));
}
