import * as v from 'valibot';

import {
	accountNumber,
	digits,
	fields,
	flag,
	group,
	listOf,
	optionalText,
	phone,
	taxNumber,
	text,
	whole,
} from '../../schemas/fields.ts';
import { payable } from '../../schemas/money.ts';

const name = group(
	{
		first: optionalText('First Name', "Recipient's first name", { placeholder: 'e.g. Ivan' }),
		middle: optionalText('Patronymic', "Recipient's patronymic", { placeholder: 'e.g. Ivanovich' }),
		last: optionalText('Surname', "Recipient's surname", { placeholder: 'e.g. Ivanov' }),
	},
	'Name',
	'Recipient full name',
);

/** One recipient of a package (2.2). */
export const payment = group(
	{
		name: v.optional(name),
		amount: payable('Amount', 'Payment amount in currency units, at most two decimals'),
		nspkBankId: digits(
			'Recipient Bank ID',
			"Identifier of the recipient's bank (nspkBankId)",
			'must be the number of the bank, such as 100000000111, or a name from "Bank Names" of the credential',
			{ placeholder: 'e.g. 100000000111' },
		),
		phone: phone('Phone', "Recipient's phone number"),
		sequence: text('Sequence', 'Your identifier of the payment inside the package; must not repeat', {
			placeholder: 'e.g. payout-0001',
		}),
		paymentDescription: text('Payment Description', 'What the payment is for', {
			placeholder: 'e.g. Reward for March',
		}),
		ric: whole('Income Kind Code', 'Code of the kind of income (ric)', { placeholder: 'e.g. 1' }),
	},
	'Payment',
	'A payment to one recipient',
);

const client = group(
	{
		b2cClientId: optionalText(
			'Client ID',
			'Client on whose behalf an integrator sends the payment; only for a technology partner',
			{ placeholder: 'e.g. client-42' },
		),
		partnerId: whole('Partner ID', 'Your partner identifier at the bank', { placeholder: 'e.g. 1001' }),
	},
	'Client',
	'Client context',
);

const unsigned = {
	client,
	inn: taxNumber(
		[10, 12],
		'Tax Number',
		"The sender's own tax number, not the recipients' (inn): 10 digits for a legal entity, 12 for a sole proprietor",
	),
	account: accountNumber('Account', 'Sender account number'),
	total: payable('Total', 'Total amount of all payments in the package'),
	nameCheck: v.optional(
		flag(
			'Check Names',
			'Whether the name given must match the name registered with the national payment-card system operator',
		),
	),
	payments: v.pipe(
		listOf(payment, 'Payments', 'The recipients; they may differ inside one package'),
		v.minLength(1, 'must contain at least one payment'),
	),
};

export const unsignedBody = fields(unsigned);

/** A package of payments (2.2). */
export const packageBody = fields({
	...unsigned,
	// The API description does not show the signing method, nor the position in the body; the field table lists the field
	// at the top.
	signedBody: text('Signature', 'Electronic signature of the payment (signedBody). The bank tells you how to make it', {
		kind: 'verbatim',
	}),
});

export type UnsignedBody = v.InferOutput<typeof unsignedBody>;
