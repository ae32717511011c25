import { isRecord } from './json.ts';

/** One step of a path: the name of a field, or the place in a list. */
export type Step = string | number;

/** `a.b[0].c` -> its steps. */
function stepsOf(path: string): Step[] {
	return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([step, index]) => (index === undefined ? step : Number(index)));
}

/** The steps of a place where a value can be put; undefined where a text is not such a place. */
export function placeOf(path: string): Step[] | undefined {
	return /^[^\s.[\]]+(?:\.[^\s.[\]]+|\[\d{1,4}\])*$/.test(path) ? stepsOf(path) : undefined;
}

/** What stands under a field or an index itself, and not under what every object inherits. */
function ownField(parent: unknown, step: Step): unknown {
	if (Array.isArray(parent)) return Object.hasOwn(parent, step) ? Reflect.get(parent, step) : undefined;
	return isRecord(parent) && Object.hasOwn(parent, step) ? parent[step] : undefined;
}

/** What stands at a path; the value itself where the path is empty. A key that has dots itself comes first. */
export function fieldAt(value: unknown, path: string): unknown {
	const whole = ownField(value, path);
	return whole === undefined ? stepsOf(path).reduce<unknown>(ownField, value) : whole;
}

/** The same for every element of lists on the way, where the path says `[*]`: `documents[*].status`. Empty where there are none. */
export function valuesAt(value: unknown, path: string): unknown[] {
	const [before = '', ...after] = path.split('[*]');
	const found = fieldAt(value, before);
	if (after.length === 0) return [found];
	return Array.isArray(found)
		? found.flatMap((element) => valuesAt(element, after.join('[*]').replace(/^\./, '')))
		: [];
}

/**
 * Whether nothing stands at a place or in the way to it that would have to go: a value, text where an object is needed,
 * an object where a list is.
 */
export function isFree(target: unknown, [step, ...rest]: readonly Step[]): boolean {
	if (target === undefined || target === null || (step === undefined && target === '')) return true;
	if (step === undefined) return false;
	if (typeof target !== 'object' || Array.isArray(target) !== (typeof step === 'number')) return false;
	return isFree(ownField(target, step), rest);
}

/** A copy of `target` with `value` at the place. Objects and lists on the way are made. */
export function withValueAt(target: unknown, [step, ...rest]: readonly Step[], value: unknown): unknown {
	if (step === undefined) return value;
	if (typeof step === 'number') {
		const list: unknown[] = Array.isArray(target) ? [...target] : [];
		list[step] = withValueAt(list[step], rest, value);
		return Array.from(list, (element, index) => (index in list ? element : {}));
	}
	const known = isRecord(target) ? target : {};
	// Not by assignment: a field that is named __proto__ would vanish.
	return Object.fromEntries([...Object.entries(known), [step, withValueAt(ownField(known, step), rest, value)]]);
}

/** The record without what stands at a path. The records on the way are copied; a list on the way goes as a whole. */
export function withoutField(record: Record<string, unknown>, path: string): Record<string, unknown> {
	return Object.hasOwn(record, path) ? withoutKey(record, path) : withoutStep(record, stepsOf(path));
}

function withoutStep(record: Record<string, unknown>, [step = '', ...rest]: readonly Step[]): Record<string, unknown> {
	const inner = ownField(record, step);
	return rest.length === 0 || !isRecord(inner)
		? withoutKey(record, step)
		: { ...record, [step]: withoutStep(inner, rest) };
}

function withoutKey(record: Record<string, unknown>, key: Step): Record<string, unknown> {
	const { [key]: _, ...rest } = record;
	return rest;
}
