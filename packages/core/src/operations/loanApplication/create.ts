import * as v from 'valibot';

import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { fields, group, optionalText, responseObject, taxNumber, text, uuid } from '../../schemas/fields.ts';
import { partner } from './partner.ts';

const legalInfo = (digits: 10 | 12, who: string) =>
	v.optional(
		group(
			{
				inn: taxNumber([digits], 'Tax Number', `Tax number of the ${who}, exactly ${digits} digits`),
				contactPhone: optionalText('Contact Phone', 'Contact phone of the borrower', {
					placeholder: 'e.g. +79000000001',
				}),
			},
			'Legal Info',
			`The ${who}`,
		),
	);

export const create = defineOperation({
	id: 'loanApplication.create',
	spec: '4, P3',
	action: 'Create loan application',
	description:
		'Send scoring data of a marketplace seller and create a loan application draft. The bank labels this operation temporary',
	responseSummary: 'dealId of the draft.',
	notes: [
		'The API description labels this operation temporary (9.4), and its path has no version: expect the bank to replace it.',
	],
	auth: 'clientCredentials',
	scope: 'loan-applications',
	effect: 'change',
	method: 'POST',
	path: '/api/loan-applications',
	body: fields({
		dealId: uuid(
			'Deal ID',
			'Identifier of the draft application, a UUID that you choose: a new one for each application, the same one to repeat it',
		),
		borrower: group(
			{
				individual: v.optional(
					group({ legalInfo: legalInfo(12, 'sole proprietor') }, 'Individual', 'Sole-proprietor borrower'),
				),
				legal: v.optional(group({ legalInfo: legalInfo(10, 'legal entity') }, 'Legal', 'Legal-entity borrower')),
			},
			'Borrower',
			'Borrower information',
		),
		partner,
	}),
	response: responseObject({ dealId: text('Deal ID', 'The same UUID') }),
	echoes: ['dealId'],
	errors: restErrors('access_denied'),
});
