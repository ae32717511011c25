import { verify } from 'node:crypto';

import { textToSign } from '@bank/core';
import type { Call } from '@bank/fixtures/sandbox';
import type { IDataObject } from 'n8n-workflow';
import type { Example } from '../../src/examples.ts';
import type { WorkflowFile } from '../../src/n8nCli.ts';
import type { Execution, N8nRest } from '../../src/n8nRest.ts';
import type { SandboxAdmin } from '../../src/sandboxAdmin.ts';

/** A successful run of an example against a reset sandbox, without validation errors. */
export interface ExampleRun {
	/** Items of a node, by default of its first output. */
	output(node: string, index?: number): IDataObject[];
	/** Requests to the bank without token requests. */
	calls: Call[];
	sandbox: SandboxAdmin;
	/** The rows of a data table. */
	table(name: string): Promise<IDataObject[]>;
}

/** The expected effects of each file in `examples/`. A new example needs an entry here. */
export const expectations: Record<string, (run: ExampleRun) => void | Promise<void>> = {
	async 'card-issuance.json'({ calls, output, sandbox }) {
		const { appId } = output('Short Application')[0] ?? {};
		const { cardApplications } = await sandbox.state();
		expect(cardApplications.find((application) => application.appId === appId)).toMatchObject({
			status: 'CONFIRMED',
			offerId: 'offer-1',
		});
		// Each step was called once, except for results that are polled.
		const steps = calls.map(({ operation }) => operation);
		for (const once of ['application.complete', 'printForm.generate', 'scan.upload', 'issuance.confirm'])
			expect(steps.filter((step) => step === once)).toHaveLength(1);
		expect(Date.parse(String(output('Offers')[0]?.cardDeadline))).toBeGreaterThan(Date.now() + 3 * 3_600_000);
		expect(Date.parse(String(output('Print Forms')[0]?.scanDeadline))).toBeGreaterThan(Date.now() + 3 * 3_600_000);
	},

	'card-limits.json'({ calls, output }) {
		// Sorted, because reads of several items run in parallel.
		expect(calls.map(({ method, path }) => `${method} ${path}`).sort()).toEqual(
			['card-0001', 'card-0002'].map((card) => `GET /api/pp/v1/cards/${card}/user-limits`),
		);
		expect(output('Limits').length).toBeGreaterThan(1);
		expect(output('Limits')[0]).toMatchObject({ currency: 'RUB', max: expect.any(Number) });
	},

	async 'card-limits-guard.json'({ output, table, calls }) {
		expect(output('Report').map(({ what }) => what)).toContain('expired');
		expect(calls.map(({ operation }) => operation)).not.toContain('cardLimit.delete');
		// An expired limit is reported on every run until it is deleted.
		expect(await table('Bank card limits')).toHaveLength(output('Limits').length - 1);
	},

	async 'courier-job.json'({ output, sandbox }) {
		const { courierApplications } = await sandbox.state();
		const worked = courierApplications.find(({ appId }) => appId === 'app-0001');
		expect(worked).toMatchObject({
			steps: expect.arrayContaining(['list', 'read', 'authorize', 'code', 'attach', 'advance']),
			attached: [expect.objectContaining({ size: expect.any(Number) })],
		});
		expect(worked?.notes).toEqual([expect.objectContaining({ text: 'Met the client, documents complete' })]);
		expect(
			output('File Content')
				.map((item) => JSON.stringify(item))
				.join(),
		).not.toContain('JVBERi');
	},

	async 'customer-check.json'({ calls, output, table }) {
		expect(calls.filter(({ operation }) => operation === 'unifiedCheck.run')).toHaveLength(5);
		expect(output('Sign Contract').map(({ surname, who }) => [surname, who])).toEqual([
			['Ivanova', 'rules'],
			['Petrova', 'Anna Decider'],
		]);
		expect(output('Decline').map(({ surname, reason }) => [surname, reason])).toEqual([
			['Bankrupt', 'failed: WSCustomerBankruptcyInfo'],
			['Sidorov', 'score red'],
		]);
		expect(output('Ask Again Later').map(({ surname }) => surname)).toEqual(['Offline']);
		const record = await table('Contract decisions');
		expect(record.map(({ surname, colour, decision }) => [surname, colour, decision]).sort()).toEqual([
			['Bankrupt', 'red', 'declined'],
			['Ivanova', 'green', 'go on'],
			['Offline', 'none', 'open'],
			['Petrova', 'yellow', 'go on'],
			['Sidorov', 'red', 'declined'],
		]);
	},

	async 'close-of-day.json'({ calls, output, table }) {
		expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(['GET']));
		const [report] = output('Report');
		expect(report?.text).toMatch(/Unexplained outgoing money: [1-9]\d*\n- .*Changed since the last close: nothing$/s);
		expect((await table('Bank close of day')).length).toBe(output('Changed').length);
	},

	'health.json'({ output }) {
		expect(output('Verdict')).toMatchObject([{ text: '' }]);
		expect(output('Is News')).toEqual([]);
	},

	async 'money-agent.json'({ calls, output, sandbox }) {
		const answers = output('Agent').map((item) => String(item.output));
		expect(answers).toHaveLength(output('One by One').length);
		const { cardLimits } = await sandbox.state();
		expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(['GET']));
		expect(answers).toEqual([
			expect.stringMatching(
				/^The bank shows \d+:\n- dateTime .+, direction (INCOME|EXPENSE), .*amount [\d.]+, currency RUB/,
			),
			expect.stringContaining(`The bank shows ${cardLimits['card-0001']?.length}:`),
			expect.stringContaining('unpaidAmount 1200, debtAmount 200.25'),
			expect.stringContaining('ok true'),
		]);
	},

	async 'loan-application.json'({ sandbox, output, table }) {
		expect(output('Missing').map(({ seller, missing }) => [seller, missing])).toEqual([
			['770000000001', '2026-02: rating is missing'],
			['770000000001', '2026-02: fees is missing'],
			['770000000001', '2026-03: the whole month is missing'],
		]);
		const [draft, ...more] = (await sandbox.state()).loanDrafts;
		expect(more).toEqual([]);
		expect(draft?.application).toMatchObject({
			borrower: { legal: { legalInfo: { inn: '7700000000' } } },
			partner: {
				transactionsInfo: {
					transactionsMSBSumList: [
						{ sum: 100000.5, date: '2026-01-31' },
						{ sum: 200001, date: '2026-02-28' },
						{ sum: 300001.5, date: '2026-03-31' },
					],
				},
				sellerInventory: {
					inventorySumAndQuantityList: expect.arrayContaining([{ sum: 61000.25, quantity: 140, date: '2026-02-28' }]),
				},
				feeList: expect.arrayContaining([{ sum: 3000.1, date: '2026-01-31' }]),
			},
		});
		expect(await table('Loan drafts')).toMatchObject([{ dealId: draft?.dealId, status: 'sent' }]);
	},

	async 'operations-history.json'({ calls, output, sandbox }) {
		const { operationCount } = await sandbox.state();
		const ids = output('Operations').map(({ id }) => id);
		expect(new Set(ids).size).toBe(operationCount);
		expect(ids).toHaveLength(operationCount);
		expect(calls.length).toBeGreaterThan(1);
		const counted = output('Total by Direction').reduce((sum, group) => sum + Number(group.count_id), 0);
		expect(counted).toBe(operationCount);
	},

	async 'operations-to-file.json'({ output, table }) {
		const rows = await table('Operations of the month');
		expect(rows.map(({ operationId }) => operationId).sort()).toEqual(
			output('Operations')
				.map(({ id }) => id)
				.sort(),
		);
		expect([output('CSV').length, output('XLSX').length]).toEqual([1, 1]);
	},

	async 'payout-unknown-results.json'({ output, sandbox }) {
		expect(output('Paid').map(({ sequence, result }) => [sequence, result])).toEqual([
			['b-1', 'accepted'],
			['b-2', 'accepted'],
		]);
		expect((await sandbox.state()).ledger).toHaveLength(1);
	},

	async 'payout-report.json'({ output, table }) {
		const rows = await paymentsIn(table);
		const latest = new Map(rows.map(({ payment, amount }) => [payment, Number(amount)]));
		if (latest.size === 0) return expect(output('Nothing Paid')).toHaveLength(1);
		expect(output('File')).toHaveLength(1);
		const told = output('By Payout and Outcome').map(({ total }) => Number(total));
		const sum = (amounts: Iterable<number>) => [...amounts].reduce((one, other) => one + Math.round(other * 100), 0);
		expect(sum(told)).toBe(sum(latest.values()));
	},

	async 'payment-log-archive.json'({ calls, output, table }) {
		const rows = await table('Bank Payment Log');
		expect(calls).toEqual([]);
		expect(output('Nothing to Archive')).toEqual([{ text: 'No finished payments older than 400 days' }]);
		expect(await table('Bank Payment Log')).toEqual(rows);
	},

	async 'payout-from-rows.json'({ calls, output, sandbox, table }) {
		expect(calls.map(({ operation }) => operation)).toEqual(['payment.sendPackage']);
		const [entry, ...more] = (await sandbox.state()).ledger;
		expect(more).toEqual([]);
		expect(entry).toMatchObject({
			payments: [{ sequence: 'p-1' }, { sequence: 'p-2' }, { sequence: 'p-3' }],
		});
		expect(Number(entry?.total)).toBe(1800);
		const paid = output('Pay');
		const log = await logOf(table, paid);
		expect(log.map(({ sequence, outcome, phone }) => [sequence, outcome, String(phone).slice(-4)])).toEqual([
			['p-1', 'accepted', '0001'],
			['p-2', 'accepted', '0002'],
			['p-3', 'accepted', '0003'],
		]);
		expect(log.map(({ transactionId }) => transactionId)).toEqual(paid.map(({ transactionId }) => transactionId));
		const prepared = output('Check').map(({ outcome, total, host }) => [outcome, total, host]);
		expect(prepared).toEqual(prepared.map(() => ['prepared', 1800, new URL(sandbox.baseUrl).host]));
		expect(output('Paid').map(({ outcome, sequence }) => [outcome, sequence])).toEqual([
			['accepted', 'p-1'],
			['accepted', 'p-2'],
			['accepted', 'p-3'],
		]);
	},

	async 'payout-new-recipients.json'({ output, sandbox }) {
		expect(output('Check Recipients').map(({ recipientStatus }) => recipientStatus)).toEqual(['new', 'new', 'new']);
		expect(output('Paid After Approval').map(({ sequence, approvedBy }) => [sequence, approvedBy])).toEqual([
			['p-1', 'Olga'],
			['p-2', 'Olga'],
		]);
		expect(output('Still Held')).toMatchObject([{ sequence: 'p-3', decidedBy: 'Olga' }]);
		expect((await sandbox.state()).ledger).toHaveLength(2);
	},

	async 'payout-from-file.json'({ calls, output, sandbox }) {
		expect(calls.map(({ operation }) => operation)).toEqual(['payment.sendPackage']);
		const [entry] = (await sandbox.state()).ledger;
		expect(entry?.payments.map(({ sequence, amount }) => [sequence, Number(amount)])).toEqual([
			['Д-17', 1500.5],
			['Д-18', 200.1],
			['Д-19', 99.4],
		]);
		expect(output('Paid')).toMatchObject([{ text: expect.stringMatching(/^Payments: 3, 1800\.00 in all/) }]);
		expect(output('From the Form?', 1)).toHaveLength(1);
	},

	async 'payout-with-approval.json'({ calls, output, sandbox, table }) {
		expect(calls.map(({ operation }) => operation)).toEqual(['payment.sendPackage']);
		expect((await sandbox.state()).ledger).toHaveLength(1);
		expect(output('Accepted').map(({ outcome, sequence }) => [outcome, sequence])).toEqual([
			['accepted', 'a-1'],
			['accepted', 'a-2'],
			['accepted', 'a-3'],
		]);
		const log = (await logOf(table, output('Pay'))).map(({ outcome, sequence }) => [outcome, sequence]);
		expect(log).toEqual(output('Accepted').map(({ outcome, sequence }) => [outcome, sequence]));
		const [{ fingerprint } = {}] = output('Prepare');
		expect(String(output('Message')[0]?.question)).toContain(
			`Fingerprint: ${String(fingerprint).match(/.{16}/g)?.join(' ')}`,
		);
		expect(await table('Bank approvals')).toMatchObject([
			{ who: 'Anna Approver', decision: 'Pay', total: '1800.00', fingerprint },
			{ who: 'Boris Approver', decision: 'Pay', total: '1800.00', fingerprint },
		]);
	},

	async 'payout-signed-by-a-service.json'({ calls, output, sandbox }) {
		expect(calls.map(({ operation }) => operation)).toEqual(['payment.sendPackage']);
		const body = Object(calls[0]?.body) as IDataObject;
		const text = textToSign(body);
		expect(output('What to Sign')).toMatchObject([{ outcome: 'prepared' }, { outcome: 'prepared', toSign: text }]);
		const signature = Buffer.from(String(body.signedBody), 'base64');
		expect(verify('sha256', Buffer.from(text), sandbox.signer.certificate, signature)).toBe(true);
		expect(output('Pay').map(({ outcome, sequence }) => [outcome, sequence])).toEqual([
			['accepted', 's-1'],
			['accepted', 's-2'],
		]);
	},

	async 'statement-order.json'({ output, sandbox, table }) {
		const [report, ...more] = (await sandbox.state()).reports;
		expect(more).toEqual([]);
		expect(output('Order Statement')).toEqual([expect.objectContaining({ id: report?.id, status: 'ENQUEUED' })]);
		expect(await table('Statement orders')).toMatchObject([{ reportId: report?.id, status: 'ENQUEUED' }]);
	},

	// Unfinished events: ownN8n/triggers.test.ts.
	'unfinished-events.json'({ output }) {
		expect(output('List Unfinished')).toEqual([]);
	},

	async 'webhook-preview.json'({ calls, output, sandbox }) {
		expect(new Set(calls.map(({ method }) => method))).toEqual(new Set(['GET']));
		expect(output('Preview Update')[0]).toMatchObject({
			preview: true,
			replaces: expect.arrayContaining([{ field: 'enabled', from: false, to: true }]),
		});
		const { webhooks } = await sandbox.state();
		expect(webhooks.every(({ enabled }) => !enabled)).toBe(true);
	},
};

/** The rows of the payment log for these payments. */
async function logOf(table: ExampleRun['table'], [paid]: IDataObject[]): Promise<IDataObject[]> {
	return (await paymentsIn(table)).filter(({ paymentRun }) => paymentRun === paid?.paymentRun);
}

/** The rows of the payment log, without those of payment runs. */
const paymentsIn = async (table: ExampleRun['table']): Promise<IDataObject[]> =>
	(await table('Bank Payment Log')).filter(({ outcome }) => outcome !== 'begun');

/** Workflows that an example calls over HTTP; `npm start` publishes them. */
export const services: Readonly<Record<string, string>> = { 'payout-signed-by-a-service.json': 'bankSignService1' };

/** Runs an example as a click does, and checks what it has done. */
export async function runExample(
	{ rest, sandbox }: { rest: N8nRest; sandbox: SandboxAdmin },
	{ file, workflow }: Example,
): Promise<void> {
	const service = services[file];
	if (service !== undefined) expect(await rest.activateToEnd(service)).toEqual({ active: true, message: '' });
	if (workflow.nodes.some(({ name }) => name === 'Once')) await rest.runToEnd(workflow.id, 'Once');
	const execution = await clicked(rest, workflow, answers[file]);
	if (service !== undefined) await rest.deactivateToEnd(service);
	expect(faultOf(execution)).toBeUndefined();
	expect(execution.status).toBe('success');
	expect(await sandbox.validationErrors()).toEqual([]);

	const check = expectations[file];
	if (!check) throw new Error(`Say in examples.expect.ts what ${file} must have done.`);
	const calls = (await sandbox.calls()).filter(({ operation }) => !operation?.startsWith('oauth.'));
	const table = async (name: string) => await rest.tableRows(name);
	await check({ output: (node, index) => outputOf(execution, node, index), calls, sandbox, table });
}

/** Starts a workflow with a click and fills in the forms that it waits for. */
export async function clicked(
	rest: N8nRest,
	workflow: WorkflowFile,
	given: readonly Answer[] = [],
): Promise<Execution> {
	const id = await rest.runWorkflow(workflow.id);
	for (const [index, answer] of given.entries()) await answerQuestion(rest, id, answer, index + 1);
	return await rest.waitForExecution(id);
}

/** Values of a form that a user fills in; some come from the message with the link. */
export type Answer = readonly string[] | ((waiting: Execution) => readonly string[]);

/** A user's decision about a payout, with their code. */
export function says(decision: 'Pay' | 'Do not pay', name: string): Answer {
	return (waiting) => {
		const code = outputOf(waiting, 'Message').find((message) => message.name === name)?.code;
		return [decision, String(code)];
	};
}

export const approved = [says('Pay', 'Anna Approver'), says('Pay', 'Boris Approver')];

/** Form answers of the users, in order. */
const answers: Record<string, readonly Answer[]> = {
	'card-limits-guard.json': [['Keep']],
	'customer-check.json': [['Go on', 'Anna Decider', 'Known for years']],
	'payout-new-recipients.json': [['p-1, p-2', 'Olga']],
	'payout-with-approval.json': approved,
};

/** First a mail scanner opens the link, which must have no effect; then the user fills in the form. */
export async function answerQuestion(rest: N8nRest, id: string, answer: Answer, asked = 1): Promise<void> {
	const waiting = await rest.waitForQuestion(id, asked);
	expect([waiting.status, faultOf(waiting)]).toEqual(['waiting', undefined]);
	const form = linkIn(waiting);
	expect((await fetch(form)).status).toBe(200);
	expect((await rest.getExecution(id)).status).toBe('waiting');
	const fields = typeof answer === 'function' ? answer(waiting) : answer;
	const filledIn = new FormData();
	for (const [index, text] of fields.entries()) filledIn.append(`field-${index}`, text);
	expect((await fetch(form, { method: 'POST', body: filledIn })).status).toBe(200);
}

/** The link that the workflow would send to the user. */
export function linkIn({ data }: Execution): string {
	const items = Object.values(data.resultData.runData).flatMap((runs) => runs.flatMap((run) => run.data?.main ?? []));
	const links = items.flatMap((some) => (some ?? []).flatMap(({ json }) => json.link ?? []));
	return String(links.at(-1));
}

export function outputOf({ data }: Execution, node: string, index = 0): IDataObject[] {
	const runs = data.resultData.runData[node];
	if (!runs)
		throw new Error(`No node "${node}" has run; these have: ${Object.keys(data.resultData.runData).join(', ')}`);
	return runs.flatMap((run) => (run.data?.main?.[index] ?? []).map(({ json }) => json));
}

/** Text of the error of a failed run, for the message of the test. */
export function faultOf({ data }: Execution): unknown {
	const { error, lastNodeExecuted } = data.resultData;
	return (
		error && {
			node: lastNodeExecuted,
			message: error.message,
			description: (error as { description?: unknown }).description,
		}
	);
}
