import { isRecord } from '../errors/dialect.ts';
import { hasContent } from '../json.ts';

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

type Json = Record<string, unknown>;

const ownIdFields = ['eventId', 'notificationId', 'messageId'] as const;
/** May as well be those of the thing that the event is about. */
const ambiguousIdFields = ['uuid', 'id'] as const;
const listFields = ['events', 'items', 'notifications', 'messages'] as const;

/** The events of a body that has been parsed. None where the body is empty, an empty list or holds nothing. */
export function readDelivery(body: unknown, options: DeliveryOptions = {}): Delivery {
	const { list, envelope } = unwrapList(body, options);
	const around = textOf(envelope?.object);
	const events = list.filter(hasContent).map((payload): DeliveredEvent => {
		const object = (isRecord(payload) ? textOf(payload.object) : undefined) ?? around;
		return { payload, ...(object === undefined ? {} : { object }), ...idOf(payload, options.idField) };
	});
	return { events, ...(envelope === undefined || Object.keys(envelope).length === 0 ? {} : { envelope }) };
}

function unwrapList(body: unknown, options: DeliveryOptions): { list: unknown[]; envelope?: Json } {
	if (Array.isArray(body)) return { list: body };
	if (!isRecord(body)) return { list: [body] };
	if (options.eventsField !== undefined && options.eventsField !== '') {
		const list = fieldAt(body, options.eventsField);
		if (Array.isArray(list)) return { list, envelope: without(body, options.eventsField) };
		return { list: [body] };
	}
	// With an identifier of its own it is an event that has a list, not a list of events.
	if (idOf(body, options.idField).id !== undefined) return { list: [body] };
	const [name, ...others] = listFields.filter((field) => Array.isArray(body[field]));
	if (name === undefined || others.length > 0) return { list: [body] };
	const { [name]: list, ...envelope } = body;
	// Events may have items or messages of their own. Where there are none, what stands beside them must be the event.
	const mayBelongToAnEvent = name === 'items' || name === 'messages';
	if (!(list as unknown[]).some(hasContent))
		return { list: mayBelongToAnEvent && Object.values(envelope).some(hasContent) ? [body] : [] };
	const isListOfEvents = (list as unknown[]).every((entry) => isRecord(entry));
	return isListOfEvents ? { list: list as unknown[], envelope } : { list: [body] };
}

function idOf(payload: unknown, idField: string | undefined): { id?: string; idIsOfEvent: boolean } {
	if (!isRecord(payload)) return { idIsOfEvent: false };
	const given = idField === undefined || idField === '' ? undefined : identifier(fieldAt(payload, idField));
	if (given !== undefined) return { id: given, idIsOfEvent: true };
	for (const field of ownIdFields) {
		const id = identifier(ownField(payload, field));
		if (id !== undefined) return { id, idIsOfEvent: true };
	}
	for (const field of ambiguousIdFields) {
		const id = identifier(ownField(payload, field));
		if (id !== undefined) return { id, idIsOfEvent: false };
	}
	return { idIsOfEvent: false };
}

function identifier(value: unknown): string | undefined {
	return typeof value === 'number' ? String(value) : textOf(value);
}

function textOf(value: unknown): string | undefined {
	return typeof value === 'string' && value.trim() !== '' ? value : undefined;
}

function ownField(parent: unknown, key: string): unknown {
	return typeof parent === 'object' && parent !== null && Object.hasOwn(parent, key)
		? (parent as Json)[key]
		: undefined;
}

/** `a`, `a.b`, `a[0].b`; a key that has dots itself comes first. */
export function fieldAt(value: unknown, path: string): unknown {
	const whole = ownField(value, path);
	if (whole !== undefined) return whole;
	return stepsOf(path).reduce<unknown>(ownField, value);
}

function stepsOf(path: string): string[] {
	return path.split(/[.[\]]+/).filter((step) => step !== '');
}

/** The body without the list at `path`; the objects on the way are copied. */
function without(body: Json, path: string): Json {
	if (Object.hasOwn(body, path)) {
		const { [path]: _, ...rest } = body;
		return rest;
	}
	const [first = '', ...others] = stepsOf(path);
	if (others.length === 0 || !isRecord(body[first])) {
		const { [first]: _, ...rest } = body;
		return rest;
	}
	return { ...body, [first]: without(body[first], others.join('.')) };
}

/**
 * The last so many keys. It lives in the memory of one process: it forgets over a restart, and other processes have
 * their own.
 */
export class RecentKeys {
	readonly #keys = new Set<string>();
	readonly #limit: number;

	constructor(limit: number) {
		this.#limit = limit;
	}

	/** False where the key was there already. */
	add(key: string): boolean {
		if (this.#keys.has(key)) return false;
		this.#keys.add(key);
		// A set keeps the order in which keys came.
		if (this.#keys.size > this.#limit) for (const oldest of this.#keys) return this.#keys.delete(oldest);
		return true;
	}

	forget(key: string): void {
		this.#keys.delete(key);
	}
}
