import { type LogRow, pendingOutcomes } from './paymentLog.ts';

/** A payment of this run as it is looked up in the payment log. */
export interface Lookup {
	/** Digest of payment run and sequence, or of a transaction ID. Empty where the payment has no identifier of its own. */
	key: string;
	/** Digest of payment run and recipient; empty if there is no recipient. */
	recipientKey: string;
	/** See LogRow. */
	content: string;
}

/** What the log says of an earlier payment that this one is, or may be. */
export type Verdict =
	/** Accepted, and the same content. */
	| { is: 'alreadyAccepted'; row: LogRow }
	/** Sent, or about to be sent, with an unknown outcome. `row` is absent if the log has no row for it. */
	| { is: 'unknown'; row?: LogRow; why?: 'modeChanged' }
	/** Sent with other content. */
	| { is: 'conflict'; row: LogRow };

/** An attempt that moved no money. */
const isOver = ({ outcome }: LogRow): boolean => outcome === 'rejected' || outcome === 'notSent';

/** An attempt that ended while it prepared its request: nothing was sent by it, though it may have left claims behind. */
export const wasAbandoned = ({ outcome, runningUntil }: LogRow, now = Date.now()): boolean =>
	outcome === 'preparing' && Date.parse(runningUntil) < now;

/** Rows of payments that may have been made, one each: of several attempts the accepted one, else the last. */
export function activeRows(rows: readonly LogRow[]): LogRow[] {
	const latest = new Map<string, LogRow>();
	// A row with a result stands for the attempt rather than one that is left from before it.
	const isPending = ({ outcome }: LogRow) => pendingOutcomes.includes(outcome);
	const inOrder = rows.toSorted(
		(one, other) => Number(isPending(other)) - Number(isPending(one)) || (one.at < other.at ? -1 : 1),
	);
	const ended = new Set(rows.flatMap((row) => (isPending(row) ? [] : [`${row.attempt} ${row.claims}`])));
	for (const row of inOrder) {
		if (isPending(row) && ended.has(`${row.attempt} ${row.claims}`)) continue;
		const known = latest.get(row.claims);
		if (known?.outcome === 'accepted') continue;
		if (known === undefined || row.outcome === 'accepted' || known.at <= row.at) latest.set(row.claims, row);
	}
	return [...latest.values()].filter((row) => !isOver(row));
}

/**
 * Finds the earlier payment of each payment. One with an identifier of its own is known by it. Others are known by their recipient: by
 * content first, so that rows may change places, then in their order.
 */
export function matchPayments<Payment extends Lookup>(
	payments: readonly Payment[],
	rows: readonly LogRow[],
): Map<Payment, Verdict> {
	const active = activeRows(rows);
	const verdicts = new Map<Payment, Verdict>();
	const taken = new Set<LogRow>();
	const settle = (payment: Payment, row: LogRow) => {
		taken.add(row);
		verdicts.set(payment, verdictOf(payment, row));
	};
	const byKey = new Map(active.flatMap((row) => (row.key === '' ? [] : [[row.key, row] as const])));
	for (const payment of payments) {
		const row = payment.key === '' ? undefined : byKey.get(payment.key);
		if (row !== undefined) settle(payment, row);
	}
	const byRecipient = Map.groupBy(active, ({ recipientKey }) => recipientKey);
	// A payment with an identifier cannot be another one with an identifier.
	const isCandidate = (payment: Payment, row: LogRow) => (row.key === '' || payment.key === '') && !taken.has(row);
	for (const isMatch of [(payment: Payment, row: LogRow) => payment.content === row.content, () => true]) {
		for (const payment of payments) {
			if (payment.recipientKey === '' || verdicts.has(payment)) continue;
			const row = byRecipient
				.get(payment.recipientKey)
				?.find((one) => isCandidate(payment, one) && isMatch(payment, one));
			if (row !== undefined) settle(payment, row);
		}
	}
	return verdicts;
}

function verdictOf({ content }: Lookup, row: LogRow): Verdict {
	if (row.content !== content) return { is: 'conflict', row };
	return row.outcome === 'accepted' ? { is: 'alreadyAccepted', row } : { is: 'unknown', row };
}

/** The fields of a payment as a text that shows which of them changed and nothing else. */
export function contentOf(fields: Readonly<Record<string, string>>, digest: (text: string) => string): string {
	return Object.entries(fields)
		.map(([name, value]) => `${name}:${digest(`${name} ${value}`).slice(0, 8)}`)
		.join(' ');
}

/** The names of fields that differ between two contents. */
export function changedFields(before: string, now: string): string[] {
	const known = new Set(before.split(' '));
	return now.split(' ').flatMap((part) => (known.has(part) ? [] : [part.split(':')[0] ?? '']));
}
