import type { FormParts } from '../../shared/formParts.ts';

/** Around the generated blocks: fourteen blocks of lists need a choice first, or the form is unreadable. */
export const parts: FormParts = {
	asksItself: ['dealId', 'borrower', 'numberOfInteractionDays', 'startDateOfInteraction'],
	fields: [
		{
			displayName: 'Input Mode',
			name: 'inputMode',
			type: 'options',
			noDataExpression: true,
			options: [
				{ name: 'Fields', value: 'fields', description: 'Pick the blocks that apply and fill them in' },
				{ name: 'JSON', value: 'json', description: 'Give the whole application as one JSON object' },
			],
			default: 'fields',
			description: 'How the application is given',
		},
		{
			displayName: 'Application',
			name: 'application',
			type: 'json',
			default: '',
			required: true,
			placeholder:
				'e.g. { "dealId": "…", "borrower": { "legal": { "legalInfo": { "inn": "7700000000" } } }, "partner": {} }',
			displayOptions: { show: { inputMode: ['json'] } },
			description:
				'The whole application with dealId, borrower and partner, as JSON or an expression. Faults are named with their exact path.',
		},
		{
			displayName: 'Deal ID',
			name: 'dealId',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 123e4567-e89b-42d3-a456-426614174000',
			displayOptions: { show: { inputMode: ['fields'] } },
			description:
				'Identifier of the draft application, a UUID that you choose: a new one for each application (the ' +
				'Crypto node generates one), the same one to repeat it',
		},
		{
			displayName: 'Borrower Type',
			name: 'borrowerType',
			type: 'options',
			options: [
				{ name: 'Legal Entity', value: 'legal', description: 'Tax number of 10 digits' },
				{ name: 'Not Given', value: 'none', description: 'Send no information about the borrower' },
				{ name: 'Sole Proprietor', value: 'individual', description: 'Tax number of 12 digits' },
			],
			default: 'legal',
			displayOptions: { show: { inputMode: ['fields'] } },
			description: 'Whether the borrower is a legal entity or a sole proprietor',
		},
		{
			displayName: 'Tax Number',
			name: 'inn',
			type: 'string',
			default: '',
			required: true,
			placeholder: 'e.g. 7700000000',
			displayOptions: { show: { inputMode: ['fields'], borrowerType: ['legal', 'individual'] } },
			description:
				'Tax number of the borrower (inn): exactly 10 digits for a legal entity, exactly 12 for a sole proprietor',
		},
		{
			displayName: 'Additional Fields',
			name: 'additionalFields',
			type: 'collection',
			placeholder: 'Add Field',
			default: {},
			displayOptions: { show: { inputMode: ['fields'] } },
			options: [
				{
					displayName: 'Contact Phone',
					name: 'contactPhone',
					type: 'string',
					default: '',
					placeholder: 'e.g. +79000000001',
					description: 'Contact phone of the borrower',
				},
				{
					displayName: 'Days of Work Together',
					name: 'numberOfInteractionDays',
					type: 'string',
					default: '',
					placeholder: 'e.g. 400',
					description: 'Days since work with the partner began',
				},
				{
					displayName: 'Start of Work Together',
					name: 'startDateOfInteraction',
					type: 'dateTime',
					default: '',
					placeholder: 'e.g. 2024-01-31',
					description: 'Start date of work with the partner',
				},
			],
		},
	],
	shownFor: { inputMode: ['fields'] },
};
