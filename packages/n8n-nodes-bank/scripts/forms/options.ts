import { listLimits, type Operation } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { ifAlreadySent, logToDataTable } from './protectionFields.ts';
import { byDisplayName } from './field.ts';
import { overrideOption } from './serviceDetailsForm.ts';

/** The *Options* collection of an operation. */
export function optionsOf(
	operation: Operation,
	more: readonly INodeProperties[],
	without: readonly string[],
): INodeProperties {
	const generated = [
		timeoutOf(operation),
		maxResponseSize,
		...overrideOption(operation),
		...(operation.effect === 'read' ? [concurrency] : []),
		...(operation.effect === 'money' ? [ifAlreadySent, logToDataTable] : []),
		...(operation.asynchronous === true ? waiting : []),
		...(operation.list?.limit === undefined ? [] : paging),
	];
	const replaced = [...without, ...more.map(({ name }) => name)];
	return {
		displayName: 'Options',
		name: 'options',
		type: 'collection',
		placeholder: 'Add Option',
		default: {},
		options: [...more, ...generated.filter(({ name }) => !replaced.includes(name))].sort(byDisplayName),
	};
}

export const timeout: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 900 },
	default: 60,
	description: 'Seconds to wait for the response',
};

const timeoutOf = ({ effect }: Operation): INodeProperties =>
	effect === 'money'
		? { ...timeout, description: `${timeout.description}. After that it is unknown whether money was moved.` }
		: timeout;

const maxResponseSize: INodeProperties = {
	displayName: 'Maximum Response Size (MB)',
	name: 'maxResponseSize',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 16,
	description: 'Maximum size of a response, in megabytes',
};

const concurrency: INodeProperties = {
	displayName: 'Parallel Requests',
	name: 'concurrency',
	type: 'number',
	typeOptions: { minValue: 1, maxValue: 20 },
	default: 5,
	description: 'Maximum number of requests at the same time',
};

const waiting: readonly INodeProperties[] = [
	{
		displayName: 'Wait at Most',
		name: 'waitAtMost',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 600,
		description: 'Seconds until waiting ends with an error. Run again to wait longer.',
	},
	{
		displayName: 'Wait Between Requests',
		name: 'waitEvery',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 10,
		description: 'Seconds between two requests',
	},
];

const paging: readonly INodeProperties[] = [
	{
		displayName: 'Maximum Rows',
		name: 'maxRows',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: listLimits.rows,
		description:
			'Maximum number of results to read in a run. If there are more, the node stops with an error before n8n runs out of memory.',
	},
	{
		displayName: 'Maximum Size (MB)',
		name: 'maxMegabytes',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: listLimits.megabytes,
		description:
			'Maximum size of the results in memory, in megabytes. If they are larger, the node stops with an error before n8n runs out of memory.',
	},
	{
		displayName: 'Page Size',
		name: 'pageSize',
		type: 'number',
		typeOptions: { minValue: 1 },
		default: 50,
		description: 'Number of results per request. Lower it if the bank rejects it.',
	},
	{
		displayName: 'Offset',
		name: 'offset',
		type: 'number',
		typeOptions: { minValue: 0 },
		default: 0,
		description: 'Number of results to skip',
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
		description: 'How to send lists in the query. Ask your bank.',
	},
];
