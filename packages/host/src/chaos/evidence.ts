import type { Row } from './cases.ts';

/** Evidence about a case: the requests and payments at the bank, and what n8n reports. */
export interface Evidence {
	sent: Sent[];
	paid: Paid[];
	visits: Visit[];
	resolved: Resolved[];
	/** Rows of the payment log; absent unless it was kept the whole time. */
	log?: Entry[];
	/** Reasons why a run cannot be judged. They are reported, never ignored. */
	unclear: string[];
}

export const outcomes = ['accepted', 'alreadyAccepted', 'rejected', 'unknown', 'conflict', 'notSent'] as const;

export type Outcome = (typeof outcomes)[number];

/** One run of one payment node in one execution. */
export interface Visit {
	/** Execution, node and run index. The node signs its requests with this text. */
	name: string;
	/** Milliseconds since 1970. */
	begun: number;
	reports: Report[];
	/** The complete error text, if an error stopped it. */
	said: string;
	/** Whether this is the last run, which has to account for every payment. */
	isFinal: boolean;
}

/** Result of one payment, as reported by a run. */
export interface Report {
	key: string;
	outcome: Outcome;
	code?: string;
	transactionId?: string;
}

/** A payment for which *Resolve* has recorded whether the bank has it. */
export interface Resolved {
	key: string;
	/** Attempt and sequence. */
	name: string;
	bankHasIt: boolean;
	/** Milliseconds since 1970. */
	at: number;
}

/** A row of the payment log. */
export interface Entry {
	/** The execution that wrote it. */
	execution: string;
	/** See `entryOf`. */
	entry: string;
	outcome: string;
	transactionId: string;
}

/** One request that reached the bank. */
export interface Sent {
	/** Empty if the request does not tell. */
	visit: string;
	/** Milliseconds since 1970. */
	at: number;
	keys: string[];
	/** What the sender can know; `either` if both outcomes are correct. */
	certainty: 'accepted' | 'rejected' | 'uncertain' | 'either';
}

export interface Paid {
	key: string;
	entry: string;
	visit: string;
	/** Milliseconds since 1970. */
	at: number;
	transactionId: string;
	payPackage: string;
}

/**
 * Key of a payment: its sequence if every run of the case maps one, else the last digits of the phone number, which the log shows
 * too.
 */
export const keyOf = ({ phone, sequence }: Pick<Row, 'phone' | 'sequence'>, isNamed: boolean): string =>
	isNamed ? sequence : phone.slice(-4);

/** Key of a payment in the log, which contains only the last digits of the phone number. */
export const entryOf = ({ phone, amount }: { phone: string; amount: unknown }): string =>
	`${phone.slice(-4)} ${String(amount)}`;
