/** Bank Operations Trigger run through a double of what n8n hands to `poll()`. */
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

export interface PollOptions {
	mode?: 'trigger' | 'manual';
	timezone?: string;
	credentials?: Record<string, Json>;
	/** Milliseconds that n8n gives the poll. */
	budget?: number;
	/** Answers in place of the network. */
	ask?: (request: { url: string; qs?: unknown }) => Promise<unknown>;
}

/** One activation: what it keeps in static data, and what it says in the log. */
export function activation(parameters: Json = {}, memory: Json = {}) {
	const trigger = new BankOperationsTrigger();
	const log: string[] = [];
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
		async poll({ mode = 'trigger', timezone, budget = 240_000, ask, ...rest }: PollOptions = {}): Promise<
			Json[] | null
		> {
			const base = fakeN8n({
				credentials,
				...rest,
				parameters: filledIn,
				...(timezone === undefined ? {} : { timezone }),
				node: { name: 'Bank Operations Trigger', type: 'n8n-nodes-bank.bankOperationsTrigger' },
			});
			const context = {
				...base,
				...(ask === undefined
					? {}
					: {
							helpers: {
								...base.helpers,
								httpRequestWithAuthentication: async (_type: string, request: never) => await ask(request),
							},
						}),
				getMode: () => mode,
				getActivationMode: () => (mode === 'manual' ? 'manual' : 'activate'),
				getNodeParameter: (name: string, fallback?: unknown) => base.getNodeParameter(name, 0, fallback),
				getWorkflowStaticData: () => memory,
				getPollBudgetMs: () => budget,
				logger: { debug: say, info: say, warn: say, error: say },
			};
			const output: INodeExecutionData[][] | null = await trigger.poll.call(context as unknown as IPollFunctions);
			return output === null ? null : (output[0] ?? []).map(({ json }) => json);
		},
	};
}
