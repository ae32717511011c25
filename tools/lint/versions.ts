// What n8n does not tell: a version that a new node begins with and that there is not, or a field that no version shows.

type Condition = number | { _cnd: Record<string, unknown> };

interface Field {
	name: string;
	type?: string;
	displayOptions?: { show?: { '@version'?: readonly Condition[] } };
	options?: readonly (Field & { values?: readonly Field[] })[];
}

/** A description of dist/types/nodes.json. A node of several classes (n8n's VersionedNodeType) is there once for each. */
export interface DescribedNode {
	name: string;
	version: number | readonly number[];
	defaultVersion?: number;
	properties?: readonly Field[];
	credentials?: readonly Field[];
}

export function versionFaults(nodes: readonly DescribedNode[]): string[] {
	return [...new Set(nodes.map(({ name }) => name))].flatMap((name) => {
		const shapes = nodes.filter((node) => node.name === name);
		const versions = shapes.flatMap(({ version }) => version);
		const newest = Math.max(...versions);
		const begins = [...new Set(shapes.map(({ defaultVersion = newest }) => defaultVersion))];
		return [
			...(new Set(versions).size < versions.length
				? [`${name} has one of the versions ${versions.join(', ')} twice`]
				: []),
			...begins
				.filter((version) => version !== newest)
				.map((version) => `${name} begins with version ${version}, and ${newest} is the newest`),
			...shapes.flatMap(({ version, properties = [], credentials = [] }) =>
				neverShown([...properties, ...credentials], [version].flat()).map(
					(path) => `${name}: no version of ${[version].flat().join(', ')} shows ${path}`,
				),
			),
		];
	});
}

/** Every field, at any depth, whose condition none of the versions meets. */
function neverShown(fields: readonly Field[], versions: readonly number[], parent = ''): string[] {
	return fields.flatMap((field) => {
		const path = parent + field.name;
		const conditions = field.displayOptions?.show?.['@version'] ?? versions;
		if (!versions.some((version) => conditions.some((condition) => isMet(condition, version)))) return [path];
		const inner = (field.options ?? []).flatMap((option) => option.values ?? (option.type === undefined ? [] : option));
		return neverShown(inner, versions, `${path}.`);
	});
}

/** The conditions that scripts/forms/join.ts writes, as n8n-workflow's `checkConditions` reads them. */
function isMet(condition: Condition, version: number): boolean {
	if (typeof condition === 'number') return condition === version;
	return Object.entries(condition._cnd).every(([name, wanted]) => {
		if (name === 'gte') return version >= Number(wanted);
		if (name === 'lt') return version < Number(wanted);
		if (name !== 'between') throw new Error(`A condition on the version is neither gte, lt nor between, but ${name}`);
		const { from, to } = wanted as { from: number; to: number };
		return version >= from && version <= to;
	});
}
