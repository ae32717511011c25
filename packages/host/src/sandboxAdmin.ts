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

/** Client of the admin routes of a running sandbox: reads what reached the bank, and injects faults. */
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

	/** Header with the sandbox's signature of this body. */
	signatureOf(body: string): Record<string, string> {
		const { header, algorithm, encoding, prefix, secret } = this.signing;
		return { [header]: prefix + createHmac(algorithm, secret).update(body).digest(encoding) };
	}

	issueTokens(request: IssueRequest): Promise<IssuedTokens> {
		return this.send('POST', '/_sandbox/tokens', request);
	}

	/** Issues an authorization code without a browser, as in host-to-host flows. */
	issueCode(request: CodeRequest = {}): Promise<IssuedCode> {
		return this.send('POST', '/_sandbox/authorization-codes', request);
	}

	/** Changes settings in which deployments differ, until the next change or reset. */
	change(quirks: Partial<Quirks>): Promise<Quirks> {
		return this.send('POST', '/_sandbox/quirks', quirks);
	}

	/** Every request since the last `clearCalls` or `reset`, including OAuth. */
	calls(): Promise<Call[]> {
		return this.send('GET', '/_sandbox/calls');
	}

	/** IDs of the called operations in order, without those of the authorization server. */
	async operations(): Promise<string[]> {
		return (await this.calls())
			.map((call) => call.operation ?? `${call.method} ${call.path}`)
			.filter((name) => !name.startsWith('oauth.'));
	}

	/** Violations of the API description in those requests. */
	validationErrors(): Promise<Array<ValidationError & { call: number; operation?: string }>> {
		return this.send('GET', '/_sandbox/validation-errors');
	}

	state(): Promise<StateSnapshot> {
		return this.send('GET', '/_sandbox/state');
	}

	clearCalls(): Promise<void> {
		return this.send('DELETE', '/_sandbox/calls');
	}

	/** Restores the initial state; tokens stay valid. */
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

	/** Sends events to the subscription, as the bank does. */
	sendEvents(order: EventsInput): Promise<SentEvents> {
		return this.send('POST', '/_sandbox/events', order);
	}

	sendCourierOrders(order: CourierOrdersInput = {}): Promise<CourierRequest> {
		return this.send('POST', '/_sandbox/courier-orders', order);
	}

	/** Calls any other admin route. */
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
