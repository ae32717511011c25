/** Runs the Bank Operations Trigger with a test double of n8n's poll context. */
import type { INodeExecutionData, IPollFunctions } from 'n8n-workflow';

import { BankOperationsTrigger } from '../../nodes/BankOperationsTrigger/BankOperationsTrigger.node.ts';
import { FakeWorkflow, withDefaults } from './trigger.ts';

type Json = Record<string, unknown>;

/** How n8n reports whether it could store an execution. */
export type Stored = Pick<PromiseWithResolvers<void>, 'resolve' | 'reject'>;

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

/** One activation with its static data and log. */
export function activation(parameters: Json = {}, memory: Json = {}) {
	const trigger = new BankOperationsTrigger();
	const flow = new FakeWorkflow(withDefaults(trigger, parameters));
	flow.staticData = memory;
	/** Cursors that were committed without an execution. */
	const commits: unknown[] = [];
	return {
		memory,
		log: flow.log,
		commits,
		async poll({ mode = 'trigger', budget = 240_000, store, ask, ...rest }: PollOptions = {}): Promise<Json[] | null> {
			const base = flow.context(mode, rest);
			let emitted: INodeExecutionData[][] | null = null;
			const context = {
				...base,
				helpers: {
					...base.helpers,
					createDeferredPromise: () => Promise.withResolvers<void>(),
					...(ask === undefined
						? {}
						: { httpRequestWithAuthentication: async (_type: string, request: never) => await ask(request) }),
				},
				__emit: (data: INodeExecutionData[][], _response: unknown, done: Stored) => {
					emitted = data;
					store?.(done);
				},
				__commitCursor: async () => void commits.push(memory.cursor),
				getPollBudgetMs: () => budget,
			};
			const returned = await trigger.poll.call(context as unknown as IPollFunctions);
			const output = returned ?? (emitted as INodeExecutionData[][] | null);
			return output === null ? null : (output[0] ?? []).map(({ json }) => json);
		},
	};
}
