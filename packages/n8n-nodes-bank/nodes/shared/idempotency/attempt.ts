import type { Payment } from '../pipeline/run.ts';
import type { KeysOfPayment } from './paymentKeys.ts';
import type { LogRow } from './paymentLog.ts';

export interface ProtectionSettings {
	/** Another workflow that shares the claims. */
	sharedWorkflowId?: string | undefined;
	/** Name of the Data Table; undefined if the log is off. */
	logName?: string | undefined;
	/** Timeout of a request in seconds. */
	timeout: number;
}

/** The result of one payment. */
export interface PaymentResult {
	outcome: 'accepted' | 'rejected' | 'notSent' | 'unknown';
	payPackage?: string;
	transactionId?: string;
}

/** The payments that this run has claimed and may send once. */
export interface Attempt {
	readonly id: string;
	readonly payments: readonly Payment[];
	readonly startedAt: number;
	readonly claims: ReadonlyMap<Payment, readonly string[]>;
	/** Payments whose claim request to n8n got no response. They may be claimed until somebody resolves them. */
	readonly leftBehind: readonly Payment[];
}

/** Maximum time in milliseconds between the start of an attempt and its request. After it, the request is not sent. */
export const preparationLimit = 120_000;

/** Allows for clock differences between workers, in milliseconds. */
const clockMargin = 30_000;

/** The part of an attempt that goes into its log rows. */
export type AttemptOfRow = Pick<Attempt, 'id' | 'startedAt' | 'claims'>;

/** Creates the log row of a payment that is about to be sent. */
export function createLogRow(
	payment: Payment,
	{ runKey, key, recipientKey, content, sender, recipient, recipientName }: KeysOfPayment,
	{ id, startedAt, claims }: AttemptOfRow,
	run: { execution: string; workflowIds: readonly string[]; timeout: number },
): LogRow {
	const { paymentRun = '', amount = '', phone = '' } = payment.logged ?? {};
	const until = startedAt + preparationLimit + run.timeout * 1000 + clockMargin;
	return {
		paymentRun,
		sequence: payment.name,
		amount,
		phone,
		outcome: 'preparing',
		payPackage: '',
		transactionId: '',
		execution: run.execution,
		at: new Date(startedAt).toISOString(),
		attempt: id,
		runningUntil: new Date(until).toISOString(),
		workflow: run.workflowIds.join(' '),
		runKey,
		key,
		recipientKey,
		claims: (claims.get(payment) ?? []).join(' '),
		sender,
		recipient,
		recipientName,
		content,
	};
}
