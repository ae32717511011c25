import { instantOf } from '../../schemas/instant.ts';
import { decimalValue, hundredths } from '../../schemas/money.ts';
import { textOrNumber } from '../../text.ts';
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

/**
 * `found`: exactly one operation matches, and it matches no other payment. `notFound`: none matches. `several`: more
 * operations or payments match than can be told apart. `unclear`: matching operations do not show the recipient.
 */
export type PaymentMatchResult = 'found' | 'notFound' | 'several' | 'unclear';

export interface PaymentMatch {
	result: PaymentMatchResult;
	/** The operation found, or the candidates to check by hand. */
	operations: readonly BankOperation[];
}

/**
 * Finds payments in the operation history (P6) by amount, recipient's phone and time; the history shows neither package
 * nor sequence. Each operation is assigned to at most one payment.
 * @param identify for payments of which only a digest of the phone number is known
 */
export function findPayments(
	payments: readonly PaymentQuery[],
	operations: readonly BankOperation[],
	identify?: (phoneDigits: string) => string,
): PaymentMatch[] {
	const recipientOf = memoize(identify ?? ((digits) => digits));
	const normalize = identify === undefined ? phoneDigits : (phone: string) => phone;
	const expenses = groupExpensesByAmount(operations);
	const queries = payments.map((payment) => ({ ...payment, phone: normalize(payment.phone) }));
	const found = new Map<PaymentQuery, PaymentMatch>();
	for (const group of Map.groupBy(queries, ({ amount, phone }) => `${amount} ${phone}`).values()) {
		const ofAmount = expenses.get(group[0]?.amount ?? 0n) ?? [];
		const matched = matchGroup(group, ofAmount, recipientOf);
		for (const [index, query] of group.entries()) found.set(query, matched[index] ?? noMatch);
	}
	return queries.map((query) => found.get(query) ?? noMatch);
}

const noMatch: PaymentMatch = { result: 'notFound', operations: [] };

/** Outgoing operations of a period that match no payment. Failed ones are left out, because they moved no money. */
export function unmatchedExpenses(
	matches: readonly PaymentMatch[],
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

/** Built once, because each payment is compared only with operations of its amount. Whether expenses have a minus is not shown. */
function groupExpensesByAmount(operations: readonly BankOperation[]): Map<bigint, BankOperation[]> {
	const found = new Map<bigint, BankOperation[]>();
	for (const operation of operations) {
		const value = operation?.direction === 'EXPENSE' ? decimalValue(operation.amount) : undefined;
		const amount = value === undefined ? undefined : hundredths(Math.abs(value));
		if (amount === undefined) continue;
		const same = found.get(amount);
		if (same === undefined) found.set(amount, [operation]);
		else same.push(operation);
	}
	return found;
}

/** @param group payments of the same amount and phone */
function matchGroup(
	group: readonly PaymentQuery[],
	expenses: readonly BankOperation[],
	recipientOf: (phoneDigits: string) => string,
): PaymentMatch[] {
	const fitting = group.map((payment) => expenses.filter((operation) => matches(payment, operation, recipientOf)));
	const named = fitting.map((candidates) => candidates.filter(showsPhone));
	return group.map((_, place) => {
		const own = named[place] ?? [];
		// Payments that match one of the same operations.
		const rivals = [...named.keys()].filter((other) => named[other]?.some((operation) => own.includes(operation)));
		const areEqual = rivals.every((other) => isSame(named[other] ?? [], own));
		// If there are as many operations as payments and all of them match, any assignment is right.
		const operation = areEqual && rivals.length === own.length ? own[rivals.indexOf(place)] : undefined;
		if (operation !== undefined) return { result: 'found', operations: [operation] };
		if (own.length > 0) return { result: 'several', operations: own };
		const silent = fitting[place] ?? [];
		return { result: silent.length === 0 ? 'notFound' : 'unclear', operations: silent };
	});
}

const isSame = (one: readonly BankOperation[], other: readonly BankOperation[]): boolean =>
	one.length === other.length && one.every((operation) => other.includes(operation));

function matches(
	payment: PaymentQuery,
	operation: BankOperation,
	recipientOf: (phoneDigits: string) => string,
): boolean {
	if (!mayBeIn(payment, operation)) return false;
	return !showsPhone(operation) || recipientOf(phoneDigits(phoneOf(operation))) === payment.phone;
}

/** Computing a digest takes longer than a comparison, and most operations are compared with many payments. */
function memoize(compute: (text: string) => string): (text: string) => string {
	const known = new Map<string, string>();
	return (text) => {
		const value = known.get(text) ?? compute(text);
		known.set(text, value);
		return value;
	};
}

/** Masked numbers have fewer than ten digits. */
const showsPhone = (operation: BankOperation): boolean => phoneDigits(phoneOf(operation)).length === 10;

const phoneOf = (operation: BankOperation): unknown => operation?.recipient?.phoneNumber;

/** All digits, so that a number of another country stays different. The prefixes +7 and 8 mean the same. */
export const phoneNumber = (phone: unknown): string =>
	textOrNumber(phone)
		.replace(/\D/g, '')
		.replace(/^[78](?=\d{10}$)/, '');

/** The last ten digits, so that `+7 900 …`, `8900…` and `900…` are equal. */
export const phoneDigits = (phone: unknown): string => textOrNumber(phone).replace(/\D/g, '').slice(-10);
