/** Runs the action nodes in a test double of n8n, with the defaults that n8n fills in from the form. */
import { detailsSchema, findOperation, isRecord } from '@bank/core';
import { likelyMethod } from '@bank/core/docs';
import {
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type INodeType,
	NodeHelpers,
} from 'n8n-workflow';
import nock from 'nock';

import { type Expression, fakeN8n, type FakeN8nOptions } from '../../../fixtures/src/fakeN8n.ts';
import type { FakeDatabase } from '../../../fixtures/src/processedDataStore.ts';
import { Bank } from '../../nodes/Bank/Bank.node.ts';
import { FakeN8n as FakeGuardedN8n } from './duplicateProtection.ts';

// Importing nock replaces the connections of the whole process, which other test files share. So nock is active only while a test
// with a bank runs.
nock.restore();

export const origin = 'https://bank.test';

const address = { environment: 'sandbox', sandboxBaseUrl: `${origin}/` };
const withToken = (type: string) => [type, { ...address, token: `token of ${type}` }] as const;

const payer = 'bankClientCredentialsOAuth2Api';

/** The credentials' own tests cover the headers of gateway and mutual TLS. */
export const credentials: Record<string, Json> = Object.fromEntries([
	withToken(payer),
	withToken('bankAuthorizationCodeOAuth2Api'),
	withToken('bankHostToHostOAuth2Api'),
	['bankGatewayApi', { ...address }],
	['bankMutualTlsApi', { ...address }],
]);

type Json = Record<string, unknown>;
/** `remembered`: n8n's storage shared by all executions of the workflow. */
export type RunOptions = Omit<FakeN8nOptions, 'parameters'> & {
	remembered?: Set<string> | FakeDatabase;
	/** Default `workflow`. */
	workflowId?: string;
	/** Number of inline workflows after which the process is killed. */
	dieAfter?: number;
	/** Error of n8n when it claims: before the claim, or after it if the connection terminated. */
	claimFailure?: string;
	/** Replaces parts of n8n. */
	n8n?: object;
};

type ActionNode = INodeType & { execute: (this: IExecuteFunctions) => Promise<INodeExecutionData[][]> };
export type Run = (id: string, parameters?: Json, options?: RunOptions) => Promise<INodeExecutionData[]>;

let executions = 0;

/** Runs `resource.operation` of a node with one output. */
export function runOf(Node: new () => ActionNode): Run {
	const runAll = outputsOf(Node);
	return async (...given) => {
		const [output, ...others] = await runAll(...given);
		expect(others).toEqual([]);
		return output ?? [];
	};
}

/**
 * Runs `resource.operation` of a node with the given parameters, as an execution of its own. A function as parameter
 * stands for an expression.
 */
export function outputsOf(Node: new () => ActionNode): (...given: Parameters<Run>) => Promise<INodeExecutionData[][]> {
	return async (
		id,
		parameters = {},
		{
			remembered = new Set<string>(),
			workflowId = 'workflow',
			dieAfter = Infinity,
			claimFailure,
			n8n = {},
			...options
		} = {},
	) => {
		const [resource, operation] = id.split('.');
		// Selects the option that displays a field before it is filled in.
		const shown = 'amount' in parameters ? { recipientsFrom: 'items' } : {};
		const node = new Node();
		const { name, displayName } = node.description;
		const context = fakeN8n({
			node: { name: displayName, type: `n8n-nodes-bank.${name}` },
			executionId: `e${++executions}`,
			...options,
			credentials: signedElsewhere(options.credentials ?? credentials),
			parameters: filledIn(
				node,
				{ resource, operation, ...shown, ...inOverride(id, inOptions(id, parameters)) },
				options.node,
			),
		});
		const { executeWorkflow: runInline, getWorkflow } = new FakeGuardedN8n(remembered).in(workflowId);
		let left = dieAfter;
		const executeWorkflow: typeof runInline = async (...called) => {
			const isFailing = claimFailure !== undefined && called[0].code?.name.startsWith('Claim ');
			if (isFailing && !claimFailure.startsWith('Connection')) throw new Error(claimFailure);
			const result = await (left-- > 0 ? runInline(...called) : new Promise<never>(() => undefined));
			if (isFailing) throw new Error(claimFailure);
			return result;
		};
		const whole = { ...context, executeWorkflow, getWorkflow, ...n8n };
		return await node.execute.call(whole as unknown as IExecuteFunctions);
	};
}

export const run = runOf(Bank);

/** Recipient columns mapped with expressions. */
export const mapped: Readonly<Record<string, string>> = Object.fromEntries(
	['amount', 'phone', 'nspkBankId', 'paymentDescription', 'ric', 'sequence'].map((name) => [
		name,
		`={{ $json.${name} }}`,
	]),
);

export const jsonOf = (items: INodeExecutionData[]): Json[] => items.map(({ json }) => json);

/** The details of an item of the error output; an empty object for any other item. */
export const detailsIn = ({ details }: Json = {}): Json => (isRecord(details) ? details : {});

/** The outcome of each row, whether it is in the output or in the error output. */
export const outcomesOf = (rows: readonly Json[]): unknown[] =>
	rows.map((row) => row.outcome ?? detailsIn(row).outcome);

/** The thrown error with its texts. */
export async function refusalOf(
	running: Promise<unknown>,
): Promise<{ message: string; description: string; text: string; context: Json; messages: string[] }> {
	const error = (await running.then(
		() => undefined,
		(reason: unknown) => reason,
	)) as { message: string; description?: string; context: Json; messages?: string[] } | undefined;
	if (error === undefined) throw new Error('nothing was thrown');
	const { message, description = '', context, messages = [] } = error;
	return { message, description, text: [message, description, ...messages].join('\n'), context, messages };
}

/** Fields of a package that the form has under *Options*. */
const packageOptions = ['partnerId', 'inn', 'account', 'nameCheck', 'b2cClientId', 'total', 'signedBody'];

/** Moves the fields of a package to the options. */
function inOptions(id: string, given: Json): Json {
	if (!/^payment\.(?:sendPackage|preparePackage)$/.test(id)) return given;
	const { options, ...parameters } = given;
	const isKnown = (name: string) =>
		packageOptions.includes(name) && (name !== 'signedBody' || id.endsWith('sendPackage'));
	const moved = Object.entries(parameters).filter(([name]) => isKnown(name));
	const kept = Object.entries(parameters).filter(([name]) => !packageOptions.includes(name));
	return { ...Object.fromEntries(kept), options: { ...Object.fromEntries(moved), ...(options as Json | undefined) } };
}

/** Credentials whose signatures are made elsewhere, unless the test chooses another signature. */
const signedElsewhere = (given: NonNullable<RunOptions['credentials']>): NonNullable<RunOptions['credentials']> => ({
	...given,
	...(given[payer] === undefined ? {} : { [payer]: { signature: 'given', ...given[payer] } }),
});

/** Moves details to the option *Override Service Details*, with a likely method and a bearer token. */
function inOverride(id: string, { serviceDetails, ...parameters }: Json): Json {
	const operation = findOperation(id);
	const entries = operation === undefined ? {} : detailsSchema(operation).entries;
	if (operation === undefined || Object.keys(entries).length === 0) return parameters;
	const withOverride = (named: Json, override: unknown): Json => ({
		...named,
		options: { ...(named.options as Json | undefined), serviceDetails: override },
	});
	if (serviceDetails !== undefined) return withOverride(parameters, serviceDetails);
	const guessed = {
		...(operation.method === undefined ? { method: likelyMethod(operation) } : {}),
		...(operation.accessToken === undefined ? {} : { token: { sendAs: 'bearer' } }),
	};
	const details = ['method', 'path', 'names', 'token', 'responses', 'payload'];
	const isOpen = (name: string) => name in entries || (name === 'payload' && operation.payload !== undefined);
	const named = Object.entries(parameters);
	const inside = named.filter(([name]) => details.includes(name) && isOpen(name));
	const outside = named.filter(([name]) => !details.includes(name));
	return withOverride(Object.fromEntries(outside), { ...guessed, ...Object.fromEntries(inside) });
}

/** Adds defaults and drops hidden fields as n8n does. A function stands for an expression. */
function filledIn({ description }: INodeType, parameters: Json, { typeVersion = 1 }: Json = {}): Json {
	const functions: Expression[] = [];
	const hide = (value: unknown) =>
		typeof value === 'function' ? `=function ${functions.push(value as Expression) - 1}` : value;
	const show = (value: unknown) =>
		typeof value === 'string' ? (functions[Number(/^=function (\d+)$/.exec(value)?.[1])] ?? value) : value;
	const node = { typeVersion } as INode;
	const hidden = eachValue(parameters, hide) as INodeParameters;
	return eachValue(
		NodeHelpers.getNodeParameters(description.properties, hidden, true, false, node, description),
		show,
	) as Json;
}

/** Replaces the values of nested lists and plain objects. */
function eachValue(value: unknown, change: (value: unknown) => unknown): unknown {
	if (Array.isArray(value)) return value.map((one) => eachValue(one, change));
	if (typeof value !== 'object' || value === null || Object.getPrototypeOf(value) !== Object.prototype)
		return change(value);
	return Object.fromEntries(Object.entries(value).map(([key, field]) => [key, eachValue(field, change)]));
}

/** A request received by the bank. */
export interface SeenRequest {
	method: string;
	path: string;
	query: [string, string][];
	/** The body, byte for byte and parsed. */
	text: string;
	body?: unknown;
	/** Parts of a multipart form, in order. */
	parts?: Part[];
	headers: Record<string, string>;
}

type Part = [name: string, value: string | { fileName: string; type: string; text: string }];
type Answer = [status: number, body?: unknown, headers?: Record<string, string>];

async function partsOf(form: Response): Promise<Part[]> {
	const parts = [...(await form.formData())];
	return await Promise.all(
		parts.map(async ([name, value]): Promise<Part> => {
			if (typeof value === 'string') return [name, value];
			return [name, { fileName: value.name, type: value.type, text: await value.text() }];
		}),
	);
}

/** A binary field of an input item. */
export const binaryFile = (content: string, fileName?: string, mimeType = 'text/plain') => ({
	data: Buffer.from(content).toString('base64'),
	mimeType,
	...(fileName === undefined ? {} : { fileName }),
});

/** A bank that logs its requests and responds as the test says. */
export class FakeBank {
	readonly seen: SeenRequest[] = [];
	/** Returns status, body (bytes for a file) and headers of the response. Default: `200 {}`. */
	answer: (request: SeenRequest) => Answer | Promise<Answer> = () => [200, {}];

	constructor() {
		const respond = async (request: Request): Promise<[number, string | Buffer, Record<string, string>]> => {
			const url = new URL(request.url);
			const bytes = await request.arrayBuffer();
			const text = Buffer.from(bytes).toString('utf8');
			const asked: SeenRequest = {
				method: request.method,
				path: url.pathname,
				query: [...url.searchParams],
				text,
				headers: Object.fromEntries(request.headers),
			};
			const type = request.headers.get('content-type') ?? '';
			if (type.startsWith('multipart/'))
				asked.parts = await partsOf(new Response(bytes, { headers: { 'Content-Type': type } }));
			else if (text !== '') asked.body = JSON.parse(text);
			this.seen.push(asked);
			const [status, answer, headers = {}] = await this.answer(asked);
			const isEncoded = Buffer.isBuffer(answer) || typeof answer === 'string';
			return [status, isEncoded ? answer : (JSON.stringify(answer) ?? ''), headers];
		};
		for (const method of ['get', 'post', 'put', 'patch', 'delete'] as const)
			nock(origin).persist()[method](/.*/).reply(respond);
	}
}

export function useBank(): () => FakeBank {
	let bank: FakeBank;
	beforeEach(() => {
		nock.activate();
		nock.disableNetConnect();
		bank = new FakeBank();
	});
	afterEach(() => {
		nock.cleanAll();
		nock.enableNetConnect();
		nock.restore();
	});
	return () => bank;
}
