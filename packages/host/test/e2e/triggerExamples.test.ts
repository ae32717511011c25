import { readExamples, startsAtTheBank } from '../../src/examples.ts';
import type { WorkflowFile } from '../../src/n8nCli.ts';
import { TriggerBed, itemsOf } from './triggerBed.ts';

/** The examples that the bank starts, imported unchanged, activated, and fed by the sandbox bank. */

const checks: Record<string, (workflow: WorkflowFile) => Promise<void>> = {
	async 'courier-order.json'({ id }) {
		const accepted = await bed.sandbox.sendCourierOrders();
		expect(accepted).toMatchObject({
			status: 200,
			accepted: true,
			answer: {
				orderId: expect.stringMatching(/^FAKE-ORDER-/),
				courier: expect.any(String),
				deliveryDate: expect.any(String),
			},
		});
		expect(await bed.sandbox.sendCourierOrders({ order: accepted.body })).toMatchObject({
			accepted: false,
			errorInfo: { errorCode: '009' },
		});
		expect(await bed.sandbox.sendCourierOrders({ fields: { client: null } })).toMatchObject({
			accepted: false,
			errorInfo: { errorCode: '008', errorString: expect.stringContaining('client.phone') },
		});
		expect(await bed.sandbox.sendCourierOrders({ fields: { address: { city: 'Elsewhere' } } })).toMatchObject({
			accepted: false,
			errorInfo: { errorCode: '011' },
		});
		expect(await bed.rest.executionsToEnd(id, 2)).toMatchObject([{ status: 'success' }, { status: 'success' }]);
	},

	async 'incoming-payment-invoice.json'(workflow) {
		await createTable(workflow);
		const order = { object: 'jp_sbp_incoming_payments' } as const;
		expect(await bed.sandbox.sendEvents({ ...order, count: 4, parallel: 1 })).toMatchObject({ delivered: 4 });
		const paid = [];
		const open = [];
		// One more: the click that has made the table.
		for (const run of await bed.rest.executionsToEnd(workflow.id, 4 + 1)) {
			const execution = await bed.rest.getExecution(run.id);
			expect([run.status, execution.data.resultData.error?.message]).toEqual(['success', undefined]);
			if (run.mode === 'manual') continue;
			paid.push(...itemsOf(execution, 'Paid'));
			open.push(...itemsOf(execution, 'Look at by Hand'));
		}
		expect(paid.map(({ invoice }) => invoice).sort()).toEqual(['INV-1001', 'INV-1002']);
		expect(open.map(({ invoice, status }) => [invoice, status])).toEqual(
			expect.arrayContaining([
				['INV-1003', 'amount differs'],
				['INV-9999', 'no such invoice'],
			]),
		);
		expect((await bed.rest.tableRows('Invoice payments')).map(({ invoice, status }) => [invoice, status])).toEqual(
			expect.arrayContaining([
				['INV-1001', 'paid'],
				['INV-1002', 'paid'],
				['INV-1003', 'amount differs'],
				['INV-9999', 'no such invoice'],
			]),
		);
	},

	async 'large-expense.json'({ id }) {
		const spend = async (title: string, rubles: number, accountNumber?: string) =>
			await bed.sandbox.send('POST', '/_sandbox/operations', {
				direction: 'EXPENSE',
				title,
				amount: { value: rubles * 100, currency: 'RUB', minorUnits: 100 },
				...(accountNumber === undefined ? {} : { sender: { accountNumber } }),
			});
		await spend('large', 60_000, '40702810000000000001');
		await spend('usual', 40_000, '40702810000000000001');
		await spend('large for this account', 6_000, '40702810000000000002');
		await spend('large, of no account', 11_000);
		await bed.rest.deactivateToEnd(id);
		await bed.rest.activateToEnd(id);
		const [run] = await bed.rest.executionsToEnd(id, 1);
		const execution = await bed.rest.getExecution(run?.id ?? '');
		// At once, or in the morning: by the clock.
		const told = ['Alert', 'In the Morning'].flatMap((node) => itemsOf(execution, node));
		expect(told.map(({ title }) => title).sort()).toEqual(['large', 'large for this account', 'large, of no account']);
	},

	async 'new-operations-to-table.json'(workflow) {
		await createTable(workflow);
		const { id: operationId } = await bed.sandbox.send<{ id: string }>('POST', '/_sandbox/operations', {
			direction: 'EXPENSE',
			status: 'HOLD',
			title: 'Held',
		});
		await poll(workflow, 1);
		expect(await bed.rest.tableRows('Bank operations')).toMatchObject([
			{ operationId, title: 'Held', amount: 100, status: 'HOLD' },
		]);
		await bed.sandbox.advanceClock(3 * 60 * 60);
		await poll(workflow, 2);
		expect(
			(await bed.rest.tableRows('Bank operations')).filter((row) => row.operationId === operationId),
		).toMatchObject([{ status: 'SUCCESS' }]);
	},

	async 'statement-to-table.json'(workflow) {
		await createTable(workflow);
		const { deliveries } = await bed.sandbox.sendEvents({ count: 5, duplicates: 2, outOfOrder: true });
		const sent = deliveries.map(({ body }) => (body as { data: { id: string } }).data.id);
		const ended = await bed.rest.executionsToEnd(workflow.id, 5 + 1);
		// All of them: Remove Duplicates fails where several executions are its very first ones, hence its retries.
		expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'success'));
		// The trigger has forgotten what it has received; Remove Duplicates has not.
		await bed.testbed.restartN8n();
		expect(await bed.sandbox.sendEvents({ payload: deliveries[0]?.body })).toMatchObject({ delivered: 1 });
		await bed.rest.executionsToEnd(workflow.id, ended.length + 1);
		const found = await bed.rest.tableRows('Bank statement events');
		expect(found.map(({ operationId }) => operationId).sort()).toEqual([...new Set(sent)].sort());
		expect(found[0]).toMatchObject({
			account: expect.stringMatching(/^\d{20}$/),
			amount: expect.any(Number),
			currency: 'RUB',
			direction: expect.stringMatching(/INCOME|EXPENSE/),
		});
	},
};

let bed: TriggerBed;
let examples: Array<{ file: string; workflow: WorkflowFile }>;

beforeAll(async () => {
	examples = (await readExamples()).filter(({ workflow }) => startsAtTheBank(workflow));
	bed = await TriggerBed.start({ workflows: examples.map(({ workflow }) => workflow) });
});

beforeEach(() => bed.sandbox.reset());

afterAll(() => bed?.stop());

test.each(Object.keys(checks))('%s does what its note says', async (file) => {
	const { workflow } = examples.find((example) => example.file === file) ?? {};
	if (!workflow) throw new Error(`There is no example ${file}.`);
	expect(await bed.rest.activateToEnd(workflow.id)).toEqual({ active: true, message: '' });
	await checks[file]?.(workflow);
	await bed.rest.deactivateToEnd(workflow.id);
	expect(await bed.sandbox.objections()).toEqual([]);
});

test('every example that the bank starts is tested here', () => {
	expect(examples.map(({ file }) => file)).toEqual(Object.keys(checks));
});

async function createTable({ id }: WorkflowFile): Promise<void> {
	expect((await bed.rest.runToEnd(id, { trigger: 'Once' })).status).toBe('success');
}

/** A poll comes with each activation. */
async function poll({ id }: WorkflowFile, polls: number): Promise<void> {
	await bed.rest.deactivateToEnd(id);
	await bed.rest.activateToEnd(id);
	// One more: the click that has made the table.
	const ended = await bed.rest.executionsToEnd(id, polls + 1);
	expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'success'));
}
