import { canonicalJson } from '../json.ts';
import { fieldAt } from '../path.ts';
import { textOrNumber } from '../text.ts';
import { mostOfOneDelivery } from './arrivals.ts';

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
	if (given.length > mostOfOneDelivery) return courierRefusal('008', `more than ${mostOfOneDelivery} orders at once`);
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
	const first = new Map<string, CourierOrder>();
	for (const order of orders) if (!first.has(order.id)) first.set(order.id, order);
	const another = orders.findIndex(({ id, order }) => {
		const known = first.get(id)?.order;
		return known !== order && canonicalJson(known) !== canonicalJson(order);
	});
	return another === -1 ? [...first.values()] : repeated(orders, another, isList);
}

/** What is new of a delivery, so that nothing of a list is lost because some of it came before; 009 where all of it did. */
export function newOf(
	orders: readonly CourierOrder[],
	isKnown: (order: CourierOrder) => boolean,
): CourierOrder[] | CourierRefusal {
	const fresh = orders.filter((order) => !isKnown(order));
	return fresh.length === 0 ? repeated(orders, 0, orders.length > 1) : fresh;
}

function repeated(orders: readonly CourierOrder[], index: number, isList: boolean): CourierRefusal {
	const { id = '' } = orders[index] ?? {};
	// It also stands in a log, line by line.
	const shown = id.slice(0, 100).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
	return courierRefusal('009', isList ? `order [${index}], ${shown}` : shown);
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
