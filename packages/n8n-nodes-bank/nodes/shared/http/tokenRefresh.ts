import { isRecord, type Operation } from '@bank/core';
import { refreshTimeOf } from '@bank/credentials';
import type { IAdditionalCredentialOptions, IAllExecuteFunctions, RequestHelperFunctions } from 'n8n-workflow';

import type { Connection } from './connection.ts';

/**
 * After a 401 n8n refreshes the token and sends the request again, unless its body can be read only once. Payments must
 * not be sent again, so this object imitates such a body (n8n looks for these two methods): n8n refreshes the token for
 * the next run and does not repeat the request. With `skipTokenRefresh`, an expired token would never be refreshed.
 */
export const neverResend = { formData: { getHeaders: () => ({}), append: () => undefined } };

/** Options that tell n8n when to refresh a token. Without a token n8n would only repeat the request. */
export function refreshOn(statuses: number[], { token }: Connection): IAdditionalCredentialOptions {
	if (token === 'nobody') return { preAuthenticationRetryStatusCode: [] };
	return token === 'n8n'
		? { oauth2: { tokenExpiredStatusCode: statuses } }
		: { preAuthenticationRetryStatusCode: statuses };
}

export const expiredStatuses = ({ tokenExpiredStatus }: Operation): number[] =>
	tokenExpiredStatus === undefined ? [401] : [401, tokenExpiredStatus];

export type TokenRefreshContext = Pick<IAllExecuteFunctions, 'getCredentials'> & {
	// Absent in older versions of n8n, which refresh only after a 401.
	helpers: Partial<Pick<RequestHelperFunctions, 'refreshOAuth2Token'>>;
};

/**
 * Returns a function that refreshes an expired token that n8n stores, before a request is sent. Other credential types
 * refresh their own. The function throws n8n's error if there is no token; nothing was sent.
 */
export function tokenRefresher(context: TokenRefreshContext, connection: Connection): () => Promise<void> {
	const { credentialType } = connection;
	let expiresAt = connection.tokenEndsAt;
	let refreshing: Promise<void> | undefined;
	const isExpired = () => expiresAt !== undefined && Date.now() >= expiresAt;
	const refresh = async () => {
		// Another process may have refreshed it.
		expiresAt = refreshTimeOf((await context.getCredentials(credentialType)).oauthTokenData);
		if (!isExpired()) return;
		// n8n declares `this` of its helper with a wider type than the helper needs.
		const token: unknown = await context.helpers.refreshOAuth2Token?.call(
			context as IAllExecuteFunctions,
			credentialType,
		);
		expiresAt = refreshTimeOf(isRecord(token) ? token : undefined);
	};
	return async () => {
		if (isExpired()) await (refreshing ??= refresh().finally(() => (refreshing = undefined)));
	};
}
