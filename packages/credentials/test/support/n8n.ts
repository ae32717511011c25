/**
 * Calls the hooks of a credential type in the order of n8n-core's httpRequestWithAuthentication and CredentialsHelper.preAuthentication.
 * packages/host/test/engine runs the real ones.
 */
import { Readable } from 'node:stream';

import type { IHttpRequestHelper, IHttpRequestOptions } from 'n8n-workflow';

type Json = Record<string, unknown>;

interface CredentialType {
	properties: { name: string; default: unknown }[];
	authenticate: (credential: never, request: IHttpRequestOptions) => Promise<IHttpRequestOptions>;
	preAuthentication: (this: IHttpRequestHelper, credential: never) => Promise<object>;
}

/** The bank's response; it can throw a connection error. */
export type Answer = (
	request: IHttpRequestOptions,
) => { status?: number; body?: unknown; headers?: Json } | Promise<{ status?: number; body?: unknown; headers?: Json }>;

let count = 0;

/** A different text for each call, because tokens are cached by the values they are requested with. */
export const unique = (name: string): string => `${name}-${++count}`;

const issue: Answer = () => ({
	body: { access_token: unique('token'), token_type: 'Bearer', expires_in: 3600 },
});

const validCredential = () => ({
	environment: 'sandbox',
	sandboxBaseUrl: 'https://api.test',
	accessTokenUrl: 'https://id.test/token',
	clientId: unique('client'),
	clientSecret: 'sec+ret/1=',
	gatewayClientId: 'partner',
});

export class FakeN8n {
	/** Stored credential data. */
	stored: Json;
	/** Requests of `preAuthentication`. */
	readonly asked: IHttpRequestOptions[] = [];
	/** Authenticated requests. */
	readonly sent: IHttpRequestOptions[] = [];
	token: Answer;
	/** Responses to credential tests. */
	reached: Answer = () => ({});
	/** Whether the bank accepts a request; otherwise it responds 401. */
	takes: (request: IHttpRequestOptions) => boolean = () => true;
	/** Request options set by the node. */
	asks: Partial<IHttpRequestOptions> = { url: 'https://api.test/x' };
	readonly #type: CredentialType;

	/** @param changes to a valid credential */
	constructor(Type: new () => object, changes: object = {}, token: Answer = issue) {
		this.#type = new Type() as CredentialType;
		this.stored = { ...validCredential(), ...changes };
		this.token = token;
	}

	/** Bodies of the token requests. */
	get grants(): Json[] {
		return this.asked
			.filter(({ method }) => method === 'POST')
			.map(({ body }) => Object.fromEntries(new URLSearchParams(String(body))));
	}

	/** Stored data with the defaults of the form, as passed to a node. */
	read(): Json {
		return {
			...Object.fromEntries(this.#type.properties.map((property) => [property.name, property.default])),
			...this.stored,
		};
	}

	async request(headers: Json = {}, credential = this.read()): Promise<IHttpRequestOptions> {
		let request = { method: 'GET', ...this.asks, headers } as IHttpRequestOptions;
		const send = async () => {
			request = await this.#type.authenticate(credential as never, request);
			this.sent.push(request);
			if (!this.takes(request)) throw Object.assign(new Error('401'), { response: { status: 401 } });
			return request;
		};
		try {
			if (credential.accessToken === '') await this.#fetch(credential);
			return await send();
		} catch (error) {
			if ((error as { response?: { status: number } }).response?.status !== 401) throw error;
			await this.#fetch(credential);
			return await send();
		}
	}

	/** n8n's older helper, which HTTP Request nodes use: after any error it sends again, if `preAuthentication` returned a token. */
	async olderRequest(method: string, answer: () => void): Promise<void> {
		const credential = this.read();
		const send = async () => {
			const request = { method, uri: 'https://api.test/x' } as unknown as IHttpRequestOptions;
			this.sent.push(await this.#type.authenticate(credential as never, request));
			answer();
		};
		if (credential.accessToken === '') await this.#fetch(credential);
		await send().catch(async (error: unknown) => {
			if (!(await this.#fetch(credential))) throw error;
			await send();
		});
	}

	/** Runs the credential test. */
	async test(): Promise<IHttpRequestOptions> {
		return await this.request({ 'x-n8n-bank-credential-test': '1' });
	}

	/** Whether there is a new token. */
	async #fetch(credential: Json): Promise<boolean> {
		const httpRequest = async (request: IHttpRequestOptions) => {
			this.asked.push(request);
			const {
				status = 200,
				body = '',
				headers = {},
			} = await (request.method === 'POST' ? this.token : this.reached)(request);
			const isText = typeof body === 'string' || body instanceof Readable;
			return { statusCode: status, headers, body: isText ? body : JSON.stringify(body) };
		};
		const output = await this.#type.preAuthentication.call(
			{ helpers: { httpRequest } } as unknown as IHttpRequestHelper,
			credential as never,
		);
		if (!('accessToken' in output)) return false;
		this.stored = { ...this.stored, ...output };
		Object.assign(credential, output);
		return true;
	}
}

/** `Bearer x` -> `x` */
export const tokenIn = ({ headers }: IHttpRequestOptions): string =>
	String(headers?.Authorization).replace(/^Bearer /, '');
