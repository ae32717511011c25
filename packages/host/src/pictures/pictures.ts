import { demoReferences } from '../demoCredentials.ts';
import type { WorkflowNode } from '../n8nCli.ts';
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

	async 'run-again'(studio) {
		const workflow = studio.example('payout-from-rows.json');
		await studio.execute(workflow);
		await studio.execute(workflow);
		await studio.show('Pay', 'payment-run-again.png');
	},

	async 'unknown-results'(studio) {
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
