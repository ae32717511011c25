/**
 * A small bank for engine tests. It validates requests and returns the responses that the test sets, which are assigned by a marker
 * in the request.
 */
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { listen, stopListening } from '../../src/listen.ts';

export interface Seen {
	/** Marker in the request that identifies the test case, see `caseOf`. */
	key: string;
	method: string;
	url: string;
	token: string;
	text: string;
}

export type Reply = (response: ServerResponse, seen: Seen, request: IncomingMessage) => void;

export const json =
	(status: number, body: unknown, headers: Record<string, string> = {}): Reply =>
	(response) =>
		response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body));
export const text =
	(status: number, body: string, headers: Record<string, string> = {}): Reply =>
	(response) =>
		response.writeHead(status, headers).end(body);

const caseOf = (request: string) => /case-[\w-]*\w/.exec(request)?.[0] ?? '';

export class BankServer {
	origin = '';
	readonly seen: Seen[] = [];
	readonly tokenRequests: URLSearchParams[] = [];
	/** Requests that a real bank would have rejected. A test with any of them fails. */
	readonly problems: string[] = [];
	readonly tokens = new Set<string>();
	token: Reply = (response) =>
		json(200, {
			access_token: this.issue(),
			token_type: 'Bearer',
			refresh_token: `secret-refresh-${this.tokens.size}`,
			expires_in: 3600,
		})(response, {} as Seen, {} as IncomingMessage);
	readonly #replies = new Map<string, Reply[]>();
	readonly #server = createServer((request, response) => void this.#serve(request, response));

	async ready(): Promise<this> {
		this.origin = `http://127.0.0.1:${await listen(this.#server)}`;
		return this;
	}

	close(): Promise<void> {
		return stopListening(this.#server);
	}

	issue(): string {
		const token = `secret-access-${this.tokens.size + 1}`;
		this.tokens.add(token);
		return token;
	}

	/** Sets the responses to requests that contain `key`; the last one is repeated. Without any, requests succeed. */
	answer(key: string, ...replies: Reply[]): void {
		this.#replies.set(key, replies);
	}

	calls(key: string): Seen[] {
		return this.seen.filter((seen) => seen.key === key);
	}

	async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
		const parts: Buffer[] = [];
		for await (const part of request) parts.push(part as Buffer);
		const body = Buffer.concat(parts).toString();
		const { method = '', url = '', headers } = request;
		if (url === '/token') {
			this.tokenRequests.push(new URLSearchParams(body));
			return void this.token(response, {} as Seen, request);
		}
		const token = /^Bearer (\S+)$/.exec(headers.authorization ?? '')?.[1] ?? '';
		const seen: Seen = { key: caseOf(url + body), method, url, token, text: body };
		this.seen.push(seen);
		this.#inspect(seen, headers);
		const replies = this.#replies.get(seen.key);
		const nth = this.calls(seen.key).length - 1;
		(replies?.[Math.min(nth, replies.length - 1)] ?? succeed)(response, seen, request);
	}

	#inspect({ method, url, token, text: body }: Seen, headers: IncomingMessage['headers']): void {
		const object = (words: string) => this.problems.push(`${method} ${url}: ${words}`);
		if (!this.tokens.has(token)) object(`nobody issued the token "${headers.authorization}"`);
		if (headers.accept !== 'application/json') object(`accept is ${headers.accept}`);
		if (body === '' ? headers['content-type'] !== undefined : headers['content-type'] !== 'application/json')
			object(`content-type is ${headers['content-type']}`);
		if (body !== '' && Number(headers['content-length']) !== Buffer.byteLength(body))
			object(`content-length is ${headers['content-length']}`);
		if (['GET', 'DELETE'].includes(method) && body !== '') object('has a body');
		if (!url.startsWith('/api/')) object('is no address of the API');
	}
}

/** One payment of 10.10. */
export const paymentParameters = {
	paymentRun: 'salary-2026-11',
	recipientsFrom: 'items',
	amount: '10.10',
	phone: '+79000000001',
	nspkBankId: '100000000111',
	paymentDescription: 'Reward',
	ric: '1',
	sequence: '',
	options: { partnerId: '1001', inn: '7700000000', account: '40702810000000000001', signedBody: 'c2ln' },
};

/** Accepts a package. */
export function accepted(body: string, transactionOf: (sequence: string) => string): object {
	const { client, payments } = JSON.parse(body) as {
		client: object;
		payments: { sequence: string; amount: number }[];
	};
	return {
		client,
		payPackage: 7001,
		payments: payments.map(({ sequence, amount }) => ({
			sequence,
			amount,
			feeAmount: 0,
			transactionId: transactionOf(sequence),
		})),
	};
}

/** Documented rules of the operations that the tests use. */
export const succeed: Reply = (response, { method, url, text: body, key }, request) => {
	const answer = (value: unknown) => json(200, value)(response, {} as Seen, request);
	if (url.startsWith('/api/b2cpay/')) return answer(accepted(body, (sequence) => `tx-${key}-${sequence}`));
	if (url.startsWith('/api/pp/v1/reports/'))
		return answer({
			id: `report-${key}`,
			date: '2026-03-31T09:00:00.000Z',
			type: { code: 'ufr_stmt_physical_vypiska', title: 'Statement' },
			status: 'ENQUEUED',
		});
	if (url === '/api/loan-applications') return answer({ dealId: (JSON.parse(body) as { dealId: string }).dealId });
	return answer(method === 'DELETE' ? {} : { status: `SUCCESS ${key}` });
};
