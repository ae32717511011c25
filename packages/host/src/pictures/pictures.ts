import { demoReferences } from '../demoCredentials.ts';
import type { WorkflowFile, WorkflowNode } from '../n8nCli.ts';
import { pollUntil } from '../poll.ts';
import { afterAClick } from '../workflows.ts';
import type { Studio } from './studio.ts';

/** The pictures of the docs, by what has to be done for them. Each begins with a sandbox bank as it is at the start. */
export const pictures: Readonly<Record<string, (studio: Studio) => Promise<void>>> = {
	/** What stands in the notes stands in the gallery too. */
	async examples(studio) {
		for (const [file, workflow] of studio.examples) {
			await studio.editor.openWorkflow(workflow.id);
			await studio.takeCanvas(`examples/${file.replace(/\.json$/, '.png')}`);
		}
	},

	async payout(studio) {
		const workflow = studio.example('payout-from-rows.json');
		await studio.execute(workflow);
		await studio.take('workflow-payout.png');
		await studio.show('Check', 'payment-prepared.png');
		await studio.show('Pay', 'node-send-package.png');
	},

	async 'paid-before'(studio) {
		const workflow = await studio.variant('payout-from-rows.json', 'picturePaidBefore', stopping);
		await studio.execute(workflow);
		await studio.execute(workflow);
		await studio.show('Pay', 'payment-already-sent.png');
	},

	async 'time-out'(studio) {
		const workflow = await studio.variant('payout-from-rows.json', 'pictureTimeOut', (node) =>
			stopping(node.name === 'Pay' ? { ...node, parameters: { ...node.parameters, options: { timeout: 1 } } } : node),
		);
		await silence(studio);
		await studio.executeInVain(workflow);
		await studio.show('Pay', 'payment-timed-out.png');
	},

	async stop(studio) {
		const workflow = await atTheBank(studio, 'pictureStopped');
		await studio.page.getByTestId('stop-execution-button').click();
		await lastExecution(studio, workflow, 'canceled', 'payment-stopped.png');
		await studio.bank.reset();
		await studio.executeInVain(workflow);
		await studio.show('Pay', 'payment-after-stop.png');
	},

	async kill(studio) {
		const workflow = await atTheBank(studio, 'pictureKilled');
		await studio.testbed.n8n.kill();
		await studio.testbed.restartN8n();
		await lastExecution(studio, workflow, 'crashed', 'payment-killed.png');
	},

	async 'did-it-go'(studio) {
		await studio.bank.addFault({ operation: 'payment.sendPackage', fault: { kind: 'resetAfter' } });
		await studio.execute(studio.example('payout-unknown-results.json'));
		await studio.show('Find in Operations', 'node-find-in-operations.png');
	},

	async courier(studio) {
		await studio.execute(studio.example('courier-job.json'));
		await studio.show('Attach Photo', 'node-courier.png');
	},

	async 'partner-services'(studio) {
		const workflow = await studio.testbed.rest.createWorkflow(afterAClick('Debit', [debit]));
		await studio.execute(workflow);
		await studio.show(debit.name, 'node-partner-services.png');
	},

	async connection(studio) {
		await studio.execute(studio.example('health.json'));
		await studio.show('Check', 'node-connection-check.png');
	},

	async triggers(studio) {
		const panels = [
			['incoming-payment-invoice.json', 'Bank Trigger', 'trigger-bank.png'],
			['courier-order.json', 'Bank Courier Order Trigger', 'trigger-courier-order.png'],
			['new-operations-to-table.json', 'Bank Operations Trigger', 'trigger-operations.png'],
		] as const;
		for (const [file, node, image] of panels) {
			await studio.editor.openWorkflow(studio.example(file).id);
			await studio.editor.openNode(node);
			await studio.page.getByText('When will this node trigger my flow?').click();
			await studio.take(image);
			await studio.editor.closeNode();
		}
	},

	async console(studio) {
		const workflow = await studio.variant('payout-from-rows.json', 'pictureConsole', (node) => node);
		await studio.testbed.rest.runToEnd(workflow.id);
		// A payment from its request to the ledger to the events.
		await studio.page.goto(`${studio.bank.baseUrl}/console/payments`);
		await studio.page.locator('a[href^="/console/payments/"]').first().click();
		await studio.page.getByText('Live', { exact: true }).waitFor();
		await studio.take('sandbox-console.png');
	},

	async operations(studio) {
		await studio.execute(studio.example('operations-history.json'));
		await studio.show('Operations', 'node-get-many.png');
	},

	async checks(studio) {
		const example = studio.example('customer-check.json');
		// Behind the node that is shown a person is waited for.
		const before = Object.entries(example.connections).filter(([from]) => from !== 'Run Checks');
		const connections = Object.fromEntries(before);
		await studio.execute(await studio.testbed.rest.createWorkflow({ ...example, id: 'pictureChecks', connections }));
		await studio.show('Run Checks', 'node-unified-check.png');
	},

	async 'card-issuance'(studio) {
		await studio.execute(studio.example('card-issuance.json'));
		await studio.take('workflow-card-issuance.png');
	},
};

/** Without an error output: where it stops, the node itself says why. */
const stopping = (node: WorkflowNode): WorkflowNode => ({ ...node, onError: undefined });

/** The bank carries the next package out and answers nothing. */
async function silence({ bank }: Studio): Promise<void> {
	await bank.addFault({ operation: 'payment.sendPackage', fault: { kind: 'hang', applied: true } });
}

/** A payout that waits for the bank, which has its package and says nothing. */
async function atTheBank(studio: Studio, id: string): Promise<WorkflowFile> {
	const workflow = await studio.variant('payout-from-rows.json', id, stopping);
	await silence(studio);
	await studio.begin(workflow);
	await pollUntil(async () => (await studio.bank.operations()).includes('payment.sendPackage') || undefined, {
		what: 'The package being at the bank',
		timeoutMs: 60_000,
	});
	return workflow;
}

/** What n8n keeps of an execution that did not come to its end. */
async function lastExecution(studio: Studio, { id }: WorkflowFile, status: string, image: string): Promise<void> {
	const { rest } = studio.testbed;
	const execution = await pollUntil(
		async () => (await rest.executions({ workflowId: id })).results.find((one) => one.status === status),
		{ what: `An execution that is ${status}`, timeoutMs: 60_000 },
	);
	await studio.page.goto(`${studio.testbed.n8n.url}/workflow/${id}/executions/${execution.id}`);
	await studio.page.getByTestId('execution-preview-label').first().waitFor();
	await studio.take(image);
}

/** The paths and the payload are those of the sandbox bank. */
const debit: WorkflowNode = {
	name: 'Debit',
	type: 'n8n-nodes-bank.bankPartnerServices',
	typeVersion: 1,
	parameters: {
		resource: 'directDebit',
		operation: 'debit',
		authenticateWith: 'gateway',
		method: 'POST',
		path: '/direct-debit/debits',
		payloadFrom: 'json',
		payload: '{ "consentId": "consent-1", "loanAccount": "45502810000000000003", "amount": 1000.5, "currency": "RUB" }',
		transactionId: 'T-1',
		purpose: 'Repayment of the loan, service Id: T-1',
		purposeField: 'purpose',
	},
	credentials: demoReferences.gateway,
};
