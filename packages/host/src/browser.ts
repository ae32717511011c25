import { existsSync } from 'node:fs';
import { type Browser, type Locator, type Page, chromium, selectors } from 'playwright-core';
import type { Login } from './n8nRest.ts';

/** Of the page, in which functions given to `evaluate` run. */
declare const history: { pushState(state: object, unused: string, url: string): void };
declare const window: { dispatchEvent(event: object): void };
declare const PopStateEvent: new (type: string, init: object) => object;

/** n8n's editor in a real browser, reduced to what a test or a screenshot needs. */
export class EditorBrowser {
	readonly page: Page;
	private readonly browser: Browser;
	private readonly url: string;

	private constructor(browser: Browser, page: Page, url: string) {
		this.browser = browser;
		this.page = page;
		this.url = url;
	}

	/** Opens an empty window for the n8n at this address. */
	static async open(n8nUrl: string): Promise<EditorBrowser> {
		// n8n's own test ids.
		selectors.setTestIdAttribute('data-test-id');
		const browser = await launchChromium();
		const page = await browser.newPage({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
		// Only so that a test ends one day: the editor is slow to load on a busy machine.
		page.setDefaultTimeout(120_000);
		return new EditorBrowser(browser, page, n8nUrl);
	}

	async signIn({ email, password }: Login): Promise<void> {
		await this.page.goto(`${this.url}/signin`);
		await this.page.locator('input[name="emailOrLdapLoginId"]').fill(email);
		await this.page.locator('input[name="password"]').fill(password);
		await this.page.getByTestId('form-submit-button').click();
		await this.page.waitForURL((target) => !target.pathname.startsWith('/signin'));
		// What n8n opens first would take the place of what is opened while it loads.
		await this.page.waitForLoadState('networkidle');
	}

	async openWorkflow(id: string): Promise<void> {
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** As by a link inside the editor, which need not be loaded for it: a tenth of the work. */
	async goToWorkflow(id: string, node: string): Promise<void> {
		await this.page.evaluate((path) => {
			// The editor's router follows every change of the history.
			history.pushState({}, '', path);
			window.dispatchEvent(new PopStateEvent('popstate', { state: {} }));
		}, `/workflow/${id}`);
		try {
			await this.node(node).waitFor({ timeout: 30_000 });
		} catch {
			// On a busy machine the editor did not follow the history once: then it is loaded whole.
			await this.openWorkflow(id);
			await this.node(node).waitFor();
		}
	}

	/** A node on the canvas. */
	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name=${JSON.stringify(name)}]`);
	}

	/** All of them. */
	nodes(): Locator {
		return this.page.getByTestId('canvas-node');
	}

	/** Opens a node and answers with its form. */
	async openNode(name: string): Promise<Locator> {
		await this.node(name).dblclick();
		const form = this.page.getByTestId('node-parameters');
		await form.waitFor();
		return form;
	}

	async closeNode(): Promise<void> {
		await this.page.keyboard.press('Escape');
		await this.page.getByTestId('node-parameters').waitFor({ state: 'hidden' });
	}

	/** A PNG of the window or of a part of it. */
	async screenshot(path: string, part?: Locator): Promise<void> {
		await (part ?? this.page).screenshot({ path, animations: 'disabled' });
	}

	async close(): Promise<void> {
		await this.browser.close();
	}
}

/** Nothing but loopback is reachable from it. */
export function launchChromium(): Promise<Browser> {
	return chromium.launch({
		executablePath: findChromium(),
		args: [
			...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
			...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
			// Rather than a route handler, which would switch the browser's cache off.
			'--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1, EXCLUDE localhost',
		],
	});
}

/** @throws Error if Chromium is missing, with how to install it */
export function findChromium(): string {
	const named = process.env['CHROMIUM_PATH'];
	const candidates = named
		? [named]
		: [
				'/usr/bin/chromium',
				'/usr/bin/chromium-browser',
				'/usr/bin/google-chrome',
				'/Applications/Chromium.app/Contents/MacOS/Chromium',
				'/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
			];
	const found = candidates.find((path) => existsSync(path));
	if (found) return found;
	throw new Error(
		`The browser tests need Chromium, which was not found at ${candidates.join(', ')}. ` +
			`Install it (Debian: apt-get install chromium) or name it in CHROMIUM_PATH.`,
	);
}
