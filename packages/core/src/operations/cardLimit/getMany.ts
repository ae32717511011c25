import * as v from 'valibot';

import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { answer, fields, text } from '../../schemas/fields.ts';
import { amount } from '../../schemas/money.ts';
import { simplifyLimit } from '../../simplify.ts';

const about = (title: string, description: string) => v.pipe(v.string(), v.title(title), v.description(description));

export const cardId = text(
	'Card ID',
	"Card identifier, from the bank's operation that lists a client's cards (not shown in the API description)",
	{
		placeholder: 'e.g. card-0001',
	},
);

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

export const getMany = defineOperation({
	id: 'cardLimit.getMany',
	spec: '4, P7',
	name: 'Get Many',
	action: 'Get many card limits',
	description: 'Read the user limits of a card',
	auth: 'authorizationCode',
	scope: 'limits-control',
	effect: 'read',
	method: 'GET',
	path: '/api/pp/v1/cards/{cardId}/user-limits',
	pathFields: fields({ cardId }),
	response: answer({ limits: v.array(userLimit) }),
	list: { key: 'limits', simplify: simplifyLimit },
	errors: restErrors('access_denied', 'unknown_endpoint'),
});
