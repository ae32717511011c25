import { randomUUID } from 'node:crypto';

import { paymentProtocol, textOrNumber } from '@bank/core';

import type { DataTableContext } from './dataTable.ts';
import { readPaymentId } from './logRows.ts';
import { type LogRow, PaymentLog } from './paymentLog.ts';
import type { ProtectionContext } from './protect.ts';

/** A person's answer about a payment. */
export interface Resolution {
	payment: string;
	answer: 'has' | 'hasNot';
	/** The bank's transaction ID, if known. */
	transactionId: string;
}

export type ResolveResult = paymentProtocol.AnswerResult<LogRow> | { readonly is: 'unwritten' };

/**
 * Records whether the bank has payments. An answer ends all open attempts of its payment, and can be repeated by anybody.
 * @throws Error if the log cannot be read, before or after answers were written
 */
export async function resolvePayments<One extends Resolution>(
	context: DataTableContext & Pick<ProtectionContext, 'getExecutionId'>,
	logName: string,
	resolutions: readonly One[],
): Promise<Map<One, ResolveResult>> {
	const log = new PaymentLog(context, logName);
	const read = async () => {
		const keys = resolutions.map(({ payment }) => readPaymentId(payment).key);
		const rows = await log.rowsWith('payment', keys);
		if (rows === undefined) throw new Error(log.problem);
		return Map.groupBy(rows, ({ key }) => key);
	};
	const before = await read();
	const resolveIn = (all: typeof before, { payment, answer }: One) => {
		const { key, attempt: asked } = readPaymentId(payment);
		return paymentProtocol.resolve(all.get(key) ?? [], answer, attempt, Date.now(), asked);
	};
	const attempt = randomUUID().slice(0, 13);
	const execution = textOrNumber(context.getExecutionId());
	const resolved = new Map<One, ResolveResult>();
	const added: LogRow[] = [];
	for (const one of resolutions) {
		const known = resolveIn(before, one);
		resolved.set(one, known);
		if (known.is !== 'recorded') continue;
		const { transactionId } = one;
		added.push(...known.rows.map((row) => ({ ...row, execution, ...(transactionId === '' ? {} : { transactionId }) })));
	}
	if (added.length === 0) return resolved;
	const isAdded = await log.add(added);
	// Somebody else may have recorded the opposite at the same moment.
	const after = isAdded ? await read() : before;
	for (const [one, known] of resolved) {
		if (known.is !== 'recorded') continue;
		const now = resolveIn(after, one);
		resolved.set(one, !isAdded ? { is: 'unwritten' } : now.is === 'accepted' ? now : known);
	}
	return resolved;
}
