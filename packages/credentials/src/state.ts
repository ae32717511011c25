import { isRecord, splitList, textOf, textOrNumber, verbatim } from '@bank/core';
import type { ICredentialDataDecryptedObject } from 'n8n-workflow';

import { pathFault } from './address.ts';
import type { CredentialFault } from './faults.ts';
import { baseUrlFault } from './reach.ts';
import { thoroughFault } from './request.ts';

/** What can be said of a credential as it is stored, without asking anybody. */

/** What is wrong with it, looked at as thoroughly as before a request for a token. */
export function storedFault(credential: ICredentialDataDecryptedObject): CredentialFault | undefined {
	return baseUrlFault(credential) ?? thoroughFault(credential) ?? pathFault('Test Path', textOf(credential.testPath));
}

/** What Test Path is asked by, behind the base URL. */
export const testUrlOf = ({ testPath }: ICredentialDataDecryptedObject): string =>
	`/${textOf(testPath).replace(/^\//, '')}`;

export interface StoredToken {
	/** To be compared, not to be shown. */
	accessToken: string;
	/** Until when it is used, in milliseconds since 1970; absent where the bank does not say. */
	endsAt?: number;
	/** Absent where the bank does not say. */
	scopes?: string[];
}

/** The token that is stored: by our own types in fields of theirs, by n8n's OAuth2 as the bank gave it. */
export function storedToken(credential: ICredentialDataDecryptedObject): StoredToken {
	const data = credential.oauthTokenData;
	const [accessToken, end, scope] = isRecord(data)
		? [data.access_token, data.n8n_expires_at, data.scope]
		: [credential.accessToken, credential.accessTokenExpiresAt, credential.accessTokenScope];
	const endsAt = Number(textOrNumber(end));
	const scopes = splitList([scope], 'identifier');
	return {
		accessToken: verbatim(accessToken),
		...(endsAt > 0 ? { endsAt } : {}),
		...(scopes.length === 0 ? {} : { scopes }),
	};
}

/** The scopes that the user wants a token for; none where the form does not ask for them. */
export function wantedScopes({
	flow,
	bankScopes,
	eventScopes,
	additionalScopes,
}: ICredentialDataDecryptedObject): string[] {
	const wanted = [flow === 'h2h' ? undefined : bankScopes, eventScopes, additionalScopes];
	return [...new Set(splitList(wanted, 'identifier'))];
}
