import type { Operation } from '@bank/core';
import type { IAdditionalCredentialOptions, IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Connection } from './connection.ts';

/** Milliseconds. Short because another process may refresh the token at any time. */
const maxAge = 1000;

/** Each request gets a copy of the credential because n8n writes a refreshed token into it (and stores it). */
type WithCredential = <T>(
	operation: Operation,
	work: (options: Pick<IAdditionalCredentialOptions, 'credentialsDecrypted'>) => Promise<T>,
) => Promise<T>;

/**
 * Caches the decrypted credential: n8n's helper decrypts it for every request, which takes longer than the rest of
 * our work for it. Used for reads only.
 */
export function credentialCache(
	context: Pick<IAllExecuteFunctions, 'getCredentials'>,
	{ credentialType, opened }: Pick<Connection, 'credentialType' | 'opened'>,
): WithCredential {
	/** The credential; undefined if it cannot be read: n8n's helper then reports the reason. */
	let read: Promise<ICredentialDataDecryptedObject | undefined> = Promise.resolve(opened.credential);
	let readAt = opened.at;
	return async ({ effect }, work) => {
		if (effect !== 'read') return await work({});
		if (Date.now() - readAt >= maxAge) {
			readAt = Date.now();
			read = context.getCredentials(credentialType).catch(() => undefined);
		}
		const cached = await read;
		if (cached === undefined) return await work({});
		const data = { ...cached };
		try {
			return await work({ credentialsDecrypted: { id: '', name: '', type: credentialType, data } });
		} finally {
			const isRefreshed = data.accessToken !== cached.accessToken || data.oauthTokenData !== cached.oauthTokenData;
			if (isRefreshed) readAt = -Infinity;
		}
	};
}
