import { createHmac } from 'node:crypto';

import type {
	Call,
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
	StateSnapshot,
	SentEvents,
} from '@bank/fixtures/sandbox';

export type SandboxAdmin = Connection & ReturnType<typeof adminOf>;

export async function connectToSandbox(baseUrl: string): Promise<SandboxAdmin> {
	const connection = (await (await fetch(`${baseUrl}/_sandbox/connection`)).json()) as Connection;
	return { ...connection, ...adminOf(connection) };
}

/** Client of the admin routes of a running sandbox: reads what reached the bank, and injects faults. */
function adminOf(connection: Connection) {
	/** Any admin route. */
	async function send<T>(method: string, path: string, body?: unknown): Promise<T> {
		const response = await fetch(connection.baseUrl + path, {
			method,
			...(body !== undefined && { headers: { 'content-type': 'application/json' }, body: JSON.stringify(body) }),
		});
		const text = await response.text();
		if (!response.ok) throw new Error(`${method} ${path} was answered with ${response.status}: ${text}`);
		return (text ? JSON.parse(text) : undefined) as T;
	}

	return {
		send,

		/** Header with the sandbox's signature of this body. */
		signatureOf(body: string): Record<string, string> {
			const { header, algorithm, encoding, prefix, secret } = connection.signing;
			return { [header]: prefix + createHmac(algorithm, secret).update(body).digest(encoding) };
		},

		issueTokens: (request: IssueRequest): Promise<IssuedTokens> => send('POST', '/_sandbox/tokens', request),

		/** Issues an authorization code without a browser, as in host-to-host flows. */
		issueCode: (): Promise<IssuedCode> => send('POST', '/_sandbox/authorization-codes', {}),

		/** Every request since the last `clearCalls` or `reset`, including OAuth. */
		calls: (): Promise<Call[]> => send('GET', '/_sandbox/calls'),

		/** IDs of the called operations in order, without those of the authorization server. */
		async operations(): Promise<string[]> {
			return (await send<Call[]>('GET', '/_sandbox/calls'))
				.map((call) => call.operation ?? `${call.method} ${call.path}`)
				.filter((name) => !name.startsWith('oauth.'));
		},

		/** Violations of the API description in those requests. */
		validationErrors: (): Promise<Array<ValidationError & { call: number; operation?: string }>> =>
			send('GET', '/_sandbox/validation-errors'),

		state: (): Promise<StateSnapshot> => send('GET', '/_sandbox/state'),

		clearCalls: (): Promise<void> => send('DELETE', '/_sandbox/calls'),

		/** Restores the initial state; tokens stay valid. */
		reset: (): Promise<void> => send('POST', '/_sandbox/reset'),

		advanceClock: (advanceSeconds: number): Promise<{ now: string }> =>
			send('POST', '/_sandbox/clock', { advanceSeconds }),

		addFault: (rule: FaultRuleInput): Promise<FaultRule> => send('POST', '/_sandbox/faults', rule),

		clearFaults: (): Promise<void> => send('DELETE', '/_sandbox/faults'),

		/** Sends events to the subscription, as the bank does. */
		sendEvents: (order: EventsInput): Promise<SentEvents> => send('POST', '/_sandbox/events', order),

		sendCourierOrders: (order: CourierOrdersInput = {}): Promise<CourierRequest> =>
			send('POST', '/_sandbox/courier-orders', order),
	};
}
