import type { IDisplayOptions, INodeProperties } from 'n8n-workflow';

type Conditions = NonNullable<IDisplayOptions['show']>;

// Display conditions for sets of operations. n8n's editor loads the conditions of all fields of a node at once, so each
// is the shortest one that separates its operations from the others of the node.

/** The form of an operation. */
export interface OperationForm {
	resource: string;
	operation: string;
	fields: readonly INodeProperties[];
}

/** A display condition and the operations it selects. Without `show` and `hide` it selects all. */
export interface DisplayCondition {
	keys: readonly string[];
	show?: Conditions;
	hide?: Conditions;
}

export const keyOf = ({ resource, operation }: OperationForm) => `${resource}.${operation}`;

/** One condition if possible, otherwise one for each group of operations that a condition can select. */
export function conditionsFor(
	keys: readonly string[],
	existing: readonly string[],
	prefix: '' | '/' = '',
): DisplayCondition[] {
	const single = shortestCondition(keys, existing, prefix);
	if (single !== undefined) return [single];
	return groupsOf(keys, existing).flatMap((members) => shortestCondition(members, existing, prefix) ?? []);
}

/** The shortest condition that selects exactly these of the existing operations; otherwise undefined. */
function shortestCondition(
	keys: readonly string[],
	existing: readonly string[],
	prefix: string,
): DisplayCondition | undefined {
	const others = existing.filter((key) => !keys.includes(key));
	const only = (key: string, list: readonly string[], part: 0 | 1) =>
		list.every((other) => other.split('.')[part] !== key.split('.')[part]);
	// `hide` applies if any of its conditions matches: first whole resources, then operations of the remaining ones.
	const hiddenResources = others.filter((key) => only(key, keys, 0));
	const hiddenOperations = others.filter((key) => !hiddenResources.includes(key));
	const candidates: DisplayCondition[] = [
		{ keys },
		{ keys, show: selecting(keys, ['resource'], prefix) },
		{ keys, show: selecting(keys, ['operation'], prefix) },
		{ keys, show: selecting(keys, ['resource', 'operation'], prefix) },
		{ keys, hide: selecting(others, ['resource'], prefix) },
		{ keys, hide: selecting(others, ['operation'], prefix) },
		{
			keys,
			hide: {
				...selecting(hiddenResources, ['resource'], prefix),
				...selecting(hiddenOperations, ['operation'], prefix),
			},
		},
	];
	// `show` is easier to read, so `hide` must be at least 20 characters shorter.
	const size = ({ show, hide }: DisplayCondition) =>
		JSON.stringify({ show, hide }).length + (hide === undefined ? 0 : 20);
	const exact = candidates.filter((condition) =>
		existing.every((key) => isShownFor(condition, key.split('.'), prefix) === keys.includes(key)),
	);
	return exact.sort((one, other) => size(one) - size(other))[0];
}

const parts = ['resource', 'operation'] as const;

function selecting(keys: readonly string[], wanted: readonly (typeof parts)[number][], prefix: string): Conditions {
	const values = (part: (typeof parts)[number]) => [
		...new Set(keys.map((key) => key.split('.')[parts.indexOf(part)] ?? '')),
	];
	return Object.fromEntries(wanted.map((part) => [`${prefix}${part}`, values(part)]));
}

/** Whether resource and operation permit the field; other conditions are ignored. */
export function isShownFor(
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

/**
 * Splits operations into groups. A condition lists resources and operations separately and so selects every combination of
 * them: in a group, every existing combination must be a wanted operation.
 */
function groupsOf(keys: readonly string[], existing: readonly string[]): string[][] {
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
