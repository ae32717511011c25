import { type ExecuteWorkflowData, type IExecuteFunctions, sleep } from 'n8n-workflow';

import { inParallel } from '../inParallel.ts';
import {
	type Answer,
	type Asking,
	claimingWorkflow,
	type InlineWorkflow,
	readAnswer,
	releasingWorkflow,
} from './inlineWorkflow.ts';
import { notADigest, Refusal, refusalOf, stoppedBeforeSending, type Undone, unreadable } from './refusal.ts';

/** All that the guard needs of n8n. */
export type GuardContext = Pick<
	IExecuteFunctions,
	'executeWorkflow' | 'getExecutionCancelSignal' | 'getNode' | 'getWorkflow'
>;

export interface GuardOptions {
	/** The workflow whose memory is used; by default the one that runs. Workflows that name the same one share one memory. */
	workflowId?: string | undefined;
	/** How to wait, in milliseconds. */
	pause?: (milliseconds: number) => Promise<void>;
}

export interface Claims {
	/** Those that were claimed before, by whomever. Empty: all are this caller's now. Otherwise none is. */
	readonly taken: readonly string[];
}

/** What one inline workflow has answered, and where that is not certain, why. */
interface Reply extends Answer {
	refusal?: Refusal;
}

/** So many inline workflows at a time: while one waits for the database, another can go on. */
const atATime = 3;

/** So many identities are better off in one inline workflow: each costs n8n as much as a dozen nodes, and an engine for expressions. */
const fewEnough = 100;

/** So many in one at most: n8n looks through all its nodes for each one that it runs. */
const workflowSize = 500;

/** Where n8n or its database did not answer, in milliseconds. */
const beforeAskingAgain = 500;

const digest = /^[0-9a-f]{64}$/;

/**
 * Remembers what was sent, or is about to be sent, over executions, nodes, workers and crashes, in n8n's own database. An identity is
 * the SHA-256 of what makes a request this one and no other, so that nothing personal is kept. The memory belongs to a workflow and goes
 * with it. A claim stays until it is released, which is right only where it is certain that nothing was sent or that the bank refused.
 */
export class Guard {
	readonly #context: GuardContext;
	readonly #chosen: string | undefined;
	readonly #pause: (milliseconds: number) => Promise<void>;

	constructor(context: GuardContext, { workflowId, pause = sleep }: GuardOptions = {}) {
		this.#context = context;
		this.#chosen = workflowId;
		this.#pause = pause;
	}

	get #workflowId(): string {
		return this.#chosen ?? this.#context.getWorkflow().id ?? '';
	}

	/**
	 * All or nothing: where one is taken, those that this call has claimed are released again. Of callers with the same identities at the
	 * same moment one wins, because all of them ask for the same one first; of callers that overlap in part one at most, and rarely none.
	 *
	 * @throws NodeOperationError where it is not certain that all are claimed: then nothing may be sent
	 */
	async claim(identities: readonly string[]): Promise<Claims> {
		const wanted = [...new Set(identities)].sort();
		if (!wanted.every((identity) => digest.test(identity))) throw notADigest(this.#context).error;
		const first = await this.#ask(wanted, 'firstAlone');
		if (first.taken.length === 0) return { taken: [] };

		// Whoever has it may be about to release it, as this call has just done with what it claimed.
		await this.#pause(whileOthersFinish(wanted.length));
		const second = await this.#ask([...first.taken, ...without(wanted, first.taken)], 'firstAlone');
		if (second.taken.length === 0) return { taken: [] };

		// To name all that are taken, the rest is asked for as well.
		const known = [first, second].flatMap(({ fresh, taken }) => [...fresh, ...taken]);
		const rest = await this.#ask(without(wanted, known), 'allAtOnce');
		return { taken: [...new Set([...without(first.taken, second.fresh), ...second.taken, ...rest.taken])] };
	}

	/**
	 * Forgets identities that are this caller's, after the bank refused them or where nothing was sent.
	 *
	 * @throws NodeOperationError where that did not succeed: they may still be claimed, which is safe
	 */
	async release(identities: readonly string[]): Promise<void> {
		const parts = inParts(identities);
		const refusals: Refusal[] = [];
		const releasePart = async (part: readonly string[]) => {
			const attempt = () => this.#run(releasingWorkflow(this.#workflowId, part), 'release');
			const first = await attempt();
			if (!(first instanceof Refusal)) return;
			const second = await this.#again(first, attempt);
			if (second instanceof Refusal) refusals.push(second);
		};
		await inParallel(parts, atATime, releasePart, () => false);
		if (refusals[0] !== undefined) throw refusals[0].error;
	}

	/**
	 * Asks for all of them, or until one is taken. What is then claimed stays so only where it is all of them, and where they were asked
	 * for in order to claim them.
	 */
	async #ask(identities: readonly string[], asking: Asking): Promise<Answer> {
		const [first = [], ...others] =
			asking === 'firstAlone' && identities.length > fewEnough
				? // While the others wait for the first, only that one may take time.
					[identities.slice(0, 1), ...inParts(identities.slice(1))]
				: inParts(identities);
		const replies = [await this.#askPart(first, asking)];
		const stopped = () => this.#context.getExecutionCancelSignal()?.aborted === true;
		const refusalIn = () => replies.find(({ refusal }) => refusal !== undefined)?.refusal;
		const inVain = () =>
			stopped() ||
			refusalIn() !== undefined ||
			(asking === 'firstAlone' && replies.some(({ taken }) => taken.length > 0));
		await inParallel(
			others,
			atATime,
			async (part) => void replies.push(await this.#askPart(part, 'allAtOnce')),
			inVain,
		);
		const fresh = replies.flatMap((reply) => reply.fresh);
		const refusal = refusalIn() ?? (stopped() ? stoppedBeforeSending(this.#context) : undefined);
		if (inVain() || asking === 'allAtOnce') await this.release(fresh);
		if (refusal !== undefined) throw refusal.error;
		return { fresh, taken: replies.flatMap(({ taken }) => taken) };
	}

	async #askPart(part: readonly string[], asking: Asking): Promise<Reply> {
		const nothing = { fresh: [], taken: [] };
		if (part.length === 0) return nothing;
		const attempt = async (): Promise<Answer | Refusal> => {
			const data = await this.#run(claimingWorkflow(this.#workflowId, part, asking), 'claim');
			return data instanceof Refusal ? data : (readAnswer(part, asking, data) ?? unreadable(this.#context));
		};
		const first = await attempt();
		if (!(first instanceof Refusal)) return first;
		const second = await this.#again(first, attempt);
		if (second instanceof Refusal) return { ...nothing, refusal: second };
		// What is taken now may have been claimed a moment ago, by this call, whose answer was lost.
		return second.taken.length === 0 ? second : { ...second, refusal: first };
	}

	async #again<T>(refusal: Refusal, attempt: () => Promise<T | Refusal>): Promise<T | Refusal> {
		if (refusal.final) return refusal;
		await this.#pause(beforeAskingAgain);
		return await attempt();
	}

	async #run(code: InlineWorkflow, undone: Undone): Promise<ExecuteWorkflowData['data'] | Refusal> {
		try {
			return (await this.#context.executeWorkflow({ code }, [{ json: {} }])).data;
		} catch (error) {
			return refusalOf(this.#context, undone, error);
		}
	}
}

/** As equal as can be, because the last one to end is waited for. */
function inParts(identities: readonly string[]): string[][] {
	const count = identities.length;
	const size = count <= fewEnough ? fewEnough : Math.min(Math.ceil(count / atATime), workflowSize);
	const parts: string[][] = [];
	for (let from = 0; from < count; from += size) parts.push(identities.slice(from, from + size));
	return parts;
}

function without(identities: readonly string[], others: readonly string[]): string[] {
	const left = new Set(others);
	return identities.filter((identity) => !left.has(identity));
}

/**
 * In milliseconds: longer than another call with as many identities takes, unless the machine is in trouble. Of two that were in each
 * other's way, one comes back before the other.
 */
function whileOthersFinish(count: number): number {
	return Math.min(200 + 4 * count, 8_000) * (1 + Math.random());
}
