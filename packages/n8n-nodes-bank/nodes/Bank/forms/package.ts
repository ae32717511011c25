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

import { bareIdentifier, normalizeText } from '../../shared/idempotency/keys.ts';
import type { Job, Payment } from '../../shared/pipeline/run.ts';

/** A package before it is signed; jobs that send it also have `signedBody`. */
export type PackageBody = InputOf<typeof preparePackage>['body'];

export type Recipient = Record<string, unknown>;

/** Fields that occur once per package. */
export interface Header {
	paymentRun: string;
	partnerId: unknown;
	inn: unknown;
	account: unknown;
	b2cClientId: unknown;
	nameCheck: unknown;
	/** Computed if absent. */
	total?: unknown;
}

/** A recipient of a package. */
export interface Row {
	/** The input item it comes from. */
	item: number;
	recipient: Recipient;
	/** Name of the recipient in the user's columns. */
	name: string | undefined;
	/** Whether the user entered the sequence. Otherwise it is a position, which does not identify a payment. */
	isOwnSequence: boolean;
}

/** Recipients of one package. */
export interface Group {
	header: Header;
	rows: readonly Row[];
}

export interface PackageJob extends Job {
	/** Its recipients as the user entered them, with values that are not sent, such as the payment run. */
	group: Group;
}

/** Empty if the user entered none. */
export const ownSequence = ({ sequence }: Recipient): string => String(sequence ?? '').trim();

/** In a row of the output, which a sheet may have stored as text. Otherwise its sequence is the position. */
export const hasOwnSequence = ({ sequenceGiven }: Recipient): boolean => !/^false$/i.test(String(sequenceGiven));

export const rowOf = (recipient: Recipient, item: number, name?: string): Row => ({
	item,
	recipient,
	name,
	isOwnSequence: ownSequence(recipient) !== '',
});

/** The input items that results and errors of a package belong to. All rows of a list are in one item. */
export const itemsOf = (rows: readonly Row[]): number[] => [...new Set(rows.map(({ item }) => item))];

/** @param signedBody placeholder for the signature; absent if the package has none */
export function inputOf({ rows, header }: Group, offset: number, signedBody?: unknown): OperationInput {
	const { inn, account, nameCheck, partnerId, b2cClientId, total } = header;
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
			// The user's own sequence, or else the position, which is the same whenever the same input is run again.
			payments: rows.map(({ recipient }, index) => ({
				...recipient,
				sequence: ownSequence(recipient) === '' ? String(offset + index + 1) : recipient.sequence,
			})),
			signedBody,
		},
	};
}

/** @param isWhole whether the package is sent unchanged or not at all */
export function jobOf(group: Group, offset: number, signedBody?: unknown, isWhole = false): PackageJob {
	return {
		group,
		items: itemsOf(group.rows),
		input: inputOf(group, offset, signedBody),
		locate: locateIn(group),
		isWhole,
	};
}

/** The same package with only some of its payments. They keep their sequences, and the total is computed again. */
export function narrowJob({ group, input }: PackageJob, body: PackageBody, payments: readonly Payment[]): PackageJob {
	const kept = new Set(payments.map(({ name }) => name));
	const rows = group.rows.flatMap((row, index) => {
		const sequence = body.payments[index]?.sequence ?? '';
		return kept.has(sequence) ? [{ ...row, recipient: { ...row.recipient, sequence } }] : [];
	});
	const signedBody = isRecord(input.body) ? input.body.signedBody : undefined;
	return jobOf({ header: { ...group.header, total: undefined }, rows }, 0, signedBody);
}

/** The payments of a package, identified by the user's own sequence or else by the recipient. */
export function paymentsOf({ group }: PackageJob, { account, inn, client, payments }: PackageBody): Payment[] {
	const run = normalizeText(group.header.paymentRun);
	return payments.map(({ phone, nspkBankId, amount, sequence, paymentDescription, ric, name }, index) => ({
		field: 'sequence',
		name: sequence,
		...(group.rows[index]?.isOwnSequence === true ? { own: [run, normalizeText(sequence)] } : {}),
		recipient: [run, phoneDigits(phone)],
		item: group.rows[index]?.item ?? 0,
		rowName: group.rows[index]?.name,
		content: {
			account: bareIdentifier(account),
			inn: bareIdentifier(inn),
			client: canonicalJson(client),
			amount: textOrNumber(amount),
			phone: phoneNumber(phone),
			nspkBankId: bareIdentifier(nspkBankId),
			paymentDescription: normalizeText(paymentDescription),
			ric: textOrNumber(ric),
			name: normalizeText(canonicalJson(name ?? {})),
		},
		logged: {
			paymentRun: group.header.paymentRun,
			amount: textOrNumber(amount),
			phone: masked(textOrNumber(phone)),
			sender: bareIdentifier(account),
			recipient: phoneDigits(phone),
			recipientName: name === undefined ? '' : normalizeText(canonicalJson(name)),
		},
	}));
}

export const masked = (phone: string): string => phone.slice(0, -4).replace(/\d/g, '*') + phone.slice(-4);

/** `payments[3].phone` of items 0-9 is `phone` of item 3. */
function locateIn({ rows }: Group): NonNullable<Job['locate']> {
	const [first = 0, ...others] = itemsOf(rows);
	return ({ row: place, ...issue }) => {
		const [, at, path = ''] = /^payments\[(\d+)\]\.?(.*)$/.exec(issue.path) ?? [];
		const found = at === undefined ? undefined : rows[Number(at)];
		if (found === undefined) return { ...issue, item: issue.item ?? first };
		const { item, recipient, name } = found;
		const row = name ?? rowNameOf(recipient) ?? (others.length === 0 && rows.length > 1 ? place : undefined);
		return { ...issue, path, item, ...(row === undefined ? {} : { row }) };
	};
}

/** Name of a row in messages: its sequence, or else the recipient. */
function rowNameOf(recipient: Recipient): string | undefined {
	const { last, first } = isRecord(recipient.name) ? recipient.name : {};
	const name = ownSequence(recipient) || `${textOrNumber(last)} ${textOrNumber(first)}`.trim();
	return name === '' ? undefined : name.slice(0, 40);
}
