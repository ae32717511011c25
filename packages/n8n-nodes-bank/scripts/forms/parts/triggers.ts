import { definitions, isRecord, type Operation } from '@bank/core';

/** Example items of the triggers. */
export function triggerItems(
	itemOf: (operation: Operation) => unknown,
): [node: string, version: number, item: unknown][] {
	const operation = itemOf(definitions.accountOperation.getMany);
	const { id, status } = isRecord(operation) ? operation : {};
	const receivedAt = '2026-11-30T10:15:30.000Z';
	// The API description shows no payload.
	const delivery = {
		eventId: '9f86d081884c7d659a2feaa0c55ad015',
		object: 'jp_sbp_incoming_payments',
		receivedAt,
		payload: {},
	};
	const event = { eventId: `${String(id)} ${String(status)}`, event: 'created', operation };
	return [
		['BankTrigger', 2, delivery],
		['BankCourierOrderTrigger', 2, { orderId: 'order-17', receivedAt, order: {} }],
		['BankOperationsTrigger', 1, event],
	];
}
