import type { INodeProperties } from 'n8n-workflow';

import { credentialsPosition, flowField } from '../shared/base/authentication.ts';
import { commonFields } from '../shared/descriptions/generated/commonFields.ts';

export const triggerPanel = {
	header: 'See the latest operations',
	executionsHelp:
		'<b>While building your workflow</b>, click the button: it shows up to ten of the latest operations, whether new or ' +
		'not, and changes nothing about which of them count as new.<br /><br /><b>Publish the workflow</b> to have it start on ' +
		'new ones. These executions show up in the <a data-key="executions">executions list</a>, not here.',
	activationHint: 'Once it is published, n8n polls the bank at the times that you chose.',
};

const withHint = ({ description, ...field }: INodeProperties): INodeProperties => ({
	...field,
	description: `${description}. After adding one, its operations of the last days may count as new.`,
});

export const triggerFields: INodeProperties[] = [
	flowField,
	credentialsPosition,
	{
		displayName: 'Start From',
		name: 'startFrom',
		type: 'options',
		options: [
			{ name: 'Now', value: 'now', description: 'Skip operations that exist when the workflow is first published' },
			{ name: 'Date', value: 'date', description: 'Also emit existing operations since a day' },
		],
		default: 'now',
		description:
			'Which operations count as new when the workflow is published for the first time. ' +
			'Later the trigger continues where it stopped, also after an outage.',
	},
	{
		displayName: 'From',
		name: 'fromDate',
		type: 'dateTime',
		default: '',
		required: true,
		placeholder: 'e.g. 2026-01-31',
		displayOptions: { show: { startFrom: ['date'] } },
		description: 'First day (inclusive)',
	},
	{
		displayName: 'Changes',
		name: 'changes',
		type: 'boolean',
		default: true,
		description:
			'Whether to also start the workflow when the status or the amount of a known operation changes, for example from HOLD to SUCCESS',
	},
	{
		displayName: 'Simplify',
		name: 'simplify',
		type: 'boolean',
		default: true,
		description: 'Whether to return a simplified version of the response instead of the raw data',
	},
	{
		displayName: 'Filters',
		name: 'filters',
		type: 'collection',
		placeholder: 'Add Filter',
		default: {},
		options: [withHint(commonFields.accounts), withHint(commonFields.cards), commonFields.operationDirection],
	},
	{
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [
			commonFields.arrayFormat,
			{
				displayName: 'Follow Pending (Days)',
				name: 'pendingDays',
				type: 'number',
				typeOptions: { minValue: 0, maxValue: 60 },
				default: 7,
				description:
					'Number of days, before the overlap, whose operations with the status HOLD are checked for changes, ' +
					'at least once an hour. 0: only the overlap is checked.',
			},
			{
				...commonFields.maxRows,
				description:
					'Maximum number of operations in the list. If there are more, the poll fails before n8n runs out of memory.',
			},
			{
				...commonFields.maxMegabytes,
				default: 32,
				description:
					'Maximum size in megabytes of the operations that a poll emits. If they are larger, the next poll continues.',
			},
			{
				displayName: 'Overlap (Days)',
				name: 'overlapDays',
				type: 'number',
				typeOptions: { minValue: 1, maxValue: 60 },
				default: 1,
				description:
					'How many days before the latest operation to read again, to find operations that appear late. More days cost more requests.',
			},
			commonFields.pageSize,
			commonFields.concurrency,
			commonFields.timeout,
		],
	},
];
