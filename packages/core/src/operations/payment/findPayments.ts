import { instantOf } from '../../schemas/instant.ts';
import { decimalValue, hundredths } from '../../schemas/money.ts';
import { normalizePhone, textOrNumber } from '../../text.ts';
import type { BankOperation } from '../accountOperation/bankOperation.ts';

/** A payment with an unknown outcome. */
export interface PaymentQuery {
	/** The amount in hundredths. */
	amount: bigint;
	/** Phone number, or the result of `identify` for its last ten digits. */
	phone: string;
	/** Period in which the payment may have been made, inclusive, in milliseconds since 1970. */
	from: number;
	to: number;
	/** When the payment was sent, in milliseconds since 1970. */
	sentAt?: number;
}

export interface PaymentMatch<Payment extends PaymentQuery = PaymentQuery> {
	payment: Payment;
	/**
	 * `found`: an operation matches, or as many operations match equal payments as there are of these. `notFound`: none matches.
	 * `several`: more operations or payments match than can be told apart. `unclear`: matching operations do not show the recipient.
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
	const expenses = operations.map((operation) => ({
		operation,
		times: timesOf(operation),
		key: `${expenseAmount(operation)} ${recipientOf(operation, identify)}`,
	}));
	const byKey = Map.groupBy(expenses, ({ key }) => key);
	const keyOf = ({ amount, phone }: PaymentQuery) => `${amount} ${identify === undefined ? phoneDigits(phone) : phone}`;
	const found = new Map<Payment, Expense>();
	for (const [key, equal] of Map.groupBy(payments, keyOf))
		for (const [payment, expense] of assign(equal, byKey.get(key) ?? [])) found.set(payment, expense);
	return payments.map((payment) => {
		const expense = found.get(payment);
		if (expense !== undefined) return { payment, result: 'found', operations: [expense.operation] };
		const matching = (key: string) =>
			(byKey.get(key) ?? []).filter(({ times }) => mayBeIn(payment, times)).map(({ operation }) => operation);
		const named = matching(keyOf(payment));
		if (named.length > 0) return { payment, result: 'several', operations: named };
		const unnamed = matching(`${payment.amount} undefined`);
		return { payment, result: unnamed.length === 0 ? 'notFound' : 'unclear', operations: unnamed };
	});
}

interface Expense {
	operation: BankOperation;
	times: Times;
}

/**
 * Assigns operations to payments of one amount to one recipient. Nothing else tells them apart, so a payment is found
 * if every possible assignment gives it an operation.
 */
function assign<Payment extends PaymentQuery>(
	payments: readonly Payment[],
	expenses: readonly Expense[],
): Map<Payment, Expense> {
	const assigned = new Map<Payment, Expense>();
	const candidates = new Map(payments.map((payment) => [payment, candidatesOf(payment, payments, expenses)]));
	const takers = new Map<Expense, Payment[]>(expenses.map((expense) => [expense, []]));
	for (const [payment, own] of candidates) for (const expense of own) takers.get(expense)?.push(payment);
	const visited = new Set<Payment>();
	for (const start of payments) {
		// The payments and operations that are connected with this one.
		const group = new Set<Payment>(visited.has(start) ? [] : [start]);
		const own = new Set<Expense>();
		for (const payment of group)
			for (const expense of candidates.get(payment) ?? []) {
				if (own.has(expense)) continue;
				own.add(expense);
				for (const taker of takers.get(expense) ?? []) group.add(taker);
			}
		for (const payment of group) visited.add(payment);
		const open = new Set([...group].sort((one, other) => one.to - other.to));
		const pairs = new Map<Expense, Payment>();
		// Each operation goes to the payment whose period ends first.
		for (const expense of [...own].sort((one, other) => (one.times[0] ?? 0) - (other.times[0] ?? 0))) {
			const payment = [...open].find((one) => candidates.get(one)?.has(expense));
			if (payment === undefined) break;
			pairs.set(expense, payment);
			open.delete(payment);
		}
		if (pairs.size < own.size) continue;
		// A payment without an operation may own the operation that was assigned to another payment, which may own that of a
		// third payment, and so on.
		for (const payment of open)
			for (const expense of candidates.get(payment) ?? []) open.add(pairs.get(expense) ?? payment);
		for (const [expense, payment] of pairs) if (!open.has(payment)) assigned.set(payment, expense);
	}
	return assigned;
}

/** The operations that may be the payment. An operation from before it was sent belongs to an earlier payment, if there is one. */
function candidatesOf(
	payment: PaymentQuery,
	equal: readonly PaymentQuery[],
	expenses: readonly Expense[],
): ReadonlySet<Expense> {
	const { sentAt } = payment;
	const isCandidate = ({ times }: Expense) => {
		if (!mayBeIn(payment, times)) return false;
		const [earliest = NaN, latest = NaN] = times;
		const isBefore = sentAt !== undefined && latest < sentAt;
		return !isBefore || !equal.some((other) => (other.sentAt ?? Infinity) <= earliest && mayBeIn(other, times));
	};
	return new Set(expenses.filter(isCandidate));
}

/**
 * Outgoing operations of a period that belong to no payment. Failed operations moved no money, so they are left out.
 */
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
type Times = readonly (number | undefined)[];
const timesOf = (operation: BankOperation): Times => outermostZones.map((zone) => instantOf(operation?.dateTime, zone));

/** Whether an operation may be in a period. An unreadable time may be in any period. */
const mayBeIn = ({ from, to }: Period, [earliest = NaN, latest = NaN]: Times): boolean =>
	!(latest < from || earliest > to);

/** The amount in hundredths. Whether expenses have a minus is not shown. */
function expenseAmount(operation: BankOperation): bigint | undefined {
	const amount = operation?.direction === 'EXPENSE' ? decimalValue(operation.amount) : undefined;
	return amount === undefined ? undefined : hundredths(Math.abs(amount));
}

/**
 * The recipient's number in an operation; undefined if the operation does not show it. Masked numbers have fewer than
 * ten digits.
 */
function recipientOf(operation: BankOperation, identify = (digits: string) => digits): string | undefined {
	const digits = phoneDigits(operation?.recipient?.phoneNumber);
	return digits.length === 10 ? identify(digits) : undefined;
}

const digitsOf = (phone: unknown): string => normalizePhone(textOrNumber(phone)).replace(/\D/g, '');

/** One form for all spellings of a number, and only for those: `+7 900 …`, `8900…` and `900…` are the same, `+900…` is another country. */
export function phoneNumber(phone: unknown): string {
	const digits = digitsOf(phone);
	const hasCountry = /^\D*\+/.test(normalizePhone(textOrNumber(phone)));
	return `+${hasCountry ? digits : digits.replace(/^(?:[78](?=\d{10}$)|(?=\d{10}$))/, '7')}`;
}

/** The last ten digits, so that `+7 900 …`, `8900…` and `900…` are equal. */
export const phoneDigits = (phone: unknown): string => digitsOf(phone).slice(-10);
