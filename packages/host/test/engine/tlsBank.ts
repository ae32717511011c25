/** A bank that requires a client certificate at its token endpoint and its API, and logs every call. */
import { createServer, type Server } from 'node:https';
import { type SecureVersion, type TLSSocket } from 'node:tls';

import type { Certificates } from '../../../fixtures/src/sandbox/tls/certificates.ts';
import { listen, stopListening } from '../../src/listen.ts';
import { accepted } from './bankServer.ts';

export interface TlsCall {
	method: string;
	url: string;
	headers: Record<string, unknown>;
	text: string;
	token: string;
	/** Name of the client certificate; empty without one. */
	partner: string;
}

export interface TlsAnswer {
	status: number;
	body?: unknown;
}

export class TlsBank {
	origin = '';
	readonly calls: TlsCall[] = [];
	readonly grants: Record<string, string>[] = [];
	/** Access tokens that the API accepts. */
	readonly tokens = new Set<string>();
	/** Single-use refresh tokens and codes. */
	readonly starts = new Set<string>();
	secret = 'client-secret-of-the-partner';
	delay = 0;
	/** Replaces the normal response. */
	answer: ((call: TlsCall) => TlsAnswer | undefined) | undefined;
	readonly #server: Server;
	#count = 0;

	constructor({ ca, server }: Certificates, maxVersion: SecureVersion = 'TLSv1.3') {
		this.#server = createServer(
			{ ca, cert: server.certificate, key: server.privateKey, requestCert: true, rejectUnauthorized: true, maxVersion },
			async (request, response) => {
				const parts: Buffer[] = [];
				for await (const part of request) parts.push(part as Buffer);
				const text = Buffer.concat(parts).toString();
				const { method = '', url = '', headers } = request;
				const subject = (request.socket as TLSSocket).getPeerCertificate()?.subject as { CN?: string } | undefined;
				const call: TlsCall = {
					method,
					url,
					headers,
					text,
					token: /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '',
					partner: subject?.CN ?? '',
				};
				this.calls.push(call);
				if (this.delay > 0) await new Promise((resolve) => setTimeout(resolve, this.delay));
				const { status, body } = url === '/token' ? this.#issue(call) : (this.answer?.(call) ?? this.#serve(call));
				response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body ?? {}));
			},
		);
	}

	async ready(): Promise<this> {
		this.origin = `https://127.0.0.1:${await listen(this.#server)}`;
		return this;
	}

	get api(): TlsCall[] {
		return this.calls.filter(({ url }) => url !== '/token');
	}

	/** Clears the log of requests; tokens stay valid. */
	clear(): void {
		this.calls.length = 0;
		this.grants.length = 0;
	}

	close(): Promise<void> {
		return stopListening(this.#server);
	}

	start(): string {
		const value = `secret-start-${++this.#count}-of-this-test`;
		this.starts.add(value);
		return value;
	}

	#issue({ text, headers }: TlsCall): TlsAnswer {
		const grant = Object.fromEntries(new URLSearchParams(text));
		this.grants.push(grant);
		const basic = Buffer.from(String(headers.authorization ?? '').replace('Basic ', ''), 'base64').toString();
		if ((grant.client_secret ?? basic.split(':')[1]) !== this.secret)
			return { status: 401, body: { error: 'invalid_client' } };
		const used = grant.code ?? grant.refresh_token;
		if (used !== undefined && !this.starts.delete(used)) return { status: 400, body: { error: 'invalid_grant' } };
		const token = `secret-access-${++this.#count}-of-this-test`;
		this.tokens.add(token);
		return {
			status: 200,
			body: {
				access_token: token,
				token_type: 'Bearer',
				expires_in: 3600,
				...(used === undefined ? {} : { refresh_token: this.start() }),
			},
		};
	}

	#serve({ token, headers, text, url }: TlsCall): TlsAnswer {
		if (headers['x-gw-client-id'] === undefined && !this.tokens.has(token))
			return { status: 401, body: { error: 'invalid_token' } };
		if (!url.startsWith('/api/b2cpay/')) return { status: 200, body: { status: 'SUCCESS' } };
		return { status: 200, body: accepted(text, (sequence) => `tx-${sequence}`) };
	}
}
