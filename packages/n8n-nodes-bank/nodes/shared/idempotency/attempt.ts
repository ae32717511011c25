import type { Payment } from '../pipeline/run.ts';
import type { KeysOfPayment } from './paymentKeys.ts';
import type { LogRow } from './paymentLog.ts';

export interface ProtectionSettings {
	/** A workflow with which claims are shared, besides the one that runs. */
	sharedWorkflowId?: string | undefined;
	/** Name of the Data Table; nothing where the log is off. */
	logName?: string | undefined;
	/** Seconds that a request may take. */
	timeout: number;
}

/** What a payment came to. */
export interface PaymentResult {
	outcome: 'accepted' | 'rejected' | 'notSent' | 'unknown';
	payPackage?: string;
	transactionId?: string;
}

/** Payments that this run has claimed and may send, once. */
export interface Attempt {
	readonly id: string;
	readonly payments: readonly Payment[];
	readonly startedAt: number;
	readonly claims: ReadonlyMap<Payment, readonly string[]>;
	/** Payments that this attempt may have claimed in a try that n8n did not answer. They stay claimed, and can be resolved. */
	readonly leftBehind: readonly Payment[];
}

/** How long an attempt may take before its request goes out, in milliseconds. After that it is not sent any more. */
export const preparationLimit = 120_000;

/** Clocks of workers differ. */
const clockMargin = 30_000;

/** What a log row says of an attempt. */
export type AttemptOfRow = Pick<Attempt, 'id' | 'startedAt' | 'claims'>;

/** The row of a payment before its request. */
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
