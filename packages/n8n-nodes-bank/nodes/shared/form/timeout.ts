import type { INodeProperties } from 'n8n-workflow';

export const timeout: INodeProperties = {
	displayName: 'Timeout',
	name: 'timeout',
	type: 'number',
	typeOptions: { minValue: 1 },
	default: 60,
	description: 'Seconds to wait for the response',
};
