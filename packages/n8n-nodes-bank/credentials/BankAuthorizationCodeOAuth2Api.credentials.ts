import { connectedTest, forms } from '@bank/credentials';
import type { Icon, ICredentialTestRequest, ICredentialType } from 'n8n-workflow';

export class BankAuthorizationCodeOAuth2Api implements ICredentialType {
	name = 'bankAuthorizationCodeOAuth2Api';

	displayName = 'Bank OAuth2 API';

	icon: Icon = { light: 'file:../icons/bank.svg', dark: 'file:../icons/bank.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/credentials.md#authorization-code';

	extends = ['oAuth2Api'];

	properties = forms.bankAuthorizationCodeOAuth2Api;

	test: ICredentialTestRequest = connectedTest;
}
