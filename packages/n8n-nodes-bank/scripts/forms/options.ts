import type { Operation } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { ifAlreadySent, logToDataTable, shareProtectionWith } from '../../nodes/shared/idempotency/fields.ts';
import { byDisplayName } from './field.ts';

/** The technical options: each the same words for every operation that has it. */
export function optionsOf(
	operation: Operation,
	more: readonly INodeProperties[] = [],
	without: readonly string[] = [],
): INodeProperties {
	const options = [
		...more,
		timeout(operation),
		largestAnswer,
		...(operation.effect === 'read' ? [concurrency] : []),
		...(operation.payload === undefined ? [] : [keepEmpty]),
		...(operation.once === true ? [askAgain] : []),
		...(operation.effect === 'money' ? [ifAlreadySent, logToDataTable, shareProtectionWith] : []),
		...(operation.asynchronous === true ? waiting : []),
		...(operation.list?.limit === undefined ? [] : paging),
	];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: options.filter(({ name }) => !without.includes(name)).sort(byDisplayName),
	};
}

const timeout = ({ effect }: Operation): INodeProperties => ({
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description:
		effect === 'money'
			? 'Seconds to wait for an answer of the bank. After that it is unknown whether money was moved.'
			: 'Seconds to wait for an answer of the bank',
});

const largestAnswer: INodeProperties = {
	displayName: 'Largest Answer',
	name: 'largestAnswer',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 16,
	description: 'Megabytes that an answer of the bank may have. A larger one is not read on.',
};

const concurrency: INodeProperties = {
	displayName: 'Parallel Requests',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20 },
	default: 5,
	description: 'How many requests may be under way at once',
};

const keepEmpty: INodeProperties = {
	displayName: 'Keep Empty Fields',
	name: 'keepEmpty',
	type: 'boolean',
	default: false,
	description:
		'Whether to send empty fields of the payload. Otherwise they are left out, as the API description demands.',
};

const askAgain: INodeProperties = {
	displayName: 'Ask Again',
	name: 'askAgain',
	type: 'boolean',
	default: false,
	description:
		'Whether to send the request although this node has sent it before for the same application. The bank allows it only once.',
};

const waiting: readonly INodeProperties[] = [
	{
		displayName: 'Wait at Most',
		name: 'waitAtMost',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 600,
		description:
			'Seconds after which waiting for the result ends with an error. Nothing is lost then: run again to go on waiting.',
	},
	{
		displayName: 'Wait Between Requests',
		name: 'waitEvery',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10,
		description: 'Seconds between two requests while waiting for the result',
	},
	{
		displayName: 'Wait on HTTP Statuses',
		name: 'waitStatuses',
		type: 'string',
		default: '',
		placeholder: 'e.g. 404, 409',
		description: 'HTTP statuses by which the bank says that the result is not there yet, separated by commas',
	},
];

const paging: readonly INodeProperties[] = [
	{
		displayName: 'Maximum Rows',
		name: 'maxRows',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 100000,
		description:
			'Number of results that a run may read. If there are more, the node stops with an error before n8n runs out of memory.',
	},
	{
		displayName: 'Maximum Size (MB)',
		name: 'maxMegabytes',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 256,
		description:
			'Megabytes that a run may read. If there are more, the node stops with an error before n8n runs out of memory.',
	},
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description:
			'How many results to ask for at a time. The API description shows no maximum: lower it if the bank refuses it.',
	},
	{
		displayName: 'Offset',
		name: 'offset',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'How many results to skip at the beginning',
	},
	{
		displayName: 'Array Format',
		name: 'arrayFormat',
		type: 'options',
		options: [
			{ name: 'Brackets', value: 'brackets', description: 'Like accounts[]=1&accounts[]=2' },
			{ name: 'Comma', value: 'comma', description: 'Like accounts=1,2' },
			{ name: 'Indices', value: 'indices', description: 'Like accounts[0]=1&accounts[1]=2' },
			{ name: 'Repeat', value: 'repeat', description: 'Like accounts=1&accounts=2' },
		],
		default: 'repeat',
		description: 'How lists go into the query. The API description does not show it.',
	},
];
