import type { LogRow, PaymentLog } from './paymentLog.ts';

/**
 * `newNumber`: a recipient of this name was paid at another number. `unchecked`: there is no log, or it cannot be read.
 */
export type RecipientStatus = 'known' | 'new' | 'newNumber' | 'unchecked';

/** Whether the log has accepted payments to the recipients, of any payout. */
export async function recipientStatuses<Payment>(
	log: PaymentLog | undefined,
	payments: ReadonlyMap<Payment, LogRow>,
): Promise<Map<Payment, RecipientStatus>> {
	const paid = async (party: 'recipient' | 'recipientName') => {
		const values = [...payments.values()].map((row) => row[party]).filter((value) => value !== '');
		const rows = await log?.having(party, values);
		return rows && new Set(rows.flatMap((row) => (row.outcome === 'accepted' ? [row[party]] : [])));
	};
	const numbers = await paid('recipient');
	const names = await paid('recipientName');
	const statusOf = ({ recipient, recipientName }: LogRow): RecipientStatus => {
		if (numbers === undefined || names === undefined) return 'unchecked';
		if (numbers.has(recipient)) return 'known';
		return names.has(recipientName) ? 'newNumber' : 'new';
	};
	return new Map([...payments].map(([payment, row]) => [payment, statusOf(row)]));
}
