import type { EditorBrowser } from '../../src/browser.ts';
import type { Example } from '../../src/examples.ts';

/** Opens these examples, and the form of one node of each type and operation. */
export async function openBankNodes(editor: EditorBrowser, examples: Example[]): Promise<void> {
	const opened = new Set<string>();
	for (const { workflow } of examples) {
		await editor.goToWorkflow(workflow.id, workflow.nodes.at(-1)?.name ?? '');
		for (const { name, type, parameters } of workflow.nodes) {
			const operation = [type, parameters['resource'], parameters['operation']].join(' ');
			if (!type.startsWith('n8n-nodes-bank.') || opened.has(operation)) continue;
			opened.add(operation);
			const form = await editor.openNode(name);
			expect(await form.innerText()).toContain(type.endsWith('Trigger') ? 'Options' : 'Resource');
			await editor.closeNode();
		}
	}
	expect(opened.size).toBeGreaterThan(0);
}
