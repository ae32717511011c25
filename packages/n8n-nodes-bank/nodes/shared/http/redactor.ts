import { type HttpResponse, headerOf, type Redact, type Operation, type TransportError, verbatim } from '@bank/core';
import { createRedactor, requestSecrets, scrubSecrets, type SensitiveValues } from '@bank/credentials';

import { fileNameIn } from './parseResponse.ts';
import type { Connection } from './connection.ts';
import type { RequestBytes } from './encodeBytes.ts';

/**
 * Redacts secrets of a request and its credential. In errors it redacts every known value; in successful responses only
 * complete secrets, because n8n stores that data for the workflow.
 */
export class Redactor {
	readonly #connection: Connection;
	#secrets: Promise<SensitiveValues[]> | undefined;

	constructor(connection: Connection) {
		this.#connection = connection;
	}

	async response(
		{ returnsSecrets }: Pick<Operation, 'returnsSecrets'>,
		response: HttpResponse,
		bytes: RequestBytes,
	): Promise<HttpResponse> {
		const isSuccess = response.status >= 200 && response.status < 300;
		const secrets = await this.#credentialSecrets(isSuccess);
		const redactable = { ...response, redactSecrets: this.#errorRedactor(bytes, secrets) };
		return isSuccess && returnsSecrets !== true
			? scrubbed(
					redactable,
					scrubSecrets([...secrets.flatMap((values) => values.secrets), ...(bytes.prepared.secrets ?? [])]),
				)
			: redactable;
	}

	async error(error: TransportError, bytes: RequestBytes): Promise<TransportError> {
		const { message } = error;
		if (message === undefined) return error;
		return { ...error, message: this.#errorRedactor(bytes, await this.#credentialSecrets(false))(message) };
	}

	/** Secrets are read again after every failure, because the request may have renewed the token. */
	async #credentialSecrets(isSuccess: boolean): Promise<SensitiveValues[]> {
		if (!isSuccess || this.#secrets === undefined) this.#secrets = this.#connection.secrets();
		return await this.#secrets;
	}

	#errorRedactor({ prepared, headers }: RequestBytes, secrets: readonly SensitiveValues[]): Redact {
		let redactSecrets: Redact | undefined;
		return (text) => {
			const sent = { ...prepared.headers, ...headers, ...this.#connection.parts.headers };
			redactSecrets ??= createRedactor(...secrets, requestSecrets(prepared, sent));
			return redactSecrets(text);
		};
	}
}

function scrubbed(response: HttpResponse, scrub: Redact): HttpResponse {
	const { text, file } = response;
	const shown = { ...response, text: scrub(text) };
	if (file === undefined) return shown;
	const { data, mimeType } = file;
	const isClear = scrub(mimeType) === mimeType;
	return {
		...shown,
		file: {
			data,
			mimeType: isClear ? mimeType : 'application/octet-stream',
			// Redacted before the folders are removed, because half of a secret would not be recognized.
			fileName: fileNameIn(scrub(verbatim(headerOf(response.headers, 'content-disposition')))),
		},
	};
}
