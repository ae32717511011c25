import { AuthorizationCodeOAuth2Base, redirectRules, redirectStatuses } from '@bank/credentials';
import type { Icon, ICredentialTestRequest, ICredentialType } from 'n8n-workflow';

/** Expression evaluated in the test: 403 fails the test only if the scope was requested. */
const expectsScope = '={{ $credentials.scope.split(" ").includes("operations-history") ? 403 : 401 }}';

export class BankAuthorizationCodeOAuth2Api extends AuthorizationCodeOAuth2Base implements ICredentialType {
	name = 'bankAuthorizationCodeOAuth2Api';

	displayName = 'Bank OAuth2 API';

	icon: Icon = { light: 'file:../icons/bank.svg', dark: 'file:../icons/bank.dark.svg' };

	documentationUrl =
		'https://github.com/n8n-nodes-bank/n8n-nodes-bank/blob/main/docs/credentials.md#authorization-code';

	// Reads one operation. Without the scope operations-history, 403 is expected and proves the token.
	test: ICredentialTestRequest = {
		request: {
			baseURL:
				'={{ $credentials.environment === "production" ? $credentials.productionBaseUrl : $credentials.sandboxBaseUrl }}',
			url: '/api/pp/v1/operations',
			qs: { limit: 1 },
			headers: { Accept: 'application/json' },
			disableFollowRedirect: true,
			ignoreHttpStatusErrors: {
				ignore: true,
				except: [...redirectStatuses, 401, expectsScope as unknown as number, 404, 500, 502, 503, 504],
			},
		},
		rules: [
			...redirectRules,
			{
				type: 'responseCode',
				properties: {
					value: 401,
					message:
						'The bank does not accept the token. Reconnect the credential; check that base URL and token URL belong to the same environment.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 404,
					message: 'The base URL does not lead to the API. Check it: https, host, no extra path.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 500,
					message: 'The token was sent, but the bank reports an internal error. Try again later.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 503,
					message: 'The token was sent, but the bank is temporarily unavailable. Try again later.',
				},
			},
			{
				type: 'responseCode',
				properties: {
					value: 403,
					message:
						'The bank accepts the token, but not for operations-history. Turn on Ask for Consent Again, save and reconnect.',
				},
			},
		],
	};
}
