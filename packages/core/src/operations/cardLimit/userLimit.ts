import * as v from 'valibot';

import { isRecord } from '../../json.ts';
import type { Lenient } from '../../operation.ts';
import { listOf, optionalText, responseObject, text, whole } from '../../schemas/fields.ts';
import { amount, decimalValue } from '../../schemas/money.ts';
import { omitUndefined } from '../../omitUndefined.ts';

/** A user limit on a card (2.7). */
export const userLimit = responseObject({
	id: whole('ID', 'Limit identifier'),
	// The sample contains text in the order day-month-year.
	activity: v.optional(responseObject({ from: text('From', 'Valid from'), to: text('To', 'Valid to') })),
	validity: optionalText('Validity', 'Limit period: wholePeriod, daily, weekly or monthly'),
	// The sample contains text in the order year-month-day.
	created: text('Created', 'Creation date'),
	coveredOperations: v.optional(
		listOf(v.string(), 'Covered Operations', 'allDebits (debits), onlineShopping (internet), cashWithdrawals (cash)'),
	),
	limits: v.optional(
		responseObject({ single: amount, max: amount, rest: v.optional(amount), turnover: v.optional(amount) }),
	),
	countriesRestrictions: responseObject({
		restrictionType: optionalText(
			'Restriction',
			'all (all countries), including (only the listed), excluding (all but the listed)',
		),
		list: v.optional(
			v.array(
				responseObject({
					isoCode: optionalText('Country', 'ISO code'),
					description: optionalText('Description', 'Description'),
				}),
			),
		),
	}),
});

/** The currency that all amounts share; if they differ, the currency of each. */
function currencyOf(
	amounts: Readonly<Record<string, { readonly currency?: unknown } | string | number | boolean | null | undefined>>,
) {
	const currencies = Object.entries(amounts).flatMap(([name, amount]) =>
		isRecord(amount) && amount.currency !== undefined ? [[name, amount.currency] as const] : [],
	);
	const [currency, ...others] = new Set(currencies.map(([, each]) => each));
	return others.length === 0 ? { currency } : { currencies: Object.fromEntries(currencies) };
}

/** A user limit (2.7) with decimal amounts. */
export function simplifyLimit(row: Lenient<v.InferOutput<typeof userLimit>>): Record<string, unknown> {
	const { id, validity, activity, created, coveredOperations, limits, countriesRestrictions } = row ?? {};
	const amounts = { single: limits?.single, max: limits?.max, rest: limits?.rest, turnover: limits?.turnover };
	return omitUndefined({
		id,
		validity,
		activeFrom: activity?.from,
		activeTo: activity?.to,
		created,
		coveredOperations,
		single: decimalValue(limits?.single),
		max: decimalValue(limits?.max),
		rest: decimalValue(limits?.rest),
		turnover: decimalValue(limits?.turnover),
		...currencyOf(amounts),
		limitsRaw: limits,
		countries: countriesRestrictions?.restrictionType,
	});
}
