import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EditorBrowser, findChromium } from '../../src/browser.ts';
import { readExamples } from '../../src/examples.ts';
import { isThere } from '../../src/wanted.ts';
import { type Bed, openBed } from './bed.ts';

let bed: Bed;
let editor: EditorBrowser;

(isThere(findChromium) ? describe : describe.skip)("n8n's editor", () => {
	beforeAll(async () => {
		bed = await openBed();
		editor = await EditorBrowser.open(bed.n8nUrl);
		await editor.signIn(bed.login);
	});

	afterAll(() => editor?.close());

	test('nothing of n8n stands in the way after signing in', async () => {
		// The list shows the latest workflows, whichever test has made them.
		const [latest = ''] = await bed.rest
			.request<Array<{ name: string }>>('GET', '/rest/workflows?take=1&sortBy=updatedAt:desc')
			.then((page) => page.map(({ name }) => name));
		await editor.page.getByRole('heading', { name: latest }).first().waitFor();
		expect(await editor.page.locator('[role="dialog"]:visible').count()).toBe(0);
	});

	test('every example opens, and so does the form of each operation that stands in one', async () => {
		const opened = new Set<string>();
		for (const { workflow } of await readExamples()) {
			await editor.goToWorkflow(workflow.id, workflow.nodes.at(-1)?.name ?? '');
			for (const { name, type, parameters } of workflow.nodes) {
				const what = [type, parameters['resource'], parameters['operation']].join(' ');
				if (!type.startsWith('n8n-nodes-bank.') || opened.has(what)) continue;
				opened.add(what);
				const form = await editor.openNode(name);
				expect(await form.innerText()).toContain(type.endsWith('Trigger') ? 'Options' : 'Resource');
				await editor.closeNode();
			}
		}
	});

	test('takes a screenshot', async () => {
		const dir = await mkdtemp(join(tmpdir(), 'n8n-nodes-bank-shot-'));
		await editor.screenshot(join(dir, 'window.png'));
		expect((await stat(join(dir, 'window.png'))).size).toBeGreaterThan(1000);
		await rm(dir, { recursive: true, force: true });
	});
});
