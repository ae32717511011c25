import { AuthorizationCodeOAuth2Base, connectedTest } from '@bank/credentials';
import type { Icon, ICredentialTestRequest, ICredentialType } from 'n8n-workflow';

export class BankAuthorizationCodeOAuth2Api extends AuthorizationCodeOAuth2Base implements ICredentialType {
	name = 'bankAuthorizationCodeOAuth2Api';

	displayName = 'Bank OAuth2 API';

	icon: Icon = { light: 'file:../icons/bank.svg', dark: 'file:../icons/bank.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/credentials.md#authorization-code';

	test: ICredentialTestRequest = connectedTest;
}
