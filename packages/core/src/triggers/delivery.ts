import { hasContent, isRecord } from '../json.ts';
import { fieldAt, withoutField } from '../path.ts';
import { textOf, verbatim } from '../text.ts';
import { mostOfOneDelivery } from './arrivals.ts';

/**
 * What the bank delivers to `callbackUri`, as events. The payload, and whether several events come in one delivery, is not shown
 * (part 6, points 3 and 4): JSON of any shape is taken, and nothing of it is changed or dropped.
 */

export interface DeliveredEvent {
	/** As it was delivered. */
	payload: unknown;
	/** What stood around the list that it came in. The events of one list share it. */
	envelope?: Record<string, unknown>;
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

export interface DeliveryOptions {
	/** Where an event holds its identifier, as a path: `id`, `data.documentId`. Default: the usual names. */
	idField?: string;
	/** Where the body, or each element of it, holds the list of events, as a path. Default: the body itself, or the usual names. */
	eventsField?: string;
}

const ownIdFields = ['eventId', 'notificationId', 'messageId'] as const;
/** May as well be those of the thing that the event is about. */
const ambiguousIdFields = ['uuid', 'id'] as const;
const listFields = ['events', 'items', 'notifications', 'messages'] as const;

/**
 * The events of a body that has been parsed, out of lists and envelopes in one another. None where the body is empty, an empty list or
 * holds nothing.
 *
 * @returns undefined where it holds more events and envelopes than one delivery may: it stops reading there, because anybody may send
 */
export function readDelivery(body: unknown, options: DeliveryOptions = {}): DeliveredEvent[] | undefined {
	const reading: Reading = { options, events: [], envelopes: mostOfOneDelivery };
	return readEvents(body, reading, {}, false) ? reading.events : undefined;
}

interface Reading {
	options: DeliveryOptions;
	/** Those found so far. */
	events: DeliveredEvent[];
	/** How many envelopes may still come. */
	envelopes: number;
}

const mostAround = 100;

/** What stands around an event. */
interface Around {
	envelope?: Record<string, unknown>;
	/** Where the envelope held the list. */
	place?: string;
	object?: string;
}

/**
 * @param listed whether the value is an element of a list of events, which may rightly have lists of its own
 * @returns whether the delivery holds no more than it may
 */
function readEvents(value: unknown, reading: Reading, around: Around, listed: boolean): boolean {
	const { options } = reading;
	if (Array.isArray(value) && (!listed || value.every(isRecord)))
		return value.every((element: unknown) => readEvents(element, reading, around, true));
	if (!hasContent(value)) return true;
	if (reading.events.length === mostOfOneDelivery || reading.envelopes === 0) return false;
	// What is around is copied for each envelope in it.
	const mayUnwrap = Object.keys(around.envelope ?? {}).length <= mostAround;
	const place = mayUnwrap && isRecord(value) ? listPlace(value, options, listed) : undefined;
	const list: unknown = place === undefined ? undefined : fieldAt(value, place);
	if (place === undefined || !isRecord(value) || !Array.isArray(list)) {
		reading.events.push(eventOf(value, options, around));
		return true;
	}
	reading.envelopes--;
	const object = saidIn(value.object) ?? around.object;
	const envelope = within(around, withoutField(value, place));
	const inner = { ...(envelope === undefined ? {} : { envelope, place }), ...(object === undefined ? {} : { object }) };
	return list.every((element: unknown) => readEvents(element, reading, inner, true));
}

/** An envelope in another stands under the place where the other held its list. */
function within({ envelope, place = '' }: Around, inner: Record<string, unknown>): Around['envelope'] {
	if (Object.keys(inner).length === 0) return envelope;
	if (envelope === undefined) return inner;
	return { ...envelope, [place]: inner };
}

function eventOf(payload: unknown, options: DeliveryOptions, { envelope, object: around }: Around): DeliveredEvent {
	const object = (isRecord(payload) ? saidIn(payload.object) : undefined) ?? around;
	return {
		payload,
		...(envelope === undefined ? {} : { envelope }),
		...(object === undefined ? {} : { object }),
		...idOf(payload, options.idField),
	};
}

/** Where an envelope holds its list of events; undefined where it is an event itself. */
function listPlace(record: Record<string, unknown>, options: DeliveryOptions, listed: boolean): string | undefined {
	const { eventsField, idField } = options;
	if (eventsField !== undefined && eventsField !== '')
		return Array.isArray(fieldAt(record, eventsField)) ? eventsField : undefined;
	const { id, idIsOfEvent } = idOf(record, idField);
	if (idIsOfEvent) return undefined;
	const [name, ...others] = Object.keys(record).filter(
		(field) => Array.isArray(record[field]) && (isListField(field) || haveOwnIds(record[field], idField)),
	);
	if (others.length > 0) return undefined;
	if (name === undefined) return nestedPlace(record, options, id !== undefined);
	const list: unknown = record[name];
	const elements: unknown[] = Array.isArray(list) ? list.filter(hasContent) : [];
	// Events may have items or messages of their own, an order for one.
	const mayBelongToAnEvent = /^(?:items|messages)$/i.test(name);
	if (elements.length === 0) {
		if (id !== undefined) return undefined;
		const { [name]: _, ...rest } = record;
		return mayBelongToAnEvent && Object.values(rest).some(hasContent) ? undefined : name;
	}
	// With an identifier it may be an event that has a list, as it may within a list of events.
	const mustBeSure = id !== undefined || (listed && mayBelongToAnEvent);
	const isList = elements.every((one) => (mustBeSure ? isSurelyEvent(one, idField) : isRecord(one)));
	return isList ? name : undefined;
}

const isListField = (name: string): boolean => listFields.some((known) => known === name.toLowerCase());

/** A list of these is one of events, whatever its name. */
function haveOwnIds(list: unknown, idField: string | undefined): boolean {
	const elements = Array.isArray(list) ? list.filter(hasContent) : [];
	return elements.length > 0 && elements.every((one) => idOf(one, idField).idIsOfEvent);
}

/**
 * An envelope in an envelope: `{ "data": { "events": […] } }`. Where it says itself what it is about, or has an identifier, it may be an
 * event.
 */
function nestedPlace(record: Record<string, unknown>, options: DeliveryOptions, hasId: boolean): string | undefined {
	const places = Object.entries(record).flatMap(([name, field]) => {
		const place = isRecord(field) ? listPlace(field, options, true) : undefined;
		return place === undefined ? [] : [{ place: `${name}.${place}`, list: fieldAt(field, place) }];
	});
	const [found, ...others] = places;
	if (found === undefined || others.length > 0 || !Array.isArray(found.list)) return undefined;
	const elements = found.list.filter(hasContent);
	const isEvent = record.object !== undefined && !elements.every((one) => isSurelyEvent(one, options.idField));
	const mayBeEvent = isEvent || (hasId && !haveOwnIds(elements, options.idField));
	return elements.length === 0 || mayBeEvent ? undefined : found.place;
}

function isSurelyEvent(value: unknown, idField: string | undefined): boolean {
	return isRecord(value) && (idOf(value, idField).idIsOfEvent || saidIn(value.object) !== undefined);
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
