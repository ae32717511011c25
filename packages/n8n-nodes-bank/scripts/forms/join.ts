import type { INodeProperties } from 'n8n-workflow';

import { byDisplayName } from './field.ts';
import { type Conditions, when } from './when.ts';

/**
 * The forms of all operations of a node in one list, in which a field that several operations or versions share stands only once:
 * the package stays small, and a value stays when the user goes on to another operation. The order of every form stays.
 */

/** The form of an operation in the versions of the node that have it in this shape. */
export interface OperationForm {
	resource: string;
	operation: string;
	versions: readonly number[];
	fields: readonly INodeProperties[];
}

/** @param versions all versions of the node, in their order */
export function joined(forms: readonly OperationForm[], versions: readonly number[]): INodeProperties[] {
	const node: Node = { versions, existing: versionsByKey(forms) };
	return inOrder(forms).flatMap((name) =>
		differing(forms, name).flatMap((one) =>
			one.field.type === 'collection' ? collectionsOf(one, node) : copiesOf(one, node, atTop),
		),
	);
}

/** The names of all fields, so that every form keeps its order; where nothing decides, as they come. */
function inOrder(forms: readonly OperationForm[]): string[] {
	const before = new Map<string, Set<string>>();
	for (const { fields } of forms) {
		const names = [...new Set(fields.map(({ name }) => name))];
		names.forEach((name, index) => {
			const known = before.get(name) ?? new Set<string>();
			before.set(name, new Set([...known, ...names.slice(Math.max(0, index - 1), index)]));
		});
	}
	const order: string[] = [];
	while (order.length < before.size) {
		const left = [...before].filter(([name]) => !order.includes(name));
		const next = left.find(([, others]) => [...others].every((other) => order.includes(other)));
		if (next === undefined)
			throw new Error(
				`Two operations have some of these fields in another order: ${left.map(([name]) => name).join(', ')}`,
			);
		order.push(next[0]);
	}
	return order;
}

/** A field, and the forms that have it. */
interface Shared {
	field: INodeProperties;
	forms: OperationForm[];
}

/** The fields of a name that are not the same. Of a collection, what it offers does not count. */
function differing(forms: readonly OperationForm[], name: string): Shared[] {
	const found = new Map<string, Shared>();
	for (const form of forms) {
		for (const field of form.fields.filter((candidate) => candidate.name === name)) {
			const content = JSON.stringify(field.type === 'collection' ? { ...field, options: undefined } : field);
			const known = found.get(content) ?? { field, forms: [] };
			found.set(content, { field, forms: [...known.forms, form] });
		}
	}
	return [...found.values()];
}

/** As often as it takes to show the field for these forms and no others. */
function copiesOf({ field, forms }: Shared, node: Node, conditions: (place: Place) => Conditions): INodeProperties[] {
	return placesOf(forms, node).map((place) => shownIn(field, conditions(place)));
}

/** Collections whose fields are there for the forms that have them. */
function collectionsOf({ field, forms }: Shared, node: Node): INodeProperties[] {
	return placesOf(forms, node).map((place) => {
		const own = forms.filter((form) => place.keys.includes(keyOf(form)));
		const inner = own.map((form) => ({ ...form, fields: offeredBy(form, field.name) }));
		const names = [...new Set(inner.flatMap(({ fields }) => fields.map(({ name }) => name)))];
		const options = names
			.flatMap((name) => differing(inner, name))
			.flatMap((one) => (one.forms.length === own.length ? [one.field] : copiesOf(one, node, inCollection)));
		return shownIn({ ...field, options: options.sort(byDisplayName) }, atTop(place));
	});
}

function offeredBy({ fields }: OperationForm, collection: string): INodeProperties[] {
	return fields
		.filter(({ name }) => name === collection)
		.flatMap(({ options }) => (options ?? []) as INodeProperties[]);
}

/** The condition stands before the help, as in a form written by hand. */
function shownIn({ displayOptions, description, ...field }: INodeProperties, show: Conditions): INodeProperties {
	return {
		...field,
		displayOptions: when({ ...show, ...displayOptions?.show }),
		...(description === undefined ? {} : { description }),
	};
}

// ---- Conditions --------------------------------------------------------------------------------------------------------

/** Everything that a condition might cover: the versions of the node, and those that have an operation, by `keyOf`. */
interface Node {
	versions: readonly number[];
	existing: ReadonlyMap<string, readonly number[]>;
}

/** What one condition can say: these operations of these resources, in these versions. */
interface Place {
	keys: readonly string[];
	version: Conditions['@version'];
}

const keyOf = ({ resource, operation }: OperationForm) => `${resource}.${operation}`;

function versionsByKey(forms: readonly OperationForm[]): Map<string, readonly number[]> {
	const found = new Map<string, readonly number[]>();
	for (const form of forms) found.set(keyOf(form), [...(found.get(keyOf(form)) ?? []), ...form.versions]);
	return found;
}

/** As few places as will do. */
function placesOf(forms: readonly OperationForm[], node: Node): Place[] {
	const byVersion = new Map<string, string[]>();
	for (const [key, versions] of versionsByKey(forms)) {
		const isEverywhere = versions.length === node.existing.get(key)?.length;
		const condition = JSON.stringify(isEverywhere ? null : inVersions(versions, node.versions));
		byVersion.set(condition, [...(byVersion.get(condition) ?? []), key]);
	}
	return [...byVersion].flatMap(([condition, keys]) =>
		rectangles(keys, node).map((members) => ({ keys: members, version: JSON.parse(condition) ?? undefined })),
	);
}

/** A condition names resources and operations apart, so it covers all their combinations: only those must exist that are meant. */
function rectangles(keys: readonly string[], { existing }: Node): string[][] {
	const found: string[][] = [];
	for (const key of keys) {
		if (found.some((members) => members.includes(key))) continue;
		const index = found.findIndex((members) => {
			const covered = combinations([...members, key]).filter(
				(other) => existing.has(other) && !members.includes(other),
			);
			return covered.every((other) => keys.includes(other) && !found.some((another) => another.includes(other)));
		});
		const members = combinations([...(found[index] ?? []), key]).filter((other) => existing.has(other));
		found.splice(index < 0 ? found.length : index, 1, members);
	}
	return found;
}

function combinations(keys: readonly string[]): string[] {
	const { resources, operations } = partsOf(keys);
	return resources.flatMap((resource) => operations.map((operation) => `${resource}.${operation}`));
}

function partsOf(keys: readonly string[]): { resources: string[]; operations: string[] } {
	const parts = keys.map((key) => key.split('.'));
	const unique = (index: number) => [...new Set(parts.map((part) => part[index] ?? ''))];
	return { resources: unique(0), operations: unique(1) };
}

function atTop({ keys, version }: Place): Conditions {
	const { resources, operations } = partsOf(keys);
	return { ...(version === undefined ? {} : { '@version': version }), resource: resources, operation: operations };
}

/** From inside a collection, resource and operation are those of the node. */
function inCollection(place: Place): Conditions {
	const { resource, operation, ...version } = atTop(place);
	return { ...version, '/resource': resource, '/operation': operation };
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
