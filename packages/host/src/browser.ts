import { existsSync } from 'node:fs';
import { type Browser, type BrowserContext, type Locator, type Page, chromium, selectors } from 'playwright-core';
import type { WorkflowFile } from './n8nCli.ts';
import type { Login } from './n8nRest.ts';

/** n8n's editor in a real browser, with only the methods that tests and screenshots need. */
export class EditorBrowser {
	/** The open tab. `openWorkflow` replaces it. */
	page: Page;
	private readonly window: BrowserContext;
	private readonly url: string;

	private constructor(window: BrowserContext, page: Page, url: string) {
		this.window = window;
		this.page = page;
		this.url = url;
	}

	/** Opens an empty window for the n8n at this address. */
	static async open(n8nUrl: string): Promise<EditorBrowser> {
		// n8n's own test ids.
		selectors.setTestIdAttribute('data-test-id');
		const browser = await launchChromium();
		const window = await browser.newContext({ viewport: { width: 1440, height: 900 }, reducedMotion: 'reduce' });
		// Long because the editor loads slowly on a busy machine; it only ends tests that hang.
		window.setDefaultTimeout(120_000);
		return new EditorBrowser(window, await window.newPage(), n8nUrl);
	}

	async signIn({ email, password }: Login): Promise<void> {
		await this.page.goto(`${this.url}/signin`);
		await this.page.locator('input[name="emailOrLdapLoginId"]').fill(email);
		await this.page.locator('input[name="password"]').fill(password);
		await this.page.getByTestId('form-submit-button').click();
		await this.page.waitForURL((target) => !target.pathname.startsWith('/signin'));
		// n8n navigates once after loading, which would replace a page that is opened before.
		await this.page.waitForLoadState('networkidle');
	}

	/** Loads the editor in a new tab. */
	async openWorkflow(id: string): Promise<void> {
		const previous = this.page;
		this.page = await this.window.newPage();
		await previous.close();
		await this.page.goto(`${this.url}/workflow/${id}`);
		await this.page.getByTestId('canvas-node').first().waitFor();
	}

	/** Shows another workflow in the loaded editor, like the browser's back button. Much faster than to load the editor. */
	async goToWorkflow({ id, nodes }: WorkflowFile): Promise<void> {
		await this.page.evaluate(
			`history.pushState({}, '', '/workflow/${id}'); dispatchEvent(new PopStateEvent('popstate', { state: {} }))`,
		);
		const [first] = nodes.filter(({ type }) => type !== 'n8n-nodes-base.stickyNote');
		if (first === undefined) throw new Error(`The workflow ${id} has no node`);
		await this.node(first.name).waitFor();
	}

	/** A node on the canvas. */
	node(name: string): Locator {
		return this.page.locator(`[data-test-id="canvas-node"][data-node-name=${JSON.stringify(name)}]`);
	}

	/** Opens a node and returns its form. */
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

	async close(): Promise<void> {
		await this.window.browser()?.close();
	}
}

/** The browser can reach loopback addresses only. */
export function launchChromium(): Promise<Browser> {
	return chromium.launch({
		executablePath: findChromium(),
		args: [
			...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run'],
			...['--disable-background-networking', '--disable-component-update', '--disable-sync'],
			// Used instead of a route handler, which would disable the browser's cache.
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
