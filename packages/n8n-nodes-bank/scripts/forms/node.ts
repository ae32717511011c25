import { type Operation, operationName, type Resource, shapesOf, versionsOf } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { joined } from './join.ts';
import type { OperationForm } from './places.ts';
import { formOf } from './operation.ts';
import { operationSelectors } from './selector.ts';
import { toolFields } from './tool.ts';
import type { Written } from './written.ts';

/** All fields of a node below its resource but those that are written by hand as a whole. */
export function nodeForm(resources: readonly Resource[], written: Written): INodeProperties[] {
	const versions = versionsOf(resources.flatMap(({ operations }) => operations));
	const forms = resources.flatMap((resource) =>
		resource.operations.flatMap((operation) => operationForms(resource, operation, versions, written)),
	);
	return [...resources.flatMap((resource) => operationSelectors(resource, versions)), ...joined(forms, versions)];
}

function operationForms(
	resource: Resource,
	definition: Operation,
	versions: readonly number[],
	written: Written,
): OperationForm[] {
	const shapes = shapesOf(definition);
	return shapes.map(({ since, operation }, index) => {
		const until = shapes[index + 1]?.since ?? Infinity;
		const form = written(definition, since);
		const own = versions.filter((version) => version >= since && version < until);
		const generated = form?.whole === undefined ? formOf(operation, form?.parts) : [];
		const fields = [...toolFields(operation), ...generated];
		return { resource: resource.value, operation: operationName(definition), versions: own, fields };
	});
}
