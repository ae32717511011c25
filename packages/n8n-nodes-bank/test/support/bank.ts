/** The Bank node run through n8n's double, with the defaults that n8n fills in from the form. */
import { type IExecuteFunctions, type INode, type INodeExecutionData, type INodeParameters, NodeHelpers } from 'n8n-workflow';
import nock from 'nock';

import { type Expression, fakeN8n, type FakeN8nOptions } from '../../../fixtures/src/fakeN8n.ts';
import { Bank } from '../../nodes/Bank/Bank.node.ts';

// Importing nock is enough to replace the connections of the whole process, which other test files share.
afterAll(() => nock.restore());

export const origin = 'https://bank.test';

export const credentials = Object.fromEntries(
	['bankClientCredentialsOAuth2Api', 'bankAuthorizationCodeOAuth2Api'].map((type) => [type, { environment: 'sandbox', sandboxBaseUrl: `${origin}/`, token: `token of ${type}` }]),
);

type Json = Record<string, unknown>;
export type RunOptions = Omit<FakeN8nOptions, 'parameters'>;

/** Runs `resource.operation` with what the user filled in. Functions stand for expressions. */
export async function run(id: string, parameters: Json = {}, options: RunOptions = {}): Promise<INodeExecutionData[]> {
	const [resource, operation] = id.split('.');
	const bank = new Bank();
	const context = fakeN8n({ credentials, ...options, parameters: filledIn(bank, { resource, operation, ...parameters }) });
	const [output, ...others] = await bank.execute.call(context as unknown as IExecuteFunctions);
	expect(others).toEqual([]);
	return output ?? [];
}

export const jsonOf = (items: INodeExecutionData[]): Json[] => items.map(({ json }) => json);

/** What a run throws, as a person reads it. */
export async function refusalOf(running: Promise<unknown>): Promise<{ message: string; description: string; text: string; context: Json }> {
	const error = (await running.then(
		() => undefined,
		(reason: unknown) => reason,
	)) as { message: string; description?: string; context: Json } | undefined;
	if (error === undefined) throw new Error('nothing was thrown');
	const { message, description = '', context } = error;
	return { message, description, text: `${message}\n${description}`, context };
}

/** n8n's own filling in of defaults and dropping of hidden fields; functions travel through it as expressions. */
function filledIn(bank: Bank, parameters: Json): Json {
	const functions: Expression[] = [];
	const hide = (value: unknown): unknown => {
		if (typeof value === 'function') return `=function ${functions.push(value as Expression) - 1}`;
		if (Array.isArray(value)) return value.map(hide);
		if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
		return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, hide(field)]));
	};
	const show = (value: unknown): unknown => {
		if (typeof value === 'string') return functions[Number(/^=function (\d+)$/.exec(value)?.[1])] ?? value;
		if (Array.isArray(value)) return value.map(show);
		if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype) return value;
		return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, show(field)]));
	};
	const node = { typeVersion: 1 } as INode;
	return show(NodeHelpers.getNodeParameters(bank.description.properties, hide(parameters) as INodeParameters, true, false, node, bank.description)) as Json;
}

/** A request as the bank saw it. */
export interface Seen {
	method: string;
	path: string;
	query: [string, string][];
	/** The body, byte for byte and parsed. */
	text: string;
	body?: unknown;
	headers: Record<string, string>;
}

/** A bank that writes down what it is asked and answers what the test says. */
export class FakeBank {
	readonly seen: Seen[] = [];
	/** Status and body; a function may look at the request. Default: `200 {}`. */
	answer: (request: Seen) => [number, unknown?] | Promise<[number, unknown?]> = () => [200, {}];

	constructor() {
		const respond = async (request: Request): Promise<[number, string]> => {
			const url = new URL(request.url);
			const text = await request.text();
			const asked: Seen = { method: request.method, path: url.pathname, query: [...url.searchParams], text, headers: Object.fromEntries(request.headers) };
			if (text !== '') asked.body = JSON.parse(text);
			this.seen.push(asked);
			const [status, answer] = await this.answer(asked);
			return [status, typeof answer === 'string' ? answer : answer === undefined ? '' : JSON.stringify(answer)];
		};
		for (const method of ['get', 'post', 'put', 'delete'] as const) nock(origin).persist()[method](/.*/).reply(respond);
	}
}

export function useBank(): () => FakeBank {
	let bank: FakeBank;
	beforeAll(() => nock.disableNetConnect());
	beforeEach(() => {
		bank = new FakeBank();
	});
	afterEach(() => nock.cleanAll());
	afterAll(() => {
		nock.enableNetConnect();
	});
	return () => bank;
}
