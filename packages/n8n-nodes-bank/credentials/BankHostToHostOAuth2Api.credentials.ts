import { forms, newTokenTest, TokenBase } from '@bank/credentials';
import type { Icon, ICredentialTestRequest, ICredentialType } from 'n8n-workflow';

export class BankHostToHostOAuth2Api extends TokenBase implements ICredentialType {
	name = 'bankHostToHostOAuth2Api';

	displayName = 'Bank Host-to-Host OAuth2 API';

	icon: Icon = { light: 'file:../icons/bank.svg', dark: 'file:../icons/bank.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/credentials.md#host-to-host';

	properties = forms.bankHostToHostOAuth2Api;

	test: ICredentialTestRequest = newTokenTest;
}
