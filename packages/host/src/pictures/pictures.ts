import { demoReferences } from '../demoCredentials.ts';
import { readExample, readExamples } from '../examples.ts';
import type { WorkflowNode } from '../n8nCli.ts';
import { afterAClick } from '../workflows.ts';
import type { Screenshots } from './screenshots.ts';

/** The screenshots of the docs, by the scenario that they need. Each scenario starts with a fresh sandbox bank. */
export const pictures: Readonly<Record<string, (screenshots: Screenshots) => Promise<void>>> = {
	/** The gallery shows the text of the sticky notes. */
	async examples(screenshots) {
		for (const { file, workflow } of readExamples()) {
			await screenshots.editor.openWorkflow(workflow.id);
			await screenshots.takeCanvas(`examples/${file.replace(/\.json$/, '.png')}`);
		}
	},

	async payout(screenshots) {
		const workflow = readExample('payout-from-rows.json');
		await screenshots.execute(workflow);
		await screenshots.take('workflow-payout.png');
		await screenshots.show('Check', 'payment-prepared.png');
		await screenshots.show('Pay', 'node-send-package.png');
	},

	async 'run-again'(screenshots) {
		const workflow = readExample('payout-from-rows.json');
		await screenshots.execute(workflow);
		await screenshots.execute(workflow);
		await screenshots.show('Pay', 'payment-run-again.png');
	},

	async 'unknown-results'(screenshots) {
		await screenshots.bank.addFault({ operation: 'payment.sendPackage', fault: { kind: 'resetAfter' } });
		await screenshots.execute(readExample('payout-unknown-results.json'));
		await screenshots.show('Find in Operations', 'node-find-in-operations.png');
	},

	async courier(screenshots) {
		await screenshots.execute(readExample('courier-job.json'));
		await screenshots.show('Attach Photo', 'node-courier.png');
	},

	async 'partner-services'(screenshots) {
		const workflow = await screenshots.testbed.rest.createWorkflow(afterAClick('Debit', [debit]));
		await screenshots.execute(workflow);
		await screenshots.show(debit.name, 'node-partner-services.png');
	},

	async connection(screenshots) {
		await screenshots.execute(readExample('health.json'));
		await screenshots.show('Check', 'node-connection-check.png');
	},

	async triggers(screenshots) {
		const panels = [
			['incoming-payment-invoice.json', 'Bank Trigger', 'trigger-bank.png'],
			['courier-order.json', 'Bank Courier Order Trigger', 'trigger-courier-order.png'],
			['new-operations-to-table.json', 'Bank Operations Trigger', 'trigger-operations.png'],
		] as const;
		for (const [file, node, image] of panels) {
			await screenshots.editor.openWorkflow(readExample(file).id);
			await screenshots.editor.openNode(node);
			await screenshots.page.getByText('When will this node trigger my flow?').click();
			await screenshots.take(image);
			await screenshots.editor.closeNode();
		}
	},

	async console(screenshots) {
		// Another payout, because the people of the example were paid for an earlier picture.
		const { rest } = screenshots.testbed;
		const example = readExample('payout-from-rows.json');
		const nodes = example.nodes.map(({ parameters, ...node }) => ({
			...node,
			parameters: { ...parameters, ...('paymentRun' in parameters ? { paymentRun: 'rewards-2026-12' } : {}) },
		}));
		const { id } = await rest.createWorkflow({ ...example, id: 'pictureConsole', nodes });
		await rest.runToEnd(id);
		// Shows a payment from its request to the ledger and the events.
		await screenshots.page.goto(`${screenshots.bank.baseUrl}/console/payments`);
		await screenshots.page.locator('a[href^="/console/payments/"]').first().click();
		await screenshots.page.getByText('Live', { exact: true }).waitFor();
		await screenshots.take('sandbox-console.png');
	},

	async operations(screenshots) {
		await screenshots.execute(readExample('operations-history.json'));
		await screenshots.show('Operations', 'node-get-many.png');
	},

	async checks(screenshots) {
		const example = readExample('customer-check.json');
		// A later node of the example waits for a user, so only the nodes before it run.
		const before = Object.entries(example.connections).filter(([from]) => from !== 'Run Checks');
		const connections = Object.fromEntries(before);
		await screenshots.execute(
			await screenshots.testbed.rest.createWorkflow({ ...example, id: 'pictureChecks', connections }),
		);
		await screenshots.show('Run Checks', 'node-unified-check.png');
	},

	async 'card-issuance'(screenshots) {
		await screenshots.execute(readExample('card-issuance.json'));
		await screenshots.take('workflow-card-issuance.png');
	},
};

const debit: WorkflowNode = {
	name: 'Debit',
	type: 'n8n-nodes-bank.bankPartnerServices',
	typeVersion: 1,
	parameters: {
		resource: 'directDebit',
		operation: 'debit',
		authenticateWith: 'gateway',
		bodyFields: { mappingMode: 'defineBelow', value: { consentId: 'consent-1', amount: 1000.5 }, schema: [] },
		transactionId: 'T-1',
		purpose: 'Repayment of the loan, service Id: T-1',
	},
	credentials: demoReferences.gateway,
};
