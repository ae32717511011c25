import { restErrors } from '../../errors/rest.ts';
import { defineOperation } from '../../operation.ts';
import { fields, optionalText, responseObject, text } from '../../schemas/fields.ts';

export const get = defineOperation({
	id: 'taxpayerAccount.get',
	spec: '4, P2',
	action: 'Get taxpayer account',
	description: "Read the state of a self-employed person's taxpayer account",
	responseSummary: 'status, unpaidAmount (all that is unpaid), debtAmount (the debt within it), bonusAmount.',
	auth: 'authorizationCode',
	scope: 'as-accrual-and-debt',
	effect: 'read',
	method: 'GET',
	path: '/api/semp/v1/selfemployed/taxpayer-account-info/{requestId}',
	pathFields: fields({
		// The API description does not show how to obtain this ID.
		requestId: text('Request ID', 'Identifier of the request. Ask your bank.', {
			placeholder: 'e.g. 0f8fad5b-d9cb-469f-a165-70867728950e',
		}),
	}),
	// 2.3: all fields are text in the reference, numbers in the sample.
	response: responseObject({
		status: optionalText('Status', 'Status; a sample shows SUCCESS'),
		bonusAmount: optionalText('Bonus Amount', 'Bonus account amount'),
		// Spelled unpaidAmmount in the field table and unpaidAmount in the sample: both are read.
		unpaidAmount: optionalText('Unpaid Amount', 'Total of unpaid payments', { aliases: ['unpaidAmmount'] }),
		debtAmount: optionalText('Debt Amount', 'Debt amount, included in the unpaid total'),
	}),
	errors: restErrors('access_denied'),
});
