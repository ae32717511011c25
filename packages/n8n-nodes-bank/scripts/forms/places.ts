import type { INodeProperties } from 'n8n-workflow';

import type { Conditions } from './when.ts';

/**
 * For which operations and versions of a node a field is there, as n8n's conditions say it. n8n's editor loads the conditions of all
 * fields at once, so each says no more than it takes to tell these operations from the others that there are.
 */

/** The form of an operation in the versions of the node that have it in this shape. */
export interface OperationForm {
	resource: string;
	operation: string;
	versions: readonly number[];
	fields: readonly INodeProperties[];
}

/** Everything that a condition might cover: the versions of the node, and those that have an operation, by `keyOf`. */
export interface Existing {
	versions: readonly number[];
	operations: ReadonlyMap<string, readonly number[]>;
}

/** What one condition can say; nothing where it says all that there is. */
export interface Place {
	keys: readonly string[];
	show?: Conditions;
	hide?: Conditions;
}

export const keyOf = ({ resource, operation }: OperationForm) => `${resource}.${operation}`;

export function versionsByKey(forms: readonly OperationForm[]): Map<string, readonly number[]> {
	const found = new Map<string, readonly number[]>();
	for (const form of forms) found.set(keyOf(form), [...(found.get(keyOf(form)) ?? []), ...form.versions]);
	return found;
}

/** As few places as will do. */
export function placesOf(forms: readonly OperationForm[], node: Existing, prefix: '' | '/' = ''): Place[] {
	const byVersion = new Map<string, string[]>();
	for (const [key, versions] of versionsByKey(forms)) {
		const isEverywhere = versions.length === node.operations.get(key)?.length;
		const condition = JSON.stringify(isEverywhere ? {} : { '@version': inVersions(versions, node.versions) });
		byVersion.set(condition, [...(byVersion.get(condition) ?? []), key]);
	}
	return [...byVersion].flatMap(([condition, keys]) => {
		const version = JSON.parse(condition) as Conditions;
		return conditionsFor(keys, [...node.operations.keys()], prefix).map(({ show, ...place }) => {
			const all = { ...version, ...show };
			return { ...place, ...(Object.keys(all).length === 0 ? {} : { show: all }) };
		});
	});
}

/** One condition where one can say it, else one for each rectangle of resources and operations. */
function conditionsFor(keys: readonly string[], existing: readonly string[], prefix: string): Place[] {
	const whole = shortest(keys, existing, prefix);
	if (whole !== undefined) return [whole];
	return rectangles(keys, existing).flatMap((members) => shortest(members, existing, prefix) ?? []);
}

/** The shortest condition that these operations fulfil and no others of those that there are. */
function shortest(keys: readonly string[], existing: readonly string[], prefix: string): Place | undefined {
	const others = existing.filter((key) => !keys.includes(key));
	const only = (key: string, list: readonly string[], part: 0 | 1) =>
		list.every((other) => other.split('.')[part] !== key.split('.')[part]);
	/** Hidden is what meets any of the conditions; so the resources of which nothing is shown, and the operations of the others. */
	const wholly = others.filter((key) => only(key, keys, 0));
	const partly = others.filter((key) => !wholly.includes(key));
	const candidates: Place[] = [
		{ keys },
		{ keys, show: named(keys, ['resource'], prefix) },
		{ keys, show: named(keys, ['operation'], prefix) },
		{ keys, show: named(keys, ['resource', 'operation'], prefix) },
		{ keys, hide: named(others, ['resource'], prefix) },
		{ keys, hide: named(others, ['operation'], prefix) },
		{ keys, hide: { ...named(wholly, ['resource'], prefix), ...named(partly, ['operation'], prefix) } },
	];
	// Who reads a form thinks in what is shown: hidden is only what would be long otherwise.
	const size = ({ show, hide }: Place) => JSON.stringify({ show, hide }).length + (hide === undefined ? 0 : 20);
	const exact = candidates.filter((place) =>
		existing.every((key) => isOffered(place, key.split('.'), prefix) === keys.includes(key)),
	);
	return exact.sort((one, other) => size(one) - size(other))[0];
}

const parts = ['resource', 'operation'] as const;

function named(keys: readonly string[], wanted: readonly (typeof parts)[number][], prefix: string): Conditions {
	const values = (part: (typeof parts)[number]) => [
		...new Set(keys.map((key) => key.split('.')[parts.indexOf(part)] ?? '')),
	];
	return Object.fromEntries(wanted.map((part) => [`${prefix}${part}`, values(part)]));
}

/** Whether a field is there for an operation, whatever else is chosen. */
export function isOffered(
	{ show = {}, hide = {} }: { show?: Conditions; hide?: Conditions },
	operation: readonly string[],
	prefix = '',
): boolean {
	const includes = (values: Conditions[string], index: number) => (values as unknown[]).includes(operation[index]);
	return parts.every((part, index) => {
		const [shown, hidden] = [show[`${prefix}${part}`], hide[`${prefix}${part}`]];
		return (shown === undefined || includes(shown, index)) && (hidden === undefined || !includes(hidden, index));
	});
}

/** A condition names resources and operations apart, so it covers all their combinations: only those must exist that are meant. */
function rectangles(keys: readonly string[], existing: readonly string[]): string[][] {
	const found: string[][] = [];
	for (const key of keys) {
		if (found.some((members) => members.includes(key))) continue;
		const index = found.findIndex((members) => {
			const covered = combinations([...members, key]).filter(
				(other) => existing.includes(other) && !members.includes(other),
			);
			return covered.every((other) => keys.includes(other) && !found.some((another) => another.includes(other)));
		});
		const members = combinations([...(found[index] ?? []), key]).filter((other) => existing.includes(other));
		found.splice(index < 0 ? found.length : index, 1, members);
	}
	return found;
}

function combinations(keys: readonly string[]): string[] {
	const values = (index: number) => [...new Set(keys.map((key) => key.split('.')[index] ?? ''))];
	return values(0).flatMap((resource) => values(1).map((operation) => `${resource}.${operation}`));
}

/**
 * Some versions of a node as n8n's condition. The newest shape says "from then on", so that the next version of the node has it as
 * well until it says otherwise.
 */
export function inVersions(wanted: readonly number[], all: readonly number[]): NonNullable<Conditions['@version']> {
	const sorted = all.filter((version) => wanted.includes(version));
	const [first = 0, last = 0] = [sorted[0], sorted.at(-1)];
	const [start, end] = [all.indexOf(first), all.indexOf(last)];
	if (end - start + 1 !== sorted.length) return sorted;
	if (end === all.length - 1) return [{ _cnd: { gte: first } }];
	if (start === 0) return [{ _cnd: { lt: all[end + 1] ?? last } }];
	return start === end ? [first] : [{ _cnd: { between: { from: first, to: last } } }];
}
