import * as v from 'valibot';

import type { Answered } from '../../operation.ts';
import { answer } from '../../schemas/fields.ts';
import { amount, decimalValue } from '../../schemas/money.ts';
import { withoutAbsent } from '../../simplify.ts';

const about = (title: string, description: string) => v.pipe(v.string(), v.title(title), v.description(description));

/** A user limit on a card (2.7). */
export const userLimit = answer({
	id: v.pipe(v.number(), v.integer(), v.title('ID'), v.description('Limit identifier')),
	// The sample uses day-month-year text.
	activity: v.optional(answer({ from: about('From', 'Valid from'), to: about('To', 'Valid to') })),
	validity: v.optional(about('Validity', 'Limit period: wholePeriod, daily, weekly or monthly')),
	// The sample uses year-month-day.
	created: about('Created', 'Creation date'),
	coveredOperations: v.optional(
		v.pipe(
			v.array(v.string()),
			v.title('Covered Operations'),
			v.description('allDebits (debits), onlineShopping (internet), cashWithdrawals (cash)'),
		),
	),
	limits: v.optional(answer({ single: amount, max: amount, rest: v.optional(amount), turnover: v.optional(amount) })),
	countriesRestrictions: answer({
		restrictionType: v.optional(
			about('Restriction', 'all (all countries), including (only the listed), excluding (all but the listed)'),
		),
		list: v.optional(
			v.array(
				answer({
					isoCode: v.optional(about('Country', 'ISO code')),
					description: v.optional(about('Description', 'Description')),
				}),
			),
		),
	}),
});

/** A user limit (2.7) with its amounts as decimals. */
export function simplifyLimit(row: Answered<v.InferOutput<typeof userLimit>>): Record<string, unknown> {
	const { id, validity, activity, created, coveredOperations, limits, countriesRestrictions } = row ?? {};
	return withoutAbsent({
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
		currency: limits?.max?.currency,
		limitsRaw: limits,
		countries: countriesRestrictions?.restrictionType,
	});
}
