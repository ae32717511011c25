import { EditorBrowser, findChromium } from '../../src/browser.ts';
import { readExamples } from '../../src/examples.ts';
import { isAvailable } from '../../src/optionalDependencies.ts';
import { type Bed, openBed } from '../support/bed.ts';
import { openBankNodes } from '../support/editor.ts';

let bed: Bed;
let editor: EditorBrowser;

(isAvailable(findChromium) ? describe : describe.skip)("n8n's editor", () => {
	beforeAll(async () => {
		bed = await openBed();
		editor = await EditorBrowser.open(bed.n8nUrl);
		await editor.signIn(bed.login);
	});

	afterAll(() => editor?.close());

	test('nothing of n8n stands in the way after signing in', async () => {
		// The list shows the latest workflows of all tests.
		const [latest = ''] = await bed.rest
			.request<Array<{ name: string }>>('GET', '/rest/workflows?take=1&sortBy=updatedAt:desc')
			.then((page) => page.map(({ name }) => name));
		await editor.page.getByRole('heading', { name: latest }).first().waitFor();
		expect(await editor.page.locator('[role="dialog"]:visible').count()).toBe(0);
	});

	test('a payout opens, and the forms of its nodes', async () => {
		await openBankNodes(
			editor,
			(await readExamples()).filter(({ file }) => file === 'payout-from-rows.json'),
		);
	});
});
