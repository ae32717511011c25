import { type Operation, operationName, resourceOf } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { isShownFor } from './displayOptions.ts';

/** Fields that every node with operations, or every tool, has. */
const commonFields = ['operation', 'toolDescription'];

/** The fields below *Operation*. */
export function belowOperation(form: readonly INodeProperties[]): INodeProperties[] {
	const first = form.findIndex(({ name }) => name === 'operation');
	return first < 0 ? [] : form.slice(first).filter(({ name }) => !commonFields.includes(name));
}

/** The fields of one operation, from the form of its node. */
export function fieldsFor(operation: Operation, form: readonly INodeProperties[]): INodeProperties[] {
	return belowOperation(form)
		.filter(({ displayOptions = {} }) => isShownFor(displayOptions, partsOf(operation)))
		.map((field) => offeredFor(operation, field));
}

/** Keeps the options of a collection that are shown for this operation. Other fields are returned unchanged. */
export function offeredFor(operation: Operation, field: INodeProperties): INodeProperties {
	if (field.type !== 'collection') return field;
	const options = ((field.options ?? []) as INodeProperties[]).filter(({ displayOptions = {} }) =>
		isShownFor(displayOptions, partsOf(operation), '/'),
	);
	return { ...field, options };
}

const partsOf = (operation: Operation) => [resourceOf(operation), operationName(operation)];
