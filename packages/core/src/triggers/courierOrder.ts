import { canonicalJson } from '../json.ts';
import { BoundedMemory } from '../memory.ts';
import { fieldAt } from '../path.ts';
import { textOrNumber } from '../text.ts';

/**
 * Courier orders that the bank sends to the partner's `POST deliveryapi/order` (4.13). The structure of an order and the answer to
 * an accepted one are not shown: the user says where an order holds its identifier and which fields it must have.
 */

/** The codes the bank expects from the partner (7.2). */
export const courierCodes = {
	'003': 'Authorization error',
	'004': 'The identifier is not given',
	'007': 'The input array is empty',
	'008': 'Data error: a field is missing or empty',
	'009': 'A request with this identifier already exists',
	'011': 'Address geocoding error',
} as const;

export type CourierCode = keyof typeof courierCodes;

/** Errors other than 500 come back with HTTP 200 or 400 and this structure (7.2). */
export interface CourierRefusal {
	errorInfo: { errorCode: CourierCode; errorString: string };
}

export interface CourierOrder {
	id: string;
	/** As it came. */
	order: unknown;
}

export interface CourierOptions {
	/** Where an order holds its identifier, as a path: `id`, `request.number`. */
	identifierField: string;
	/** Paths of the fields that an order must have. */
	requiredFields: readonly string[];
	/** Where the body holds the list of orders, as a path. Default: the body is an order or a list of them. */
	ordersField?: string;
	/** Whether an order of this identifier has come before. */
	isKnown: (id: string) => boolean;
}

export function courierRefusal(errorCode: CourierCode, detail?: string): CourierRefusal {
	const text = courierCodes[errorCode];
	return { errorInfo: { errorCode, errorString: detail === undefined ? text : `${text}: ${detail}` } };
}

/**
 * The orders of a delivery that are new, or why all of it is refused. One order that cannot be taken refuses the others with it: the
 * answer has room for one error, and the bank could not know which orders were taken. One that is known was taken before, and keeps no
 * new one away.
 */
export function readOrders(body: unknown, options: CourierOptions): CourierOrder[] | CourierRefusal {
	const { given, isList } = listOf(body, options.ordersField);
	if (given.length === 0) return courierRefusal('007');
	const at = (index: number, detail: string) => (isList ? `order [${index}], ${detail}` : detail);

	const ids = given.map((order) => identifierOf(order, options.identifierField));
	const nameless = ids.indexOf(undefined);
	if (nameless !== -1) return courierRefusal('004', at(nameless, options.identifierField));

	for (const [index, order] of given.entries()) {
		const missing = options.requiredFields.filter((path) => isEmpty(fieldAt(order, path)));
		if (missing.length > 0) return courierRefusal('008', at(index, missing.join(', ')));
	}

	const orders = given.map((order, index): CourierOrder => ({ id: ids[index] ?? '', order }));
	// Two orders of one identifier in a delivery are the same one, or nobody knows which of them is meant.
	const firstOf = ({ id }: CourierOrder) => orders[ids.indexOf(id)]?.order;
	const another = orders.findIndex((found) => canonicalJson(found.order) !== canonicalJson(firstOf(found)));
	const fresh = orders.filter(({ id }, index) => ids.indexOf(id) === index && !options.isKnown(id));
	const refused = another === -1 && fresh.length === 0 ? 0 : another;
	return refused === -1 ? fresh : courierRefusal('009', at(refused, (ids[refused] ?? '').slice(0, 100)));
}

/** Whether an answer, from whomever, refuses the order. */
export function isCourierRefusal(answer: unknown): boolean {
	const code = fieldAt(fieldAt(answer, 'errorInfo'), 'errorCode');
	return !isEmpty(code);
}

function listOf(body: unknown, ordersField: string | undefined): { given: unknown[]; isList: boolean } {
	const found = Array.isArray(body) ? body : fieldAt(body, ordersField ?? '');
	if (Array.isArray(found)) return { given: found, isList: true };
	return {
		given: found === undefined || found === null || (typeof found === 'string' && found.trim() === '') ? [] : [found],
		isList: false,
	};
}

function identifierOf(order: unknown, path: string): string | undefined {
	return textOrNumber(fieldAt(order, path)) || undefined;
}

/** 0 and false say something. */
function isEmpty(value: unknown): boolean {
	if (value === undefined || value === null) return true;
	if (typeof value === 'string') return value.trim() === '';
	return typeof value === 'object' && Object.keys(value).length === 0;
}

/** Identifiers of the last orders. The memory is one of the process; `text` is what outlives it. */
export class OrderMemory {
	#ids: BoundedMemory;
	readonly #limit: number;
	readonly #kept: number;
	#merged: string | undefined;

	/** @param limit how many to know, @param kept how many of them `text` holds */
	constructor(limit = 10_000, kept = 2_000) {
		this.#ids = new BoundedMemory(limit);
		this.#limit = limit;
		this.#kept = kept;
	}

	has(id: string): boolean {
		return this.#ids.has(id);
	}

	add(id: string): void {
		this.#ids.add(id);
	}

	forget(id: string): void {
		this.#ids.forget(id);
	}

	/** Takes in what was kept before this process, or by another. What is known from here is the newer. */
	merge(text: unknown): void {
		if (typeof text !== 'string' || text === '' || text === this.#merged) return;
		this.#merged = text;
		const kept: unknown = JSON.parse(text);
		const own = this.#ids.keys();
		this.#ids = new BoundedMemory(this.#limit);
		for (const id of Array.isArray(kept) ? kept : []) this.#ids.add(String(id));
		for (const id of own) this.#ids.add(id);
	}

	text(): string {
		this.#merged = JSON.stringify(this.#ids.keys().slice(-this.#kept));
		return this.#merged;
	}
}
