import { textOrNumber } from '@bank/core';
import type { IDataObject, IExecuteFunctions } from 'n8n-workflow';

import { connectedTo, inlineNode, inlineWorkflow, start } from './guard/inlineWorkflow.ts';
import { isExpression } from './parameters.ts';

/** All that the journal needs of n8n. */
export type JournalContext = Pick<IExecuteFunctions, 'executeWorkflow' | 'getExecutionId' | 'getWorkflow'>;

/** What a row of the journal says besides when it was written, and in which execution. */
export type JournalRow = Record<(typeof columns)[number], string>;

/** What tells one payment from another. */
const identifying = ['paymentRun', 'sequence', 'amount', 'phone'] as const;
const columns = [...identifying, 'outcome', 'payPackage', 'transactionId'] as const;

/** What a payment came to when it was sent, in whichever execution. */
export type Earlier = Record<'outcome' | 'payPackage' | 'transactionId' | 'execution' | 'at', string>;

const type = 'n8n-nodes-base.dataTable';

/** By a name n8n takes any table whose name contains it, the one that was changed last. So we look for the one that is called so. */
const tablesLike = (table: string, place: number) => ({
	...inlineNode('tables', 'Tables', type, 1.1, place),
	executeOnce: true,
	alwaysOutputData: true,
	parameters: { resource: 'table', operation: 'list', returnAll: true, options: { filterName: table } },
});
const calledSo = {
	__rl: true,
	mode: 'id',
	value:
		"={{ $('Tables').all().find(({ json }) => json.name === $('Tables').params.options.filterName)?.json.id ?? '' }}",
};

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
	if (rows.length === 0) return undefined;
	// n8n would evaluate it, and a name may come from an item, which is data.
	if (isExpression(table)) return 'the name of the Data Table begins with "="';
	const create = {
		...inlineNode('create', 'Create', type, 1.1, 0),
		executeOnce: true,
		// Of several executions that make it at the same moment one does, and n8n fails the others: the table is there for them too.
		onError: 'continueRegularOutput' as const,
		parameters: {
			resource: 'table',
			operation: 'create',
			tableName: table,
			columns: { column: [...columns, 'execution', 'at'].map((name) => ({ name, type: 'string' })) },
			options: { createIfNotExists: true },
		},
	};
	const insert = {
		...inlineNode('insert', 'Insert', type, 1.1, 2),
		parameters: {
			resource: 'row',
			operation: 'insert',
			dataTableId: calledSo,
			columns: { mappingMode: 'autoMapInputData', value: null },
			options: {},
		},
	};
	const nodes = [create, tablesLike(table, 1), insert];
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

/**
 * What the journal says of payments: by sequence, the last time that it was accepted, else the last time. For a person to read; nothing is
 * decided by it, so that a journal that cannot be read says nothing.
 */
export async function readJournal(
	context: JournalContext,
	table: string,
	wanted: readonly JournalRow[],
): Promise<ReadonlyMap<string, Earlier>> {
	if (isExpression(table)) return new Map();
	const get = {
		...inlineNode('get', 'Get', type, 1.1, 1),
		parameters: {
			resource: 'row',
			operation: 'get',
			dataTableId: calledSo,
			matchType: 'allConditions',
			// From the item: a name that looks like an expression must not become one.
			filters: { conditions: [{ keyName: 'paymentRun', condition: 'eq', keyValue: '={{ $json.paymentRun }}' }] },
			returnAll: true,
		},
	};
	const nodes = [tablesLike(table, 0), get];
	const code = inlineWorkflow(context.getWorkflow().id ?? '', 'Read the journal', nodes, {
		[start.name]: connectedTo(nodes),
	});
	const runs = new Set(wanted.map(({ paymentRun }) => paymentRun));
	const read = await context
		.executeWorkflow(
			{ code },
			[...runs].map((paymentRun) => ({ json: { paymentRun } })),
		)
		.catch(() => undefined);
	const rows = (read?.data[0] ?? [])
		.map(({ json }) => json)
		.sort((one, other) => (textOrNumber(one.at) < textOrNumber(other.at) ? -1 : 1));
	return new Map(
		wanted.flatMap((payment) => {
			const own = rows.filter((row) => identifying.every((column) => textOrNumber(row[column]) === payment[column]));
			const { outcome, payPackage, transactionId, execution, at } =
				own.findLast((row) => row.outcome === 'accepted') ?? own.at(-1) ?? {};
			return outcome === undefined
				? []
				: [
						[
							payment.sequence,
							{
								outcome: textOrNumber(outcome),
								payPackage: textOrNumber(payPackage),
								transactionId: textOrNumber(transactionId),
								execution: textOrNumber(execution),
								at: textOrNumber(at),
							},
						] as const,
					];
		}),
	);
}
