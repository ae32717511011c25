import { canonicalJson, hasContent, isEmpty, isRecord } from '../json.ts';
import { omitUndefined } from '../omitUndefined.ts';
import { fieldAt, withoutField } from '../path.ts';
import { textOrNumber } from '../text.ts';
import { maxPerDelivery } from './deduplicator.ts';
import { maxCopiedCharacters } from './delivery.ts';

/**
 * Courier orders that the bank sends to the partner's `POST deliveryapi/order` (4.13). Neither the structure of an
 * order nor the response to an accepted one is described, so the user names the identifier and required fields.
 */

/** The codes the bank expects from the partner (7.2). */
const courierCodes = {
	'003': 'Authorization error',
	'004': 'The identifier is not given',
	'007': 'The input array is empty',
	'008': 'Data error: a field is missing or empty',
	'009': 'A request with this identifier already exists',
	'011': 'Address geocoding error',
} as const;

type CourierCode = keyof typeof courierCodes;

/** Structure of errors other than 500, sent with HTTP 200 or 400 (7.2). */
export interface CourierRefusal {
	errorInfo: { errorCode: CourierCode; errorString: string };
}

export interface CourierOrder {
	id: string;
	order: unknown;
	/** Fields around the orders; shared by all orders of a delivery. */
	envelope?: Record<string, unknown>;
}

export interface CourierOptions {
	/** Path of the identifier in an order: `id`, `request.number`. Empty in a test, where its content identifies an order. */
	identifierField: string;
	requiredFields: readonly string[];
	/** Path of the order list in the body. Default: the body is an order or a list of orders. */
	ordersField?: string;
}

export function courierRefusal(errorCode: CourierCode, detail?: string): CourierRefusal {
	const text = courierCodes[errorCode];
	return { errorInfo: { errorCode, errorString: detail === undefined ? text : `${text}: ${detail}` } };
}

/**
 * The orders of a delivery, without duplicates, or a rejection. One invalid order rejects the whole delivery, because
 * the response has room for only one error and the bank could not know which orders were accepted.
 */
export function readOrders(body: unknown, options: CourierOptions): CourierOrder[] | CourierRefusal {
	const { given, isList, envelope } = listOf(body, options.ordersField);
	if (given.length === 0) return courierRefusal('007');
	if (given.length > maxPerDelivery) return courierRefusal('008', `more than ${maxPerDelivery} orders at once`);
	if (given.length * JSON.stringify(envelope ?? '').length > maxCopiedCharacters)
		return courierRefusal('008', 'the fields around the orders are too large');
	const at = (index: number, detail: string) => (isList ? `order [${index}], ${detail}` : detail);

	const idOf = (order: unknown) =>
		options.identifierField === '' ? canonicalJson(order) : textOrNumber(fieldAt(order, options.identifierField));
	const ids = given.map(idOf);
	const withoutId = ids.indexOf('');
	if (withoutId !== -1) return courierRefusal('004', at(withoutId, options.identifierField));

	for (const [index, order] of given.entries()) {
		const missing = options.requiredFields.filter((path) => !hasContent(fieldAt(order, path)));
		if (missing.length > 0) return courierRefusal('008', at(index, missing.join(', ')));
	}

	const orders = given.map((order, index): CourierOrder => omitUndefined({ id: ids[index] ?? '', order, envelope }));
	// Equal orders with one identifier are merged; different ones are rejected as ambiguous.
	const first = new Map<string, CourierOrder>();
	for (const order of orders) if (!first.has(order.id)) first.set(order.id, order);
	const conflicting = orders.findIndex(({ id, order }) => {
		const known = first.get(id)?.order;
		return known !== order && canonicalJson(known) !== canonicalJson(order);
	});
	return conflicting === -1 ? [...first.values()] : repeatedRefusal(orders, conflicting, isList);
}

/** Error 009. New orders in a partly repeated list are accepted, so without an index all are repeats. */
export function repeatedRefusal(
	orders: readonly CourierOrder[],
	index = 0,
	isList = orders.length > 1,
): CourierRefusal {
	const { id = '' } = orders[index] ?? {};
	// The identifier on a single line, because it is also logged.
	const shown = id.slice(0, 100).replace(/[\p{Cc}\p{Zl}\p{Zp}]+/gu, ' ');
	return courierRefusal('009', isList ? `order [${index}], ${shown}` : shown);
}

export function isCourierRefusal(response: unknown): boolean {
	return hasContent(fieldAt(fieldAt(response, 'errorInfo'), 'errorCode'));
}

function listOf(body: unknown, ordersField = '') {
	const found: unknown = Array.isArray(body) ? body : fieldAt(body, ordersField);
	const around = isRecord(body) && ordersField !== '' ? withoutField(body, ordersField) : {};
	const envelope = hasContent(around) ? around : undefined;
	if (Array.isArray(found)) return { given: found as unknown[], isList: true, envelope };
	return { given: isEmpty(found) ? [] : [found], isList: false, envelope };
}
