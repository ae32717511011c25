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
	// Each operation is read once: parsing times and numbers again for every payment would block the process for minutes.
	const expenses = operations.map((operation, index) => ({
		operation,
		index,
		times: timesOf(operation),
		key: `${expenseAmount(operation)} ${recipientOf(operation, identify)}`,
		matches: 0,
	}));
	const byKey = Map.groupBy(expenses, ({ key }) => key);
	const matching = (payment: Payment, phone: string | undefined) =>
		byKey.get(`${payment.amount} ${phone}`)?.filter(({ times }) => mayBeIn(payment, times)) ?? [];
	const compared = payments.map((payment) => {
		const named = matching(payment, identify === undefined ? phoneDigits(payment.phone) : payment.phone);
		for (const expense of named) expense.matches++;
		return { payment, named, key: named.map(({ index }) => index).join(' ') };
	});
	const rivalsByKey = Map.groupBy(compared, ({ key }) => key);
	return compared.map((one) => {
		const { payment, named, key } = one;
		const rivals = rivalsByKey.get(key) ?? [];
		// If there are as many operations as payments and all of them match, any assignment is right.
		const isClear = named.length === rivals.length && named.every(({ matches }) => matches === rivals.length);
		const expense = isClear ? named[rivals.indexOf(one)] : undefined;
		if (expense !== undefined) return { payment, result: 'found', operations: [expense.operation] };
		if (named.length > 0) return { payment, result: 'several', operations: named.map(({ operation }) => operation) };
		const unnamed = matching(payment, undefined).map(({ operation }) => operation);
		return { payment, result: unnamed.length === 0 ? 'notFound' : 'unclear', operations: unnamed };
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
			mayBeIn(period, timesOf(operation)) &&
			!matched.has(operation),
	);
}

type Period = Pick<PaymentQuery, 'from' | 'to'>;

/** The time zones in which a day begins first and last. */
const outermostZones = ['Etc/GMT-14', 'Etc/GMT+12'];

/** The first and the last instant that the operation's time may mean: without a time zone it may be in any. */
const timesOf = (operation: BankOperation) => outermostZones.map((zone) => instantOf(operation?.dateTime, zone));

/** An unreadable time may be in any period. */
const mayBeIn = ({ from, to }: Period, [earliest = NaN, latest = NaN]: ReturnType<typeof timesOf>): boolean =>
	!(latest < from || earliest > to);

/** In hundredths. Whether expenses have a minus is not shown. */
function expenseAmount(operation: BankOperation): bigint | undefined {
	const amount = operation?.direction === 'EXPENSE' ? decimalValue(operation.amount) : undefined;
	return amount === undefined ? undefined : hundredths(Math.abs(amount));
}

/** Undefined if the operation does not show the number. Masked numbers have fewer than ten digits. */
function recipientOf(operation: BankOperation, identify = (digits: string) => digits): string | undefined {
	const digits = phoneDigits(operation?.recipient?.phoneNumber);
	return digits.length === 10 ? identify(digits) : undefined;
}

const digitsOf = (phone: unknown): string => barePhone(textOrNumber(phone)).replace(/\D/g, '');

/** One form for all spellings of a number, and only for those: `+7 900 …`, `8900…` and `900…` are the same, `+900…` is another country. */
export function phoneNumber(phone: unknown): string {
	const digits = digitsOf(phone);
	const hasCountry = /^\D*\+/.test(barePhone(textOrNumber(phone)));
	return `+${hasCountry ? digits : digits.replace(/^(?:[78](?=\d{10}$)|(?=\d{10}$))/, '7')}`;
}

/** The last ten digits, so that `+7 900 …`, `8900…` and `900…` are equal. */
export const phoneDigits = (phone: unknown): string => digitsOf(phone).slice(-10);
