import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import sharp, { type Sharp } from 'sharp';

import { EditorBrowser } from '../browser.ts';
import { readExamples } from '../examples.ts';
import type { WorkflowFile } from '../n8nCli.ts';
import { repoDir } from '../paths.ts';
import { type Testbed, startTestbed } from '../testbed.ts';

const imagesDir = join(repoDir, 'docs/images');

/** A real n8n with the examples, a sandbox bank and a browser. */
export class Screenshots {
	readonly testbed: Testbed;
	readonly editor: EditorBrowser;

	private constructor(testbed: Testbed, editor: EditorBrowser) {
		this.testbed = testbed;
		this.editor = editor;
	}

	static async open(): Promise<Screenshots> {
		const testbed = await startTestbed({ editor: true, workflows: readExamples().map(({ workflow }) => workflow) });
		try {
			const editor = await EditorBrowser.open(testbed.n8n.url);
			await editor.signIn(testbed.login);
			return new Screenshots(testbed, editor);
		} catch (error) {
			await testbed.stop();
			throw error;
		}
	}

	get page() {
		return this.editor.page;
	}

	get bank() {
		return this.testbed.sandbox;
	}

	/** Opens a workflow, executes it with the button and waits for its end. */
	async execute(workflow: WorkflowFile): Promise<void> {
		await this.editor.openWorkflow(workflow.id);
		await this.page.getByTestId('execute-workflow-button').first().click();
		const toast = this.page.getByText('Workflow executed successfully').first();
		// Issuing the card takes a while at the bank.
		await toast.waitFor({ timeout: 90_000 });
		// The message would hide a part of the picture.
		await toast.waitFor({ state: 'hidden' });
		await this.fit();
	}

	/** Fits the whole workflow into the window, with n8n's shortcut. */
	async fit(): Promise<void> {
		await this.page.keyboard.press('1');
	}

	/** Takes a picture of a node with its output. */
	async show(node: string, image: string): Promise<void> {
		await this.editor.openNode(node);
		await this.page
			.getByTestId('ndv-data-size-warning')
			.or(this.page.getByTestId('run-data-pane-header'))
			.or(this.page.getByTestId('node-error-message'))
			.first()
			.waitFor();
		await this.take(image);
		await this.editor.closeNode();
	}

	/** Takes a picture of the window. */
	async take(image: string): Promise<void> {
		await write(image, sharp(await this.page.screenshot({ animations: 'disabled' })));
	}

	/** Takes a picture of only the nodes of a workflow, in the width of a page. */
	async takeCanvas(image: string): Promise<void> {
		const window = this.page.viewportSize();
		// A large window keeps wide workflows legible.
		await this.page.setViewportSize({ width: 2200, height: 1200 });
		await this.fit();
		const boxes = await Promise.all(
			(await this.page.getByTestId('canvas-node').all()).map((node) => node.boundingBox()),
		);
		const found = boxes.filter((box) => box !== null);
		// The name below a node may be twice as wide as the node.
		const margin = Math.min(...found.map(({ width }) => width)) * 0.7;
		const left = Math.min(...found.map(({ x }) => x)) - margin;
		const top = Math.min(...found.map(({ y }) => y)) - margin / 2;
		const clip = {
			x: left,
			y: top,
			width: Math.max(...found.map(({ x, width }) => x + width)) + margin - left,
			height: Math.max(...found.map(({ y, height }) => y + height)) + margin - top,
		};
		const style =
			'[data-test-id="canvas-controls"], [class*="executionButtons"], [data-test-id="sticky"] { visibility: hidden }';
		const canvas = sharp(await this.page.screenshot({ animations: 'disabled', clip, style }));
		await write(image, canvas.resize({ width: 1200, withoutEnlargement: true }));
		if (window) await this.page.setViewportSize(window);
	}

	async close(): Promise<void> {
		await this.editor.close();
		await this.testbed.stop();
	}
}

/** Reduces the colors to make the file small. */
async function write(image: string, picture: Sharp): Promise<void> {
	await writeFile(join(imagesDir, image), await picture.png({ palette: true, quality: 85, effort: 10 }).toBuffer());
}
