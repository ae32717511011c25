// Takes the pictures of the README anew, from a fresh n8n and sandbox: `pnpm --filter @bank/host screenshots`.
import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';

import { EditorBrowser } from '../browser.ts';
import { readExamples } from '../examples.ts';
import { repoDir } from '../paths.ts';
import { startTestbed } from '../testbed.ts';

const images = join(repoDir, 'docs/images');
await mkdir(images, { recursive: true });

const examples = await readExamples();
const example = (file: string) => {
	const workflow = examples.find((each) => each.file === file)?.workflow;
	if (!workflow) throw new Error(`There is no example ${file}`);
	return workflow;
};
// The payout as it is without an error output: where it stops, the node itself says why.
const payout = example('payout-from-rows.json');
const stopping = {
	...payout,
	id: 'bankPayoutStops1',
	nodes: payout.nodes.map((node) => ({ ...node, onError: undefined })),
};
// Only as far as the node that is shown: behind it a person is waited for.
const check = example('customer-check.json');
const checkOnly = {
	...check,
	id: 'bankCheckOnly001',
	connections: Object.fromEntries(Object.entries(check.connections).filter(([from]) => from !== 'Run Checks')),
};
const testbed = await startTestbed({
	workflows: [...examples.map(({ workflow }) => workflow), stopping, checkOnly],
});
try {
	const editor = await EditorBrowser.open(testbed.n8n.url);
	try {
		await editor.signIn(testbed.login);
		const execute = async (workflow: { id: string }) => {
			await editor.openWorkflow(workflow.id);
			await editor.page.getByTestId('execute-workflow-button').first().click();
			const toast = editor.page.getByText('Workflow executed successfully').first();
			// The card is waited for at the bank.
			await toast.waitFor({ timeout: 90_000 });
			// The message would cover a part of the picture.
			await toast.waitFor({ state: 'hidden' });
			// n8n's shortcut for "fit to view".
			await editor.page.keyboard.press('1');
		};
		const show = async (node: string, image: string) => {
			await editor.openNode(node);
			await editor.page
				.getByTestId('ndv-data-size-warning')
				.or(editor.page.getByTestId('run-data-pane-header'))
				.first()
				.waitFor();
			await editor.screenshot(join(images, image));
			await editor.closeNode();
		};
		const run = async (file: string, node: string) => {
			await execute(example(file));
			return (image: string) => show(node, image);
		};
		const pay = await run('payout-from-rows.json', 'Pay');
		await editor.screenshot(join(images, 'workflow-payout.png'));
		await pay('node-send-package.png');
		await show('Look First', 'payment-prepared.png');
		await execute(stopping);
		await editor.page.getByTestId('execute-workflow-button').first().click();
		await editor.page.getByText('was not sent again').first().waitFor();
		await editor.page.locator('.el-notification__closeBtn').first().click();
		await editor.openNode('Pay');
		await editor.page.getByText('It is UNKNOWN').first().waitFor();
		await editor.screenshot(join(images, 'payment-already-sent.png'));
		await editor.closeNode();
		await (
			await run('operations-history.json', 'Operations')
		)('node-get-many.png');
		await execute(checkOnly);
		await show('Run Checks', 'node-unified-check.png');
		await run('card-issuance.json', 'Short Scoring');
		await editor.screenshot(join(images, 'workflow-card-issuance.png'));
		await editor.page.goto(testbed.sandbox.admin.baseUrl);
		await editor.page.getByText('Live', { exact: true }).waitFor();
		await editor.screenshot(join(images, 'sandbox-console.png'));
	} finally {
		await editor.close();
	}
} finally {
	await testbed.stop();
}
