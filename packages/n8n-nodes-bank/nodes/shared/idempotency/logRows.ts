import { type Operation, type paymentProtocol, phoneDigits, resourceOf } from '@bank/core';

import type { Payment } from '../base/payment.ts';
import { contentOf, type Destination, keyDigest, normalizeText, partyDigest } from './keys.ts';
import { fromTable, type LogRow } from './paymentLog.ts';

/** Rows of the log with what a run knows of its payments before it sends them. */

export interface Origin {
	operation: Operation;
	destination: Destination;
	execution: string;
	/** When the run started, in milliseconds since 1970. */
	startedAt: number;
}

/** A payment, and its payout, as the protocol and the log know them. */
export interface PaymentRows extends paymentProtocol.LogKey {
	payment: Payment;
	row: LogRow;
	/** The row of its payment run. Debits have none. */
	run?: LogRow;
}

/** The payment ID: what a person gives *Resolve*. It names the attempt, so that an answer about an older attempt is noticed. */
export const paymentIdOf = ({ key, attempt }: Pick<LogRow, 'key' | 'attempt'>): string => `${key}.${attempt}`;

/** @param id also the column *payment* of the log, which names no attempt */
export function readPaymentId(id: string): Pick<LogRow, 'key' | 'attempt'> {
	const [key = '', ...attempt] = id.split('.');
	return { key, attempt: attempt.join('.') };
}

export function describe({ operation, destination, execution, startedAt }: Origin, payment: Payment): PaymentRows {
	const { payout, content, rowName = '', phone = '', name } = payment;
	const { environment } = destination;
	const run = payout === undefined ? '' : keyDigest(destination, `${resourceOf(operation)} run`, payout.key);
	const paymentRun = payout?.paymentRun ?? '';
	const common = { ...fromTable({}), paymentRun, execution, at: new Date(startedAt).toISOString(), run };
	const row: LogRow = {
		...common,
		key: keyDigest(destination, `${resourceOf(operation)} payment`, payment.identity),
		content: content === undefined ? '' : contentOf(content),
		sequence: name,
		recipient: rowName,
		amount: content?.amount ?? '',
		phone,
		sender: partyDigest(environment, 'sender', content?.account),
		phoneDigest: partyDigest(environment, 'recipient', phoneDigits(content?.phone)),
		nameDigest: partyDigest(environment, 'recipientName', content?.name || normalizeText(rowName)),
	};
	const known = { payment, key: row.key, content: row.content, row };
	return payout === undefined ? known : { ...known, run: { ...common, key: run, content: payout.identifiedBy } };
}
