import type {
	ICredentialsDecrypted,
	ICredentialTestFunctions,
	ILoadOptionsFunctions,
	INodeCredentialTestResult,
	INodeListSearchResult,
	INodeProperties,
	ResourceMapperFields,
} from 'n8n-workflow';

import type { actionOf } from '../action.ts';

/** Methods that n8n calls for a form. Each loads its implementation on first use. */

type ListSearch = (this: ILoadOptionsFunctions, filter?: string) => Promise<INodeListSearchResult>;

/** The methods of an action node (action.ts). */
type Load<Method extends keyof Action> = () => Promise<Pick<Action, Method>>;
type Action = ReturnType<typeof actionOf>;

/** One search method for each field with *From List*, by its name in the form. */
export function listSearchOf(form: readonly INodeProperties[], load: Load<'search'>): Record<string, ListSearch> {
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
export const bodyFieldsOf = (load: Load<'bodyFields'>) => ({
	async bodyFields(this: ILoadOptionsFunctions): Promise<ResourceMapperFields> {
		return await (await load()).bodyFields(this);
	},
});

/** The test of Bank Triggers (Inbound) API credentials. */
export const inboundTest = {
	async testInboundSettings(
		this: ICredentialTestFunctions,
		credential: ICredentialsDecrypted,
	): Promise<INodeCredentialTestResult> {
		const { testInboundCredential } = await import('../inbound/authenticate.ts');
		return testInboundCredential(credential);
	},
};
