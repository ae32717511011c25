import * as v from 'valibot';

import { exactNumber, isRecord } from '../json.ts';
import { hintsOf } from './fields.ts';
import { type Shape, unwrap } from './unwrap.ts';

/** Coerces a response to the documented types where that loses nothing; everything else is returned unchanged. */
export function fromResponse(outer: v.GenericSchema, value: unknown): unknown {
	return shaperOf(outer)(value);
}

type Shaper = (value: unknown) => unknown;

/** Cached, because a response may contain a hundred thousand objects of the same schema. */
const shapers = new WeakMap<v.GenericSchema, Shaper>();

function shaperOf(outer: v.GenericSchema): Shaper {
	const shaper = shapers.get(outer) ?? newShaper(unwrap(outer).schema);
	shapers.set(outer, shaper);
	return shaper;
}

function newShaper(schema: v.GenericSchema & Shape): Shaper {
	switch (schema.type) {
		case 'string':
			return (value) => (typeof value === 'number' ? String(value) : value);
		case 'number':
			// Two kinds of numbers stay text: those with leading zeros are identifiers, and those that are not exact
			// would change.
			return (value) =>
				typeof value === 'string' && value.length < 50 && /^-?(0|[1-9]\d*)(\.\d+)?$/.test(value)
					? (exactNumber(value) ?? value)
					: value;
		case 'boolean':
			return (value) => (value === 'true' ? true : value === 'false' ? false : value);
		case 'array': {
			const shape = shaperOf(schema.item ?? v.unknown());
			return (value) => {
				if (!Array.isArray(value)) return value;
				const elements: unknown[] = value.map(shape);
				return elements.every((element, index) => element === value[index]) ? value : elements;
			};
		}
		case 'loose_object':
			return objectShaper(schema.entries ?? {});
		default:
			return (value) => value;
	}
}

/** Returns objects that need no coercion unchanged, to avoid copying large responses. */
function objectShaper(entries: Record<string, v.GenericSchema>): Shaper {
	const shapes = new Map(Object.entries(entries).map(([name, entry]) => [name, shaperOf(entry)]));
	const names = documentedNames(entries);
	return (value) => {
		if (!isRecord(value)) return value;
		let fields: [string, unknown][] | undefined;
		const keys = Object.keys(value);
		for (const [index, key] of keys.entries()) {
			// If documented name and alias are both there, the documented name takes precedence.
			const name = names.get(key) ?? key;
			const known = name !== key && Object.hasOwn(value, name) ? key : name;
			const field = value[key];
			const shaped = shapes.get(known)?.(field) ?? field;
			if (known !== key || shaped !== field)
				fields ??= keys.slice(0, index).map((earlier) => [earlier, value[earlier]]);
			fields?.push([known, shaped]);
		}
		return fields === undefined ? value : Object.fromEntries(fields);
	};
}

function documentedNames(entries: Record<string, v.GenericSchema>): Map<string, string> {
	return new Map(
		Object.entries(entries).flatMap(([name, entry]) =>
			(hintsOf(unwrap(entry).schema).aliases ?? []).map((alias) => [alias, name] as const),
		),
	);
}
