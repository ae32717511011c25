import { fromTable, type LogRow } from '../../nodes/shared/idempotency/paymentLog.ts';

/** A row of the payment log: an accepted payment. */
export const logRow = (change: Partial<LogRow> = {}): LogRow => ({
	...fromTable({
		paymentRun: 'r',
		sequence: 's',
		amount: '1',
		phone: '*1',
		outcome: 'accepted',
		execution: '1',
		number: '1',
	}),
	...{ at: '2026-11-23T10:00:00.000Z', attempt: 'x', workflow: 'w', run: 'r', key: 'p', content: 'abcdef' },
	...change,
});
