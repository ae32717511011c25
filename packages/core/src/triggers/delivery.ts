import { hasContent, isRecord } from '../json.ts';
import { omitUndefined } from '../omitUndefined.ts';
import { fieldAt, withoutField } from '../path.ts';
import { textOf, verbatim } from '../text.ts';
import { maxPerDelivery } from './deduplicator.ts';

/**
 * Reads what the bank delivers to `callbackUri` as events. Neither the payload nor batching is described (part 6,
 * points 3 and 4), so JSON of any shape is accepted and nothing is changed or dropped.
 */

export interface DeliveredEvent {
	/** The event as received. */
	payload: unknown;
	/** Fields around the list of events; shared by all events of the list. */
	envelope?: Record<string, unknown>;
	/** The entity named in the event or its envelope. */
	object?: string;
	id?: string;
	/**
	 * Whether `id` certainly identifies the event. A plain `id` or `uuid` may identify its subject, and two events
	 * about the same subject are not duplicates.
	 */
	idIsOfEvent: boolean;
}

export interface DeliveryOptions {
	/** Path of the event identifier: `id`, `data.documentId`. Default: common names. */
	idField?: string;
	/** Path of the event list in the body or in each of its elements. Default: the body itself, or common names. */
	eventsField?: string;
}

const ownIdFields = ['eventId', 'notificationId', 'messageId'] as const;
/** Field names that may identify the subject instead of the event. */
const ambiguousIdFields = ['uuid', 'id'] as const;
const listFields = ['events', 'items', 'notifications', 'messages'] as const;

/**
 * The events of a parsed body, from nested lists and envelopes; empty if the body has no content.
 * @returns undefined if there are more than `maxPerDelivery` events or envelopes. Reading stops there, because the
 * sender may not be trusted.
 */
export function readDelivery(body: unknown, options: DeliveryOptions = {}): DeliveredEvent[] | undefined {
	const reading: Reading = { options, events: [], envelopes: maxPerDelivery, lists: new Map() };
	return readEvents(body, reading, {}, false) ? reading.events : undefined;
}

interface Reading {
	options: DeliveryOptions;
	events: DeliveredEvent[];
	/** Number of envelopes that may still be read. */
	envelopes: number;
	/**
	 * What the elements of each list are. Kept, because each envelope around a list needs to know, and a list may be
	 * long.
	 */
	lists: Map<readonly unknown[], Elements>;
}

interface Elements {
	/** Whether any element has content. The other two properties are about the elements with content. */
	areThere: boolean;
	areRecords: boolean;
	/** Whether each element has its own event identifier. */
	haveOwnIds: boolean;
	areSurelyEvents: boolean;
}

const maxEnvelopeFields = 100;

/** Each event or order gets a copy of its envelope, so a small body can become a large execution. */
export const maxCopiedCharacters = 64 * 1024 * 1024;

interface EventContext {
	envelope?: Record<string, unknown>;
	/** Path of the list in the envelope. */
	place?: string;
	object?: string;
}

/**
 * @param listed whether the value is an element of an event list; such an element may contain lists that are data
 * @returns whether the delivery is within the limits
 */
function readEvents(value: unknown, reading: Reading, around: EventContext, listed: boolean): boolean {
	const { options } = reading;
	if (Array.isArray(value) && (!listed || value.every(isRecord)))
		return value.every((element: unknown) => readEvents(element, reading, around, true));
	if (!hasContent(value)) return true;
	if (reading.events.length === maxPerDelivery || reading.envelopes === 0) return false;
	// The surrounding fields are copied for each envelope, so their number is limited.
	const mayUnwrap = Object.keys(around.envelope ?? {}).length <= maxEnvelopeFields;
	const place = mayUnwrap && isRecord(value) ? listIn(value, reading, listed)?.place : undefined;
	const list: unknown = place === undefined ? undefined : fieldAt(value, place);
	if (place === undefined || !isRecord(value) || !Array.isArray(list)) {
		reading.events.push(eventOf(value, options, around));
		return true;
	}
	reading.envelopes--;
	const object = nonEmptyText(value.object) ?? around.object;
	const envelope = within(around, withoutField(value, place));
	const inner = { envelope, place, object };
	return list.every((element: unknown) => readEvents(element, reading, inner, true));
}

/** The fields of an inner envelope are stored under the path of the list in the outer one. */
function within({ envelope, place = '' }: EventContext, inner: Record<string, unknown>): EventContext['envelope'] {
	if (Object.keys(inner).length === 0) return envelope;
	if (envelope === undefined) return inner;
	return { ...envelope, [place]: inner };
}

function eventOf(
	payload: unknown,
	options: DeliveryOptions,
	{ envelope, object: around }: EventContext,
): DeliveredEvent {
	const object = (isRecord(payload) ? nonEmptyText(payload.object) : undefined) ?? around;
	return omitUndefined({ payload, envelope, object, ...idOf(payload, options.idField) });
}

interface FoundList {
	place: string;
	list: unknown[];
}

/** The event list in an envelope; undefined if the record is an event itself. */
function listIn(record: Record<string, unknown>, reading: Reading, listed: boolean): FoundList | undefined {
	const { eventsField, idField } = reading.options;
	if (eventsField !== undefined && eventsField !== '') {
		const list = fieldAt(record, eventsField);
		return Array.isArray(list) ? { place: eventsField, list } : undefined;
	}
	const { id, idIsOfEvent } = idOf(record, idField);
	if (idIsOfEvent) return undefined;
	const [found, ...others] = Object.entries(record).flatMap(([place, list]): FoundList[] =>
		Array.isArray(list) && (isListField(place) || elementsOf(list, reading).haveOwnIds) ? [{ place, list }] : [],
	);
	if (others.length > 0) return undefined;
	if (found === undefined) return nestedList(record, reading, id !== undefined);
	const { place, list } = found;
	const { areThere, areRecords, areSurelyEvents } = elementsOf(list, reading);
	// An event such as an order may contain items or messages.
	const mayBelongToAnEvent = /^(?:items|messages)$/i.test(place);
	if (!areThere) {
		if (id !== undefined || nonEmptyText(record.object) !== undefined) return undefined;
		const { [place]: _, ...rest } = record;
		return mayBelongToAnEvent && Object.values(rest).some(hasContent) ? undefined : found;
	}
	// With an identifier, or as an element of an event list, it may be an event that contains a list, so only clear names
	// count.
	const mustBeSure = id !== undefined || (listed && mayBelongToAnEvent);
	return (mustBeSure ? areSurelyEvents : areRecords) ? found : undefined;
}

const isListField = (name: string): boolean => listFields.some((known) => known === name.toLowerCase());

function elementsOf(list: readonly unknown[], { lists, options: { idField } }: Reading): Elements {
	const known = lists.get(list);
	if (known !== undefined) return known;
	const elements = { areThere: false, areRecords: true, haveOwnIds: true, areSurelyEvents: true };
	for (const element of list.filter(hasContent)) {
		const hasOwnId = idOf(element, idField).idIsOfEvent;
		elements.areThere = true;
		elements.areRecords &&= isRecord(element);
		elements.haveOwnIds &&= hasOwnId;
		elements.areSurelyEvents &&= isRecord(element) && (hasOwnId || nonEmptyText(element.object) !== undefined);
	}
	// Elements with event identifiers are events; the name of the list does not matter.
	elements.haveOwnIds &&= elements.areThere;
	lists.set(list, elements);
	return elements;
}

/**
 * Looks for an envelope in an envelope: `{ "data": { "events": […] } }`. A record with an object or an identifier of
 * its own may be an event instead.
 */
function nestedList(record: Record<string, unknown>, reading: Reading, hasId: boolean): FoundList | undefined {
	const [found, ...others] = Object.entries(record).flatMap(([name, field]): FoundList[] => {
		const inner = isRecord(field) ? listIn(field, reading, true) : undefined;
		return inner === undefined ? [] : [{ ...inner, place: `${name}.${inner.place}` }];
	});
	if (found === undefined || others.length > 0) return undefined;
	const { areThere, haveOwnIds, areSurelyEvents } = elementsOf(found.list, reading);
	const mayBeEvent = (record.object !== undefined && !areSurelyEvents) || (hasId && !haveOwnIds);
	return !areThere || mayBeEvent ? undefined : found;
}

function idOf(payload: unknown, idField: string | undefined): { id?: string; idIsOfEvent: boolean } {
	if (!isRecord(payload)) return { idIsOfEvent: false };
	const given = idField === undefined || idField === '' ? undefined : identifier(fieldAt(payload, idField));
	const idIn = (fields: readonly string[]) =>
		fields.map((field) => identifier(payload[field])).find((id) => id !== undefined);
	const ownId = given ?? idIn(ownIdFields);
	if (ownId !== undefined) return { id: ownId, idIsOfEvent: true };
	return omitUndefined({ id: idIn(ambiguousIdFields), idIsOfEvent: false });
}

function identifier(value: unknown): string | undefined {
	return typeof value === 'number' ? String(value) : nonEmptyText(value);
}

/** The text itself if it is not empty. Not trimmed: it is compared and shown as delivered. */
function nonEmptyText(value: unknown): string | undefined {
	return textOf(value) === '' ? undefined : verbatim(value);
}
