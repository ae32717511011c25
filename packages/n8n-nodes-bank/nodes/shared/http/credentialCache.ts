import type { Operation } from '@bank/core';
import type { IAdditionalCredentialOptions, IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Connection } from './connection.ts';

/** Milliseconds. Short because another process may refresh the token at any time. */
const maxAge = 1000;

type Opened = Pick<Connection, 'credentialType' | 'token' | 'opened'>;

/**
 * Caches the decrypted credential: n8n's helper decrypts it for every request, which takes longer than the rest of
 * our work for it. Used for reads only, and not for types whose token n8n manages.
 */
export class CredentialCache {
	readonly #context: Pick<IAllExecuteFunctions, 'getCredentials'>;
	readonly #connection: Opened;
	/** Undefined if it cannot be read: then n8n's helper reports why. */
	#read: Promise<ICredentialDataDecryptedObject | undefined>;
	#readAt: number;

	constructor(context: Pick<IAllExecuteFunctions, 'getCredentials'>, connection: Opened) {
		this.#context = context;
		this.#connection = connection;
		this.#read = Promise.resolve(connection.opened.credential);
		this.#readAt = connection.opened.at;
	}

	/** Each request gets a copy because n8n writes a refreshed token into it (and stores it). */
	async withCredential<T>(
		{ effect }: Operation,
		work: (options: Pick<IAdditionalCredentialOptions, 'credentialsDecrypted'>) => Promise<T>,
	): Promise<T> {
		const { credentialType, token } = this.#connection;
		const cached = effect === 'read' && token !== 'n8n' ? await this.#current() : undefined;
		if (cached === undefined) return await work({});
		const data = { ...cached };
		try {
			return await work({ credentialsDecrypted: { id: '', name: '', type: credentialType, data } });
		} finally {
			if (data.accessToken !== cached.accessToken) this.#readAt = -Infinity;
		}
	}

	async #current(): Promise<ICredentialDataDecryptedObject | undefined> {
		if (Date.now() - this.#readAt >= maxAge) {
			this.#readAt = Date.now();
			this.#read = this.#context.getCredentials(this.#connection.credentialType).catch(() => undefined);
		}
		return await this.#read;
	}
}
