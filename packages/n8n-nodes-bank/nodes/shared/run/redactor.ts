import { type Answer, headerOf, type Hide, type Operation, type SendFault, verbatim } from '@bank/core';
import { createRedactor, mergeSecrets, requestSecrets, scrubSecrets, type SensitiveValues } from '@bank/credentials';

import { fileNameIn } from './answer.ts';
import type { Connection } from './connection.ts';
import type { Sealed } from './seal.ts';

type Bytes = Pick<Sealed, 'prepared' | 'headers'>;

/**
 * Redacts secrets of a request and of its credential: in errors all that is known, in the data of a success only whole secrets, because
 * n8n stores the data.
 */
export class Redactor {
	readonly #connection: Connection;
	#secrets: Promise<SensitiveValues> | undefined;
	#scrub: { of: SensitiveValues; hide: Hide } | undefined;

	constructor(connection: Connection) {
		this.#connection = connection;
	}

	async response({ givesSecrets }: Pick<Operation, 'givesSecrets'>, answer: Answer, bytes: Bytes): Promise<Answer> {
		const isSuccess = answer.status >= 200 && answer.status < 300;
		const secrets = await this.#credentialSecrets(isSuccess);
		const redactable = { ...answer, hide: this.#errorRedactor(bytes, secrets) };
		return isSuccess && givesSecrets !== true
			? scrubbed(redactable, this.#scrubber(secrets, bytes.prepared.secrets))
			: redactable;
	}

	async error(fault: SendFault, bytes: Bytes): Promise<SendFault> {
		const { message } = fault;
		if (message === undefined) return fault;
		return { ...fault, message: this.#errorRedactor(bytes, await this.#credentialSecrets(false))(message) };
	}

	/** Read again after every failure: a token may have been renewed with the request. */
	async #credentialSecrets(isSuccess: boolean): Promise<SensitiveValues> {
		if (!isSuccess || this.#secrets === undefined) this.#secrets = this.#connection.secrets();
		return await this.#secrets;
	}

	/** The same for all responses to one credential, unless the request carried secrets of its own. */
	#scrubber(secrets: SensitiveValues, ofRequest: readonly string[] = []): Hide {
		if (ofRequest.length > 0) return scrubSecrets([...secrets.secrets, ...ofRequest]);
		if (this.#scrub?.of !== secrets) this.#scrub = { of: secrets, hide: scrubSecrets(secrets.secrets) };
		return this.#scrub.hide;
	}

	/** Created when the first error needs it: a success never does. */
	#errorRedactor({ prepared, headers }: Bytes, secrets: SensitiveValues): Hide {
		let hide: Hide | undefined;
		return (text) => {
			const sent = { ...prepared.headers, ...headers, ...this.#connection.parts.headers };
			hide ??= createRedactor(mergeSecrets(secrets, requestSecrets(prepared, sent)));
			return hide(text);
		};
	}
}

function scrubbed(answer: Answer, scrub: Hide): Answer {
	const { text, file } = answer;
	const shown = { ...answer, text: scrub(text) };
	if (file === undefined) return shown;
	const { data, mimeType } = file;
	const isClear = scrub(mimeType) === mimeType;
	return {
		...shown,
		file: {
			data,
			mimeType: isClear ? mimeType : 'application/octet-stream',
			// From the header: a name without its folders may hold half of a secret.
			...fileNameIn(scrub(verbatim(headerOf(answer.headers, 'content-disposition')))),
		},
	};
}
