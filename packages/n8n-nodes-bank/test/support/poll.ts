/** Runs the Bank Operations Trigger with a test double of n8n's poll context. */
import {
	type INode,
	type INodeExecutionData,
	type INodeParameters,
	type IPollFunctions,
	NodeHelpers,
} from 'n8n-workflow';

import { fakeN8n } from '../../../fixtures/src/fakeN8n.ts';
import { BankOperationsTrigger } from '../../nodes/BankOperationsTrigger/BankOperationsTrigger.node.ts';
import { credentials } from './bank.ts';

type Json = Record<string, unknown>;

/** How n8n reports whether it could store an execution. */
export interface Stored {
	resolve: () => void;
	reject: (error: Error) => void;
}

function deferred(): Stored & { promise: Promise<void> } {
	let settle: Stored | undefined;
	const promise = new Promise<void>((resolve, reject) => (settle = { resolve, reject }));
	return { promise, resolve: () => settle?.resolve(), reject: (error) => settle?.reject(error) };
}

export interface PollOptions {
	mode?: 'trigger' | 'manual';
	timezone?: string;
	credentials?: Record<string, Json>;
	/** Milliseconds until n8n aborts the poll. */
	budget?: number;
	/** The result of storing the execution. */
	store?: (done: Stored) => void;
	/** Responds instead of the network. */
	ask?: (request: { url: string; qs?: unknown }) => Promise<unknown>;
}

let workflows = 0;

/** One activation with its static data and log. */
export function activation(parameters: Json = {}, memory: Json = {}) {
	const trigger = new BankOperationsTrigger();
	const log: string[] = [];
	/** Cursors that were committed without an execution. */
	const commits: unknown[] = [];
	const workflow = `workflow ${++workflows}`;
	const say = (text: string) => void log.push(text);
	const node = { typeVersion: 1 } as INode;
	const filledIn = NodeHelpers.getNodeParameters(
		trigger.description.properties,
		parameters as INodeParameters,
		true,
		false,
		node,
		trigger.description,
	) as Json;
	return {
		memory,
		log,
		commits,
		async poll({ mode = 'trigger', timezone, budget = 240_000, store, ask, ...rest }: PollOptions = {}): Promise<
			Json[] | null
		> {
			const base = fakeN8n({
				credentials,
				...rest,
				parameters: filledIn,
				...(timezone === undefined ? {} : { timezone }),
				node: { name: 'Bank Operations Trigger', type: 'n8n-nodes-bank.bankOperationsTrigger' },
			});
			let emitted: INodeExecutionData[][] | null = null;
			const context = {
				...base,
				helpers: {
					...base.helpers,
					createDeferredPromise: deferred,
					...(ask === undefined
						? {}
						: { httpRequestWithAuthentication: async (_type: string, request: never) => await ask(request) }),
				},
				__emit: (data: INodeExecutionData[][], _response: unknown, done: Stored) => {
					emitted = data;
					store?.(done);
				},
				__commitCursor: async () => void commits.push(memory.cursor),
				getWorkflow: () => ({ id: workflow, active: true }),
				getMode: () => mode,
				getActivationMode: () => (mode === 'manual' ? 'manual' : 'activate'),
				getNodeParameter: (name: string, fallback?: unknown) => base.getNodeParameter(name, 0, fallback),
				getWorkflowStaticData: () => memory,
				getPollBudgetMs: () => budget,
				logger: { debug: say, info: say, warn: say, error: say },
			};
			const returned = await trigger.poll.call(context as unknown as IPollFunctions);
			const output = returned ?? (emitted as INodeExecutionData[][] | null);
			return output === null ? null : (output[0] ?? []).map(({ json }) => json);
		},
	};
}
