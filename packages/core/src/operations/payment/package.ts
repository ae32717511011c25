import * as v from 'valibot';

import { isRecord, jsonOrText } from '../../json.ts';
import {
	accountNumber,
	bankNumber,
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
import { hundredths, payable, toNumber } from '../../schemas/money.ts';
import { fieldsOf, titleOf, unwrap } from '../../schemas/unwrap.ts';
import type { ValidationIssue } from '../../validation.ts';

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
		nspkBankId: bankNumber(
			'Recipient Bank ID',
			"Identifier of the recipient's bank (nspkBankId)",
			'must be the number of the bank, such as 100000000111, not its BIK, or a name from "Bank Names" of the credential',
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

/** A column of a recipient table. */
export interface RecipientField {
	/** Path of the field in the API's own names: `amount`, `name.first`. */
	name: string;
	title: string;
	required: boolean;
}

/** Required fields first. `sequence` defaults to the position of the payment. */
export const recipientFields: readonly RecipientField[] = fieldsOf(payment)
	.filter(([, field]) => unwrap(field).schema.entries === undefined)
	.map(([name, field]) => ({ name, title: titleOf(field), required: !unwrap(field).optional && name !== 'sequence' }))
	.sort((one, other) => Number(other.required) - Number(one.required));

/** The exact sum of amounts with at most two decimals; undefined if one of them is invalid. */
export function exactTotal(amounts: readonly (number | string)[]): number | undefined {
	let sum = 0n;
	for (const amount of amounts) {
		const size = hundredths(amount);
		if (size === undefined) return undefined;
		sum += size;
	}
	return toNumber(sum);
}

/** The total is the sum of the payments (2.2). */
export function totalIssues({ total, payments }: UnsignedBody): ValidationIssue[] {
	const sum = exactTotal(payments.map((payment) => payment.amount));
	return sum === total ? [] : [{ path: 'total', message: `is ${total}, but the payments add up to ${sum}` }];
}

/** Recipients from an array or JSON text; undefined if it is neither. */
export function readRecipients(given: unknown): Record<string, unknown>[] | undefined {
	const list = typeof given === 'string' ? jsonOrText(given) : given;
	return Array.isArray(list) && list.every(isRecord) ? list : undefined;
}

function withoutSignature<Body extends object>(body: Body): Omit<Body, 'signedBody'> {
	const { signedBody: _signature, ...unsigned }: Body & { signedBody?: unknown } = body;
	return unsigned;
}

/** The JSON of the checked body without `signedBody`. The SHA-256 of its UTF-8 bytes identifies the package. */
export function textToSign(body: object): string {
	return JSON.stringify(withoutSignature(body));
}

/**
 * Inserts the signature into the signed text and changes nothing else, because the bank verifies exactly these bytes.
 * @param signed the text of a package, from `textToSign`
 */
export function withSignature(signed: string, signature: string, isFirst: boolean): string {
	const field = `"signedBody":${JSON.stringify(signature)}`;
	return isFirst ? `{${field},${signed.slice(1)}` : `${signed.slice(0, -1)},${field}}`;
}
