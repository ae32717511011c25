/** The examples that the bank starts, called by the sandbox bank, and examples that wait for a user. */
import type { IDataObject } from 'n8n-workflow';
import { readExample } from '../../src/examples.ts';
import type { WorkflowFile } from '../../src/n8nCli.ts';
import type { Execution } from '../../src/n8nRest.ts';
import { pollUntil } from '../../src/poll.ts';
import { answerQuestion, faultOf, outputOf, says } from './examples.expect.ts';
import { type TriggerBed, itemsOf } from './triggerBed.ts';

type Check<Ended> = (bed: TriggerBed, workflow: WorkflowFile) => Ended;

/** Expected effects by file; the workflow is active. */
export const checks: Record<string, Check<Promise<void>>> = {
	async 'courier-order.json'(bed, { id }) {
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

	async 'large-expense.json'(bed, { id, ...workflow }) {
		// Copies of the workflow with these quiet hours, each with its own table. n8n stores no static data for a workflow with a longer
		// ID.
		const quiet = async (from: number, to: number, copy: string) => {
			const text = JSON.stringify({ ...workflow, id: copy })
				.replaceAll('"Bank alerts for the morning"', `"Bank alerts of ${copy}"`)
				.replace(/("name":"quietFrom","type":"number","value":)"22"/, `$1"${from}"`)
				.replace(/("name":"quietTo","type":"number","value":)"7"/, `$1"${to}"`);
			const made = await bed.rest.createWorkflow(JSON.parse(text) as WorkflowFile);
			expect(await bed.rest.activateToEnd(made.id)).toEqual({ active: true, message: '' });
			return made;
		};
		const night = await quiet(0, 24, 'bankExpenseNight');
		const day = await quiet(0, 0, 'bankExpenseDay');
		const spend = async (title: string, rubles: number, accountNumber?: string, currency = 'RUB') =>
			await bed.sandbox.send('POST', '/_sandbox/operations', {
				direction: 'EXPENSE',
				title,
				amount: { value: rubles * 100, currency, minorUnits: 100 },
				...(accountNumber === undefined ? {} : { sender: { accountNumber } }),
			});
		await spend('large', 60_000, '40702810000000000001');
		await spend('usual', 40_000, '40702810000000000001');
		await spend('large for this account', 6_000, '40702810000000000002');
		await spend('large, of no account', 11_000);
		await spend('in another currency', 1, undefined, 'JPY');
		const polled = async (polledId: string) => {
			await bed.rest.deactivateToEnd(polledId);
			expect(await bed.rest.activateToEnd(polledId)).toEqual({ active: true, message: '' });
			const [run] = await bed.rest.executionsToEnd(polledId, 1);
			return await bed.rest.getExecution(run?.id ?? '');
		};
		const titles = ['in another currency', 'large', 'large for this account', 'large, of no account'];
		const title = ({ text: told }: IDataObject) => String(told).split(':')[0];
		const execution = await polled(id);
		// The message is sent now or in the morning, depending on the time.
		const told = ['Alert', 'Keep for the Morning'].flatMap((node) => itemsOf(execution, node));
		expect(told.map(title).sort()).toEqual(titles);

		expect(
			itemsOf(await polled(day.id), 'Alert')
				.map(title)
				.sort(),
		).toEqual(titles);
		await bed.rest.deactivateToEnd(day.id);
		expect(itemsOf(await polled(night.id), 'Alert')).toEqual([]);
		const morning = async () => itemsOf(await bed.rest.runToEnd(night.id, 'Every Morning'), 'In the Morning');
		const [message, ...more] = await morning();
		expect(more).toEqual([]);
		expect(
			String(message?.text)
				.split('\n')
				.map((line) => title({ text: line }))
				.sort(),
		).toEqual(titles);
		expect(await morning()).toEqual([]);
		await bed.rest.deactivateToEnd(night.id);
	},

	async 'new-operations-to-table.json'(bed, workflow) {
		const { id: operationId } = await bed.sandbox.send<{ id: string }>('POST', '/_sandbox/operations', {
			direction: 'EXPENSE',
			status: 'HOLD',
			title: 'Held',
		});
		await poll(bed, workflow, 1);
		expect(await bed.rest.tableRows('Bank operations')).toMatchObject([
			{ operationId, title: 'Held', amount: 100, status: 'HOLD' },
		]);
		await bed.sandbox.advanceClock(3 * 60 * 60);
		await poll(bed, workflow, 2);
		expect(
			(await bed.rest.tableRows('Bank operations')).filter((row) => row.operationId === operationId),
		).toMatchObject([{ status: 'SUCCESS' }]);
	},
};

/** Expected effects of examples during which n8n is restarted: at `yield`. */
export const checksAcrossRestart: Record<string, Check<AsyncGenerator<void, void>>> = {
	async *'incoming-payment-invoice.json'(bed, workflow) {
		await createTable(bed, workflow);
		await takesOtherColumns(bed, workflow);
		const order = { object: 'jp_sbp_incoming_payments' } as const;
		const sent = await bed.sandbox.sendEvents({ ...order, count: 6 });
		expect(sent).toMatchObject({ delivered: 6 });
		const asked = await pollUntil(
			async () => {
				const all = await bed.rest.allExecutions(workflow.id);
				const found = all.filter(({ status }) => status === 'waiting');
				return found.length >= 2 && found;
			},
			{ what: 'Two payments about which a person is asked', intervalMs: 200 },
		);
		// Both a waiting form and the remembered events survive a restart.
		yield;
		const counted = async () => {
			const payments = await bed.rest.tableRows('Incoming payments');
			const invoices = await bed.rest.tableRows('Invoices');
			return {
				payments: payments
					.map(({ purpose, status, left, assigned, who }) => [purpose, status, left, assigned, who])
					.sort(),
				invoices: invoices.map(({ invoice, open, status }) => [invoice, open, status]).sort(),
			};
		};
		const { payments, invoices } = await counted();
		expect(payments.map(([purpose, status]) => [purpose, status])).toEqual(
			expect.arrayContaining([
				['Payment of invoice INV-1001', 'exact'],
				['Payment of invoice INV-9999', 'no such invoice'],
				['Payment of invoices INV-1004 and INV-1005', 'several'],
			]),
		);
		// Of two payments of one invoice, the second is too much, whichever arrived first.
		const ofOne = payments.filter(([purpose]) => String(purpose).includes('INV-1003'));
		expect(ofOne.map(([, status, left]) => [status, left]).sort()).toEqual([
			['part', 0],
			['too much', 20000],
		]);
		expect(invoices).toEqual(
			['INV-1001', 'INV-1002', 'INV-1003', 'INV-1004', 'INV-1005'].map((one) => [one, 0, 'paid']),
		);

		const isStray = (execution: Execution) =>
			itemsOf(execution, 'Question').some(({ status }) => status === 'no such invoice');
		for (const { id } of asked) {
			const execution = await bed.rest.getExecution(id);
			// The first event matches no invoice.
			if (isStray(execution)) {
				await answerQuestion(bed.rest, id, ['Count it towards the invoice', 'INV-7777', 'Anna']);
				const asking = await bed.rest.waitForQuestion(id, 2);
				expect(itemsOf(asking, 'Question').at(-1)?.question).toMatch(
					/Answered so far: Anna: INV-7777\. Open invoices: none\.$/,
				);
			}
			await answerQuestion(bed.rest, id, ['Set it aside', '', 'Anna'], isStray(execution) ? 2 : 1);
		}
		await bed.rest.executionsToEnd(workflow.id, 6 + 1);
		const settled = await counted();
		expect(
			settled.payments.filter(([, status]) => status === 'set aside').map(([, , left, , who]) => [left, who]),
		).toEqual(
			expect.arrayContaining([
				[20000, 'Anna: set aside'],
				[7700, 'Anna: INV-7777; Anna: set aside'],
			]),
		);

		const payloads = sent.deliveries.map(({ body }) => body);
		for (const payload of payloads)
			expect(await bed.sandbox.sendEvents({ ...order, payload })).toMatchObject({ delivered: 1 });
		await bed.rest.executionsToEnd(workflow.id, 2 * 6 + 1);
		expect(await counted()).toEqual(settled);
	},

	async *'statement-to-table.json'(bed, workflow) {
		const { deliveries } = await bed.sandbox.sendEvents({ count: 5, duplicates: 2, outOfOrder: true });
		const sent = deliveries.map(({ body }) => (body as { data: { id: string } }).data.id);
		const ended = await bed.rest.executionsToEnd(workflow.id, 5);
		expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'success'));
		// After the restart only Skip Repeats remembers earlier deliveries.
		yield;
		expect(await bed.sandbox.sendEvents({ payload: deliveries[0]?.body })).toMatchObject({ delivered: 1 });
		await bed.rest.executionsToEnd(workflow.id, ended.length + 1);
		const unfinished = await bed.rest.tableRows('Bank Events');
		expect(unfinished.filter((row) => row.workflow === workflow.id)).toEqual([]);
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

export const waiting = [readExample('payout-with-approval.json'), readExample('payout-unknown-results.json')] as const;

/** Approvals and open questions outlive two restarts, and pay once. */
export async function* approvals({ rest, sandbox }: TriggerBed): AsyncGenerator<void, void> {
	const [approval, unknownResults] = waiting;
	await sandbox.addFault({ operation: 'payment.sendPackage', times: 1, fault: { kind: 'resetBefore' } });
	const open = await rest.runWorkflow(unknownResults.id);
	await rest.waitForQuestion(open);
	const approving = await rest.runWorkflow(approval.id);
	await rest.waitForQuestion(approving);
	yield;
	await answerQuestion(rest, approving, says('Pay', 'Anna Approver'));
	await answerQuestion(rest, open, ['The bank does not have it', 'Anna']);
	await rest.waitForQuestion(approving, 2);
	await rest.waitForQuestion(open, 2);
	yield;
	await answerQuestion(rest, approving, says('Pay', 'Boris Approver'), 2);
	await answerQuestion(rest, open, ['Decide later', 'Anna'], 2);

	const [approved, answered] = [await rest.waitForExecution(approving), await rest.waitForExecution(open)];
	expect([approved, answered].map(faultOf)).toEqual([undefined, undefined]);
	const sequences = (node: string, execution = answered) => outputOf(execution, node).map(({ sequence }) => sequence);
	expect(sequences('Accepted', approved)).toEqual(['a-1', 'a-2', 'a-3']);
	expect([sequences('Paid Again'), sequences('Still Open')]).toEqual([['b-1'], ['b-2']]);
	const paid = (await sandbox.state()).ledger.flatMap(({ payments }) => payments.map(({ sequence }) => sequence));
	expect(paid.sort()).toEqual(['a-1', 'a-2', 'a-3', 'b-1']);
	// Each message from before the kill was stored once.
	expect((await rest.tableRows('Bank approvals')).map(({ who }) => who)).toEqual(['Anna Approver', 'Boris Approver']);
}

async function createTable(bed: TriggerBed, { id }: WorkflowFile): Promise<void> {
	expect((await bed.rest.runToEnd(id, 'Once')).status).toBe('success');
}

/** Invoices with other column names, as another accounting system exports them. */
async function takesOtherColumns(bed: TriggerBed, workflow: WorkflowFile): Promise<void> {
	const text = JSON.stringify({ ...workflow, id: 'bankInvoiceOther' })
		.replaceAll('"tableName":"Invoices"', '"tableName":"Other bills"')
		.replaceAll('"value":"Invoices"', '"value":"Other bills"')
		.replaceAll('\\"invoice\\":', '\\"remark\\": \\"none\\", \\"number\\":')
		.replaceAll('\\"amount\\":', '\\"sum\\":')
		.replace(
			'"name":"invoice","type":"string","value":"={{ $json.invoice',
			'"name":"invoice","type":"string","value":"={{ $json.number',
		)
		.replace('$json.amount * 100', '$json.sum * 100');
	const { id } = await bed.rest.createWorkflow(JSON.parse(text) as WorkflowFile);
	await createTable(bed, { ...workflow, id });
	const rows = async (table: string) =>
		(await bed.rest.tableRows(table)).map(({ invoice, customer, due, open }) => ({ invoice, customer, due, open }));
	expect(await rows('Other bills')).toEqual(await rows('Invoices'));
}

/** Each activation polls once. */
async function poll(bed: TriggerBed, { id }: WorkflowFile, polls: number): Promise<void> {
	await bed.rest.deactivateToEnd(id);
	await bed.rest.activateToEnd(id);
	const ended = await bed.rest.executionsToEnd(id, polls);
	expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'success'));
}
