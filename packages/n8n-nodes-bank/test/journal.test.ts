/** What became of payments, for a person to look at: written where there is a journal, and never in the way of a payment. */
import type { IExecuteWorkflowInfo, INodeExecutionData } from 'n8n-workflow';

import { type JournalContext, type JournalRow, writeJournal } from '../nodes/shared/journal.ts';

const row: JournalRow = {
	paymentRun: 'salary-2026-11',
	sequence: '1',
	amount: '10',
	phone: '+*******0001',
	outcome: 'accepted',
	payPackage: '700',
	transactionId: 'tx-1',
};

function n8n(fault?: Error) {
	const asked: { code: NonNullable<IExecuteWorkflowInfo['code']>; items: INodeExecutionData[] }[] = [];
	const context: JournalContext = {
		getExecutionId: () => '42',
		getWorkflow: () => ({ id: 'payouts', active: true }),
		executeWorkflow: async ({ code }, items = []) => {
			if (code !== undefined) asked.push({ code, items });
			if (fault !== undefined) throw fault;
			return { executionId: '43', data: [] };
		},
	};
	return { asked, context };
}

it('makes the table where it is missing, and adds a row for each payment with execution and time', async () => {
	const { asked, context } = n8n();
	expect(await writeJournal(context, 'Bank journal', [row, { ...row, sequence: '2' }])).toBeUndefined();
	const [{ code, items }] = asked as [(typeof asked)[number]];
	expect(items.map(({ json }) => json)).toEqual(
		['1', '2'].map((sequence) => ({ ...row, sequence, execution: '42', at: expect.stringMatching(/^\d{4}-.*Z$/) })),
	);
	const [, create, insert] = code.nodes;
	expect(create?.parameters).toMatchObject({ tableName: 'Bank journal', options: { createIfNotExists: true } });
	const named = (create?.parameters.columns as { column: { name: string }[] }).column.map(({ name }) => name);
	expect(named).toEqual(Object.keys(items[0]?.json ?? {}));
	expect(insert?.parameters).toMatchObject({
		operation: 'insert',
		dataTableId: { mode: 'name', value: 'Bank journal' },
	});
});

it('belongs to the workflow that pays, and shows in no list of executions', async () => {
	const { asked, context } = n8n();
	await writeJournal(context, 'Bank journal', [row]);
	expect(asked[0]?.code).toMatchObject({ id: 'payouts', settings: { saveDataSuccessExecution: 'none' } });
});

it('that cannot be written says why, and throws nothing', async () => {
	expect(await writeJournal(n8n(new Error('no such project')).context, 'Bank journal', [row])).toBe('no such project');
});
