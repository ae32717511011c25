import { decimalValue, hundredths } from '../../schemas/money.ts';
import { textOrNumber } from '../../text.ts';
import type { BankOperation } from '../accountOperation/bankOperation.ts';

/** A payment whose outcome nobody knows. */
export interface Sought {
	/** In hundredths. */
	amount: bigint;
	phone: string;
	/** When it may have been made, both inclusive, in milliseconds since 1970. */
	from: number;
	to: number;
}

/**
 * `found`: one operation fits, and no other payment that was sought claims it. `notFound`: none fits. `several`: more operations or more
 * payments fit than can be told apart. `unclear`: what fits does not show whom it went to.
 */
export type FoundResult = 'found' | 'notFound' | 'several' | 'unclear';

export interface Found {
	result: FoundResult;
	/** The one that was found, or those that a person has to look at. */
	operations: readonly BankOperation[];
}

/**
 * Payments in the history of operations (P6), by amount, recipient's phone and time: the history does not show by which package or
 * sequence an operation was made, so that nothing else tells. An operation is given to one payment at most.
 */
export function findPayments(sought: readonly Sought[], operations: readonly BankOperation[]): Found[] {
	const expenses = expensesByAmount(operations);
	const equals = new Map<string, number[]>();
	for (const [index, { amount, phone }] of sought.entries()) {
		const key = `${amount} ${phoneDigits(phone)}`;
		equals.set(key, [...(equals.get(key) ?? []), index]);
	}
	const found = new Map<number, Found>();
	for (const indexes of equals.values()) {
		const group = indexes.flatMap((index) => sought[index] ?? []);
		for (const [place, one] of foundOf(group, expenses.get(group[0]?.amount ?? 0n) ?? []).entries())
			found.set(indexes[place] ?? 0, one);
	}
	return sought.map((_, index) => found.get(index) ?? { result: 'notFound', operations: [] });
}

/** What is compared of an operation is made once: each payment looks at those of its amount. */
function expensesByAmount(operations: readonly BankOperation[]): Map<bigint, BankOperation[]> {
	const found = new Map<bigint, BankOperation[]>();
	for (const operation of operations) {
		const value = operation?.direction === 'EXPENSE' ? decimalValue(operation.amount) : undefined;
		const amount = value === undefined ? undefined : hundredths(value);
		if (amount === undefined) continue;
		const same = found.get(amount);
		if (same === undefined) found.set(amount, [operation]);
		else same.push(operation);
	}
	return found;
}

/** Of payments with the same amount and phone, among the operations of that amount. */
function foundOf(group: readonly Sought[], expenses: readonly BankOperation[]): Found[] {
	const fitting = group.map((payment) => expenses.filter((operation) => fits(payment, operation)));
	const named = fitting.map((candidates) => candidates.filter(showsPhone));
	return group.map((_, place) => {
		const own = named[place] ?? [];
		// Those that one of its operations may belong to as well.
		const rivals = [...named.keys()].filter((other) => named[other]?.some((operation) => own.includes(operation)));
		const areEqual = rivals.every((other) => isSame(named[other] ?? [], own));
		// As many as there are payments, and each may be any of them: which is which makes no difference.
		const operation = areEqual && rivals.length === own.length ? own[rivals.indexOf(place)] : undefined;
		if (operation !== undefined) return { result: 'found', operations: [operation] };
		if (own.length > 0) return { result: 'several', operations: own };
		const silent = fitting[place] ?? [];
		return { result: silent.length === 0 ? 'notFound' : 'unclear', operations: silent };
	});
}

const isSame = (one: readonly BankOperation[], other: readonly BankOperation[]): boolean =>
	one.length === other.length && one.every((operation) => other.includes(operation));

function fits({ phone, from, to }: Sought, operation: BankOperation): boolean {
	const at = Date.parse(String(operation?.dateTime));
	// What has no readable time may be of any.
	if (at < from || at > to) return false;
	return !showsPhone(operation) || phoneDigits(phoneOf(operation)) === phoneDigits(phone);
}

/** Ten digits tell a person; fewer are a masked number, or none. */
const showsPhone = (operation: BankOperation): boolean => phoneDigits(phoneOf(operation)).length === 10;

const phoneOf = (operation: BankOperation): unknown => operation?.recipient?.phoneNumber;

/** Of `+7 900 …`, `8900…` and `900…` the same, by which a person is known: without what stands for the country. */
export const phoneDigits = (phone: unknown): string => textOrNumber(phone).replace(/\D/g, '').slice(-10);
