/** A payout of some people, and a bank that accepts every package. */
import { isRecord } from '@bank/core';

import { type FakeBank, mapped, type SeenRequest } from './bank.ts';

export interface Row {
	sequence?: string;
	amount: number;
	phone: string;
	nspkBankId: string;
	paymentDescription: string;
	ric: number;
}

export const person = (number: number, change: Partial<Row> = {}): Row => ({
	sequence: `Д-${number}`,
	amount: 1000.5 + number,
	phone: `+7900000${String(number).padStart(4, '0')}`,
	nspkBankId: '100000000111',
	paymentDescription: 'Reward',
	ric: 1,
	...change,
});

/** A row without a sequence. */
export const recipient = (number: number, change: object = {}) => ({
	amount: 10,
	phone: `+7900000000${number % 10}`,
	nspkBankId: '100000000111',
	paymentDescription: 'Reward',
	ric: 1,
	...change,
});

export const sender = {
	paymentRun: 'salary-2026-11',
	partnerId: 1001,
	inn: '7700000000',
	account: '40702810000000000001',
};

export const payoutForm = {
	...sender,
	signedBody: 'c2ln',
	recipientsFrom: 'items',
	...mapped,
};

/** The body of a package. */
interface PackageSent {
	client: object;
	total: number;
	payments: Array<Row & { sequence: string; [field: string]: unknown }>;
	[field: string]: unknown;
}

const isPackage = (body: unknown): body is PackageSent => isRecord(body) && Array.isArray(body.payments);

export function packageIn({ body }: Pick<SeenRequest, 'body'>): PackageSent {
	if (!isPackage(body)) throw new Error('The bank received no package');
	return body;
}

export const acceptEverything =
	(bank: () => FakeBank): FakeBank['answer'] =>
	(seen) => {
		const { client, payments } = packageIn(seen);
		const rows = payments.map((payment) => ({ ...payment, transactionId: `tx ${payment.sequence}`, feeAmount: 0 }));
		return [200, { client, payPackage: 500 + bank().seen.length, payments: rows }];
	};
