import * as v from 'valibot';

import type { Lenient } from '../../operation.ts';
import { decimal, flag, optionalText, responseObject, text } from '../../schemas/fields.ts';
import { amount, decimalValue } from '../../schemas/money.ts';
import { omitUndefined } from '../../omitUndefined.ts';

/** An operation on a card or account (2.6). */
export const bankOperation = responseObject({
	id: text('ID', 'Operation identifier'),
	dateTime: text('Date and Time', 'Date and time of the operation, ISO 8601'),
	title: text('Title', 'Operation title'),
	amount,
	comment: optionalText('Comment', 'Comment'),
	mcc: optionalText('MCC', 'Merchant category code'),
	category: v.optional(responseObject({ id: text('ID', 'Category identifier'), name: text('Name', 'Category name') })),
	direction: text('Direction', 'INCOME (incoming) or EXPENSE (outgoing)'),
	loyalty: v.optional(
		responseObject({
			title: optionalText('Title', 'Title'),
			percent: v.optional(decimal('Percent', 'Percent')),
			amount: v.optional(amount),
		}),
	),
	// 3.2: SUCCESS, HOLD, FAILED; null for an incoming operation or an undefined status.
	status: v.nullish(
		text('Status', 'SUCCESS, HOLD (in processing) or FAILED; null for an incoming operation or when undefined'),
	),
	type: optionalText('Type', 'Operation type'),
	terminal: v.optional(
		responseObject({
			number: optionalText('Number', 'Terminal number'),
			name: optionalText('Name', 'Point of sale'),
			city: optionalText('City', 'City code'),
			countryCode: optionalText('Country', 'Country code'),
		}),
	),
	sender: v.optional(
		responseObject({
			name: optionalText('Name', 'Sender name'),
			accountNumber: optionalText('Account', 'Sender account number'),
			bankBik: optionalText('Bank Code', 'BIK of the sender bank'),
			bankName: optionalText('Bank', 'Sender bank'),
			// Text by its description, but a number in one sample.
			phoneNumber: optionalText('Phone', 'Sender phone'),
			maskedCardNumber: optionalText('Card', 'Masked card number'),
		}),
	),
	recipient: v.optional(
		responseObject({
			name: optionalText('Name', 'Recipient name'),
			bankBik: optionalText('Bank Code', 'BIK of the recipient bank'),
			bankName: optionalText('Bank', 'Recipient bank'),
			phoneNumber: optionalText('Phone', 'Recipient phone'),
		}),
	),
	fee: decimal('Fee', 'Operation commission'),
	reference: optionalText('Reference', "Identifier of the operation in the bank's core system"),
	isAnotherClient: flag('Another Client', 'The operation was made by another client'),
	cashout: flag('Cash', 'Cash withdrawal at a cash machine'),
});

export type BankOperation = Lenient<v.InferOutput<typeof bankOperation>>;

/** The most used fields of an operation (2.6), and its counterparty. `amount` is decimal (`value / minorUnits`). */
export function simplifyOperation(row: BankOperation): Record<string, unknown> {
	const { id, dateTime, title, amount, direction, status, type, fee, category, comment, sender, recipient } = row ?? {};
	const party = direction === 'INCOME' ? sender : recipient;
	return omitUndefined({
		id,
		dateTime,
		title,
		direction,
		status,
		type,
		amount: decimalValue(amount),
		currency: amount?.currency,
		amountRaw: amount,
		fee,
		comment,
		category: category?.name,
		counterparty: party?.name,
		counterpartyBank: party?.bankName,
	});
}
