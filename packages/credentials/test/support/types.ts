/** Credential types, composed as in the published package. */
import { forms, TokenlessBase, TokenBase } from '../../src/index.ts';

export class ClientCredentials extends TokenBase {
	properties = forms.bankClientCredentialsOAuth2Api;
}

export class HostToHost extends TokenBase {
	properties = forms.bankHostToHostOAuth2Api;
}

export class Gateway extends TokenlessBase {
	properties = forms.bankGatewayApi;
}

export class MutualTls extends TokenlessBase {
	properties = forms.bankMutualTlsApi;
}
