/**
 * Parts of the tests of the pipeline: invented operations, runs with a test double of n8n, and a network that is a
 * function.
 */
import { defineOperation, type Effect, InputError, type Operation, type OperationInput, prepare } from '@bank/core';
import type { IAdditionalCredentialOptions, IHttpRequestOptions } from 'n8n-workflow';
import * as v from 'valibot';

import { fakeN8n, type FakeN8nOptions } from '../../../fixtures/src/fakeN8n.ts';
import type { FakeDatabase } from '../../../fixtures/src/processedDataStore.ts';
import { FakeN8n as FakeGuardedN8n } from '../support/duplicateProtection.ts';
import type { ExecuteContext } from '../../nodes/shared/execute.ts';
import type { Connection } from '../../nodes/shared/http/connection.ts';
import type { Planned } from '../../nodes/shared/pipeline/plan.ts';
import { Parameters } from '../../nodes/shared/form/parameters.ts';
import type { Job, Run } from '../../nodes/shared/form/run.ts';
import { encodeRequest, type EncodedRequest } from '../../nodes/shared/pipeline/encodeRequest.ts';
import { BankHttpClient } from '../../nodes/shared/http/bankHttpClient.ts';
import { requestLimitsOf } from '../../nodes/shared/http/deadline.ts';

type Json = Record<string, unknown>;

export const baseUrl = 'https://bank.test';

const common = { spec: 'made up', auth: 'gateway', errors: [] } as const;

/** Has an effect, a path, and fields that can be invalid. */
export const make = defineOperation({
	id: 'thing.make',
	...common,
	name: 'Make',
	action: 'Make a thing',
	description: 'Make a thing that is not described anywhere',
	effect: 'order',
	method: 'POST',
	path: '/things/{kind}',
	pathFields: v.strictObject({ kind: v.string() }),
	body: v.strictObject({ name: v.string(), count: v.optional(v.number()) }),
	response: v.looseObject({ number: v.string() }),
});

/** The operation `make` with another effect. */
export const withEffect = (effect: Effect): Operation => ({ ...make, effect });

export const effects: Effect[] = ['order', 'change', 'delete', 'money'];

export const list = defineOperation({
	id: 'thing.getMany',
	...common,
	name: 'Get Many',
	action: 'Get many things',
	description: 'Read things page by page',
	effect: 'read',
	method: 'GET',
	path: '/things',
	query: v.strictObject({
		colours: v.optional(v.array(v.string())),
		from: v.optional(v.number()),
		most: v.optional(v.number()),
	}),
	response: v.looseObject({ things: v.array(v.looseObject({ id: v.number(), name: v.string() })) }),
	list: { key: 'things', offset: 'from', limit: 'most', simplify: (row) => ({ id: Number(row?.id) }) },
});

/** An operation whose result may not be ready, and whose response is not described. */
export const result = defineOperation({
	id: 'thing.getResult',
	...common,
	name: 'Get Result',
	action: 'Get a result',
	description: 'Read the result of a thing',
	effect: 'read',
	method: 'GET',
	path: '/things/{kind}/result',
	pathFields: v.strictObject({ kind: v.string() }),
	asynchronous: true,
});

/** A request passed to n8n's helper. */
export interface Asked {
	type: string;
	request: IHttpRequestOptions & { headers: Record<string, string>; body?: Buffer };
	options: IAdditionalCredentialOptions;
}

/** The network: logs requests to n8n's helper and responds as the test says. */
export class Wire {
	readonly asked: Asked[] = [];
	/** Returns a full response like n8n's helper, or throws. */
	answer: (asked: Asked) => unknown = () => reply(200, { number: '1' });

	readonly helper = async (
		type: string,
		request: Asked['request'],
		options: IAdditionalCredentialOptions,
	): Promise<unknown> => {
		const asked = { type, request, options };
		this.asked.push(asked);
		return await this.answer(asked);
	};

	get urls(): string[] {
		return this.asked.map(({ request }) => request.url);
	}

	/** The bodies, as text. */
	get bodies(): (string | undefined)[] {
		return this.asked.map(({ request }) => request.body?.toString('utf8'));
	}
}

/** A full response of n8n's helper. */
export const reply = (statusCode: number, body?: unknown, headers: Json = {}) => ({
	statusCode,
	headers,
	body: typeof body === 'string' || Buffer.isBuffer(body) ? body : JSON.stringify(body),
});

export type ContextOptions = Partial<FakeN8nOptions> & {
	wire?: Wire;
	runIndex?: number;
	remembered?: Set<string> | FakeDatabase;
};

/** The parts of n8n that the pipeline uses. Expressions are functions or `={{ $json.field }}`. */
export function contextOf({
	wire = new Wire(),
	runIndex = 0,
	parameters = {},
	remembered = new Set<string>(),
	...options
}: ContextOptions = {}) {
	const credentials = { bankGatewayApi: { environment: 'sandbox', sandboxBaseUrl: baseUrl } };
	const context = fakeN8n({ credentials, ...options, parameters });
	const only =
		<Value>(wanted: string, value: Value) =>
		(given: string) => {
			if (given === wanted) return value;
			throw new Error(`The double knows only ${wanted}, not ${given}`);
		};
	const { executeWorkflow, getWorkflow } = new FakeGuardedN8n(remembered).in('workflow');
	return {
		...context,
		executeWorkflow,
		getWorkflow,
		evaluateExpression: only('{{ $runIndex }}', runIndex),
		getContext: only('node', context.getContext()),
		helpers: { ...context.helpers, httpRequestWithAuthentication: wire.helper },
	} as unknown as ExecuteContext;
}

/** A run of an operation as execute.ts creates it. */
export function runOf(operation: Operation, options: ContextOptions = {}): Run & { context: ExecuteContext } {
	const context = contextOf(options);
	return { context, operation, parameters: Parameters.ofItems(context), itemCount: context.getInputData().length };
}

export const input: OperationInput = { path: { kind: 'a' }, body: { name: 'b' } };

type PlannedOptions = Partial<Planned> & { input?: OperationInput };

/** A valid job with the fields that the operation accepts. */
export function plannedOf(operation: Operation, { input: given = input, ...rest }: PlannedOptions = {}): Planned {
	const job: Job = { items: [0], input: given };
	const { path, query, body } = given;
	const prepared = prepare(operation, {
		...(operation.pathFields === undefined || path === undefined ? {} : { path }),
		...(operation.query === undefined || query === undefined ? {} : { query }),
		...(operation.body === undefined ? {} : { body }),
	});
	return { job, operation, position: 0, prepared, preparing: {}, isPreview: false, payments: [], ...rest };
}

export async function encodedOf(operation: Operation, more: PlannedOptions = {}): Promise<EncodedRequest> {
	return await encodeRequest(runOf(operation), {}, plannedOf(operation, more), noRead);
}

/** For tests that read nothing from the bank before sending. */
export const noRead = () => Promise.reject(new Error('nothing is to be read'));

export const connection: Connection = {
	credentialId: '1',
	credentialName: 'Our bank',
	restrictions: [],
	credentialType: 'bankGatewayApi',
	environment: 'sandbox',
	baseUrl,
	parts: { headers: {} },
	opened: { credential: {}, at: 0 },
	secrets: async () => [],
};

export const bounds = requestLimitsOf({});

/** @param named the name of the chosen credential, by credential type */
export function networkOf(
	wire: Wire,
	more: Partial<Connection> = {},
	{ timeout = 60, named = {} }: { timeout?: number; named?: Record<string, string> } = {},
): BankHttpClient {
	const credentials = Object.fromEntries(Object.entries(named).map(([type, name]) => [type, { id: '1', name }]));
	return new BankHttpClient(
		contextOf({ wire, node: { credentials } }),
		{ ...connection, ...more },
		{ ...bounds, seconds: timeout },
	);
}

/** The thrown value. */
export async function thrownBy(running: () => unknown): Promise<unknown> {
	try {
		await running();
	} catch (error) {
		return error;
	}
	throw new Error('nothing was thrown');
}

export async function faultsOf(running: () => unknown): Promise<InputError['issues']> {
	const error = await thrownBy(running);
	if (error instanceof InputError) return error.issues;
	throw error;
}
