import { type Operation, resourceOf } from '@bank/core';

import type { Payment } from '../pipeline/run.ts';
import { type Destination, digestOf, normalizeText, partyDigest, sha256 } from './keys.ts';
import { activeRows, contentOf, type Lookup } from './matchPayments.ts';
import type { LogRow } from './paymentLog.ts';

/** The digests of a payment. */
export interface KeysOfPayment extends Lookup {
	payment: Payment;
	runKey: string;
	sender: string;
	recipient: string;
	recipientName: string;
}

/** The idempotency keys of the payments of a run. */
export class PaymentKeys {
	readonly #keys = new Map<Payment, KeysOfPayment>();

	constructor(operation: Operation, connection: Destination, payments: readonly Payment[]) {
		const digest = (kind: string, value: readonly string[] | undefined) =>
			value === undefined ? '' : digestOf(connection, `${resourceOf(operation)} ${kind}`, value);
		for (const payment of payments) {
			const { own, recipient, content, logged } = payment;
			const paymentRun = normalizeText(logged?.paymentRun ?? '');
			this.#keys.set(payment, {
				payment,
				key: digest('own', own),
				recipientKey: digest('recipient', recipient),
				runKey: digest('run', paymentRun === '' ? undefined : [paymentRun]),
				content: contentOf(content, sha256),
				sender: partyDigest(connection.environment, 'sender', logged?.sender),
				recipient: partyDigest(connection.environment, 'recipient', logged?.recipient),
				recipientName: partyDigest(connection.environment, 'recipientName', logged?.recipientName),
			});
		}
	}

	/** In the order of the payments. */
	get all(): KeysOfPayment[] {
		return [...this.#keys.values()];
	}

	of(payment: Payment): KeysOfPayment {
		const keys = this.#keys.get(payment);
		if (keys === undefined) throw new Error('This payment is not part of the run');
		return keys;
	}

	/** The keys to claim for each payment: that of its own identifier, or that of its number. */
	claimsOf(payments: readonly Payment[], slots: ReadonlyMap<Payment, string>): Map<Payment, readonly string[]> {
		return new Map(payments.map((payment) => [payment, [this.of(payment).key || (slots.get(payment) ?? '')]]));
	}

	/**
	 * Numbers the payments to each recipient: each gets the first number that the log does not show as used. All payments of a run are
	 * numbered at its start, because a simultaneous run of the same payments uses the same numbers.
	 */
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

	/** The mode of a payment run: payments with or without identifiers of their own. A change of the mode is detected. */
	modeOf([first]: readonly Payment[]): { own: string; other: string } | undefined {
		if (first?.recipient === undefined) return undefined;
		const { key, runKey } = this.of(first);
		const modes = [sha256(`${runKey} own`), sha256(`${runKey} recipient`)] as const;
		return key === '' ? { own: modes[1], other: modes[0] } : { own: modes[0], other: modes[1] };
	}
}
