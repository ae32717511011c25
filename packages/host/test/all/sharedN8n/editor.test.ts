import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EditorBrowser, findChromium } from '../../../src/browser.ts';
import { readExamples } from '../../../src/examples.ts';
import { isAvailable } from '../../../src/optionalDependencies.ts';
import { openBed } from '../../support/bed.ts';
import { openBankNodes } from '../../support/editor.ts';

let editor: EditorBrowser;

(isAvailable(findChromium) ? describe : describe.skip)("n8n's editor", () => {
	beforeAll(async () => {
		const bed = await openBed();
		editor = await EditorBrowser.open(bed.n8nUrl);
		await editor.signIn(bed.login);
	});

	afterAll(() => editor?.close());

	test('every example opens, and so does the form of each operation that stands in one', async () => {
		await openBankNodes(editor, await readExamples());
	});

	test('takes a screenshot', async () => {
		const dir = await mkdtemp(join(tmpdir(), 'n8n-nodes-bank-shot-'));
		await editor.screenshot(join(dir, 'window.png'));
		expect((await stat(join(dir, 'window.png'))).size).toBeGreaterThan(1000);
		await rm(dir, { recursive: true, force: true });
	});
});
