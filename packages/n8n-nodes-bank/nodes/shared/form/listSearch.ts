import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

interface Searching {
	search(context: ILoadOptionsFunctions, field: string, filter: string): Promise<INodeListSearchResult>;
}

/** One search method for each field with *From List*, by its name in the form. */
export function listSearchOf(
	form: readonly INodeProperties[],
	load: () => Promise<Searching>,
): Record<string, ListSearch> {
	const named = form.flatMap(({ modes = [] }) =>
		modes.flatMap(({ typeOptions }) => typeOptions?.searchListMethod ?? []),
	);
	const search = (field: string): ListSearch =>
		async function (filter = '') {
			return await (await load()).search(this, field, filter);
		};
	return Object.fromEntries(named.map((field) => [field, search(field)]));
}
