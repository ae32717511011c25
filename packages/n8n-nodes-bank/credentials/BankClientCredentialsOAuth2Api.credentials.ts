import { forms, newTokenTest, TokenBase } from '@bank/credentials';
import type { Icon, ICredentialTestRequest, ICredentialType } from 'n8n-workflow';

export class BankClientCredentialsOAuth2Api extends TokenBase implements ICredentialType {
	name = 'bankClientCredentialsOAuth2Api';

	displayName = 'Bank Payments OAuth2 API';

	icon: Icon = { light: 'file:../icons/bank.svg', dark: 'file:../icons/bank.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/credentials.md#client-credentials';

	properties = forms.bankClientCredentialsOAuth2Api;

	test: ICredentialTestRequest = newTokenTest;
}
