/** Credential types, composed as in the published package. */
import { forms, NoTokenBase, TokenBase } from '../../src/index.ts';

export class ClientCredentials extends TokenBase {
	properties = forms.bankClientCredentialsOAuth2Api;
}

export class HostToHost extends TokenBase {
	properties = forms.bankHostToHostOAuth2Api;
}

export class Gateway extends NoTokenBase {
	properties = forms.bankGatewayApi;
}

export class MutualTls extends NoTokenBase {
	properties = forms.bankMutualTlsApi;
}
