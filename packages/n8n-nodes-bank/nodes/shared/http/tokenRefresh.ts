import { isRecord, type Operation } from '@bank/core';
import { refreshTimeOf } from '@bank/credentials';
import type {
	IAdditionalCredentialOptions,
	IAllExecuteFunctions,
	ICredentialDataDecryptedObject,
	IHttpRequestOptions,
	RequestHelperFunctions,
} from 'n8n-workflow';

/**
 * Who keeps the access token of a credential type: n8n (its own OAuth2, which does not call `authenticate`), the credential class
 * (`packages/credentials/src/renewal.ts`), or nobody, because requests carry none.
 */
type TokenOwner = 'n8n' | 'credential' | 'nobody';

const tokenOwners: Readonly<Record<string, TokenOwner>> = {
	bankAuthorizationCodeOAuth2Api: 'n8n',
	bankGatewayApi: 'nobody',
	bankMutualTlsApi: 'nobody',
};

export const tokenOwnerOf = (credentialType: string): TokenOwner => tokenOwners[credentialType] ?? 'credential';

export const expiredStatuses = ({ tokenExpiredStatus }: Operation): number[] =>
	tokenExpiredStatus === undefined ? [401] : [401, tokenExpiredStatus];

/**
 * After a 401 n8n refreshes the token and sends the request again, unless its body can be read only once. Payments must
 * not be sent again, so this object imitates such a body (n8n looks for these two methods): n8n refreshes the token for
 * the next run and does not repeat the request. With `skipTokenRefresh`, an expired token would never be refreshed.
 */
const neverResend = { formData: { getHeaders: () => ({}), append: () => undefined } };

interface RefreshOptions {
	/** Options for n8n's helper. */
	authentication: IAdditionalCredentialOptions;
	request: Pick<IHttpRequestOptions, 'ignoreHttpStatusErrors'>;
}

/** What n8n does after a response that means an expired token: refreshes it and, unless the request is a payment, repeats the request. */
export function refreshAfterResponse(operation: Operation, credentialType: string): RefreshOptions {
	const owner = tokenOwnerOf(credentialType);
	// Without a token n8n would only repeat the request.
	const statuses = owner === 'nobody' ? [] : expiredStatuses(operation);
	return {
		authentication:
			owner === 'n8n'
				? { oauth2: { tokenExpiredStatusCode: statuses } }
				: { preAuthenticationRetryStatusCode: statuses },
		request: {
			// n8n refreshes the token only for statuses that it treats as errors.
			ignoreHttpStatusErrors: { ignore: true, except: statuses },
			...(operation.effect === 'money' ? neverResend : {}),
		},
	};
}

export type TokenRefreshContext = Pick<IAllExecuteFunctions, 'getCredentials'> & {
	// Absent in older versions of n8n, which refresh only after a 401.
	helpers: Partial<Pick<RequestHelperFunctions, 'refreshOAuth2Token'>>;
};

/**
 * Returns a function that refreshes an expired token that n8n stores, before a request is sent, and says whether it did. Credential
 * classes refresh their own. The function throws n8n's error if there is no token; nothing was sent.
 * @param credential as it was first read
 */
export function refreshBeforeRequest(
	context: TokenRefreshContext,
	credentialType: string,
	credential: ICredentialDataDecryptedObject,
): () => Promise<boolean> {
	if (tokenOwnerOf(credentialType) !== 'n8n') return () => Promise.resolve(false);
	let expiresAt = refreshTimeOf(credential.oauthTokenData);
	let refreshing: Promise<boolean> | undefined;
	const isExpired = () => expiresAt !== undefined && Date.now() >= expiresAt;
	const refresh = async () => {
		// Another process may have refreshed the token.
		expiresAt = refreshTimeOf((await context.getCredentials(credentialType)).oauthTokenData);
		if (!isExpired()) return true;
		// n8n declares `this` of its helper with a wider type than the helper needs.
		const token: unknown = await context.helpers.refreshOAuth2Token?.call(
			context as IAllExecuteFunctions,
			credentialType,
		);
		expiresAt = refreshTimeOf(isRecord(token) ? token : undefined);
		return true;
	};
	return async () => isExpired() && (await (refreshing ??= refresh().finally(() => (refreshing = undefined))));
}
