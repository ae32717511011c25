import {
	createHeldBackError,
	InputError,
	isRecord,
	jsonOrText,
	prepare,
	preparePackage,
	readRecipients,
	textOf,
	textOrNumber,
} from '@bank/core';

import type { SettledPayment } from '../../shared/pipeline/operationHooks.ts';
import { itemJson } from '../../shared/form/itemJson.ts';
import { failedPayment } from '../../shared/pipeline/present.ts';
import type { Payment } from '../../shared/base/payment.ts';
import type { Run } from '../../shared/form/run.ts';
import { recipientOf } from './columns.ts';
import { type PackageGroup, hasOwnSequence, type PackageHeader, inputOf, masked, type Recipient } from './package.ts';
import { checkDigestOf, destinationOf, withoutPackage } from './rows.ts';
import { signableText } from './signature.ts';

/** Rebuilds a package from the items of *Prepare Package*, unchanged. Rejects it if the fingerprint differs. */

const invalidPackage = (message: string, item = 0): InputError => new InputError([{ path: 'prepared', message, item }]);

/** @throws InputError if the package is incomplete, was changed, or was prepared for another bank */
export async function preparedGroups(run: Run): Promise<PackageGroup[]> {
	const given = rowsIn(run).filter(({ row }) => !isSentBefore(row));
	const destination = await destinationOf(run);
	const foreign = given.find(({ row }) => textOf(row.fingerprint) === '');
	if (foreign !== undefined)
		throw invalidPackage(
			'contains a row that is not from "Prepare Package": it has no fingerprint. ' +
				"Enter the items of that node, such as {{ $('Prepare').all().map((one) => one.json) }}",
			foreign.item,
		);
	return [...Map.groupBy(given, ({ row }) => textOf(row.fingerprint))].map(([fingerprint, found]) => {
		const sorted = found.toSorted((left, right) => Number(left.row.position) - Number(right.row.position));
		const rows = sorted.map(({ row }) => row);
		refuseOtherBank(rows, destination);
		refuseMissing(rows);
		const group: PackageGroup = {
			header: headerIn(rows),
			rows: sorted.map(({ row, item }) => ({
				item,
				// Other text in `name` is a column of the user's own.
				recipient: recipientOf((field) => row[field], objectIn(row.name)),
				name: row.recipient === undefined ? undefined : textOrNumber(row.recipient),
				isOwnSequence: hasOwnSequence(row),
				columns: withoutPackage(itemJson(row)),
			})),
		};
		// The rows must produce exactly the text that was signed, approved or reviewed.
		const isSame = checkDigestOf(fingerprint, group, destination) === textOf(rows[0]?.check);
		if (isSame && fingerprintOf(group) === fingerprint) return group;
		throw invalidPackage(
			'was changed after it was prepared: its fingerprint does not match. Prepare it again',
			group.rows[0]?.item,
		);
	});
}

/** Whether *Prepare Package* listed the row as already sent and left it out of the package. */
const isSentBefore = ({ outcome }: Recipient): boolean =>
	outcome === 'alreadyAccepted' || outcome === 'unknown' || outcome === 'conflict';

/** A value that is an object, or the text of an object that a sheet or a table has stored. */
function objectIn(value: unknown): Record<string, unknown> | undefined {
	const object = typeof value === 'string' ? jsonOrText(value) : value;
	return isRecord(object) ? object : undefined;
}

/** Payments that were already sent. They are returned, so that the output has every row of the payout. */
export function sentBeforePrepared(run: Run): SettledPayment[] {
	return rowsIn(run).flatMap(({ row, item }) => {
		if (!isSentBefore(row)) return [];
		const json = withoutPackage(itemJson(row));
		const { payment: id, execution, at } = json;
		const [paymentRun, name] = [textOrNumber(row.paymentRun), textOrNumber(row.sequence)];
		const identifiedBy = hasOwnSequence(row) ? ('sequence' as const) : ('phone' as const);
		const payment: Payment = {
			identity: [],
			payout: { paymentRun, key: '', identifiedBy },
			...{ field: 'sequence', name, item, rowName: textOf(row.recipient) || undefined },
			phone: masked(textOrNumber(row.phone)),
		};
		if (row.outcome === 'alreadyAccepted')
			return [{ payment, items: [{ json, pairedItem: { item } }], isEarlier: true }];
		const outcome = row.outcome === 'conflict' ? 'conflict' : 'unknown';
		const code = outcome === 'conflict' ? 'sent_with_other_content' : 'already_sent';
		// The columns may have been removed, and n8n would take an item with an empty error for a success.
		const message = textOf(row.message) || `${name} was already sent`;
		const words = textOf(row.description) || 'It was not sent again.';
		const failure = createHeldBackError(run.operation, outcome, code, message, words);
		return [failedPayment(run.operation, payment, failure, { payment: id, execution, at }, true)];
	});
}

/** The rows in the field, or the input items if the field is empty. */
function rowsIn({ context, parameters }: Run): { row: Recipient; item: number }[] {
	const given = parameters.value('prepared', 0, '');
	if (given === '' || given === undefined || given === null)
		return context.getInputData().map(({ json }, item) => ({ row: json, item }));
	const rows = readRecipients(given);
	if (rows === undefined || rows.length === 0)
		throw invalidPackage('must be the items of "Prepare Package": a list of objects');
	// The elements are rows, or n8n items with a row in `json`.
	return rows.map((row) => ({ row: isRecord(row.json) && row.outcome === undefined ? row.json : row, item: 0 }));
}

function refuseOtherBank(rows: readonly Recipient[], destination: { environment: string; host: string }): void {
	for (const [name, here] of Object.entries(destination)) {
		const there = rows.find((row) => row[name] !== here)?.[name];
		if (there !== undefined)
			throw invalidPackage(
				`was prepared for ${name} "${textOf(there)}", and the credential is for "${here}". Prepare it again`,
			);
	}
}

/** @param rows in the order of their positions */
function refuseMissing(rows: readonly Recipient[]): void {
	const count = Number(rows[0]?.count);
	const positions = rows.map(({ position }) => Number(position));
	const isWhole = rows.length === count && positions.every((position, index) => position === index + 1);
	if (isWhole) return;
	const next = positions.some((position, index) => position > 0 && position === positions[index + 1])
		? 'some occur twice. Send each row once: several connections may lead to this node'
		: 'send all of them as they were prepared, or prepare again';
	throw invalidPackage(`holds ${rows.length} of ${count || 'an unknown number of'} rows of a package: ${next}`);
}

function headerIn(rows: readonly Recipient[]): PackageHeader {
	const [{ paymentRun, client, inn, account, nameCheck, total } = {}] = rows;
	if (textOrNumber(paymentRun) === '' || rows.some((row) => row.paymentRun !== paymentRun))
		throw invalidPackage('must have one paymentRun in all rows of a package: send it as it was prepared');
	const { partnerId, b2cClientId } = objectIn(client) ?? {};
	return { paymentRun: textOrNumber(paymentRun), partnerId, b2cClientId, inn, account, nameCheck, total };
}

/**
 * The fingerprint of the rows; undefined if they are no valid package, for example because an amount was changed but
 * not the total.
 */
function fingerprintOf(group: PackageGroup): string | undefined {
	try {
		return signableText(prepare(preparePackage, inputOf(group)).input.body).fingerprint;
	} catch {
		return undefined;
	}
}
