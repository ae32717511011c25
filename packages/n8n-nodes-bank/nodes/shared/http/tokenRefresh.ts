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

/** Statuses that mean that the token is expired. */
export const expiredStatuses = ({ tokenExpiredStatus }: Operation): number[] =>
	tokenExpiredStatus === undefined ? [401] : [401, tokenExpiredStatus];

export type TokenRefreshContext = Pick<IAllExecuteFunctions, 'getCredentials'> & {
	// Absent in older versions of n8n, which refresh only after a 401.
	helpers: Partial<Pick<RequestHelperFunctions, 'refreshOAuth2Token'>>;
};

/** Refreshes an expired token that n8n stores, before the request is sent. Other credential types refresh their own. */
export class TokenRefresher {
	readonly #context: TokenRefreshContext;
	readonly #connection: Connection;
	#expiresAt: number | undefined;
	#refreshing: Promise<void> | undefined;

	constructor(context: TokenRefreshContext, connection: Connection) {
		this.#context = context;
		this.#connection = connection;
		this.#expiresAt = connection.tokenEndsAt;
	}

	/** @throws n8n's error if there is no token; nothing was sent */
	async refreshIfExpired(): Promise<void> {
		if (!this.#isExpired) return;
		this.#refreshing ??= this.#refresh().finally(() => (this.#refreshing = undefined));
		await this.#refreshing;
	}

	get #isExpired(): boolean {
		return this.#expiresAt !== undefined && Date.now() >= this.#expiresAt;
	}

	async #refresh(): Promise<void> {
		const { credentialType } = this.#connection;
		// Another process may have refreshed it.
		this.#expiresAt = refreshTimeOf((await this.#context.getCredentials(credentialType)).oauthTokenData);
		if (!this.#isExpired) return;
		// n8n declares `this` of its helper with a wider type than the helper needs.
		const context = this.#context as IAllExecuteFunctions;
		const token: unknown = await this.#context.helpers.refreshOAuth2Token?.call(context, credentialType);
		this.#expiresAt = refreshTimeOf(isRecord(token) ? token : undefined);
	}
}
