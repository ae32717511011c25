import type { Row } from './cases.ts';

/** What is known of a case afterwards: what reached the bank, what was paid, and what n8n shows of it. */
export interface Evidence {
	sent: Sent[];
	paid: Paid[];
	visits: Visit[];
	/** What the journal says; absent where there is none. */
	journal?: Entry[];
	/** What a run cannot be judged by: neither right nor wrong, and never to be passed over. */
	unclear: string[];
}

export type Outcome = 'accepted' | 'rejected' | 'unknown' | 'notSent';

/** One run of one payment node in one execution. */
export interface Visit {
	/** The same words stand in the requests that it sent. */
	name: string;
	/** Milliseconds since 1970. */
	begun: number;
	rows: Row[];
	reports: Report[];
	/** All that an error which stopped it says. */
	said: string;
	sendAgain: string;
	/** The pass at the end, which has to account for everything. */
	isFinal: boolean;
}

/** What somebody can read of one payment. */
export interface Report {
	key: string;
	outcome: Outcome;
	transactionId?: string;
}

/** A row of the journal. */
export interface Entry {
	/** The execution that wrote it. */
	execution: string;
	/** See `entryKeyOf`. */
	key: string;
	outcome: string;
	transactionId: string;
}

/** One request that reached the bank. */
export interface Sent {
	visit: string;
	sendAgain: string;
	/** Milliseconds since 1970. */
	at: number;
	keys: string[];
	/** What whoever sent it can know: `either` where both ways to tell it are right. */
	certainty: 'accepted' | 'rejected' | 'uncertain' | 'either';
}

export interface Paid {
	key: string;
	visit: string;
	sendAgain: string;
	/** Milliseconds since 1970. */
	at: number;
	transactionId: string;
	payPackage: string;
}

/** Of a payment: whoever has an equal one in the same payout has the same payment. */
export const keyOf = ({ phone, amount, sequence }: Pick<Row, 'phone' | 'amount' | 'sequence'>): string =>
	[phone, amount, ...(sequence === '' ? [] : [sequence])].join(' ');

/** The same as the journal has it, which keeps the end of a phone. */
export const entryKeyOf = ({ phone, amount }: { phone: string; amount: unknown }): string =>
	`${phone.slice(-4)} ${String(amount)}`;
