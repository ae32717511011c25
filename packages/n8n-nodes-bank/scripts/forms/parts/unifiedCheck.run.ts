import { definitions } from '@bank/core';

import { personFields } from '../../../nodes/BankChecks/forms/personFields.ts';
import { bodyField } from '../field.ts';
import type { FormParts } from '../formParts.ts';

const { run } = definitions.unifiedCheck;
const ofBlocks = { show: { checks: ['WSCustomerComplianceCheckGet'] } };

/** The user picks checks from a list; a field is marked as required if one of the picked checks needs it. */
export const parts: FormParts = {
	handWritten: ['checks', 'idg', 'chklst', ...personFields],
	fields: [
		{
			displayName: 'Checks',
			name: 'checks',
			type: 'multiOptions',
			options: [
				{ name: 'Bankruptcy', value: 'WSCustomerBankruptcyInfo' },
				{ name: 'Blacklist Blocks', value: 'WSCustomerComplianceCheckGet' },
				{ name: 'Invalid Passports', value: 'WSCodeInvalidIdentityCard' },
				{
					name: 'Leasing Eligibility',
					value: 'WSGlobalSearch',
					description: 'Needs the tax number, or surname, first name and date of birth, or the document number',
				},
				{ name: 'Reputation Risk', value: 'WSCustomerReputationRisk' },
				{ name: 'Salary Project Reliability', value: 'WSResultSOZSalaryProject', description: 'Needs the tax number' },
				{ name: 'Subject Data', value: 'WSConsumerSubjectInfoGet', description: 'Client data from the master system' },
				{ name: 'Terrorism', value: 'WSCustomerTerrorism' },
			],
			default: ['WSCodeInvalidIdentityCard', 'WSCustomerBankruptcyInfo', 'WSCustomerTerrorism'],
			required: true,
			description: 'Checks to run',
		},
		// Not required in n8n's sense: if the checks come from an expression, n8n shows both fields and would require them
		// for every item.
		bodyField(run, 'idg', { displayOptions: ofBlocks }),
		bodyField(run, 'chklst', {
			displayOptions: ofBlocks,
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Check Code' },
			default: [],
			placeholder: 'e.g. A01',
			description: 'Codes of the blocks to check; needed for Blacklist Blocks',
		}),
		// The checks decide which of these fields are needed.
		...personFields.map((name) => bodyField(run, name)),
	],
	options: [
		{
			displayName: 'Other Checks',
			name: 'otherChecks',
			type: 'options',
			options: [
				{ name: 'Leave Out', value: 'leaveOut', description: 'Send only the selected checks' },
				{ name: 'Send as False', value: 'false', description: 'Send the other checks with isToCall "false"' },
			],
			default: 'false',
			description: 'What to do with the checks that are not selected',
		},
	],
	item: {
		verdict: 'passed',
		WSConsumerSubjectInfoGet: 'passed',
		messages: { WSConsumerSubjectInfoGet: [{ code: 'PBS0005', meaning: 'national passport is valid' }] },
		response: {},
	},
	returns:
		'The node returns one item: `verdict`, a field for each check, `messages`, `reasons` if a check is unclear, and the whole response as ' +
		'`response`: [unified checks](partner-services.md#unified-checks).',
};
