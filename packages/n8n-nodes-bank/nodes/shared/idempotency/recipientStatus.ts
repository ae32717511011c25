import { paymentProtocol } from '@bank/core';

import type { Payment } from '../base/payment.ts';
import { describe } from './logRows.ts';
import { type LogRow, PaymentLog } from './paymentLog.ts';
import type { Protection, ProtectionContext } from './protect.ts';

/** `newNumber`: a recipient of this name was paid at another number. `unchecked`: the log cannot be read. */
export type RecipientStatus = 'known' | 'new' | 'newNumber' | 'unchecked';

/** Whether the log has accepted payments to the recipients, of any payout. */
export async function recipientStatuses(
	context: ProtectionContext,
	{ operation, destination, logName }: Omit<Protection, 'timeout'>,
	payments: readonly Payment[],
): Promise<Map<Payment, RecipientStatus>> {
	const log = new PaymentLog(context, logName);
	const origin = { operation, destination, execution: '', startedAt: 0 };
	const wanted = payments.map((payment) => [payment, describe(origin, payment).row] as const);
	const paid = async (party: 'phoneDigest' | 'nameDigest') => {
		const rows = await log.rowsWith(
			party,
			wanted.map(([, row]) => row[party]),
		);
		return rows && new Set(rows.filter(paymentProtocol.isMade).map((row) => row[party]));
	};
	const [phones, names] = [await paid('phoneDigest'), await paid('nameDigest')];
	const statusOf = ({ phoneDigest, nameDigest }: LogRow): RecipientStatus => {
		if (phones === undefined || names === undefined) return 'unchecked';
		if (phones.has(phoneDigest)) return 'known';
		return names.has(nameDigest) ? 'newNumber' : 'new';
	};
	return new Map(wanted.map(([payment, row]) => [payment, statusOf(row)]));
}
