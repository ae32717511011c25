import { type Operation, operationName, resourceOf } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { isOffered } from './places.ts';

/** What n8n itself gives every node with operations, or every tool. */
const ofN8n = ['operation', 'toolDescription'];

/** What comes with the operation: all that stands below the choice of it. */
export function belowOperation(form: readonly INodeProperties[]): INodeProperties[] {
	const first = form.findIndex(({ name }) => name === 'operation');
	return first < 0 ? [] : form.slice(first).filter(({ name }) => !ofN8n.includes(name));
}

/** The form of one operation out of that of its node. Its other choices are left open. */
export function fieldsFor(operation: Operation, form: readonly INodeProperties[]): INodeProperties[] {
	return belowOperation(form)
		.filter(({ displayOptions = {} }) => isOffered(displayOptions, partsOf(operation)))
		.map((field) => offeredFor(operation, field));
}

/** A collection with what it offers for one operation; any other field as it is. */
export function offeredFor(operation: Operation, field: INodeProperties): INodeProperties {
	if (field.type !== 'collection') return field;
	const options = ((field.options ?? []) as INodeProperties[]).filter(({ displayOptions = {} }) =>
		isOffered(displayOptions, partsOf(operation), '/'),
	);
	return { ...field, options };
}

const partsOf = (operation: Operation) => [resourceOf(operation), operationName(operation)];
