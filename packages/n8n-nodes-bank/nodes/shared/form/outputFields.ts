import { fieldAt, InputError, splitList } from '@bank/core';

import type { Run } from './run.ts';

/**
 * Returns the row mapping for the parameter *Output*, which has the same choices as n8n's tools.
 * @throws InputError if an expression returns another choice, or no fields are selected
 */
export function outputFieldsOf<Row>(
	{ parameters }: Run,
	item: number,
	simplify: (row: Row) => object,
): (row: Row) => object {
	const output = parameters.text('output', item, 'simple');
	if (output === 'simple') return simplify;
	if (output === 'raw') return Object;
	if (output !== 'fields') throw new InputError([{ path: 'output', message: 'must be simple, raw or fields' }]);
	const names = splitList(parameters.value('fields', item, ''), 'identifier');
	if (names.length === 0) throw new InputError([{ path: 'fields', message: 'is required' }]);
	return (row) => {
		const simple = simplify(row);
		// Every row has every column, as a Data Table expects.
		return Object.fromEntries(names.map((name) => [name, fieldAt(simple, name) ?? fieldAt(row, name) ?? null]));
	};
}
