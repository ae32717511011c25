import axe from 'axe-core';
import type { Page } from 'playwright-core';
import { findChromium } from '../../../src/browser.ts';
import { isAvailable } from '../../../src/optionalDependencies.ts';
import { ConsoleBed } from './consoleBed.ts';

/** Globals of the page, for functions passed to `evaluate`. */
declare const document: { documentElement: { scrollWidth: number } };

const paths = [
	'/',
	...['payments', 'payments/1', 'payments/3', 'events', 'courier', 'faults', 'records', 'settings'].map(
		(name) => `/console/${name}`,
	),
	...['credentials', 'payments/999999'].map((name) => `/console/${name}`),
];

/** Colors depend on the scheme and layout on the width, so testing each once is enough. */
const windows = [
	['light', { width: 1280, height: 900 }],
	['dark', { width: 390, height: 844 }],
] as const;

/** WCAG 2.2, A and AA, and axe's best practices. */
const tags = ['wcag2a', 'wcag2aa', 'wcag21a', 'wcag21aa', 'wcag22aa', 'best-practice'];

/** Opens all details and shows a message, because hidden content is not checked. */
async function unfold(page: Page): Promise<void> {
	const send = page.getByRole('button', { name: /^(?:Send|Add|10 seconds later)/ });
	if ((await send.count()) > 0) {
		await send.first().click();
		await page.locator('#said[data-tone="good"], #said[data-tone="bad"]').waitFor();
	}
	await page.locator('details').evaluateAll((list) => {
		for (const folded of list) folded.setAttribute('open', '');
	});
}

async function findings(page: Page): Promise<string[]> {
	// Like the debugger, ignores the page's content security policy.
	await page.evaluate(axe.source);
	const { violations } = await page.evaluate(
		(values) =>
			(globalThis as unknown as { axe: typeof axe }).axe.run({
				runOnly: { type: 'tag', values },
				resultTypes: ['violations'],
			}),
		tags,
	);
	return violations.flatMap(({ id, impact, nodes }) =>
		nodes.map(({ target, failureSummary }) => `${impact} ${id} at ${target.join(' ')}: ${failureSummary}`),
	);
}

(isAvailable(findChromium) ? describe : describe.skip)("the sandbox bank's pages for people", () => {
	let bed: ConsoleBed;

	beforeAll(async () => {
		bed = await ConsoleBed.open();
		await bed.fill();
	});
	afterAll(() => bed?.close());

	test.each(paths)(
		'%s: in light and wide, dark and narrow, axe finds nothing, and nothing is wider than the window',
		async (path) => {
			const page = await bed.show(path);
			await unfold(page);
			for (const [colorScheme, viewport] of windows) {
				await page.emulateMedia({ colorScheme });
				await page.setViewportSize(viewport);
				expect([colorScheme, await findings(page)]).toEqual([colorScheme, []]);
				expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBeLessThanOrEqual(viewport.width);
			}
		},
	);
});
