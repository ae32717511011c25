import { EditorBrowser } from './browser.ts';
const [url, password] = process.argv.slice(2) as [string, string];
const b = await EditorBrowser.open(url);
await b.signIn({ email: 'owner@n8n-nodes-bank.example', password });
for (const [id, node] of [['bankPayoutRows01', 'Pay'], ['bankHistory00001', 'Operations'], ['bankStatement001', 'Order Statement'], ['bankLoanDraft001', 'Create Application'], ['bankWebhook00001', 'Preview Update'], ['bankCardLimits01', 'Limits']] as const) {
	await b.openWorkflow(id);
	await b.page.getByTestId('execute-workflow-button').first().click();
	await b.page.waitForTimeout(4000);
	await b.screenshot(`/tmp/shots/${id}-run.png`);
	await b.openNode(node);
	await b.page.waitForTimeout(800);
	await b.screenshot(`/tmp/shots/${id}-node.png`);
	await b.closeNode();
}
await b.close();
