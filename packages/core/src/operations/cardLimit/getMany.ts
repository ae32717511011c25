import * as v from 'valibot';

import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { responseObject, fields, text } from '../../schemas/fields.ts';
import { simplifyLimit, userLimit } from './userLimit.ts';

export const cardId = text('Card ID', 'Identifier of the card. Ask your bank.', {
	placeholder: 'e.g. card-0001',
	holds: 'card',
});

export const getMany = defineOperation({
	id: 'cardLimit.getMany',
	spec: '4, P7',
	action: 'Get many card limits',
	description: 'Read the user limits of a card',
	responseSummary:
		'One item per limit: id, validity (wholePeriod, daily, weekly or monthly), activeFrom, activeTo, coveredOperations, and in ' +
		'currency max, single (one operation), turnover (of the whole period), rest (of the balance); ' +
		'currencies instead of currency where these differ.',
	notes: [
		'Where the amounts of a limit are in several currencies, the simplified item has no `currency`, and `currencies` names that of ' +
			'each amount.',
	],
	auth: 'authorizationCode',
	scope: 'limits-control',
	effect: 'read',
	method: 'GET',
	path: '/api/pp/v1/cards/{cardId}/user-limits',
	pathFields: fields({ cardId }),
	response: responseObject({ limits: v.array(userLimit) }),
	list: { key: 'limits', simplify: simplifyLimit },
	errors: restErrors('access_denied', 'unknown_endpoint'),
});
