/** Test doubles of n8n's contexts for the hooks, `webhook()` and `poll()` of the triggers. */
import { EventEmitter } from 'node:events';
import { STATUS_CODES } from 'node:http';

import { type IHookFunctions, type INodeType, type IWebhookFunctions, NodeHelpers } from 'n8n-workflow';

import { fakeN8n, type FakeN8nOptions } from '../../../fixtures/src/fakeN8n.ts';
import { credentials } from './bank.ts';

type Json = Record<string, unknown>;

export const host = 'https://n8n.example.com';
export const inbound = (data: Json) => ({ ...credentials, bankInboundApi: data });

/** Parameters with the defaults of the form, as n8n saves them. */
export const withDefaults = ({ description }: INodeType, parameters: object) =>
	NodeHelpers.getNodeParameters(
		description.properties,
		{ ...parameters },
		true,
		false,
		{ typeVersion: 1 },
		description,
	) as Json;

export interface Delivery {
	type?: string;
	headers?: Json;
	mode?: string;
	webhook?: string;
	params?: Json;
	/** Default POST. */
	method?: string;
	/** Whether n8n reads the body only on request. */
	lazy?: boolean;
}

let workflows = 0;

/** A workflow with the trigger, active or not. n8n keeps its static data between the hooks. */
export class FakeWorkflow {
	id = `workflow ${++workflows}`;
	webhookId = 'hook-id';
	staticData: Json = {};
	readonly log: string[] = [];
	/** Status with which n8n, or a proxy in front of it, responds to a GET of a webhook URL. Undefined: no response. */
	responseAt: (url: string) => number | undefined = () => 404;
	nodeId = 'trigger';
	parameters: Json;
	credentials: Record<string, Json>;

	constructor(parameters: Json, given: Record<string, Json> = credentials) {
		this.parameters = parameters;
		this.credentials = given;
	}

	hook(activation: string): IHookFunctions {
		const context = this.context(activation === 'manual' ? 'manual' : 'trigger');
		const httpRequest = async ({ url }: { url: string }) => {
			const statusCode = this.responseAt(url);
			if (statusCode === undefined) throw new Error('connect ECONNREFUSED');
			return { statusCode, headers: {}, body: '' };
		};
		return {
			...context,
			helpers: { ...context.helpers, httpRequest },
			getActivationMode: () => activation,
			getNodeWebhookUrl: () => `${host}/webhook${activation === 'manual' ? '-test' : ''}/${this.webhookId}/bank`,
		} as unknown as IHookFunctions;
	}

	delivery({
		mode = 'webhook',
		webhook = 'default',
		params = {},
		request,
	}: {
		mode?: string;
		webhook?: string;
		params?: Json;
		request: Json;
	}): { context: IWebhookFunctions; response: FakeResponse } {
		const response = new FakeResponse();
		const context = {
			...this.context(mode),
			getRequestObject: () => request,
			getResponseObject: () => response,
			getWebhookName: () => webhook,
			getParamsData: () => params,
		};
		return { context: context as unknown as IWebhookFunctions, response };
	}

	/** Delivers a body as n8n does. */
	async receive(node: INodeType, body: unknown, delivery: Delivery = {}) {
		const { received, response } = this.start(node, body, delivery);
		return { ...(await received), response };
	}

	/** A delivery whose connection can be closed before the trigger has decided what starts. */
	start(
		node: INodeType,
		body: unknown,
		{ type = 'application/json', headers = {}, method = 'POST', lazy = false, ...rest }: Delivery = {},
	) {
		const rawBody = Buffer.isBuffer(body) ? body : Buffer.from(typeof body === 'string' ? body : JSON.stringify(body));
		const request: Json = {
			method,
			headers,
			contentType: type,
			socket: { remoteAddress: '203.0.113.7' },
			ip: '203.0.113.7',
			...(lazy ? { readRawBody: async () => void (request.rawBody = rawBody) } : { rawBody }),
		};
		const { context, response } = this.delivery({ ...rest, request });
		const run = async () => {
			const result = (await node.webhook?.call(context)) ?? {};
			return { result, items: (result.workflowData?.[0] ?? []).map(({ json }) => json as Json) };
		};
		return { received: run(), response };
	}

	context(mode: string, options: Partial<FakeN8nOptions> = {}) {
		const node = {
			id: this.nodeId,
			name: 'Bank Trigger',
			type: 'n8n-nodes-bank.bankTrigger',
			webhookId: this.webhookId,
		};
		const n8n = fakeN8n({ parameters: this.parameters, credentials: this.credentials, node, ...options });
		const write = (text: string) => void this.log.push(text);
		return {
			...n8n,
			getNodeParameter: (name: string, fallback?: unknown) => n8n.getNodeParameter(name, 0, fallback),
			getMode: () => mode,
			getWorkflow: () => ({ id: this.id }),
			getWorkflowStaticData: () => this.staticData,
			logger: { info: write, warn: write, error: write, debug: write },
		};
	}
}

/** The part of an Express response that the trigger uses. */
export class FakeResponse extends EventEmitter {
	statusCode = 200;
	headersSent = false;
	closed = false;
	text?: string;

	status(code: number): this {
		this.statusCode = code;
		return this;
	}

	sendStatus(code: number): this {
		return this.status(code).send(STATUS_CODES[code]);
	}

	send(text?: string): this {
		this.headersSent = true;
		this.text = text;
		return this;
	}

	json(value: unknown): this {
		return this.end(JSON.stringify(value));
	}

	end(text?: string): this {
		return this.send(text);
	}

	/** The sender closes the connection. */
	close(): void {
		this.closed = true;
		this.emit('close');
	}

	/** n8n's response after the execution was stored, or could not be. */
	answer(status = 200): void {
		this.statusCode = status;
		this.end();
	}
}
