import { textOrNumber } from '@bank/core';
import {
	type ExecuteWorkflowData,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	sleep,
} from 'n8n-workflow';

import { inParallel } from '../inParallel.ts';
import { claimErrorOf, stoppedBeforeSending, unexpectedReply } from './claimErrors.ts';
import { claimNode, type InlineWorkflow, inlineWorkflow, releaseNode, replyNode } from './inlineWorkflow.ts';
import { sha256 } from './keys.ts';

export type ClaimContext = Pick<IExecuteFunctions, 'executeWorkflow' | 'getExecutionCancelSignal' | 'getNode'>;

type Pause = (milliseconds: number) => Promise<void>;

export interface ClaimRequest {
	/** SHA-256 digests in hexadecimal. */
	keys: readonly string[];
	/** See `release`. */
	attempt: string;
	/** Claims the way in which payments are identified, and checks whether the other way was used before. */
	mode?: { own: string; other: string } | undefined;
	/** A node that runs before the claims, with its items, and one that runs after them. */
	before?: { node: INode; items: INodeExecutionData[] } | undefined;
	after?: INode | undefined;
}

export interface ClaimResult {
	/** Keys that this call inserted, by workflow. */
	won: ReadonlyMap<string, readonly string[]>;
	/** Keys that this call has inserted in every workflow. */
	owned: ReadonlySet<string>;
	/** Whether the other mode was used before. */
	otherModeUsed: boolean;
	/** Whether the call to n8n was repeated. Keys that look lost may then have been inserted by the first call. */
	wasRepeated: boolean;
}

const maxParallelWorkflows = 3;

/** Up to this many keys, one inline workflow is faster than several: starting one takes as long as a dozen nodes. */
const fewKeys = 100;

/** n8n searches all nodes of a workflow for each node that it runs. */
const maxNodes = 500;

const beforeSecondTryMs = 500;
const beforeNextCheckMs = 50;
const maxChecks = 6;

/**
 * Durable idempotency claims in n8n's own database. They survive executions, other nodes and workers, and crashes,
 * until they are released. They belong to a workflow and are deleted with it. With several workflows, a key must be
 * claimed in each of them.
 */
export class ClaimStore {
	readonly #context: ClaimContext;
	readonly #workflowIds: readonly string[];
	readonly #pause: Pause;
	#repetitions = 0;

	constructor(context: ClaimContext, workflowIds: readonly string[], pause: Pause = sleep) {
		this.#context = context;
		this.#workflowIds = [...new Set(workflowIds)].sort();
		this.#pause = pause;
	}

	get workflowIds(): readonly string[] {
		return this.#workflowIds;
	}

	/**
	 * Claims keys one by one: the first run that inserts a key owns it.
	 * @throws ClaimError if it is uncertain which keys were claimed; keys that were certainly claimed are released first
	 */
	async claim({ keys, attempt, mode, before, after }: ClaimRequest): Promise<ClaimResult> {
		const won = new Map<string, string[]>();
		let owned = keys;
		let otherModeUsed = false;
		const repetitions = this.#repetitions;
		const [first, last] = [this.#workflowIds[0], this.#workflowIds.at(-1)];
		const claimAll = async () => {
			for (const workflowId of this.#workflowIds) {
				// Only keys won in the previous workflow: otherwise two runs could win a key in one each, and neither would pay.
				const open = owned;
				const own: string[] = [];
				won.set(workflowId, own);
				owned = own;
				const opening = workflowId === first ? { before } : {};
				const closing = workflowId === last ? { after } : {};
				// Inserts its own mode before it checks the other one, so that of two simultaneous runs at least one sees the
				// other.
				const modes: Claim[] = mode === undefined ? [] : [{ key: mode.own }, { key: mode.other, releases: mode.other }];
				const parts = inParts(open);
				const isSmall = parts.length < 2;
				const claims = [...modes, ...(isSmall ? open : []).map((key) => ({ key }))];
				const isNew = await this.#ask(workflowId, claims, { ...opening, ...(isSmall ? closing : {}) });
				own.push(...open.filter((_, index) => isNew[modes.length + index] === true));
				otherModeUsed ||= mode !== undefined && isNew[1] !== true;
				if (isSmall) continue;
				const failures: unknown[] = [];
				const claimPart = async (part: readonly string[]) => {
					try {
						own.push(...(await this.#claim(workflowId, part)));
					} catch (error) {
						failures.push(error);
					}
				};
				await inParallel(parts, maxParallelWorkflows, claimPart, () => failures.length > 0 || this.#isStopped);
				if (failures.length > 0) throw failures[0];
				if (!this.#isStopped) await this.#ask(workflowId, [], closing);
			}
			if (this.#isStopped) throw stoppedBeforeSending(this.#context);
		};
		await claimAll().catch(async (error: unknown) => {
			await this.release(attempt, won).catch(() => undefined);
			throw error;
		});
		return {
			won,
			owned: new Set(owned),
			otherModeUsed,
			wasRepeated: this.#repetitions > repetitions,
		};
	}

	/**
	 * Whether a key is claimed. The check inserts and deletes the key, so two simultaneous checks may see each other.
	 * @throws ClaimError
	 */
	async isClaimed(key: string): Promise<boolean> {
		for (const workflowId of this.#workflowIds) {
			let isClaimed = true;
			for (let tries = 0; tries < maxChecks && isClaimed; tries++) {
				await this.#pause(beforeNextCheckMs * (1 + Math.random()));
				const [isNew] = await this.#ask(workflowId, [{ key, releases: key }]);
				isClaimed = isNew !== true;
			}
			if (isClaimed) return true;
		}
		return false;
	}

	/**
	 * Releases keys of an attempt. Only the first caller can close the attempt for a key and release it. Never retried,
	 * because after a successful release another run may have claimed the key.
	 * @param won by workflow, as `claim` returns them
	 * @param isReleased whether to release a key. Default: all
	 * @returns the keys that this call released
	 * @throws ClaimError | Error if they may still be claimed, which is safe
	 */
	async release(
		attempt: string,
		won: ReadonlyMap<string, readonly string[]>,
		isReleased: (key: string) => boolean = () => true,
	): Promise<string[]> {
		const released = new Set<string>();
		for (const [workflowId, keys] of won)
			for (const part of inParts(keys.filter(isReleased))) {
				// Closes the attempt and releases the key in one workflow, so that a crash between the two is unlikely.
				const gates = part.map((key) => ({ key: gateOf(attempt, key), releases: key }));
				const code = claimWorkflow(workflowId, 'Release payments', gates);
				const { data } = await this.#context.executeWorkflow({ code }, [{ json: {} }]);
				const isNew = this.#read(data, gates.length);
				for (const [index, key] of part.entries()) if (isNew[index] === true) released.add(key);
			}
		return [...released];
	}

	/**
	 * Closes an attempt for keys, so that its result can no longer be changed.
	 * @returns the keys that this call closed
	 * @throws ClaimError
	 */
	async close(attempt: string, workflowId: string, keys: readonly string[]): Promise<string[]> {
		const gates = new Map(keys.map((key) => [gateOf(attempt, key), key]));
		const closed: string[] = [];
		for (const part of inParts([...gates.keys()])) closed.push(...(await this.#claim(workflowId, part)));
		return closed.flatMap((gate) => gates.get(gate) ?? []);
	}

	get #isStopped(): boolean {
		return this.#context.getExecutionCancelSignal()?.aborted === true;
	}

	/** @returns the keys that this call inserted */
	async #claim(workflowId: string, keys: readonly string[]): Promise<string[]> {
		const claims = keys.map((key) => ({ key }));
		const isNew = await this.#ask(workflowId, claims);
		return keys.filter((_, index) => isNew[index] === true);
	}

	/** @returns for each claim, whether this call inserted its key */
	async #ask(
		workflowId: string,
		claims: readonly Claim[],
		around: Pick<ClaimRequest, 'before' | 'after'> = {},
	): Promise<boolean[]> {
		const code = claimWorkflow(workflowId, 'Claim payments', claims, around);
		return this.#read(await this.#run(code, around.before?.items ?? [{ json: {} }]), claims.length);
	}

	/** One mark for each claim: `1` if its key was inserted, `0` if it existed. */
	#read([output]: ExecuteWorkflowData['data'], count: number): boolean[] {
		// n8n may return the text as a number.
		const marks = textOrNumber(output?.[0]?.json.claims);
		if (marks.length !== count || !/^[01]*$/.test(marks)) throw unexpectedReply(this.#context);
		return [...marks].map((mark) => mark === '1');
	}

	/** Calls n8n at most twice. Keys that the first call inserted then count as claimed by another run and are not sent. */
	async #run(code: InlineWorkflow, items: INodeExecutionData[]): Promise<ExecuteWorkflowData['data']> {
		for (let isSecond = false; ; isSecond = true) {
			try {
				return (await this.#context.executeWorkflow({ code }, items)).data;
			} catch (cause) {
				const failure = claimErrorOf(this.#context, cause);
				if (isSecond || failure.isCertain || this.#isStopped) throw failure;
				this.#repetitions++;
				await this.#pause(beforeSecondTryMs);
			}
		}
	}
}

interface Claim {
	key: string;
	/** A key that is released if this call inserts the other. */
	releases?: string;
}

function claimWorkflow(
	workflowId: string,
	name: string,
	claims: readonly Claim[],
	{ before, after }: Pick<ClaimRequest, 'before' | 'after'> = {},
): InlineWorkflow {
	const nodes = claims.map(({ key }, index) => claimNode(key, String(index)));
	const ifNew = new Map<string, INode>();
	for (const [index, { releases }] of claims.entries())
		if (releases !== undefined) ifNew.set(String(index), releaseNode(releases, `release ${index}`));
	const all = [...nodes, ...(after === undefined ? [] : [after]), replyNode(nodes)];
	return inlineWorkflow(workflowId, name, all, { first: before?.node, ifNew });
}

/** The key that closes an attempt: the run that inserts it decides the result. */
const gateOf = (attempt: string, key: string): string => sha256(`${key} ${attempt} resolved`);

/** Splits keys into parts of similar size, because the slowest part determines the time. */
function inParts(keys: readonly string[]): string[][] {
	const count = keys.length;
	const size = count <= fewKeys ? fewKeys : Math.min(Math.ceil(count / maxParallelWorkflows), maxNodes);
	const parts: string[][] = [];
	for (let from = 0; from < count; from += size) parts.push(keys.slice(from, from + size));
	return parts;
}
