import type { Answer, Hide, SendFault } from '@bank/core';
import { carriedBy, hiding, type Known, together } from '@bank/credentials';

import type { Connection } from './connection.ts';
import type { Sealed } from './seal.ts';

type Bytes = Pick<Sealed, 'prepared' | 'headers'>;

/** What no error may repeat of a request and of the credential that it went with, whoever tells of it in whatever words. */
export class Discretion {
	readonly #connection: Connection;
	#secrets: Promise<Known> | undefined;

	constructor(connection: Connection) {
		this.#connection = connection;
	}

	async about(answer: Answer, bytes: Bytes): Promise<Answer> {
		return { ...answer, hide: this.#hiding(bytes, await this.#known(answer.status >= 200 && answer.status < 300)) };
	}

	async of(fault: SendFault, bytes: Bytes): Promise<SendFault> {
		const { message } = fault;
		return message === undefined
			? fault
			: { ...fault, message: this.#hiding(bytes, await this.#known(false))(message) };
	}

	/** A token may have been renewed with the request: asked anew after everything that went wrong. */
	async #known(isFine: boolean): Promise<Known> {
		if (!isFine || this.#secrets === undefined) this.#secrets = this.#connection.secrets();
		return await this.#secrets;
	}

	/** Made only where an error is: that takes longer than the reading of an answer. */
	#hiding({ prepared, headers }: Bytes, secrets: Known): Hide {
		let hide: Hide | undefined;
		return (text) => {
			const sent = { ...prepared.headers, ...headers, ...this.#connection.parts.headers };
			hide ??= hiding(together(secrets, carriedBy(prepared, sent)));
			return hide(text);
		};
	}
}
