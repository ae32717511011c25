import type { INodeProperties } from 'n8n-workflow';

import type { Conditions } from './when.ts';

/**
 * For which operations of a node a field is there, as n8n's conditions say it. n8n's editor loads the conditions of all
 * fields at once, so each says no more than it takes to tell these operations from the others that there are.
 */

/** The form of an operation. */
export interface OperationForm {
	resource: string;
	operation: string;
	fields: readonly INodeProperties[];
}

/** What one condition can say; nothing where it says all that there is. */
export interface Place {
	keys: readonly string[];
	show?: Conditions;
	hide?: Conditions;
}

export const keyOf = ({ resource, operation }: OperationForm) => `${resource}.${operation}`;

/** One condition where one can say it, else one for each rectangle of resources and operations. */
export function placesOf(keys: readonly string[], existing: readonly string[], prefix: '' | '/' = ''): Place[] {
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
