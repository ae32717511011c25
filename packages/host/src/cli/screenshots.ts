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
const testbed = await startTestbed({ workflows: examples.map(({ workflow }) => workflow) });
try {
	const editor = await EditorBrowser.open(testbed.n8n.url);
	try {
		await editor.signIn(testbed.login);
		const run = async (file: string, node: string) => {
			const workflow = examples.find((example) => example.file === file)?.workflow;
			if (!workflow) throw new Error(`There is no example ${file}`);
			await editor.openWorkflow(workflow.id);
			await editor.page.getByTestId('execute-workflow-button').first().click();
			const toast = editor.page.getByText('Workflow executed successfully').first();
			// The card is waited for at the bank.
			await toast.waitFor({ timeout: 90_000 });
			// The message would cover a part of the picture.
			await toast.waitFor({ state: 'hidden' });
			// n8n's shortcut for "fit to view".
			await editor.page.keyboard.press('1');
			return async (image: string) => {
				await editor.openNode(node);
				await editor.page
					.getByTestId('ndv-data-size-warning')
					.or(editor.page.getByTestId('run-data-pane-header'))
					.first()
					.waitFor();
				await editor.screenshot(join(images, image));
				await editor.closeNode();
			};
		};
		const pay = await run('payout-from-rows.json', 'Pay');
		await editor.screenshot(join(images, 'workflow-payout.png'));
		await pay('node-send-package.png');
		await (
			await run('operations-history.json', 'Operations')
		)('node-get-many.png');
		await (
			await run('customer-check.json', 'Run Checks')
		)('node-unified-check.png');
		await run('card-issuance.json', 'Short Scoring');
		await editor.screenshot(join(images, 'workflow-card-issuance.png'));
		await editor.page.goto(testbed.sandbox.admin.baseUrl);
		await editor.screenshot(join(images, 'sandbox-console.png'));
	} finally {
		await editor.close();
	}
} finally {
	await testbed.stop();
}
