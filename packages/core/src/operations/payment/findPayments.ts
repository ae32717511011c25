import { instantOf } from '../../schemas/instant.ts';
import { decimalValue, hundredths } from '../../schemas/money.ts';
import { barePhone, textOrNumber } from '../../text.ts';
import type { BankOperation } from '../accountOperation/bankOperation.ts';

/** A payment with an unknown outcome. */
export interface PaymentQuery {
	/** In hundredths. */
	amount: bigint;
	/** Phone number, or the result of `identify` for its last ten digits. */
	phone: string;
	/** Period in which it may have been made, inclusive, in milliseconds since 1970. */
	from: number;
	to: number;
}

export interface PaymentMatch<Payment extends PaymentQuery = PaymentQuery> {
	payment: Payment;
	/**
	 * `found`: exactly one operation matches, and it matches no other payment. `notFound`: none matches. `several`: more
	 * operations or payments match than can be told apart. `unclear`: matching operations do not show the recipient.
	 */
	result: 'found' | 'notFound' | 'several' | 'unclear';
	/** The operation found, or the candidates to check by hand. */
	operations: readonly BankOperation[];
}

/**
 * Finds payments in the operation history (P6) by amount, recipient's phone and time; the history shows neither package
 * nor sequence. Each operation is assigned to at most one payment.
 * @param identify for payments of which only a digest of the phone number is known
 */
export function findPayments<Payment extends PaymentQuery>(
	payments: readonly Payment[],
	operations: readonly BankOperation[],
	identify?: (phoneDigits: string) => string,
): PaymentMatch<Payment>[] {
	const expenses = Map.groupBy(operations, expenseAmount);
	const recipients = recipientsOf(operations, identify);
	const compared = payments.map((payment) => {
		const phone = identify === undefined ? phoneDigits(payment.phone) : payment.phone;
		const fitting = (expenses.get(payment.amount) ?? []).filter(
			(operation) => mayBeIn(payment, operation) && (recipients.get(operation) ?? phone) === phone,
		);
		const named = fitting.filter((operation) => recipients.has(operation));
		return { payment, group: `${payment.amount} ${phone}`, fitting, named };
	});
	const groups = Map.groupBy(compared, ({ group }) => group);
	return compared.map((one) => {
		const { payment, group, fitting, named } = one;
		// Payments that match one of the same operations.
		const rivals =
			groups.get(group)?.filter((other) => other.named.some((operation) => named.includes(operation))) ?? [];
		const areEqual = rivals.every((other) => isSame(other.named, named));
		// If there are as many operations as payments and all of them match, any assignment is right.
		const operation = areEqual && rivals.length === named.length ? named[rivals.indexOf(one)] : undefined;
		if (operation !== undefined) return { payment, result: 'found', operations: [operation] };
		if (named.length > 0) return { payment, result: 'several', operations: named };
		return { payment, result: fitting.length === 0 ? 'notFound' : 'unclear', operations: fitting };
	});
}

/** Outgoing operations of a period that match no payment. Failed ones are left out, because they moved no money. */
export function unmatchedExpenses(
	matches: readonly Pick<PaymentMatch, 'operations'>[],
	operations: readonly BankOperation[],
	period: Period,
): BankOperation[] {
	const matched = new Set(matches.flatMap((match) => match.operations));
	return operations.filter(
		(operation) =>
			operation?.direction === 'EXPENSE' &&
			operation.status !== 'FAILED' &&
			mayBeIn(period, operation) &&
			!matched.has(operation),
	);
}

type Period = Pick<PaymentQuery, 'from' | 'to'>;

/** The time zones in which a day begins first and last. */
const outermostZones = ['Etc/GMT-14', 'Etc/GMT+12'];

/** A time without a time zone may be in any zone, and an unreadable time in any period. */
function mayBeIn({ from, to }: Period, operation: BankOperation): boolean {
	const [earliest = NaN, latest = NaN] = outermostZones.map((zone) => instantOf(operation?.dateTime, zone));
	return !(latest < from || earliest > to);
}

/** In hundredths. Whether expenses have a minus is not shown. */
function expenseAmount(operation: BankOperation): bigint | undefined {
	const amount = operation?.direction === 'EXPENSE' ? decimalValue(operation.amount) : undefined;
	return amount === undefined ? undefined : hundredths(Math.abs(amount));
}

/** The recipients of the operations that show their number. Masked numbers have fewer than ten digits. */
function recipientsOf(operations: readonly BankOperation[], identify = (digits: string) => digits) {
	const phones = operations.map((operation) => [operation, phoneDigits(operation?.recipient?.phoneNumber)] as const);
	const complete = phones.filter(([, digits]) => digits.length === 10);
	return new Map(complete.map(([operation, digits]) => [operation, identify(digits)]));
}

const isSame = (one: readonly BankOperation[], other: readonly BankOperation[]): boolean =>
	one.length === other.length && one.every((operation) => other.includes(operation));

const digitsOf = (phone: unknown): string => barePhone(textOrNumber(phone)).replace(/\D/g, '');

/** All digits, so that a number of another country stays different. The prefixes +7 and 8 mean the same. */
export const phoneNumber = (phone: unknown): string => digitsOf(phone).replace(/^[78](?=\d{10}$)/, '');

/** The last ten digits, so that `+7 900 …`, `8900…` and `900…` are equal. */
export const phoneDigits = (phone: unknown): string => digitsOf(phone).slice(-10);
