import { hasContent, isRecord } from '../json.ts';
import { fieldAt, withoutField } from '../path.ts';
import { textOf, verbatim } from '../text.ts';

/**
 * What the bank delivers to `callbackUri`, as events. The payload, and whether several events come in one delivery, is not shown
 * (part 6, points 3 and 4): JSON of any shape is taken, and nothing of it is changed or dropped.
 */

export interface DeliveredEvent {
	/** As it was delivered. */
	payload: unknown;
	/** The entity that the event itself or its envelope names. */
	object?: string;
	/** The event's own identifier, where it has one. */
	id?: string;
	/**
	 * Whether `id` can only be that of the event. A bare `id` or `uuid` may as well be that of the thing the event is about, and two events
	 * about one thing are no repeat.
	 */
	idIsOfEvent: boolean;
}

export interface Delivery {
	events: DeliveredEvent[];
	/** What stood around the list of events. */
	envelope?: Record<string, unknown>;
}

export interface DeliveryOptions {
	/** Where an event holds its identifier, as a path: `id`, `data.documentId`. Default: the usual names. */
	idField?: string;
	/** Where the body holds the list of events, as a path. Default: the body itself, or the usual names. */
	eventsField?: string;
}

const ownIdFields = ['eventId', 'notificationId', 'messageId'] as const;
/** May as well be those of the thing that the event is about. */
const ambiguousIdFields = ['uuid', 'id'] as const;
const listFields = ['events', 'items', 'notifications', 'messages'] as const;

/** The events of a body that has been parsed. None where the body is empty, an empty list or holds nothing. */
export function readDelivery(body: unknown, options: DeliveryOptions = {}): Delivery {
	const { list, envelope } = unwrapList(body, options);
	const around = saidIn(envelope?.object);
	const events = list.filter(hasContent).map((payload): DeliveredEvent => {
		const object = (isRecord(payload) ? saidIn(payload.object) : undefined) ?? around;
		return { payload, ...(object === undefined ? {} : { object }), ...idOf(payload, options.idField) };
	});
	return { events, ...(envelope === undefined || Object.keys(envelope).length === 0 ? {} : { envelope }) };
}

function unwrapList(body: unknown, options: DeliveryOptions): { list: unknown[]; envelope?: Record<string, unknown> } {
	if (Array.isArray(body)) return { list: body };
	if (!isRecord(body)) return { list: [body] };
	if (options.eventsField !== undefined && options.eventsField !== '') {
		const list = fieldAt(body, options.eventsField);
		if (Array.isArray(list)) return { list, envelope: withoutField(body, options.eventsField) };
		return { list: [body] };
	}
	// With an identifier of its own it is an event that has a list, not a list of events.
	if (idOf(body, options.idField).id !== undefined) return { list: [body] };
	const [name, ...others] = listFields.filter((field) => Array.isArray(body[field]));
	if (name === undefined || others.length > 0) return { list: [body] };
	const { [name]: found, ...envelope } = body;
	const list: unknown[] = Array.isArray(found) ? found : [];
	// Events may have items or messages of their own. Where there are none, what stands beside them must be the event.
	const mayBelongToAnEvent = name === 'items' || name === 'messages';
	if (!list.some(hasContent))
		return { list: mayBelongToAnEvent && Object.values(envelope).some(hasContent) ? [body] : [] };
	return list.every(isRecord) ? { list, envelope } : { list: [body] };
}

function idOf(payload: unknown, idField: string | undefined): { id?: string; idIsOfEvent: boolean } {
	if (!isRecord(payload)) return { idIsOfEvent: false };
	const given = idField === undefined || idField === '' ? undefined : identifier(fieldAt(payload, idField));
	if (given !== undefined) return { id: given, idIsOfEvent: true };
	for (const field of ownIdFields) {
		const id = identifier(payload[field]);
		if (id !== undefined) return { id, idIsOfEvent: true };
	}
	for (const field of ambiguousIdFields) {
		const id = identifier(payload[field]);
		if (id !== undefined) return { id, idIsOfEvent: false };
	}
	return { idIsOfEvent: false };
}

function identifier(value: unknown): string | undefined {
	return typeof value === 'number' ? String(value) : saidIn(value);
}

/** As it was delivered, spaces and all: it is compared, and shown. */
function saidIn(value: unknown): string | undefined {
	return textOf(value) === '' ? undefined : verbatim(value);
}
