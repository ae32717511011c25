import { forms, NoTokenBase, serviceTest } from '@bank/credentials';
import type { Icon, ICredentialTestRequest, ICredentialType } from 'n8n-workflow';

export class BankGatewayApi extends NoTokenBase implements ICredentialType {
	name = 'bankGatewayApi';

	displayName = 'Bank Partner Services (Gateway) API';

	icon: Icon = { light: 'file:../icons/bank.svg', dark: 'file:../icons/bank.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/credentials.md#gateway';

	properties = forms.bankGatewayApi;

	test: ICredentialTestRequest = serviceTest;
}
