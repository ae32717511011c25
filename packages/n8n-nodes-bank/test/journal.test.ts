/** What became of payments, for a person to look at: written where there is a journal, and never in the way of a payment. */
import type { IDataObject, IExecuteWorkflowInfo, INodeExecutionData } from 'n8n-workflow';

import { jobOf } from '../nodes/Bank/forms/package.ts';
import { sendPackage } from '../nodes/Bank/forms/sendPackage.ts';
import { type JournalContext, type JournalRow, readJournal, writeJournal } from '../nodes/shared/journal.ts';

const row: JournalRow = {
	paymentRun: 'salary-2026-11',
	sequence: '1',
	amount: '10',
	phone: '+*******0001',
	outcome: 'accepted',
	payPackage: '700',
	transactionId: 'tx-1',
};

function n8n(fault?: Error, stored: IDataObject[] = []) {
	const asked: { code: NonNullable<IExecuteWorkflowInfo['code']>; items: INodeExecutionData[] }[] = [];
	const context: JournalContext = {
		getExecutionId: () => '42',
		getWorkflow: () => ({ id: 'payouts', active: true }),
		executeWorkflow: async ({ code }, items = []) => {
			if (code !== undefined) asked.push({ code, items });
			if (fault !== undefined) throw fault;
			return { executionId: '43', data: [stored.map((json) => ({ json }))] };
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
	const [, create, tables, insert] = code.nodes;
	// Where another execution makes it at this moment, n8n fails one of the two, and the table is there for both.
	expect(create?.onError).toBe('continueRegularOutput');
	expect(create?.parameters).toMatchObject({ tableName: 'Bank journal', options: { createIfNotExists: true } });
	const named = (create?.parameters.columns as { column: { name: string }[] }).column.map(({ name }) => name);
	expect(named).toEqual(Object.keys(items[0]?.json ?? {}));
	expect(tables?.parameters).toMatchObject({ operation: 'list', options: { filterName: 'Bank journal' } });
	// By name n8n would take any table whose name contains this one.
	expect(insert?.parameters).toMatchObject({ operation: 'insert', dataTableId: { mode: 'id' } });
});

it('belongs to the workflow that pays, and shows in no list of executions', async () => {
	const { asked, context } = n8n();
	await writeJournal(context, 'Bank journal', [row]);
	expect(asked[0]?.code).toMatchObject({ id: 'payouts', settings: { saveDataSuccessExecution: 'none' } });
});

it('is not touched where there is nothing to add', async () => {
	const { asked, context } = n8n();
	expect(await writeJournal(context, 'Bank journal', [])).toBeUndefined();
	expect(asked).toEqual([]);
});

it('that cannot be written says why, and throws nothing', async () => {
	expect(await writeJournal(n8n(new Error('no such project')).context, 'Bank journal', [row])).toBe('no such project');
});

it('whose name is an expression is neither written nor read: the name may come with the data', async () => {
	const { asked, context } = n8n();
	for (const table of ['={{ $execution.id }}', '=Payouts']) {
		expect(await writeJournal(context, table, [row])).toMatch(/begins with "="/);
		expect([...(await readJournal(context, table, [row]))]).toEqual([]);
	}
	expect(asked).toEqual([]);
});

describe('asked for payments that were sent before', () => {
	const stored = (more: Partial<JournalRow>, at: string): IDataObject => ({ ...row, execution: '41', ...more, at });
	const read = async (rows: IDataObject[], wanted = [row]) =>
		await readJournal(n8n(undefined, rows).context, 'Bank journal', wanted);

	it('gives what they came to, by sequence: the last time that they were accepted, else the last time', async () => {
		const other = { sequence: '2', outcome: 'unknown', payPackage: '', transactionId: '' };
		const found = await read(
			[
				stored({ outcome: 'unknown' }, '2026-11-23'),
				stored({}, '2026-11-22'),
				stored({ payPackage: '600' }, '2026-11-20'),
				stored({ outcome: 'rejected' }, '2026-11-21'),
				stored(other, '2026-11-22'),
				stored({ ...other, outcome: 'notSent' }, '2026-11-21'),
			],
			[row, { ...row, ...other }],
		);
		const { paymentRun: _, sequence: __, amount: ___, phone: ____, ...told } = row;
		expect(Object.fromEntries(found)).toEqual({
			'1': { ...told, execution: '41', at: '2026-11-22' },
			'2': { outcome: 'unknown', payPackage: '', transactionId: '', execution: '41', at: '2026-11-22' },
		});
	});

	it.each(['paymentRun', 'sequence', 'amount', 'phone'])('says nothing of a payment of another %s', async (column) => {
		expect([...(await read([stored({ [column]: 'x' }, '2026-11-22')]))]).toEqual([]);
	});

	it('asks for each payment run once, by a value that cannot become an expression, and says nothing where it fails', async () => {
		const { asked, context } = n8n(new Error('no such table'));
		const odd = { ...row, paymentRun: '={{ $json }}' };
		expect([...(await readJournal(context, 'Bank journal', [row, row, odd]))]).toEqual([]);
		expect(asked[0]?.items).toEqual([
			{ json: { paymentRun: row.paymentRun } },
			{ json: { paymentRun: odd.paymentRun } },
		]);
		expect(JSON.stringify(asked[0]?.code)).not.toContain(row.paymentRun);
	});
});

describe('the rows of a package', () => {
	const { paymentRun } = row;
	const header = { paymentRun, partnerId: 1, inn: '7700000000', account: '1', b2cClientId: '', nameCheck: '' };
	const recipients = [
		{ amount: 10.5, phone: '+79000000001', sequence: 'a' },
		{ amount: '2', phone: '+7 900 000-00-02', sequence: 'b' },
	];
	const rowsOf = (...told: IDataObject[]) =>
		sendPackage.journal?.(
			jobOf({ items: [0, 1], header, recipients }, 0),
			told.map((json) => ({ json })),
		);
	const nothing = { outcome: '', payPackage: '', transactionId: '' };

	it('tell what became of each payment, and of a phone only its end', () => {
		const accepted = { outcome: 'accepted', payPackage: 700, transactionId: 'tx-b' };
		expect(rowsOf({ details: { sequences: ['a'], outcome: 'unknown' } }, { sequence: 'b', ...accepted })).toEqual([
			{ paymentRun, sequence: 'a', amount: '10.5', phone: '+*******0001', ...nothing, outcome: 'unknown' },
			{ paymentRun, sequence: 'b', amount: '2', phone: '+* *** ***-*0-02', ...accepted, payPackage: '700' },
		]);
	});

	it('tell of all what was told of none by name', () => {
		expect(rowsOf({ details: { outcome: 'rejected' } })?.map(({ outcome }) => outcome)).toEqual([
			'rejected',
			'rejected',
		]);
	});
});
