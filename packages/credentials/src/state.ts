import { type Auth, isRecord, operations, splitList, textOrNumber, verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { lineOf } from './line.ts';

/** Test Path with a leading slash, to append to the base URL. */
export const testUrlOf = ({ testPath }: ICredentialDataDecryptedObject): string =>
	`/${lineOf(testPath).replace(/^\//, '')}`;

export interface StoredToken {
	/** For comparisons only; must not be shown. */
	accessToken: string;
	/** Milliseconds since 1970; absent if the bank does not report it. */
	endsAt?: number;
	/** Absent if the bank does not report them. */
	scopes?: string[];
}

/** The stored token: our own types use separate fields, n8n's OAuth2 stores the token response. */
export function storedToken(credential: ICredentialDataDecryptedObject): StoredToken {
	const data = credential.oauthTokenData;
	const [accessToken, end, scope] = isRecord(data)
		? [data.access_token, data.n8n_expires_at, data.scope]
		: [credential.accessToken, credential.accessTokenExpiresAt, credential.accessTokenScope];
	// A date ends at 8.64e15; some banks report the largest integer for "never".
	const endsAt = new Date(Number(textOrNumber(end))).getTime();
	const scopes = splitList([scope], 'identifier');
	return {
		accessToken: verbatim(accessToken),
		endsAt: endsAt > 0 ? endsAt : undefined,
		scopes: scopes.length > 0 ? scopes : undefined,
	};
}

/** The scopes that the operations of a flow need (part 5). */
export const scopesOf = (auth: Auth): string[] =>
	[...new Set(operations.flatMap((operation) => (operation.auth === auth ? (operation.scope ?? []) : [])))].sort();

/** Choice in the form: request none of the scopes of the operations. */
export const noScopes = 'none';

/** The scopes to request; empty for types without scopes. */
export function requestedScopes({
	flow,
	bankScopes,
	eventScopes,
	additionalScopes,
}: ICredentialDataDecryptedObject): string[] {
	const chosen = splitList([bankScopes], 'identifier');
	// n8n's editor shows and then saves a multiple choice with a default as empty, so the default is empty and means all.
	const isDefault = bankScopes !== undefined && chosen.length === 0;
	const scopes = isDefault
		? scopesOf(flow === undefined ? 'clientCredentials' : 'authorizationCode')
		: chosen.filter((scope) => scope !== noScopes);
	const wanted = [flow === 'h2h' ? undefined : scopes, eventScopes, additionalScopes];
	return [...new Set(splitList(wanted, 'identifier'))];
}
