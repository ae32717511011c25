import { type Answer, headerOf, type Hide, type Operation, type SendFault, verbatim } from '@bank/core';
import { carriedBy, clearing, hiding, type Known, together } from '@bank/credentials';

import { fileNameIn } from './answer.ts';
import type { Connection } from './connection.ts';
import type { Sealed } from './seal.ts';

type Bytes = Pick<Sealed, 'prepared' | 'headers'>;

/**
 * What no error may repeat of a request and of the credential that it went with, whoever tells of it in whatever words. The data of a
 * success stays as it came, but for whole secrets, which n8n would store.
 */
export class Discretion {
	readonly #connection: Connection;
	#secrets: Promise<Known> | undefined;
	#clear: { of: Known; hide: Hide } | undefined;

	constructor(connection: Connection) {
		this.#connection = connection;
	}

	async about({ givesSecrets }: Pick<Operation, 'givesSecrets'>, answer: Answer, bytes: Bytes): Promise<Answer> {
		const isFine = answer.status >= 200 && answer.status < 300;
		const known = await this.#known(isFine);
		const told = { ...answer, hide: this.#hiding(bytes, known) };
		return isFine && givesSecrets !== true ? cleared(told, this.#clearing(known, bytes.prepared.secrets)) : told;
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

	/** The same for all answers to one credential, but for what a request brought along. */
	#clearing(known: Known, carried: readonly string[] = []): Hide {
		if (this.#clear?.of !== known) this.#clear = { of: known, hide: clearing(known.secrets) };
		const { hide } = this.#clear;
		const more = clearing(carried);
		return (text) => more(hide(text));
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

function cleared(answer: Answer, clear: Hide): Answer {
	const { text, file } = answer;
	const shown = { ...answer, text: clear(text) };
	if (file === undefined) return shown;
	const { data, mimeType } = file;
	const isClear = clear(mimeType) === mimeType;
	return {
		...shown,
		file: {
			data,
			mimeType: isClear ? mimeType : 'application/octet-stream',
			// From the header: a name without its folders may hold half of a secret.
			...fileNameIn(clear(verbatim(headerOf(answer.headers, 'content-disposition')))),
		},
	};
}
