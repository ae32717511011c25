import { operationName, type Resource } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { mergeForms } from './mergeForms.ts';
import { formOf } from './operationForm.ts';
import { operationSelector, resourceSelector } from './selector.ts';
import { toolFields } from './agentTool.ts';
import type { PartsOf } from './readParts.ts';

/** The form of a node without its credentials. */
export function nodeForm(resources: readonly Resource[], partsOf: PartsOf): INodeProperties[] {
	const forms = resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => ({
			resource,
			operation: operationName(operation),
			fields: [...toolFields(operation), ...formOf(operation, partsOf(operation))],
		})),
	);
	return [...resourceSelector(resources), ...resources.map(operationSelector), ...mergeForms(forms)];
}
