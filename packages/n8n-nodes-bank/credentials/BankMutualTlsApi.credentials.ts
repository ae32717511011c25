import { forms, NoTokenBase, serviceTest } from '@bank/credentials';
import type { Icon, ICredentialTestRequest, ICredentialType } from 'n8n-workflow';

export class BankMutualTlsApi extends NoTokenBase implements ICredentialType {
	name = 'bankMutualTlsApi';

	displayName = 'Bank Partner Services (Mutual TLS) API';

	icon: Icon = { light: 'file:../icons/bank.svg', dark: 'file:../icons/bank.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/credentials.md#mutual-tls';

	properties = forms.bankMutualTlsApi;

	test: ICredentialTestRequest = serviceTest;
}
