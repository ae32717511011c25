import { type Operation, resourceOf } from '@bank/core';

import type { Connection } from '../run/connection.ts';
import type { Payment } from '../run/run.ts';
import { digestOf, sha256 } from './keys.ts';
import { activeRows, contentOf, type Lookup } from './matchPayments.ts';
import type { LogRow } from './paymentLog.ts';

interface KeysOfPayment extends Lookup {
	payment: Payment;
	runKey: string;
}

/** The idempotency keys of the payments of a run. */
export class PaymentKeys {
	readonly #keys = new Map<Payment, KeysOfPayment>();

	constructor(
		operation: Operation,
		connection: Pick<Connection, 'environment' | 'baseUrl'>,
		payments: readonly Payment[],
	) {
		const digest = (kind: string, value: readonly string[] | undefined) =>
			value === undefined ? '' : digestOf(connection, `${resourceOf(operation)} ${kind}`, value);
		for (const payment of payments) {
			const { own, recipient, content, logged } = payment;
			this.#keys.set(payment, {
				payment,
				key: digest('own', own),
				recipientKey: digest('recipient', recipient),
				runKey: digest('run', [logged?.paymentRun ?? '']),
				content: contentOf(content, sha256),
			});
		}
	}

	of(payment: Payment): KeysOfPayment {
		const keys = this.#keys.get(payment);
		if (keys === undefined) throw new Error('This payment is not part of the run');
		return keys;
	}

	/** The keys that each payment has to win: its own, else the next free one of its recipient. */
	claimsOf(payments: readonly Payment[], log: readonly LogRow[]): Map<Payment, readonly string[]> {
		const slots = this.slotsOf(
			payments.filter((payment) => this.of(payment).key === ''),
			log,
		);
		return new Map(payments.map((payment) => [payment, [slots.get(payment) ?? this.of(payment).key]]));
	}

	/** Payments to one recipient are counted: each takes the first number that the log does not show as taken. */
	slotsOf(payments: readonly Payment[], log: readonly LogRow[]): Map<Payment, string> {
		const taken = new Set(activeRows(log).flatMap((row) => row.claims.split(' ')));
		const slots = new Map<Payment, string>();
		for (const payment of payments) {
			const { recipientKey } = this.of(payment);
			const slot = (number: number) => sha256(`${recipientKey} ${number}`);
			let number = 1;
			while (taken.has(slot(number))) number++;
			taken.add(slot(number));
			slots.set(payment, slot(number));
		}
		return slots;
	}

	/** A payment run has payments with identifiers of their own or without: one that has used the other way is noticed. */
	modeOf([first]: readonly Payment[]): { own: string; other: string } | undefined {
		if (first?.recipient === undefined) return undefined;
		const { key, runKey } = this.of(first);
		const modes = [sha256(`${runKey} own`), sha256(`${runKey} recipient`)] as const;
		return key === '' ? { own: modes[1], other: modes[0] } : { own: modes[0], other: modes[1] };
	}
}
