import {
	canonicalJson,
	exactTotal,
	type InputOf,
	isRecord,
	type OperationInput,
	phoneDigits,
	phoneNumber,
	type preparePackage,
	recipientFields,
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

/** Recipients of one package, with the items they come from. */
export interface Group {
	items: number[];
	header: Header;
	recipients: Recipient[];
	/** Names of the recipients in the user's columns. */
	rowNames?: readonly (string | undefined)[];
	/** Required fields for which the input has no column. */
	missing?: readonly string[];
	/** For prepared packages, where every recipient has a sequence: whether the user entered it. */
	sequencesGiven?: readonly boolean[];
}

export interface PackageJob extends Job {
	/** Its recipients as the user entered them, with values that are not sent, such as the payment run. */
	group: Group;
}

/** Empty if the user entered none. */
export const ownSequence = ({ sequence }: Recipient): string => String(sequence ?? '').trim();

/** Whether the user entered the sequence. Otherwise it is a position, which does not identify a payment. */
export const isOwnSequence = ({ recipients, sequencesGiven }: Group, index: number): boolean =>
	sequencesGiven?.[index] ?? ownSequence(recipients[index] ?? {}) !== '';

/** The input item of a recipient: its own item, or the one that contains the whole list. */
export const itemAt = (items: readonly number[], index: number): number =>
	items[Math.min(index, items.length - 1)] ?? 0;

/** @param signedBody placeholder for the signature; absent if the package has none */
export function inputOf({ recipients, header }: Group, offset: number, signedBody?: unknown): OperationInput {
	const { inn, account, nameCheck, partnerId, b2cClientId, total } = header;
	const amounts = recipients.map(({ amount }) =>
		typeof amount === 'number' || typeof amount === 'string' ? amount : '',
	);
	return {
		body: {
			inn,
			account,
			nameCheck,
			client: { partnerId, b2cClientId },
			// Invalid amounts are reported separately; any valid number serves as the total here.
			total: total === undefined || total === '' ? exactTotal(amounts) || 1 : total,
			// The user's own sequence, or else the position, which is the same whenever the same input is run again.
			payments: recipients.map((recipient, index) => ({
				...recipient,
				sequence: ownSequence(recipient) === '' ? String(offset + index + 1) : recipient.sequence,
			})),
			signedBody,
		},
	};
}

/** @param isWhole whether the package is sent unchanged or not at all */
export function jobOf(group: Group, offset: number, signedBody?: unknown, isWhole = false): PackageJob {
	return { group, items: group.items, input: inputOf(group, offset, signedBody), locate: locateIn(group), isWhole };
}

/** The same package with only some of its payments. They keep their sequences, and the total is computed again. */
export function narrowJob({ group, input }: PackageJob, body: PackageBody, payments: readonly Payment[]): PackageJob {
	const kept = new Set(payments.map(({ name }) => name));
	const indexes = body.payments.flatMap(({ sequence }, index) => (kept.has(sequence) ? [index] : []));
	const oneItemEach = group.items.length === group.recipients.length;
	return jobOf(
		{
			items: oneItemEach ? indexes.flatMap((index) => group.items[index] ?? []) : group.items,
			header: { ...group.header, total: undefined },
			recipients: indexes.map((index) => ({ ...group.recipients[index], sequence: body.payments[index]?.sequence })),
			rowNames: indexes.map((index) => group.rowNames?.[index]),
			sequencesGiven: indexes.map((index) => isOwnSequence(group, index)),
		},
		0,
		isRecord(input.body) ? input.body.signedBody : undefined,
	);
}

/** The payments of a package, identified by the user's own sequence or else by the recipient. */
export function paymentsOf({ group }: PackageJob, { account, inn, client, payments }: PackageBody): Payment[] {
	const { items, header } = group;
	const run = normalizeText(header.paymentRun);
	return payments.map(({ phone, nspkBankId, amount, sequence, paymentDescription, ric, name }, index) => ({
		field: 'sequence',
		name: sequence,
		...(isOwnSequence(group, index) ? { own: [run, normalizeText(sequence)] } : {}),
		recipient: [run, phoneDigits(phone)],
		item: itemAt(items, index),
		rowName: group.rowNames?.[index],
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
			paymentRun: header.paymentRun,
			amount: textOrNumber(amount),
			phone: masked(textOrNumber(phone)),
			sender: bareIdentifier(account),
			recipient: phoneDigits(phone),
			recipientName: name === undefined ? '' : normalizeText(canonicalJson(name)),
		},
	}));
}

const masked = (phone: string): string => phone.slice(0, -4).replace(/\d/g, '*') + phone.slice(-4);

/** Fields that differ between recipients; others may have the same value in every row. */
const personal = recipientFields.filter(({ name }) => ['amount', 'phone', 'nspkBankId'].includes(name));
const emptyRow =
	`${personal.map(({ title }) => title).join(', ')} are empty: remove empty rows before this node. ` +
	'Where the row is not empty, map other columns';

export const hasNoPersonalField = (recipient: Recipient): boolean =>
	personal.every(({ name }) => textOrNumber(recipient[name]).trim() === '');

/** `payments[3].phone` of items 0-9 is `phone` of item 3. */
function locateIn({ items, recipients, rowNames = [], missing = [] }: Group): NonNullable<Job['locate']> {
	const first = itemAt(items, 0);
	const isOneItemEach = items.length === recipients.length;
	return ({ row: place, ...issue }) => {
		const match = /^payments\[(\d+)\]\.?(.*)$/.exec(issue.path);
		const isRequired = issue.message === 'is required';
		if (isRequired && missing.includes(issue.path)) return undefined;
		if (match === null || recipients.length === 0) return { ...issue, item: issue.item ?? first };
		const [, at, path = ''] = match;
		const index = Number(at);
		// A missing column is reported once for the whole table.
		if (isRequired && missing.includes(path)) return undefined;
		const row = rowNames[index] ?? rowNameOf(recipients[index] ?? {}) ?? (isOneItemEach ? undefined : place);
		const located = { ...issue, path, item: itemAt(items, index), ...(row === undefined ? {} : { row }) };
		if (!isRequired || !hasNoPersonalField(recipients[index] ?? {})) return located;
		if (path !== personal[0]?.name) return undefined;
		const emptied = { ...located, path: '', message: emptyRow };
		delete emptied.label;
		return emptied;
	};
}

/** Name of a row in messages: its sequence, or else the recipient. */
function rowNameOf(recipient: Recipient): string | undefined {
	const { last, first } = isRecord(recipient.name) ? recipient.name : {};
	const name = ownSequence(recipient) || `${textOrNumber(last)} ${textOrNumber(first)}`.trim();
	return name === '' ? undefined : name.slice(0, 40);
}
