import { operationName, type Resource } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { mergeForms } from './mergeForms.ts';
import { formOf } from './operationForm.ts';
import { operationSelector } from './selector.ts';
import { toolFields } from './tool.ts';
import type { OverridesOf } from './overrides.ts';

/** All fields of a node below its resource, without forms that are entirely hand-written. */
export function nodeForm(resources: readonly Resource[], overridesOf: OverridesOf): INodeProperties[] {
	const forms = resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => {
			const form = overridesOf(operation);
			const generated = form?.whole === undefined ? formOf(operation, form?.parts) : [];
			return { resource, operation: operationName(operation), fields: [...toolFields(operation), ...generated] };
		}),
	);
	return [...resources.map(operationSelector), ...mergeForms(forms)];
}
