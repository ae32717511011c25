import { isRecord, splitList, textOf, textOrNumber, verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

/** Test Path with a leading slash, to append to the base URL. */
export const testUrlOf = ({ testPath }: ICredentialDataDecryptedObject): string =>
	`/${textOf(testPath).replace(/^\//, '')}`;

export interface StoredToken {
	/** For comparison only; must not be shown. */
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

/** The scopes chosen in the form; empty for types without scopes. */
export function requestedScopes({
	flow,
	bankScopes,
	eventScopes,
	additionalScopes,
}: ICredentialDataDecryptedObject): string[] {
	const wanted = [flow === 'h2h' ? undefined : bankScopes, eventScopes, additionalScopes];
	return [...new Set(splitList(wanted, 'identifier'))];
}
