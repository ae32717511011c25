import type * as v from 'valibot';

import type { Fields } from '../../../fixtures/src/oracle.ts';
import { fieldsOf, hintsOf, unwrap } from '../../src/index.ts';

/** Converts schemas to the notation of the oracle. */
interface Pipe {
	type: string;
	pipe?: readonly Pipe[];
	options?: readonly unknown[];
	item?: v.GenericSchema;
	entries?: Record<string, v.GenericSchema>;
}

/** The types of all actions of a schema, including nested pipes. */
function actionsOf(schema: Pipe): string[] {
	return (schema.pipe ?? []).flatMap((part) => [part.type, ...(part === schema ? [] : actionsOf(part))]);
}

function typeOf(outer: v.GenericSchema): string {
	const schema = unwrap(outer).schema as unknown as Pipe;
	const actions = actionsOf(schema);
	switch (schema.type) {
		case 'string':
			return hintsOf(schema as never).kind === 'day' ? 'date' : actions.includes('uuid') ? 'uuid' : 'string';
		case 'number':
			return actions.some((action) => action === 'safe_integer' || action === 'integer') ? 'integer' : 'number';
		case 'picklist':
			return (schema.options ?? []).join('|');
		case 'array':
			return `${typeOf(schema.item as v.GenericSchema)}[]`;
		case 'union':
			return (schema.options ?? []).map((option) => typeOf(option as v.GenericSchema)).join('|');
		case 'strict_object':
		case 'loose_object':
			return 'object';
		default:
			return schema.type;
	}
}

/** Every field of a schema: `payments[].amount` -> `number req`. */
export const shapeOf = (schema: v.GenericSchema): Fields =>
	Object.fromEntries(
		fieldsOf(schema).map(([name, entry]) => [name, `${typeOf(entry)} ${unwrap(entry).optional ? 'opt' : 'req'}`]),
	);

/** The order of values does not matter. */
export function unordered(fields: Fields | undefined): Fields | undefined {
	if (fields === undefined) return undefined;
	const sorted = (type: string) => type.replace(/^\S+/, (values) => values.split('|').sort().join('|'));
	return Object.fromEntries(Object.entries(fields).map(([name, type]) => [name, sorted(type)]));
}

/** Responses are read leniently: identifiers and days may be any text. */
export function lenient(fields: Fields | undefined): Fields | undefined {
	if (fields === undefined) return undefined;
	return Object.fromEntries(
		Object.entries(fields).map(([name, type]) => [name, type.replace(/^(uuid|date)\b/, 'string')]),
	);
}
