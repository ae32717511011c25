import type { Operation } from '@bank/core';
import type { IAdditionalCredentialOptions } from 'n8n-workflow';

import type { Connection } from './connection.ts';

/**
 * After a 401 n8n renews the token and sends the request again, unless its body can be read only once. This stands for such a
 * body (n8n looks for these two methods): the token is renewed for the next run, and the request is not repeated.
 * `skipTokenRefresh` would not do: an expired token would stay for ever.
 */
export const neverResend = { formData: { getHeaders: () => ({}), append: () => undefined } };

/** What makes n8n renew a token. Where there is none, it would only send the request again. */
export function renewalOn(statuses: number[], { token }: Connection): IAdditionalCredentialOptions {
	if (token === 'nobody') return { preAuthenticationRetryStatusCode: [] };
	return token === 'n8n'
		? { oauth2: { tokenExpiredStatusCode: statuses } }
		: { preAuthenticationRetryStatusCode: statuses };
}

/** The statuses by which the bank says that a token has expired. */
export const expiredStatuses = ({ tokenExpiredStatus }: Operation): number[] =>
	tokenExpiredStatus === undefined ? [401] : [401, tokenExpiredStatus];
