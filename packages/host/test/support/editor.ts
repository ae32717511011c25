import { EditorBrowser, findChromium } from '../../src/browser.ts';
import type { Example } from '../../src/examples.ts';
import { isAvailable } from '../../src/optionalDependencies.ts';
import { type Bed, openBed } from './bed.ts';

/** The shared n8n and its editor, with the owner signed in. */
export interface OpenEditor {
	bed: Bed;
	editor: EditorBrowser;
}

/** Tests in a browser; skipped without Chromium. */
export function inEditor(tests: (opened: () => OpenEditor) => void): void {
	(isAvailable(findChromium) ? describe : describe.skip)("n8n's editor", () => {
		let opened: OpenEditor;

		beforeAll(async () => {
			const bed = await openBed();
			opened = { bed, editor: await EditorBrowser.open(bed.n8nUrl) };
			await opened.editor.signIn(bed.login);
		});

		afterAll(() => opened?.editor.close());

		tests(() => opened);
	});
}

/** Opens these examples, and the form of one node of each type and operation. */
export async function openBankNodes({ editor }: OpenEditor, examples: Example[]): Promise<void> {
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
