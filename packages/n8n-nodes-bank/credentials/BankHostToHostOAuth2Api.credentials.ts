import { HostToHostOAuth2Base, redirectRules, redirectStatuses } from '@bank/credentials';
import type { Icon, ICredentialTestRequest, ICredentialType } from 'n8n-workflow';

export class BankHostToHostOAuth2Api extends HostToHostOAuth2Base implements ICredentialType {
	name = 'bankHostToHostOAuth2Api';

	displayName = 'Bank Host-to-Host OAuth2 API';

	icon: Icon = { light: 'file:../icons/bank.svg', dark: 'file:../icons/bank.dark.svg' };

	documentationUrl = 'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/credentials.md#host-to-host';

	// Reads one operation. The consent may not cover it, so 403 passes. The second header makes the credential fetch a new token.
	test: ICredentialTestRequest = {
		request: {
			baseURL:
				'={{ $credentials.environment === "production" ? $credentials.productionBaseUrl : $credentials.sandboxBaseUrl }}',
			url: '/api/pp/v1/operations',
			qs: { limit: 1 },
			headers: { Accept: 'application/json', 'x-n8n-bank-credential-test': '1' },
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: { ignore: true, except: [...redirectStatuses, 401, 404, 500, 502, 503, 504] },
		},
		rules: [
			...redirectRules,
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The bank issued a token but does not accept it. Check that base URL and access token URL belong to the same environment.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message:
						'A token was issued, but the base URL does not lead to the API. Check it: https, host, no extra path.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 500,
					message: 'A token was issued, but the bank reports an internal error. Try again later.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 503,
					message: 'A token was issued, but the bank is temporarily unavailable. Try again later.',
				},
			},
		],
	};
}
