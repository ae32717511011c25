import { decimalValue } from './schemas/money.ts';

/**
 * An operation (2.6) with what most flows use, nine fields and the counterparty. Amounts carry the decimal value
 * (`value / minorUnits`) beside the raw ones.
 */
export function simplifyOperation(row: unknown): Record<string, unknown> {
	const { id, dateTime, title, amount, direction, status, type, fee, category, comment, sender, recipient } = (row ??
		{}) as Record<string, unknown>;
	const money = (typeof amount === 'object' && amount !== null ? amount : {}) as Record<string, unknown>;
	const party = (direction === 'INCOME' ? sender : recipient) as Record<string, unknown> | undefined;
	return withoutAbsent({
		id,
		dateTime,
		title,
		direction,
		status,
		type,
		amount: decimalValue(amount),
		currency: money.currency,
		amountRaw: amount,
		fee,
		comment,
		category: (category as Record<string, unknown> | undefined)?.name,
		counterparty: party?.name,
		counterpartyBank: party?.bankName,
	});
}

/** A user limit (2.7) with its amounts as decimals. */
export function simplifyLimit(row: unknown): Record<string, unknown> {
	const { id, validity, activity, created, coveredOperations, limits, countriesRestrictions } = (row ?? {}) as Record<
		string,
		unknown
	>;
	const amounts = (limits ?? {}) as Record<string, unknown>;
	const period = (activity ?? {}) as Record<string, unknown>;
	return withoutAbsent({
		id,
		validity,
		activeFrom: period.from,
		activeTo: period.to,
		created,
		coveredOperations,
		single: decimalValue(amounts.single),
		max: decimalValue(amounts.max),
		rest: decimalValue(amounts.rest),
		turnover: decimalValue(amounts.turnover),
		currency: (amounts.max as Record<string, unknown> | undefined)?.currency,
		limitsRaw: limits,
		countries: (countriesRestrictions as Record<string, unknown> | undefined)?.restrictionType,
	});
}

function withoutAbsent(fields: Record<string, unknown>): Record<string, unknown> {
	return Object.fromEntries(Object.entries(fields).filter(([, value]) => value !== undefined));
}
