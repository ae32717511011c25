import { operationName, type Resource } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { joined } from './join.ts';
import { formOf } from './operation.ts';
import { operationSelector } from './selector.ts';
import { toolFields } from './tool.ts';
import type { Written } from './written.ts';

/** All fields of a node below its resource but those that are written by hand as a whole. */
export function nodeForm(resources: readonly Resource[], written: Written): INodeProperties[] {
	const forms = resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => {
			const form = written(operation);
			const generated = form?.whole === undefined ? formOf(operation, form?.parts) : [];
			return { resource, operation: operationName(operation), fields: [...toolFields(operation), ...generated] };
		}),
	);
	return [...resources.map(operationSelector), ...joined(forms)];
}
