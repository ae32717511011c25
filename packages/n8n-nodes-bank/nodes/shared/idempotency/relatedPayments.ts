import { paymentProtocol } from '@bank/core';

import { isByPhone, type Payment } from '../base/payment.ts';
import type { PaymentRows } from './logRows.ts';
import type { LogRow } from './paymentLog.ts';

/**
 * Earlier payments that may have been made to the same person under another identifier. They cause a warning or a
 * refusal, and never permit a payment: only the protocol does.
 */
export interface RelatedPayments {
	/** Accepted payments of the same payment run to somebody of the same name, for payments that are identified by phone. */
	sameName: ReadonlyMap<Payment, LogRow>;
	/** Payments to a phone that was paid under the sequence of another payment, which now names another phone. */
	moved: ReadonlyMap<Payment, LogRow>;
}

/** What is known of payments, by key. */
export type ResultsByKey = Readonly<Record<string, paymentProtocol.Result<LogRow> | paymentProtocol.Verdict<LogRow>>>;

export function relatedIn(
	known: readonly PaymentRows[],
	found: ResultsByKey,
	rows: readonly LogRow[],
): RelatedPayments {
	const made = rows.filter(paymentProtocol.isMade);
	const conflicts = known.flatMap(({ key, row }) => {
		const verdict = found[key];
		return verdict?.is === 'conflict' && verdict.row.phoneDigest !== row.phoneDigest ? [verdict.row] : [];
	});
	const byPhone = new Map(conflicts.map((row) => [row.phoneDigest, row]));
	return {
		moved: new Map(
			known.flatMap(({ key, payment, row: { phoneDigest } }) => {
				const row = found[key]?.is === 'free' && phoneDigest !== '' ? byPhone.get(phoneDigest) : undefined;
				return row === undefined ? [] : [[payment, row]];
			}),
		),
		sameName: new Map(
			known.flatMap(({ key, payment, row: { run, nameDigest } }) => {
				const isSame = (row: LogRow) => row.run === run && row.nameDigest === nameDigest && row.key !== key;
				const same = isByPhone(payment) && nameDigest !== '' ? made.find(isSame) : undefined;
				return same === undefined ? [] : [[payment, same]];
			}),
		),
	};
}
