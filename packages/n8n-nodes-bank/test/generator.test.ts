/** The generator of forms. */
import { operationById, resourcesOf } from '@bank/core';
import type { INodeProperties } from 'n8n-workflow';

import { triggerFields } from '../nodes/BankOperationsTrigger/description.ts';
import { fieldsFor } from '../scripts/forms/fieldsFor.ts';
import { mergeForms } from '../scripts/forms/mergeForms.ts';
import { nodeForm } from '../scripts/forms/nodeForm.ts';
import { formOf } from '../scripts/forms/operationForm.ts';
import { type OperationForm } from '../scripts/forms/displayOptions.ts';
import { readParts } from '../scripts/forms/readParts.ts';
import { nodeNames } from '../scripts/names.ts';
import { fieldOf, fieldsIn } from './support/forms.ts';

/** A field without the conditions that select operations of the node. */
function bare({ displayOptions, ...field }: INodeProperties): object {
	const own = Object.entries(displayOptions?.show ?? {}).filter(([name]) => !/^\/?(resource|operation)$/.test(name));
	const options = field.type === 'collection' ? { options: (field.options as INodeProperties[]).map(bare) } : {};
	return { ...field, ...options, show: Object.fromEntries(own) };
}

describe('fields that several operations share', () => {
	it.each(nodeNames)('of %s are the same in every form as without the others', async (node) => {
		const resources = resourcesOf(node);
		const partsOf = await readParts(resources);
		const together = nodeForm(resources, partsOf);
		for (const operation of resources.flatMap((resource) => resource.operations)) {
			const alone = formOf(operation, partsOf(operation)).map(bare);
			expect({ [operation.id]: fieldsFor(operation, together).map(bare) }).toEqual({ [operation.id]: alone });
		}
	});

	const field = (name: string): INodeProperties => ({ displayName: name, name, type: 'string', default: '' });
	const form = (resource: string, operation: string, ...names: string[]): OperationForm => ({
		resource,
		operation,
		fields: names.map(field),
	});

	it('are refused if two operations have them in another order', () => {
		expect(() => mergeForms([form('a', 'x', '1', '2'), form('a', 'y', '2', '1')])).toThrow('another order: 1, 2');
	});
});

describe('the Bank Operations Trigger', () => {
	it('has the fields of the operation that it reads with', () => {
		const shared = ['operationDirection', 'arrayFormat', 'pageSize', 'concurrency', 'timeout'];
		const own = fieldsIn(triggerFields).filter(({ name }) => shared.includes(name));
		expect(own.map(({ name }) => name)).toEqual(shared);
		for (const field of own)
			expect(bare(field)).toEqual(bare(fieldOf(operationById('accountOperation.getMany'), field.name)));
	});
});
