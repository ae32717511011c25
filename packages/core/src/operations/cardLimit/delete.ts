import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { responseObject, fields, text } from '../../schemas/fields.ts';
import { cardId, getMany } from './getMany.ts';

export const deleteLimit = defineOperation({
	id: 'cardLimit.delete',
	spec: '4, P8',
	action: 'Delete card limit',
	description: 'Delete a user limit of a card permanently',
	auth: 'authorizationCode',
	scope: 'limits-control',
	effect: 'delete',
	method: 'DELETE',
	path: '/api/pp/v1/cards/{cardId}/user-limits/{limitId}',
	pathFields: fields({
		cardId,
		limitId: text('Limit ID', 'Identifier of the limit to delete', { placeholder: 'e.g. 1001' }),
	}),
	choices: {
		limitId: {
			from: getMany,
			value: 'id',
			labelFields: ['validity', 'coveredOperations', 'single', 'max', 'currency'],
		},
	},
	verifyWith: { whether: 'the limit was deleted', readWith: 'cardLimit.getMany', by: 'card ID' },
	response: responseObject({}),
	errors: restErrors('access_denied', 'unknown_endpoint'),
});
