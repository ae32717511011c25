import { definitions, InputError, type OperationInput } from '@bank/core';

import { bindHooks } from '../../shared/pipeline/operationHooks.ts';
import type { Parameters } from '../../shared/form/parameters.ts';

/** P3: the form has fields for the borrower, and one JSON field for the seller's figures. */
export const createLoanApplication = bindHooks(definitions.loanApplication.create, {
	read({ parameters }, item): OperationInput {
		return {
			body: {
				dealId: parameters.value('dealId', item),
				borrower: readBorrower(parameters, item),
				partner: parameters.value('partner', item),
			},
		};
	},
});

function readBorrower(parameters: Parameters, item: number): object {
	const borrowerType = parameters.text('borrowerType', item);
	if (borrowerType === 'none') return {};
	const inn = parameters.value('inn', item, '');
	// Without a tax ID the borrower would be an empty object, which the schema accepts.
	if (String(inn ?? '').trim() === '')
		throw new InputError([
			{
				path: `borrower.${borrowerType}.legalInfo.inn`,
				message: 'is required. To send no borrower, choose "Not Given"',
			},
		]);
	const { contactPhone } = parameters.group('additionalFields', item);
	return { [borrowerType]: { legalInfo: { inn, contactPhone } } };
}
