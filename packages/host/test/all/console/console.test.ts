import type { Locator, Page } from 'playwright-core';
import { findChromium } from '../../../src/browser.ts';
import { pollUntil } from '../../../src/poll.ts';
import { isAvailable } from '../../../src/optionalDependencies.ts';
import { ConsoleBed } from './consoleBed.ts';

/** Globals of the page, for functions passed to `evaluate`. */
declare const document: { activeElement: unknown };

const telephone = { width: 390, height: 844 };

(isAvailable(findChromium) ? describe : describe.skip)("the sandbox bank's console in a browser", () => {
	let bed: ConsoleBed;
	let page: Page;

	beforeAll(async () => {
		bed = await ConsoleBed.open();
	});
	beforeEach(() => bed.sandbox.reset());
	afterAll(() => bed?.close());

	const button = (name: string) => page.getByRole('button', { name, exact: true });
	const said = () => page.getByRole('status');
	const menu = (name: string) => page.getByRole('navigation').getByRole('link', { name });

	/** Causes a change at the bank and waits until the page shows it. */
	async function update(): Promise<void> {
		const { length } = await bed.sandbox.calls();
		await bed.call();
		await menu(`Calls ${length + 1}`).waitFor();
	}

	const isFocused = (control: Locator) => control.evaluate((element) => element === document.activeElement);

	test('focus, half-typed text, cursor, choices and opened details are kept while calls arrive', async () => {
		page = await bed.show('/console/events');
		await page.getByText('Custom event').click();
		const field = page.getByLabel('Event as JSON');
		await page.getByLabel('What to send').selectOption('forged');
		await page.getByLabel('Another address').check();
		await field.pressSequentially('{"half": ');
		await page.keyboard.press('ArrowLeft');
		await update();
		await page.keyboard.type('1');
		await update();
		expect(await isFocused(field)).toBe(true);
		expect(await field.inputValue()).toBe('{"half":1 ');
		expect(await page.getByLabel('What to send').inputValue()).toBe('forged');
		expect(await page.getByLabel('Another address').isChecked()).toBe(true);
		expect(await field.isVisible()).toBe(true);
	});

	test('an opened request stays open and in place while others arrive above it', async () => {
		for (let count = 0; count < 30; count++) await bed.call(`/api/call-${count}`);
		page = await bed.show('/');
		const opened = page.locator('details', { hasText: '/api/call-9' });
		await opened.scrollIntoViewIfNeeded();
		await opened.locator('summary').click();
		const shown = opened.getByRole('group');
		await shown.waitFor();
		const before = await opened.boundingBox();
		await update();
		await update();
		expect(await shown.isVisible()).toBe(true);
		expect(Math.abs(((await opened.boundingBox())?.y ?? 0) - (before?.y ?? 0))).toBeLessThan(2);
	});

	test('a button keeps the focus when its label changes; the heading gets it when the button is removed', async () => {
		page = await bed.show('/console/events');
		await button('Enable ul_transaction_default').focus();
		await page.keyboard.press('Enter');
		const disable = button('Disable ul_transaction_default, as an administrator');
		await disable.waitFor();
		expect(await isFocused(disable)).toBe(true);
		for (const { id, object } of (await bed.sandbox.state()).webhooks) await bed.delete(id, object);
		await page.getByText('Both were deleted').waitFor();
		expect(await isFocused(page.getByRole('heading', { name: 'Subscriptions' }))).toBe(true);
	});

	test('a button does what its label says, also after each change', async () => {
		page = await bed.show('/console/settings');
		for (const [value, next] of [
			['yes', 'no'],
			['no', 'yes'],
		] as const) {
			await button(`Change to ${value} Token responses omit expires_in`).click();
			await button(`Change to ${next} Token responses omit expires_in`).waitFor();
			expect((await bed.sandbox.state()).quirks.tokensWithoutExpiry).toBe(value === 'yes');
		}
	});

	test.each(['/', '/console/events', '/console/faults', '/console/settings', '/console/payments/1'])(
		'%s: Tab reaches every control, in order, while calls arrive',
		async (path) => {
			await bed.fill();
			page = await bed.show(path);
			const controls = page.locator(
				'a[href], button, select, textarea, summary, pre[tabindex], input:not([type=hidden]):not([type=radio]), input[type=radio]:checked',
			);
			const wanted = await controls.evaluateAll((list) => {
				const visible = list.filter((element) => element.checkVisibility());
				for (const [index, element] of visible.entries()) Object.assign(element, { place: index });
				return visible.length;
			});
			expect(wanted).toBeGreaterThan(10);
			const reached: (number | undefined)[] = [];
			// New calls add controls in between.
			while (reached.at(-1) !== wanted - 1 && reached.length < 2 * wanted) {
				if (reached.length % 10 === 5) await update();
				await page.keyboard.press('Tab');
				reached.push(await page.evaluate(() => (document.activeElement as { place?: number } | null)?.place));
			}
			expect(reached.filter((place) => place !== undefined)).toEqual([...Array(wanted).keys()]);
		},
	);

	test('a rejected action is announced in the live region and stays readable', async () => {
		page = await bed.show('/console/events');
		await button('Send').focus();
		await page.keyboard.press('Enter');
		await expectText(said(), /^Send: Skipped: the subscription is disabled/);
		expect(await said().isVisible()).toBe(true);
		await update();
		await expectText(said(), /^Send: Skipped/);
		await button('Enable ul_transaction_default').click();
		await expectText(said(), /is enabled/);
		await button('Send').click();
		await expectText(said(), /^Send: 1 delivered/);
	});

	test('an invalid field is opened, marked and focused', async () => {
		page = await bed.show('/console/events');
		const folded = page.getByText('Custom event');
		await folded.click();
		const field = page.getByLabel('Event as JSON');
		await field.fill('{"cut');
		await folded.click();
		await button('Send').click();
		await expectText(said(), /This is not JSON/);
		expect(await isFocused(field)).toBe(true);
		expect(await field.getAttribute('aria-invalid')).toBe('true');
		await field.fill('{}');
		expect(await field.getAttribute('aria-invalid')).toBeNull();
	});

	test('an event can be sent to an entered URL, by keyboard alone and on a phone', async () => {
		page = await bed.show('/console/events', telephone);
		await page.getByLabel('Address', { exact: true }).focus();
		await page.keyboard.type(`${bed.subscriberUrl}/webhook-test/mine`);
		await page.keyboard.press('Enter');
		await expectText(said(), /1 delivered/);
		expect((await bed.sandbox.state()).deliveries).toMatchObject([{ url: `${bed.subscriberUrl}/webhook-test/mine` }]);
		await page.getByText('delivered', { exact: true }).waitFor();
	});

	test('updates can be paused; missed ones arrive when they continue', async () => {
		page = await bed.show('/');
		await button('Pause updates').click();
		await bed.call('/api/missed');
		await page.getByText('Paused, new data available').waitFor();
		expect(await page.getByText('GET /api/missed').count()).toBe(0);
		await button('Pause updates').click();
		await page.getByText('GET /api/missed', { exact: true }).waitFor();
	});

	/** Polls until an element has this text. */
	async function expectText(place: Locator, wanted: RegExp): Promise<void> {
		const text = await pollUntil(
			async () => {
				const now = await place.innerText();
				return wanted.test(now) && now;
			},
			{ what: `The text ${wanted.source}`, detail: () => page.url() },
		);
		expect(text).toMatch(wanted);
	}
});
