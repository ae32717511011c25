import type { IExecuteWorkflowInfo, INodeExecutionData } from 'n8n-workflow';

import { FakeDatabase, InlineWorkflowRunner, yieldTurns } from '../../../fixtures/src/processedDataStore.ts';
import type { ClaimContext } from '../../nodes/shared/idempotency/claims.ts';
import type { DataTableContext } from '../../nodes/shared/idempotency/dataTable.ts';

type InlineWorkflow = NonNullable<IExecuteWorkflowInfo['code']>;

/**
 * A test double of n8n for duplicate protection: runs inline workflows node by node, top to bottom and depth first, on a table that
 * rejects the second of two inserts with the same key. Other runs may continue between a lookup and an insert.
 */
export class FakeN8n {
	readonly database: FakeDatabase;
	readonly #table: InlineWorkflowRunner;
	/** Inline workflows that were run, in order. */
	readonly ran: InlineWorkflow[] = [];
	/** Waiting times in milliseconds. */
	readonly pauses: number[] = [];
	/** Number of nodes after which each of the next inline workflows is aborted. */
	readonly breakAfter: Array<number | undefined> = [];
	/** Error that n8n throws instead of running a workflow. */
	refusal: Error | undefined;
	readonly stop = new AbortController();
	constructor(database: FakeDatabase | Set<string> = new FakeDatabase()) {
		this.#table = new InlineWorkflowRunner(database, (identity) => this.inserted(identity));
		this.database = this.#table.database;
	}

	/** Keys in the table: workflow and node ID. */
	get rows(): Set<string> {
		return this.database.keys;
	}

	/** Called for each claim that is inserted. */
	inserted: (identity: string) => void = () => undefined;

	readonly pause = async (milliseconds: number) => {
		this.pauses.push(milliseconds);
		await yieldTurns(20);
	};

	in(workflowId: string | undefined): ClaimContext & DataTableContext {
		return {
			executeWorkflow: async ({ code }, items) => {
				if (code === undefined) throw new Error('Only inline workflows are run here');
				this.ran.push(code);
				if (this.refusal !== undefined) throw this.refusal;
				// n8n's own types are not needed for the table.
				const data = (await this.#table.run(
					code,
					items ?? [],
					this.breakAfter.shift() ?? Infinity,
				)) as INodeExecutionData[][];
				return { executionId: String(this.ran.length), data };
			},
			getExecutionCancelSignal: () => this.stop.signal,
			getWorkflow: () => ({ id: workflowId, active: true }),
		};
	}
}
