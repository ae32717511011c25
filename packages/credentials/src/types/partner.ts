import type {
	ICredentialDataDecryptedObject,
	IDataObject,
	IHttpRequestHelper,
	IHttpRequestOptions,
} from 'n8n-workflow';

import { forms } from '../forms/index.ts';

/** Types without a token. */
abstract class PartnerBase {
	async authenticate(
		credentials: ICredentialDataDecryptedObject,
		requestOptions: IHttpRequestOptions,
	): Promise<IHttpRequestOptions> {
		const { authenticateDirectly } = await import('../probe.ts');
		return authenticateDirectly(credentials, requestOptions);
	}

	async preAuthentication(this: IHttpRequestHelper, credentials: ICredentialDataDecryptedObject): Promise<IDataObject> {
		const { probe } = await import('../probe.ts');
		return await probe(this.helpers.httpRequest, credentials);
	}
}

/** Client ID and secret of the gateway, and the partner name (5.7, 5.8). */
export abstract class GatewayBase extends PartnerBase {
	properties = forms.bankGatewayApi;
}

/** A client certificate and the client ID that it is registered for (5.6). */
export abstract class MutualTlsBase extends PartnerBase {
	properties = forms.bankMutualTlsApi;
}
