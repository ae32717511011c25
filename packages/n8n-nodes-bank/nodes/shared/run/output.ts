import { InputError, isRecord, splitList } from '@bank/core';

import type { Run } from './run.ts';

/**
 * What is kept of each row of a list, as *Output* says: the choices that n8n gives its tools, so that a model need not read what it does
 * not ask for.
 * @throws InputError where an expression gives none of them, or selects nothing
 */
export function outputOf<Row>({ parameters }: Run, item: number, simplify: (row: Row) => object): (row: Row) => object {
	const output = parameters.text('output', item, 'simple');
	if (output === 'simple') return simplify;
	if (output === 'raw') return Object;
	if (output !== 'fields') throw new InputError([{ path: 'output', message: 'must be simple, raw or fields' }]);
	const names = splitList(parameters.value('fields', item, ''), 'identifier');
	if (names.length === 0) throw new InputError([{ path: 'fields', message: 'is required' }]);
	return (row) => {
		const simple = simplify(row);
		// Every row has every column, as a table wants it.
		return Object.fromEntries(names.map((name) => [name, valueAt(simple, name) ?? valueAt(row, name) ?? null]));
	};
}

/** `recipient.name` is the name of the recipient. */
const valueAt = (row: unknown, name: string): unknown =>
	name
		.split('.')
		.reduce<unknown>((value, step) => (isRecord(value) && Object.hasOwn(value, step) ? value[step] : undefined), row);
