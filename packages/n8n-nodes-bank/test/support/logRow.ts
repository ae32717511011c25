import type { LogRow } from '../../nodes/shared/idempotency/paymentLog.ts';

/** A row of the payment log: an accepted payment. */
export const logRow = (change: Partial<LogRow> = {}): LogRow => ({
	...{ paymentRun: 'r', sequence: 's', amount: '1', phone: '*1', outcome: 'accepted', payPackage: '' },
	...{ transactionId: '', execution: '1', at: '2026-11-23T10:00:00.000Z', attempt: 'x', runningUntil: '' },
	...{ workflow: 'w', runKey: 'r', key: '', recipientKey: 'anna', claims: 'c1', sender: '', recipient: '' },
	...{ recipientName: '', content: 'amount:1' },
	...change,
});
