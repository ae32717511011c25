import type { Operation } from '@bank/core';
import type { IAdditionalCredentialOptions, IAllExecuteFunctions, ICredentialDataDecryptedObject } from 'n8n-workflow';

import type { Connection } from './connection.ts';

/** Milliseconds. Somebody else may renew the token at any moment, so that what was read is good for no longer. */
const goodFor = 1000;

type Opened = Pick<Connection, 'credentialType' | 'token' | 'opened'>;

/**
 * What a credential held a moment ago. n8n's helper reads and decrypts it anew for every request, which takes longer than all that we do
 * for one: of a thousand reads, those of the same second share what was read. Nothing but reads does, and no type whose token is n8n's.
 */
export class HeldCredential {
	readonly #context: Pick<IAllExecuteFunctions, 'getCredentials'>;
	readonly #connection: Opened;
	/** Undefined where it cannot be read: then n8n's helper says why. */
	#read: Promise<ICredentialDataDecryptedObject | undefined>;
	#readAt: number;

	constructor(context: Pick<IAllExecuteFunctions, 'getCredentials'>, connection: Opened) {
		this.#context = context;
		this.#connection = connection;
		this.#read = Promise.resolve(connection.opened.credential);
		this.#readAt = connection.opened.at;
	}

	/** Each request gets a copy: n8n writes a renewed token into what it was given, and then has stored it as well. */
	async lentTo<T>(
		{ effect }: Operation,
		work: (options: Pick<IAdditionalCredentialOptions, 'credentialsDecrypted'>) => Promise<T>,
	): Promise<T> {
		const { credentialType, token } = this.#connection;
		const held = effect === 'read' && token !== 'n8n' ? await this.#current() : undefined;
		if (held === undefined) return await work({});
		const data = { ...held };
		try {
			return await work({ credentialsDecrypted: { id: '', name: '', type: credentialType, data } });
		} finally {
			if (data.accessToken !== held.accessToken) this.#readAt = -Infinity;
		}
	}

	async #current(): Promise<ICredentialDataDecryptedObject | undefined> {
		if (Date.now() - this.#readAt >= goodFor) {
			this.#readAt = Date.now();
			this.#read = this.#context.getCredentials(this.#connection.credentialType).catch(() => undefined);
		}
		return await this.#read;
	}
}
