import { isRecord, type Operation } from '@bank/core';
import { connectedTokenEndsAt } from '@bank/credentials';
import type { IAdditionalCredentialOptions, IAllExecuteFunctions, RequestHelperFunctions } from 'n8n-workflow';

import type { Connection } from './connection.ts';

/**
 * After a 401 n8n renews the token and sends the request again, unless its body can be read only once. A 401 is a refusal, so that this
 * is right for everything but a payment, which no transport ever repeats. This stands for such a body (n8n looks for these two
 * methods): the token is renewed for the next run, and the request is not repeated. `skipTokenRefresh` would not do: an expired token
 * would stay for ever.
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

/** What is asked of n8n to renew a token that it keeps. */
export type RenewalContext = Pick<IAllExecuteFunctions, 'getCredentials'> & {
	// An n8n that has it not renews after a 401 alone.
	helpers: Partial<Pick<RequestHelperFunctions, 'refreshOAuth2Token'>>;
};

/** Renews, before anything is sent, a token of n8n's own of which it is known that it has ended. The other types do so themselves. */
export class TokenOfN8n {
	readonly #context: RenewalContext;
	readonly #connection: Connection;
	#endsAt: number | undefined;
	#underWay: Promise<void> | undefined;

	constructor(context: RenewalContext, connection: Connection) {
		this.#context = context;
		this.#connection = connection;
		this.#endsAt = connection.tokenEndsAt;
	}

	/** @throws whatever n8n throws where no token could be had; nothing was sent */
	async renewed(): Promise<void> {
		if (!this.#hasEnded) return;
		this.#underWay ??= this.#renew().finally(() => (this.#underWay = undefined));
		await this.#underWay;
	}

	get #hasEnded(): boolean {
		return this.#endsAt !== undefined && Date.now() >= this.#endsAt;
	}

	async #renew(): Promise<void> {
		const { credentialType } = this.#connection;
		// Somebody else may have renewed it since.
		this.#endsAt = connectedTokenEndsAt((await this.#context.getCredentials(credentialType)).oauthTokenData);
		if (!this.#hasEnded) return;
		// n8n types the context of its helper wider than what the helper looks at.
		const context = this.#context as IAllExecuteFunctions;
		const token: unknown = await this.#context.helpers.refreshOAuth2Token?.call(context, credentialType);
		this.#endsAt = connectedTokenEndsAt(isRecord(token) ? token : undefined);
	}
}
