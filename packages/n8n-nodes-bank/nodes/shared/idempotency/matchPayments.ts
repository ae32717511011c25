import { sha256 } from './keys.ts';
import { type LogRow, pendingOutcomes } from './paymentLog.ts';

/** The digests by which a payment is looked up in the payment log. */
type Lookup = Pick<LogRow, 'key' | 'recipientKey' | 'content'>;

/** What the log says about an earlier attempt at a payment. */
export type Verdict =
	/** Accepted with the same content. */
	| { is: 'alreadyAccepted'; row: LogRow }
	/** Sent, or about to be sent, with an unknown outcome. `row` is absent if the log has no row for it. */
	| { is: 'unknown'; row?: LogRow; why?: 'modeChanged' }
	/** Sent with other content: these fields differ. */
	| { is: 'conflict'; row: LogRow; changed: readonly string[] };

const movedNoMoney = ({ outcome }: LogRow): boolean => outcome === 'rejected' || outcome === 'notSent';

/** An attempt that ended before its request. It sent nothing, but its claims may remain. */
export const wasAbandoned = ({ outcome, runningUntil }: LogRow, now = Date.now()): boolean =>
	outcome === 'preparing' && Date.parse(runningUntil) < now;

/** One row for each payment that may have been made: the accepted attempt, or the last one. */
export function activeRows(rows: readonly LogRow[]): LogRow[] {
	const latest = new Map<string, LogRow>();
	// If an attempt has several rows, the one with a result counts.
	const isPending = ({ outcome }: LogRow) => pendingOutcomes.includes(outcome);
	const ended = new Set(rows.flatMap((row) => (isPending(row) ? [] : [`${row.attempt} ${row.claims}`])));
	for (const row of rows) {
		if (isPending(row) && ended.has(`${row.attempt} ${row.claims}`)) continue;
		const known = latest.get(row.claims);
		if (known?.outcome === 'accepted') continue;
		if (known === undefined || row.outcome === 'accepted' || known.at <= row.at) latest.set(row.claims, row);
	}
	return [...latest.values()].filter((row) => !movedNoMoney(row));
}

/**
 * Finds the earlier attempt at each payment: by its identifier, or else by its recipient, there by content first, so that
 * rows can change places, then in their order.
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
	const byKey = new Map(active.map((row) => [row.key, row]));
	for (const payment of payments) {
		const row = payment.key === '' ? undefined : byKey.get(payment.key);
		if (row !== undefined) settle(payment, row);
	}
	const byRecipient = Map.groupBy(active, ({ recipientKey }) => recipientKey);
	// A sequence that was last sent with another phone means that the rows may be numbered anew: then a new sequence may be a
	// payment that was sent, unless that payment is in the run as well.
	const last = new Map(rows.toSorted((one, other) => (one.at < other.at ? -1 : 1)).map((row) => [row.key, row]));
	const hasMoved = ({ key, recipientKey }: Lookup) =>
		key !== '' && (last.get(key)?.recipientKey ?? recipientKey) !== recipientKey;
	const present = new Set(payments.flatMap((one) => (hasMoved(one) ? [] : [verdicts.get(one)?.row])));
	for (const payment of payments.some(hasMoved) ? payments : []) {
		const row = byRecipient.get(payment.recipientKey)?.find((one) => one.key !== '' && !present.has(one));
		if (row !== undefined && (hasMoved(payment) || !verdicts.has(payment)))
			verdicts.set(payment, { is: 'conflict', row, changed: ['sequence'] });
	}
	// Payments with different identifiers are different payments.
	const isCandidate = (payment: Payment, row: LogRow) => (row.key === '' || payment.key === '') && !taken.has(row);
	for (const isMatch of [(payment: Payment, row: LogRow) => payment.content === row.content, () => true]) {
		for (const payment of payments) {
			if (verdicts.has(payment)) continue;
			const row = byRecipient
				.get(payment.recipientKey)
				?.find((one) => isCandidate(payment, one) && isMatch(payment, one));
			if (row !== undefined) settle(payment, row);
		}
	}
	return verdicts;
}

function verdictOf({ content }: Lookup, row: LogRow): Verdict {
	if (row.content !== content) return { is: 'conflict', row, changed: changedFields(row.content, content) };
	return row.outcome === 'accepted' ? { is: 'alreadyAccepted', row } : { is: 'unknown', row };
}

/** Hashes each field of a payment: the log shows which fields have changed, but not their values. */
export function contentOf(fields: Readonly<Record<string, string>>): string {
	return Object.entries(fields)
		.map(([name, value]) => `${name}:${sha256(`${name} ${value}`).slice(0, 8)}`)
		.join(' ');
}

/** Names of the fields that differ; empty if a user has deleted the earlier content from the log. */
export function changedFields(before: string, now: string): string[] {
	if (before === '') return [];
	const known = new Set(before.split(' '));
	return now.split(' ').flatMap((part) => (known.has(part) ? [] : [part.split(':')[0] ?? '']));
}
