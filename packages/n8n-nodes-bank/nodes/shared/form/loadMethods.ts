import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodeProperties,
	ResourceMapperFields,
} from 'n8n-workflow';

/** Methods that n8n calls for a form. Each loads its implementation on first use. */

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

/** The method of *Body Fields*. */
export const bodyFieldsOf = (
	load: () => Promise<{ bodyFields(context: ILoadOptionsFunctions): Promise<ResourceMapperFields> }>,
) => ({
	async bodyFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		return await (await load()).bodyFields(this);
	},
});

/** The test of Bank Inbound API credentials. */
export const inboundTest = {
	async testInboundSettings(
		this: ICredentialTestFunctions,
		credential: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const { testInboundCredential } = await import('../inbound/authenticate.ts');
		return testInboundCredential(credential);
	},
};
