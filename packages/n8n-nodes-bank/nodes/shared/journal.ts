import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { connectedTo, inlineNode, inlineWorkflow, start } from './guard/inlineWorkflow.ts';

/** All that the journal needs of n8n. */
export type JournalContext = Pick<IExecuteFunctions, 'executeWorkflow' | 'getExecutionId' | 'getWorkflow'>;

/** What a row of the journal says besides when it was written, and in which execution. */
export type JournalRow = Record<(typeof columns)[number], string>;

const columns = ['paymentRun', 'sequence', 'amount', 'phone', 'outcome', 'payPackage', 'transactionId'] as const;

/**
 * Writes what became of payments into a Data Table, made where it is missing, for a person to look at. What was sent is remembered
 * elsewhere (see guard/): a journal that cannot be written keeps nothing from being paid, and is told with the payments.
 *
 * @returns why it could not be written; undefined where it was
 */
export async function writeJournal(
	context: JournalContext,
	table: string,
	rows: readonly JournalRow[],
): Promise<string | undefined> {
	const type = 'n8n-nodes-base.dataTable';
	const create = {
		...inlineNode('create', 'Create', type, 1.1, 0),
		executeOnce: true,
		parameters: {
			resource: 'table',
			operation: 'create',
			tableName: table,
			columns: { column: [...columns, 'execution', 'at'].map((name) => ({ name, type: 'string' })) },
			options: { createIfNotExists: true },
		},
	};
	const insert = {
		...inlineNode('insert', 'Insert', type, 1.1, 1),
		parameters: {
			resource: 'row',
			operation: 'insert',
			dataTableId: { __rl: true, mode: 'name', value: table },
			columns: { mappingMode: 'autoMapInputData', value: null },
			options: {},
		},
	};
	const nodes = [create, insert];
	const code = inlineWorkflow(context.getWorkflow().id ?? '', 'Write the journal', nodes, {
		[start.name]: connectedTo(nodes),
	});
	const told: IDataObject = { execution: context.getExecutionId(), at: new Date().toISOString() };
	try {
		await context.executeWorkflow(
			{ code },
			rows.map((row) => ({ json: { ...row, ...told } })),
		);
		return undefined;
	} catch (error) {
		return error instanceof Error ? error.message : String(error);
	}
}
