import type { INodeProperties } from 'n8n-workflow';

/** Fields by name, without display options. */
export type CommonFields = ReadonlyMap<string, INodeProperties>;

export const withoutConditions = ({ displayOptions, ...field }: INodeProperties): INodeProperties => field;

/** The fields that the forms of several nodes have, or that a trigger needs too. They are published once. */
export function commonFieldsOf(
	forms: readonly (readonly INodeProperties[])[],
	ofTriggers: readonly string[],
): CommonFields {
	const uses = new Map<string, Set<number>>();
	for (const [node, form] of forms.entries())
		for (const field of [...form.flatMap(optionsIn), ...form]) {
			const content = JSON.stringify(withoutConditions(field));
			uses.set(content, (uses.get(content) ?? new Set()).add(node));
		}
	const found = new Map<string, INodeProperties>();
	// If fields of several nodes have the same name and different content, the content that most nodes have is shared.
	for (const [content, nodes] of [...uses].sort(([, one], [, other]) => other.size - one.size)) {
		const field = JSON.parse(content) as INodeProperties;
		if (field.type !== 'collection' && !found.has(field.name) && (nodes.size > 1 || ofTriggers.includes(field.name)))
			found.set(field.name, field);
	}
	return new Map([...found].sort(([one], [other]) => one.localeCompare(other, 'en')));
}

const optionsIn = ({ type, options }: INodeProperties): INodeProperties[] =>
	type === 'collection' ? ((options ?? []) as INodeProperties[]) : [];
