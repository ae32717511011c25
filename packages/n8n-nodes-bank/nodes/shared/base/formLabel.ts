import type { IAllExecuteFunctions, INodeProperties } from 'n8n-workflow';

type Context = Pick<IAllExecuteFunctions, 'getNode'>;

/** The forms of running nodes, for the labels in errors: n8n does not pass a node its own description. */
const forms = new WeakMap<object, readonly INodeProperties[]>();

export function useForm(context: Context, form: readonly INodeProperties[]): void {
	forms.set(context, form);
}

/** The label of a field of the chosen operation; undefined if its form has no such field. */
export function formLabel(context: Context, path: string): string | undefined {
	const name = /(\w+)(?:\[\d+\])?$/.exec(path)?.[1] ?? '';
	const { resource, operation } = context.getNode().parameters;
	const isShown = ({ displayOptions: { show = {} } = {} }: INodeProperties) =>
		includes(show.resource, resource) && includes(show.operation, operation);
	return labelIn((forms.get(context) ?? []).filter(isShown), name);
}

const includes = (wanted: readonly unknown[] | undefined, chosen: unknown): boolean =>
	wanted === undefined || wanted.includes(chosen);

function labelIn(fields: readonly object[], name: string): string | undefined {
	const named = fields.find((field) => 'name' in field && field.name === name && 'type' in field);
	if (named !== undefined) return 'displayName' in named ? String(named.displayName) : undefined;
	for (const field of fields)
		for (const members of [Reflect.get(field, 'options'), Reflect.get(field, 'values')]) {
			const found = Array.isArray(members) ? labelIn(members, name) : undefined;
			if (found !== undefined) return found;
		}
	return undefined;
}
