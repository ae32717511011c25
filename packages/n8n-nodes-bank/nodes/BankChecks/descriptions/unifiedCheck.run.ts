import type { FormParts } from '../../shared/formParts.ts';

/** Checks are picked from a list, and a field is marked as needed only where a picked check needs it. */
export const parts: FormParts = {
	asksItself: ['checks', 'idg', 'chklst'],
	fields: [
		{
			displayName: 'Checks',
			name: 'checks',
			type: 'multiOptions',
			options: [
				{ name: 'Bankruptcy', value: 'WSCustomerBankruptcyInfo', description: 'Bankruptcy service check' },
				{
					name: 'Blacklist Blocks',
					value: 'WSCustomerComplianceCheckGet',
					description: 'Check of blocks on blacklists',
				},
				{
					name: 'Invalid Passports',
					value: 'WSCodeInvalidIdentityCard',
					description: 'Check against the invalid-passports service',
				},
				{
					name: 'Leasing Eligibility',
					value: 'WSGlobalSearch',
					description:
						'Check of eligibility for leasing. Needs the tax number, or surname, first name and date of birth, or the document number.',
				},
				{ name: 'Reputation Risk', value: 'WSCustomerReputationRisk', description: 'Reputation-risk service check' },
				{
					name: 'Salary Project Reliability',
					value: 'WSResultSOZSalaryProject',
					description: 'Reliability check for a salary project. Needs the tax number.',
				},
				{
					name: 'Subject Data',
					value: 'WSConsumerSubjectInfoGet',
					description: 'Subject data from the master system holding operational client data',
				},
				{
					name: 'Terrorism',
					value: 'WSCustomerTerrorism',
					description: 'Check against lists of persons linked to terrorism',
				},
			],
			default: ['WSCodeInvalidIdentityCard', 'WSCustomerBankruptcyInfo', 'WSCustomerTerrorism'],
			required: true,
			description: 'The checks to run. The others are sent as not to be run, or left out: see Options.',
		},
		// Not required for n8n: where the checks come from an expression it shows both fields and would demand them of every item.
		{
			displayName: 'System Code',
			name: 'idg',
			type: 'string',
			default: '',
			placeholder: 'e.g. SYS1',
			displayOptions: { show: { checks: ['WSCustomerComplianceCheckGet'] } },
			description: 'System code; needed for Blacklist Blocks',
		},
		{
			displayName: 'Check Codes',
			name: 'chklst',
			type: 'string',
			typeOptions: { multipleValues: true, multipleValueButtonText: 'Add Check Code' },
			default: [],
			placeholder: 'e.g. A01',
			displayOptions: { show: { checks: ['WSCustomerComplianceCheckGet'] } },
			description:
				'Codes of the blocks to check; needed for Blacklist Blocks. They are joined with commas and without spaces.',
		},
	],
	options: [
		{
			displayName: 'Other Checks',
			name: 'otherChecks',
			type: 'options',
			options: [
				{ name: 'Leave Out', value: 'leaveOut', description: 'The request names only the checks to run' },
				{
					name: 'Send as False',
					value: 'false',
					description: 'The request names all eight checks, those not picked with isToCall "false"',
				},
			],
			default: 'false',
			description: 'What becomes of the checks that are not picked',
		},
	],
	item: {
		verdict: 'passed',
		WSConsumerSubjectInfoGet: 'passed',
		messages: { WSConsumerSubjectInfoGet: [{ code: 'PBS0005', text: 'national passport is valid' }] },
		answer: {},
	},
	returns:
		'The node returns one item: `verdict`, a field for each check, `messages`, and the whole as ' +
		'`answer`: [unified checks](partner-services.md#unified-checks).',
};
