import { isRecord } from './json.ts';

export type Step = string | number;

function stepsOf(path: string): Step[] {
	return [...path.matchAll(/\[(\d+)\]|[^.[\]]+/g)].map(([step, index]) => (index === undefined ? step : Number(index)));
}

/** Maximum number of steps of a path that a user enters. No documented request needs as many. */
const maxSteps = 20;
/** Maximum sum of the positions in a path, because the elements before each position are created. */
const maxElements = 10_000;

/** The steps of a path such as `a.b[0].c` or `[0].a`; undefined if it is malformed, or has too many. */
export function parsePath(path: string): Step[] | undefined {
	if (!/^(?:[^\s.[\]]+|\[\d{1,4}\])(?:\.[^\s.[\]]+|\[\d{1,4}\])*$/.test(path)) return undefined;
	const steps = stepsOf(path);
	const elements = steps.reduce<number>((sum, step) => sum + (typeof step === 'number' ? step : 0), 0);
	return steps.length > maxSteps || elements >= maxElements ? undefined : steps;
}

/** The value of an object's own property; inherited properties do not count. */
function ownField(parent: unknown, step: Step): unknown {
	if (Array.isArray(parent)) return Object.hasOwn(parent, step) ? Reflect.get(parent, step) : undefined;
	return isRecord(parent) && Object.hasOwn(parent, step) ? parent[step] : undefined;
}

/** The value at a path, or the value itself if the path is empty. A key that contains dots takes precedence. */
export function fieldAt(value: unknown, path: string): unknown {
	const whole = ownField(value, path);
	return whole === undefined ? stepsOf(path).reduce<unknown>(ownField, value) : whole;
}

/** The values at a path in which `[*]` stands for all elements of a list: `documents[*].status`. */
export function valuesAt(value: unknown, path: string): unknown[] {
	const [before = '', ...after] = path.split('[*]');
	const found = fieldAt(value, before);
	if (after.length === 0) return [found];
	return Array.isArray(found)
		? found.flatMap((element) => valuesAt(element, after.join('[*]').replace(/^\./, '')))
		: [];
}

/** Whether a value can be set at a path without overwriting another value or turning a list into an object. */
export function isPathFree(target: unknown, [step, ...rest]: readonly Step[]): boolean {
	if (target === undefined || target === null || (step === undefined && target === '')) return true;
	if (step === undefined) return false;
	if (typeof target !== 'object' || Array.isArray(target) !== (typeof step === 'number')) return false;
	return isPathFree(ownField(target, step), rest);
}

/** A copy of `target` with `value` at the path. Missing objects and lists are created. */
export function withValueAt(target: unknown, [step, ...rest]: readonly Step[], value: unknown): unknown {
	if (step === undefined) return value;
	if (typeof step === 'number') {
		const list: unknown[] = Array.isArray(target) ? [...target] : [];
		list[step] = withValueAt(list[step], rest, value);
		return Array.from(list, (element, index) => (index in list ? element : {}));
	}
	const known = isRecord(target) ? target : {};
	// Rebuilt from entries, because an assignment would lose a field named __proto__.
	return Object.fromEntries([...Object.entries(known), [step, withValueAt(ownField(known, step), rest, value)]]);
}

/**
 * A copy of the record without the field at the path. A list on the path is removed as a whole if it has no record at
 * its position.
 */
export function withoutField(record: Record<string, unknown>, path: string): Record<string, unknown> {
	const steps = Object.hasOwn(record, path) ? [path] : stepsOf(path);
	return withoutStep(record, steps) as Record<string, unknown>;
}

/** The value without the field at the path; undefined if it is not a record, so that the caller removes it. */
function withoutStep(value: unknown, [step = '', ...rest]: readonly Step[]): unknown {
	const inner = rest.length === 0 ? undefined : withoutStep(ownField(value, step), rest);
	if (Array.isArray(value)) return inner === undefined ? undefined : value.with(Number(step), inner);
	if (!isRecord(value)) return undefined;
	const { [step]: _, ...others } = value;
	return inner === undefined ? others : { ...value, [step]: inner };
}
