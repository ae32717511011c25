import { type Operation, resourceOf } from '@bank/core';

import type { Payment } from '../pipeline/run.ts';
import { type Destination, keyDigest, normalizeText, partyDigest, sha256 } from './keys.ts';
import { activeRows, contentOf } from './matchPayments.ts';
import { logRow, type LogRow } from './paymentLog.ts';

/** The log row of a payment before its first attempt: what identifies it. */
export function createRow(operation: Operation, destination: Destination, payment: Payment): LogRow {
	const { own, recipient, content, paymentRun = '', phone } = payment;
	const { account, amount, name } = content;
	const digest = (kind: string, value: readonly string[] | undefined) =>
		value === undefined ? '' : keyDigest(destination, `${resourceOf(operation)} ${kind}`, value);
	const { environment } = destination;
	return logRow({
		paymentRun,
		sequence: payment.name,
		amount,
		phone,
		runKey: digest('run', paymentRun === '' ? undefined : [normalizeText(paymentRun)]),
		key: digest('own', own),
		recipientKey: digest('recipient', recipient),
		sender: partyDigest(environment, 'sender', account),
		recipient: partyDigest(environment, 'recipient', recipient?.[1]),
		// A recipient without a name has an empty object.
		recipientName: partyDigest(environment, 'recipientName', name === '{}' ? '' : name),
		content: contentOf(content),
	});
}

/**
 * Numbers the payments to each recipient with the first numbers that the log does not show as used, at the start of a
 * run: a simultaneous run of the same payments then uses the same numbers.
 * @returns the key of each number
 */
export function slotsOf(payments: readonly LogRow[], log: readonly LogRow[]): Map<LogRow, string> {
	const taken = new Set(claimsOf(activeRows(log)));
	const slots = new Map<LogRow, string>();
	for (const payment of payments) {
		const { recipientKey } = payment;
		if (recipientKey === '') continue;
		const slot = (number: number) => sha256(`${recipientKey} ${number}`);
		let number = 1;
		while (taken.has(slot(number))) number++;
		taken.add(slot(number));
		slots.set(payment, slot(number));
	}
	return slots;
}

export const claimsOf = (rows: Iterable<LogRow>): string[] => [...rows].flatMap(({ claims }) => claims.split(' '));

/** Recipients with several payments that have no identifier: only their order tells these payments apart. */
export function recipientsOfSeveral(rows: Iterable<LogRow>): ReadonlySet<string> {
	const unnamed = [...rows].filter(({ key }) => key === '');
	const byRecipient = Map.groupBy(unnamed, ({ recipientKey }) => recipientKey);
	return new Set([...byRecipient].flatMap(([recipientKey, own]) => (own.length > 1 ? [recipientKey] : [])));
}

/** The mode of a payment run: payments with or without identifiers of their own. A change of the mode is detected. */
export function modeOf({ key, recipientKey, runKey }: LogRow): { own: string; other: string } | undefined {
	if (recipientKey === '') return undefined;
	const [named, unnamed] = [sha256(`${runKey} own`), sha256(`${runKey} recipient`)];
	return key === '' ? { own: unnamed, other: named } : { own: named, other: unnamed };
}
