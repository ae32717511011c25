import { type Operation, operationName, resourceOf } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

/** The form of one operation out of that of its node. Its other choices are left open. */
export function fieldsFor(operation: Operation, form: readonly INodeProperties[]): INodeProperties[] {
	const own = form.filter(
		({ displayOptions: { show = {} } = {} }) =>
			show.resource?.includes(resourceOf(operation)) && show.operation?.includes(operationName(operation)),
	);
	return own.map((field) => offeredFor(operation, field));
}

/** A collection with what it offers for one operation; any other field as it is. */
export function offeredFor(operation: Operation, field: INodeProperties): INodeProperties {
	if (field.type !== 'collection') return field;
	const [resource, name] = [resourceOf(operation), operationName(operation)];
	const options = ((field.options ?? []) as INodeProperties[]).filter(
		({ displayOptions: { show = {} } = {} }) =>
			(show['/resource'] ?? [resource]).includes(resource) && (show['/operation'] ?? [name]).includes(name),
	);
	return { ...field, options };
}
