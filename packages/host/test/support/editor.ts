import { EditorBrowser, findChromium } from '../../src/browser.ts';
import type { WorkflowFile } from '../../src/n8nCli.ts';
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

/** Opens the open workflow's nodes of this package, one for each type and operation that is not in `seen`. */
export async function openBankNodes(
	editor: EditorBrowser,
	nodes: WorkflowFile['nodes'],
	seen: Set<string>,
): Promise<void> {
	for (const { name, type, parameters } of nodes) {
		const operation = [type, parameters['resource'], parameters['operation']].join(' ');
		if (!type.startsWith('n8n-nodes-bank.') || seen.has(operation)) continue;
		seen.add(operation);
		const form = await editor.openNode(name);
		expect(await form.innerText()).toContain(type.endsWith('Trigger') ? 'Options' : 'Resource');
		await editor.closeNode();
	}
}
