import {
	canonicalJson,
	exactTotal,
	type InputOf,
	isRecord,
	type OperationInput,
	phoneDigits,
	phoneNumber,
	type preparePackage,
	textOrNumber,
} from '@bank/core';

import type { IDataObject } from 'n8n-workflow';

import { normalizeIdentifier, normalizeText } from '../../shared/idempotency/keys.ts';
import type { Payment, Payout } from '../../shared/base/payment.ts';
import type { Job } from '../../shared/form/run.ts';

/** A package before it is signed; jobs that send it also have `signedBody`. */
export type PackageBody = InputOf<typeof preparePackage>['body'];

export type Recipient = Record<string, unknown>;

/** Fields that occur once per package. */
export interface PackageHeader {
	paymentRun: string;
	partnerId: unknown;
	inn: unknown;
	account: unknown;
	b2cClientId: unknown;
	nameCheck: unknown;
	/** Computed if absent. */
	total?: unknown;
	/** What the user entered, or a placeholder. Absent if the package is only prepared. */
	signedBody?: unknown;
}

export interface PackageRow {
	/** The input item that the recipient comes from. */
	item: number;
	/** The recipient with the sequence that is sent: the user's own, or else the position. */
	recipient: Recipient;
	/** Name of the recipient in the user's columns. */
	name: string | undefined;
	/** The columns of the input item, if the item has no other recipient. */
	columns?: IDataObject | undefined;
	/** Whether the user entered the sequence. Otherwise it is a position, which does not identify a payment. */
	isOwnSequence: boolean;
}

export interface PackageGroup {
	header: PackageHeader;
	rows: readonly PackageRow[];
}

/** Holds the package as the user entered it, with values that are not sent, such as the payment run. */
export type PackageJob = Job &
	PackageGroup & {
		/** All packages of a run that is invalid. */
		groups?: readonly PackageGroup[];
	};

/** The sequence that the user entered; empty if there is none, or only invisible characters. */
export const ownSequence = ({ sequence }: Recipient): string =>
	normalizeText(String(sequence ?? '')) === '' ? '' : String(sequence).trim();

/**
 * Whether a row of *Prepare Package* has a sequence of the user. A sheet may have stored the column as text. Otherwise
 * the sequence is the position.
 */
export const hasOwnSequence = ({ sequenceGiven }: Recipient): boolean => !/^false$/i.test(String(sequenceGiven));

export const rowOf = (recipient: Recipient, item: number, name?: string, columns?: IDataObject): PackageRow => ({
	item,
	recipient,
	name,
	columns,
	isOwnSequence: ownSequence(recipient) !== '',
});

/** The input items that results and errors of a package belong to. All rows of a list are in one item. */
export const itemsOf = (rows: readonly PackageRow[]): number[] => [...new Set(rows.map(({ item }) => item))];

export function inputOf({ rows, header }: PackageGroup): OperationInput {
	const { inn, account, nameCheck, partnerId, b2cClientId, total, signedBody } = header;
	const amounts = rows.map(({ recipient: { amount } }) =>
		typeof amount === 'number' || typeof amount === 'string' ? amount : '',
	);
	const sum = exactTotal(amounts) ?? 0;
	return {
		body: {
			inn,
			account,
			nameCheck,
			client: { partnerId, b2cClientId },
			// Invalid amounts are reported separately; any valid number serves as the total here.
			total: total === undefined || total === '' ? (sum > 0 ? sum : 1) : total,
			payments: rows.map(({ recipient }) => recipient),
			signedBody,
		},
	};
}

/** @param isWhole whether the package is sent unchanged or not at all */
export function jobOf(group: PackageGroup, isWhole = false): PackageJob {
	return { ...group, items: itemsOf(group.rows), input: inputOf(group), locate: locateIn(group), isWhole };
}

/** The job with only some of its payments. The total is computed again. */
export function narrowJob({ header, rows }: PackageGroup, body: PackageBody, payments: readonly Payment[]): PackageJob {
	const names = new Set(payments.map(({ name }) => name));
	const kept = rows.filter((_, index) => names.has(body.payments[index]?.sequence ?? ''));
	return jobOf({ header: { ...header, total: undefined }, rows: kept });
}

export function paymentsOf({ header, rows }: PackageGroup, { account, inn, client, payments }: PackageBody): Payment[] {
	return payments.flatMap(({ phone, nspkBankId, amount, sequence, paymentDescription, ric, name }, index) => {
		const row = rows[index];
		if (row === undefined) return [];
		const payment = identified(header.paymentRun, row, sequence);
		const content = {
			account,
			inn,
			client: canonicalJson(client),
			amount: textOrNumber(amount),
			phone: phoneNumber(phone),
			nspkBankId,
			paymentDescription: normalizeText(paymentDescription),
			ric: textOrNumber(ric),
			// A recipient without a name has an empty object.
			name: name === undefined || Object.keys(name).length === 0 ? '' : normalizeText(canonicalJson(name)),
		};
		return [{ ...payment, content }];
	});
}

/** The payments of an invalid package, as far as they can be identified. A payment has content if its row is valid. */
export function identifiedPayments(
	{ header, rows }: PackageGroup,
	read: (group: PackageGroup) => PackageBody,
): Payment[] {
	return rows.flatMap((row) => {
		const payment = identified(header.paymentRun, row, ownSequence(row.recipient));
		if (payment.identity.includes('')) return [];
		try {
			return paymentsOf({ header, rows: [row] }, read({ header: { ...header, total: undefined }, rows: [row] }));
		} catch {
			return [payment];
		}
	});
}

/**
 * The payment of a row. Payment run and sequence identify it or, if the user entered no sequence, payment run and
 * phone.
 */
function identified(
	paymentRun: string,
	{ recipient, isOwnSequence, item, name, columns }: PackageRow,
	sequence: string,
): Payment {
	const key = normalizeIdentifier(paymentRun);
	const identifiedBy: Payout['identifiedBy'] = isOwnSequence ? 'sequence' : 'phone';
	const own = isOwnSequence ? normalizeIdentifier(sequence) : phoneDigits(recipient.phone);
	const phone = masked(textOrNumber(recipient.phone));
	const payout = { paymentRun, key, identifiedBy };
	return {
		identity: [key, identifiedBy, own],
		payout,
		field: 'sequence',
		name: sequence,
		item,
		rowName: name,
		phone,
		columns,
	};
}

/** The phone without most of its digits, however it was entered: `+*******0001`. */
export function masked(phone: string): string {
	const number = phone.includes('*') || !/\d/.test(phone) ? phone : phoneNumber(phone);
	return number.slice(0, -4).replace(/\d/g, '*') + number.slice(-4);
}

/** `payments[3].phone` of items 0-9 is `phone` of item 3. */
function locateIn({ rows }: PackageGroup): NonNullable<Job['locate']> {
	const [first = 0, ...others] = itemsOf(rows);
	return ({ row: place, ...issue }) => {
		const [, at, path = ''] = /^payments\[(\d+)\]\.?(.*)$/.exec(issue.path) ?? [];
		const found = at === undefined ? undefined : rows[Number(at)];
		if (found === undefined) return { ...issue, item: issue.item ?? first };
		const row = rowNameOf(found) ?? (others.length === 0 && rows.length > 1 ? place : undefined);
		return { ...issue, path, item: found.item, row };
	};
}

/** Name of a row in messages: the recipient in the user's columns, or else the sequence, or else the recipient's name. */
export function rowNameOf({ name, recipient, isOwnSequence }: PackageRow): string | undefined {
	const { last, first } = isRecord(recipient.name) ? recipient.name : {};
	const sequence = isOwnSequence ? ownSequence(recipient) : '';
	const text = sequence || `${textOrNumber(last)} ${textOrNumber(first)}`.trim();
	return name ?? (text === '' ? undefined : text.slice(0, 40));
}
