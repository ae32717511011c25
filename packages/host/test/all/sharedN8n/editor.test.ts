import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { EditorBrowser, findChromium } from '../../../src/browser.ts';
import { readExamples } from '../../../src/examples.ts';
import { isAvailable } from '../../../src/optionalDependencies.ts';
import { pollUntil } from '../../../src/poll.ts';
import { type Bed, openBed } from '../../support/bed.ts';
import { openBankNodes } from '../../support/editor.ts';
import { services } from '../../support/examples.expect.ts';

let editor: EditorBrowser;
let bed: Bed;

(isAvailable(findChromium) ? describe : describe.skip)("n8n's editor", () => {
	beforeAll(async () => {
		bed = await openBed();
		editor = await EditorBrowser.open(bed.n8nUrl);
		await editor.signIn(bed.login);
	});

	afterAll(() => editor?.close());

	test('every example opens, and so does the form of each operation that stands in one', async () => {
		await openBankNodes(editor, await readExamples());
	});

	/** The status of the newest execution of a workflow, or that its trigger listens. */
	const endOf = async (id: string, startedBefore: number): Promise<string> =>
		await pollUntil(
			async () => {
				const execution = (await bed.rest.allExecutions(id)).at(-1);
				const isNew = execution !== undefined && Date.parse(execution.startedAt) >= startedBefore;
				if (isNew && !['new', 'running'].includes(execution.status)) return execution.status;
				const stop = editor.page.getByTestId('stop-execution-waiting-for-webhook-button');
				if (!(await stop.isVisible())) return undefined;
				await stop.click();
				return 'listening';
			},
			{ what: `The end of workflow ${id}` },
		);

	test('every example that is run with the button of the editor ends well, or waits for a person or an event', async () => {
		for (const service of Object.values(services)) await bed.rest.activateToEnd(service);
		const ends: [string, string][] = [];
		for (const { file, workflow } of await readExamples()) {
			await bed.sandbox.reset();
			// The button of a waiting workflow stays busy in the next one, unless the editor is reloaded.
			await editor.openWorkflow(workflow.id);
			const pressed = Date.now();
			await editor.page.getByTestId('execute-workflow-button').first().click();
			ends.push([file, await endOf(workflow.id, pressed)]);
		}
		for (const service of Object.values(services)) await bed.rest.deactivateToEnd(service);
		expect(ends.filter(([, end]) => !['success', 'waiting', 'listening'].includes(end))).toEqual([]);
	});

	test('takes a screenshot', async () => {
		const dir = await mkdtemp(join(tmpdir(), 'n8n-nodes-bank-shot-'));
		await editor.screenshot(join(dir, 'window.png'));
		expect((await stat(join(dir, 'window.png'))).size).toBeGreaterThan(1000);
		await rm(dir, { recursive: true, force: true });
	});
});
