import { randomBytes } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Done, holding, type Order, probeWorkflow, writeClaimProbe } from './claimProbe.ts';
import type { N8nInstance } from '../../src/n8nProcess.ts';
import type { ExecutionSummary } from '../../src/n8nRest.ts';
import { pollUntil } from '../../src/poll.ts';
import { startTestbed, type Testbed, type TestbedOptions } from '../../src/testbed.ts';

/** Result of a call of a probe; `done` is absent if the probe failed. */
export interface Called {
	status: number;
	done: Done | undefined;
}

/** An n8n with workflows that claim keys when they are called. */
export class ClaimBed {
	readonly testbed: Testbed;
	private readonly folder: string;

	private constructor(testbed: Testbed, folder: string) {
		this.testbed = testbed;
		this.folder = folder;
	}

	static async start(options: TestbedOptions = {}): Promise<ClaimBed> {
		const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-bank-claims-'));
		try {
			const testbed = await startTestbed({ ...options, packages: [await writeClaimProbe(folder)] });
			return new ClaimBed(testbed, folder);
		} catch (error) {
			await rm(folder, { recursive: true, force: true });
			throw error;
		}
	}

	/** Stores and activates a workflow with probes, and waits until it can be called. */
	async workflow(byHand: Order = {}): Promise<string> {
		const id = `claims${randomBytes(5).toString('hex')}`;
		await this.testbed.rest.createWorkflow(probeWorkflow(id, byHand));
		await this.testbed.rest.activateToEnd(id);
		const isCallable = async () => (await this.call(id, {})).status === 200;
		await pollUntil(isCallable, { what: `The webhooks of workflow ${id}` });
		return id;
	}

	async call(workflowId: string, order: Order, probe: 'first' | 'second' = 'first'): Promise<Called> {
		const answer = await fetch(`${this.testbed.webhookUrl}/webhook/${workflowId}/${probe}`, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(order),
		});
		const text = await answer.text();
		return { status: answer.status, done: answer.ok ? (JSON.parse(text) as Done) : undefined };
	}

	/** @returns the keys that this call has claimed; throws if the probe failed */
	async claim(workflowId: string, claim: string[], order: Order = {}): Promise<string[]> {
		const { status, done } = await this.call(workflowId, { ...order, claim });
		if (done === undefined) throw new Error(`The claim was answered with ${status}`);
		return done.owned;
	}

	/** The error message of the last execution of the workflow. */
	async lastFailure(workflowId: string): Promise<{ message?: string; description?: string | null }> {
		const failed = (await this.executions(workflowId)).filter(({ status }) => status === 'error').at(-1);
		if (failed === undefined) throw new Error(`No execution of ${workflowId} has failed`);
		return (await this.testbed.rest.getExecution(failed.id)).data.resultData.error ?? {};
	}

	async executions(workflowId: string): Promise<ExecutionSummary[]> {
		return await this.testbed.rest.allExecutions(workflowId);
	}

	/** Starts an execution that claims and never ends. @returns the process that runs it */
	async hold(workflowId: string, claim: string[]): Promise<N8nInstance> {
		// The execution ends when its process is killed.
		void this.call(workflowId, { claim, hold: true }).catch(() => undefined);
		const { n8n, workers } = this.testbed;
		return await pollUntil(
			async () => [n8n, ...workers].find(({ logTail }) => logTail(400).includes(holding(claim[0] ?? ''))),
			{ what: 'An execution that holds its claims' },
		);
	}

	async stop(): Promise<void> {
		await this.testbed.stop();
		await rm(this.folder, { recursive: true, force: true });
	}
}

export const randomKeys = (count: number): string[] =>
	Array.from({ length: count }, () => randomBytes(32).toString('hex')).sort();
