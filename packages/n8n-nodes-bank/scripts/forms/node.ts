import { type Operation, operationName, type Resource, shapesOf, versionsOf } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import type { FormParts } from '../../nodes/shared/formParts.ts';
import { joined, type OperationForm } from './join.ts';
import { formOf } from './operation.ts';
import { operationSelectors } from './selector.ts';

/** What a person has written of a shape's form: parts of it, or `whole` where nothing of it is generated. */
export type WrittenForm = FormParts | 'whole' | undefined;
export type Written = (resource: Resource, operation: Operation, since: number) => WrittenForm;

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
	return shapes.flatMap(({ since, operation }, index) => {
		const until = shapes[index + 1]?.since ?? Infinity;
		const parts = written(resource, definition, since);
		const own = versions.filter((version) => version >= since && version < until);
		const fields = parts === 'whole' ? [] : formOf(operation, parts);
		return [{ resource: resource.value, operation: operationName(definition), versions: own, fields }];
	});
}
