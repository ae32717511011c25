import { createHmac } from 'node:crypto';

import type {
	Call,
	CodeRequest,
	Connection,
	CourierOrdersInput,
	CourierRequest,
	EventsInput,
	FaultRule,
	FaultRuleInput,
	IssuedCode,
	IssueRequest,
	IssuedTokens,
	ValidationError,
	Quirks,
	StateSnapshot,
	SentEvents,
} from '@bank/fixtures/sandbox';

/** The admin routes of a running sandbox: see what reached the bank, and disturb it. */
export class SandboxAdmin implements Connection {
	readonly baseUrl: string;
	readonly modelUrl: string;
	readonly oauth: Connection['oauth'];
	readonly clients: Connection['clients'];
	readonly webhookScopes: Connection['webhookScopes'];
	readonly signing: Connection['signing'];
	readonly gateway: Connection['gateway'];
	readonly signer: Connection['signer'];
	readonly tls: Connection['tls'];

	constructor({ baseUrl, modelUrl, oauth, clients, webhookScopes, signing, gateway, signer, tls }: Connection) {
		this.baseUrl = baseUrl;
		this.modelUrl = modelUrl;
		this.oauth = oauth;
		this.clients = clients;
		this.webhookScopes = webhookScopes;
		this.signing = signing;
		this.gateway = gateway;
		this.signer = signer;
		this.tls = tls;
	}

	static async connect(baseUrl: string): Promise<SandboxAdmin> {
		return new SandboxAdmin((await (await fetch(`${baseUrl}/_sandbox/connection`)).json()) as Connection);
	}

	/** The header by which a delivery of this body shows that it comes from the sandbox. */
	signatureOf(body: string): Record<string, string> {
		const { header, algorithm, encoding, prefix, secret } = this.signing;
		return { [header]: prefix + createHmac(algorithm, secret).update(body).digest(encoding) };
	}

	issueTokens(request: IssueRequest): Promise<IssuedTokens> {
		return this.send('POST', '/_sandbox/tokens', request);
	}

	/** An authorization code without a browser, as flows from host to host get one. */
	issueCode(request: CodeRequest = {}): Promise<IssuedCode> {
		return this.send('POST', '/_sandbox/authorization-codes', request);
	}

	/** What deployments differ in, until the next change or reset. */
	change(quirks: Partial<Quirks>): Promise<Quirks> {
		return this.send('POST', '/_sandbox/quirks', quirks);
	}

	/** Every request since the last `clearCalls` or `reset`, OAuth included. */
	calls(): Promise<Call[]> {
		return this.send('GET', '/_sandbox/calls');
	}

	/** The operations called, `resource.operation`, in order and without those of the authorization server. */
	async operations(): Promise<string[]> {
		return (await this.calls())
			.map((call) => call.operation ?? `${call.method} ${call.path}`)
			.filter((name) => !name.startsWith('oauth.'));
	}

	/** Where those requests broke the API description. */
	validationErrors(): Promise<Array<ValidationError & { call: number; operation?: string }>> {
		return this.send('GET', '/_sandbox/validation-errors');
	}

	state(): Promise<StateSnapshot> {
		return this.send('GET', '/_sandbox/state');
	}

	clearCalls(): Promise<void> {
		return this.send('DELETE', '/_sandbox/calls');
	}

	/** Everything as at the start; tokens stay good. */
	reset(): Promise<void> {
		return this.send('POST', '/_sandbox/reset');
	}

	advanceClock(advanceSeconds: number): Promise<{ now: string }> {
		return this.send('POST', '/_sandbox/clock', { advanceSeconds });
	}

	addFault(rule: FaultRuleInput): Promise<FaultRule> {
		return this.send('POST', '/_sandbox/faults', rule);
	}

	clearFaults(): Promise<void> {
		return this.send('DELETE', '/_sandbox/faults');
	}

	/** Events to the subscription, as the bank sends them. */
	sendEvents(order: EventsInput): Promise<SentEvents> {
		return this.send('POST', '/_sandbox/events', order);
	}

	sendCourierOrders(order: CourierOrdersInput = {}): Promise<CourierRequest> {
		return this.send('POST', '/_sandbox/courier-orders', order);
	}

	/** Any other admin route. */
	async send<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await fetch(this.baseUrl + path, {
			method,
			...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
		return (text ? JSON.parse(text) : undefined) as T;
	}
}
