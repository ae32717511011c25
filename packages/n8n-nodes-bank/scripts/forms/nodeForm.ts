import { type NodeName, operationName, resourcesOf } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { mergeForms } from './mergeForms.ts';
import { formOf } from './operationForm.ts';
import { operationSelector, resourceSelector } from './selector.ts';
import { toolFields } from './tool.ts';
import type { PartsOf } from './parts.ts';

/** All fields of a node, from its resource on. */
export function nodeForm(node: NodeName, partsOf: PartsOf): INodeProperties[] {
	const resources = resourcesOf(node);
	const forms = resources.flatMap(({ value: resource, operations }) =>
		operations.map((operation) => ({
			resource,
			operation: operationName(operation),
			fields: [...toolFields(operation), ...formOf(operation, partsOf(operation))],
		})),
	);
	return [resourceSelector(node, resources), ...resources.map(operationSelector), ...mergeForms(forms)];
}
