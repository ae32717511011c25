import type { IExecuteWorkflowInfo, INodeExecutionData } from 'n8n-workflow';

import { FakeDatabase, InlineWorkflowRunner } from '../../../fixtures/src/processedDataStore.ts';
import type { ClaimContext } from '../../nodes/shared/idempotency/claims.ts';
import type { DataTableContext } from '../../nodes/shared/idempotency/dataTable.ts';

type InlineWorkflow = NonNullable<IExecuteWorkflowInfo['code']>;

/**
 * A test double of n8n for duplicate protection: runs inline workflows node by node, top to bottom and depth first, on a table that
 * rejects the second of two inserts with the same key. Other runs may continue between a lookup and an insert.
 */
export class FakeN8n {
	readonly #runner: InlineWorkflowRunner;

	constructor(database: FakeDatabase | Set<string> = new FakeDatabase()) {
		this.#runner = new InlineWorkflowRunner(database);
	}

	in(workflowId: string): ClaimContext & DataTableContext {
		return {
			executeWorkflow: async ({ code }, items = []) => {
				// n8n's own types are not needed for the table.
				const data = (await this.#runner.run(code as InlineWorkflow, items)) as INodeExecutionData[][];
				return { executionId: 'inline', data };
			},
			getExecutionCancelSignal: () => new AbortController().signal,
			getWorkflow: () => ({ id: workflowId, active: true }),
		};
	}
}
