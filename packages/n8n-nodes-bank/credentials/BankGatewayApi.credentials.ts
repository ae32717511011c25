import { GatewayBase } from '@bank/credentials';
import type { Icon, ICredentialTestRequest, ICredentialType } from 'n8n-workflow';

export class BankGatewayApi extends GatewayBase implements ICredentialType {
	name = 'bankGatewayApi';

	displayName = 'Bank Gateway API';

	icon: Icon = { light: 'file:../icons/bank.svg', dark: 'file:../icons/bank.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/credentials.md#gateway';

	// The header makes the credential send its own test request first, whose errors it can explain.
	test: ICredentialTestRequest = {
		request: {
			baseURL:
				'={{ $credentials.environment === "production" ? $credentials.productionBaseUrl : $credentials.sandboxBaseUrl }}',
			url: '={{ $credentials.testPath }}',
			headers: { Accept: 'application/json', 'x-n8n-bank-credential-test': '1' },
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: true,
		},
	};
}
