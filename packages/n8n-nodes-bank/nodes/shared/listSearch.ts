import type { ILoadOptionsFunctions, INodeListSearchResult, INodeProperties } from 'n8n-workflow';

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** What asks the bank, once somebody searches. */
interface Searching {
	search(context: ILoadOptionsFunctions, field: string, filter: string): Promise<INodeListSearchResult>;
}

/** One search for each field of a form that offers *From List*, by the name that the form has for it. */
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
