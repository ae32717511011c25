import { readExample } from '../../src/examples.ts';
import { inEditor, openBankNodes } from '../support/editor.ts';

inEditor((opened) => {
	test('nothing of n8n stands in the way after signing in', async () => {
		const { bed, editor } = opened();
		// The list shows the latest workflows of all tests.
		const [latest] = await bed.rest.request<Array<{ name: string }>>(
			'GET',
			'/rest/workflows?take=1&sortBy=updatedAt:desc',
		);
		await editor.page.getByRole('heading', { name: latest?.name }).first().waitFor();
		expect(await editor.page.locator('[role="dialog"]:visible').count()).toBe(0);
	});

	test('a payout opens, and the forms of its nodes', async () => {
		const { editor } = opened();
		const { id, nodes } = readExample('payout-from-rows.json');
		await editor.openWorkflow(id);
		const seen = new Set<string>();
		await openBankNodes(editor, nodes, seen);
		expect(seen.size).toBeGreaterThan(0);
	});
});
