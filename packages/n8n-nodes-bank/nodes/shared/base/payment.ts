import type { IDataObject } from 'n8n-workflow';

/** Something that must be paid at most once: a payment of a package, or a debit. */
export interface Payment {
	/**
	 * What identifies the payment, normalized and the same on every run: payment run and sequence, or else the phone;
	 * for a debit the transaction ID. The content is not part of it, so that a corrected payment keeps its idempotency
	 * key.
	 */
	identity: readonly string[];
	/** The payout of the payment. Debits have none. */
	payout?: Payout | undefined;
	/** Parameter with the name by which users know the payment, such as `sequence`. */
	field: 'sequence' | 'transactionId';
	/** The value of that field. */
	name: string;
	/** The input item that the payment comes from. */
	item: number;
	/** The user's own columns, which stay on the output. */
	columns?: IDataObject | undefined;
	/** Name of the recipient in the user's columns. */
	rowName?: string | undefined;
	/**
	 * The fields of the payment, normalized: to detect changes, for limits and for the payment log. Absent if they are
	 * invalid.
	 */
	content?: Readonly<Record<string, string>>;
	/** The phone of the recipient, masked. */
	phone?: string;
}

export interface Payout {
	/** The payment run as the user entered it. */
	paymentRun: string;
	/** The payment run, normalized. */
	key: string;
	identifiedBy: 'sequence' | 'phone';
}

/** Whether the phone identifies the payment, because it has no sequence. */
export const isByPhone = ({ payout }: Pick<Payment, 'payout'>): boolean => payout?.identifiedBy === 'phone';

/** The recipient, if a column has it, and the payment's own identifier or else the phone. */
export function shownName(payment: Payment): string {
	const { name, phone, rowName } = payment;
	const identifier = isByPhone(payment) ? (phone ?? name) : name;
	return rowName === undefined ? identifier : `${rowName} (${identifier})`;
}
