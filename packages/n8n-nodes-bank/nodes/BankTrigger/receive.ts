import { createHash } from 'node:crypto';

import {
	BoundedMemory,
	canonicalJson,
	type DeliveredEvent,
	isRecord,
	mayChange,
	parseExact,
	readDelivery,
	textOf,
} from '@bank/core';
import type { INodeExecutionData, IWebhookFunctions, IWebhookResponseData } from 'n8n-workflow';

import {
	type RawBody,
	rawBodyOf,
	refusalOfCall,
	refuse,
	requestOf,
	textOfBody,
	whenAnswered,
} from '../shared/inbound.ts';
import { fieldJson } from '../shared/itemJson.ts';
import { Parameters } from '../shared/parameters.ts';
import { secretOf } from './addresses.ts';

/** We have answered ourselves, and nothing runs. */
const answered: IWebhookResponseData = { noWebhookResponse: true };

/** One delivery: who sends it, what is in it, what of it is new. The payload goes on untouched, one item per event. */
export async function receive(context: IWebhookFunctions): Promise<IWebhookResponseData> {
	const raw = await rawBodyOf(context);
	if (context.getNodeParameter('verifySender', false) !== false) {
		const refusal = await refusalOfCall(context, raw, secretOf(context));
		if (refusal !== undefined) {
			refuse(context, refusal);
			return answered;
		}
	}
	const parameters = Parameters.ofTrigger(context);
	const options = parameters.options();
	const body = bodyOf(context, raw);
	if (!body.ok) return unreadable(context, body.why);

	const receivedAt = new Date().toISOString();
	const subscribed = parameters.text('object');
	const { events, envelope } = readDelivery(body.value, {
		idField: textOf(options.eventIdField),
		eventsField: textOf(options.eventsField),
	});
	let identified: Identified[];
	try {
		identified = events.map((event) => identify(event, envelope));
	} catch {
		// A list in a list in a list, ten thousand times: nothing after us could read it either.
		return unreadable(context, 'it is nested too deeply');
	}
	const fresh = withoutRepeats(context, identified);
	if (fresh.length === 0) {
		context.getResponseObject().status(200).end();
		return answered;
	}
	const items = fresh.map(({ event, eventId }): INodeExecutionData => {
		const json = {
			eventId,
			object: event.object ?? subscribed,
			receivedAt,
			payload: fieldJson(event.payload),
			...(envelope === undefined ? {} : { envelope: fieldJson(envelope) }),
			...(options.rawBody === true ? { rawBody: body.text() } : {}),
		};
		return { json };
	});
	return { workflowData: [items] };
}

type Body = { ok: true; value: unknown; text: () => string } | { ok: false; why: string };

/** n8n parses the usual content types. Of the others the bank may use any, and long numbers must be read again, exactly. */
function bodyOf(context: IWebhookFunctions, raw: RawBody): Body {
	if (!raw.ok) return raw;
	const parsed: unknown = context.getBodyData();
	if (raw.bytes === undefined) {
		const { data, files } = isRecord(parsed) ? parsed : {};
		if (Object.keys(files ?? {}).length > 0) return { ok: false, why: 'it is a form with files' };
		return { ok: true, value: data, text: () => JSON.stringify(data) ?? '' };
	}
	const whole = textOfBody(context, raw.bytes);
	const text = () => whole;
	const json = whole.replace(/^\uFEFF/, '').trim();
	if (json === '') return { ok: true, value: undefined, text };
	const { contentType } = requestOf(context);
	if (contentType === 'application/json' && parsed !== undefined && !mayChange(json))
		return { ok: true, value: parsed, text };
	const exact = parseExact(json);
	if (exact.ok) return { ok: true, value: exact.value, text };
	// A form or XML, which n8n has made an object of.
	return typeof parsed === 'object' && parsed !== null && Object.keys(parsed).length > 0
		? { ok: true, value: parsed, text }
		: { ok: false, why: 'it is not whole JSON' };
}

/** 422, as n8n answers a body that it cannot parse itself. Whoever sent it may send it again, whole. */
function unreadable(context: IWebhookFunctions, why: string): IWebhookResponseData {
	const { name } = context.getNode();
	context.logger.warn(`"${name}" refused a delivery: its body cannot be read, ${why}`, {
		workflowId: context.getWorkflow().id,
		nodeName: name,
	});
	context.getResponseObject().status(422).type('text/plain').send('Unprocessable Entity');
	return answered;
}

interface Identified {
	event: DeliveredEvent;
	/** The same for the same event, however often and in whatever order of keys it comes. */
	eventId: string;
	/** What a repeat has in common with the first. */
	key: string;
}

function identify(event: DeliveredEvent, envelope: unknown): Identified {
	const { id, idIsOfEvent, payload } = event;
	if (id !== undefined && idIsOfEvent) return { event, eventId: id, key: id };
	// What stands around a list may be what tells one event from another.
	const hash = createHash('sha256')
		.update(canonicalJson(envelope === undefined ? payload : [envelope, payload]))
		.digest('hex');
	return { event, eventId: id ?? hash, key: id === undefined ? hash : `${id} ${hash}` };
}

/**
 * The events of late, by workflow and node. A bank that repeats a delivery does so within minutes, and then most likely meets
 * the same process. What this cannot promise: nothing is remembered over a restart, and each process of a cluster knows only
 * what it has received itself. For good, n8n's Remove Duplicates node on `eventId` drops them.
 */
const recent = new Map<string, BoundedMemory>();
const remembered = 10_000;

function withoutRepeats(context: IWebhookFunctions, events: Identified[]): Identified[] {
	// Whoever tests sends the same event again and again.
	if (context.getMode() === 'manual') return events;
	const place = placeOf(context);
	const known = recent.get(place) ?? new BoundedMemory(remembered);
	recent.set(place, known);
	const fresh = events.filter(({ key }) => known.add(key));
	const repeats = events.length - fresh.length;
	if (repeats > 0)
		context.logger.info(
			`"${context.getNode().name}" left out ${repeats} of ${events.length} events of a delivery: they came before`,
			{ workflowId: context.getWorkflow().id },
		);
	if (fresh.length > 0) {
		// Where the run could not be stored the bank is told so and delivers again: that is no repeat then.
		whenAnswered(context, (status) => {
			if (status >= 400) for (const { key } of fresh) known.forget(key);
		});
	}
	return fresh;
}

function placeOf(context: IWebhookFunctions): string {
	return `${context.getWorkflow().id} ${context.getNode().id}`;
}
