import type { Row } from './cases.ts';

/** What is known of a case afterwards: what reached the bank, what was paid, and what n8n shows of it. */
export interface Evidence {
	sent: Sent[];
	paid: Paid[];
	visits: Visit[];
	resolved: Resolved[];
	/** What the payment log says; absent if it was not kept the whole time. */
	log?: Entry[];
	/** What a run cannot be judged by: neither right nor wrong, and never to be passed over. */
	unclear: string[];
}

export const outcomes = ['accepted', 'alreadyAccepted', 'rejected', 'unknown', 'conflict', 'notSent'] as const;

export type Outcome = (typeof outcomes)[number];

/** One run of one payment node in one execution. */
export interface Visit {
	/** The execution, the node, and which of its runs. The same words sign the requests that it sent. */
	name: string;
	/** Milliseconds since 1970. */
	begun: number;
	reports: Report[];
	/** All that an error which stopped it says. */
	said: string;
	/** The pass at the end, which has to account for everything. */
	isFinal: boolean;
}

/** What a run reports about one payment. */
export interface Report {
	key: string;
	outcome: Outcome;
	code?: string;
	transactionId?: string;
}

/** A payment that *Resolve* has recorded as one that the bank has or does not have. */
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

/** Of a payment: its sequence where every run of the case maps one, else the end of the phone, which the log shows as well. */
export const keyOf = ({ phone, sequence }: Pick<Row, 'phone' | 'sequence'>, isNamed: boolean): string =>
	isNamed ? sequence : phone.slice(-4);

/** By which a payment is found in the log, which keeps the end of a phone. */
export const entryOf = ({ phone, amount }: { phone: string; amount: unknown }): string =>
	`${phone.slice(-4)} ${String(amount)}`;
