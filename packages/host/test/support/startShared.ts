import { readExamples } from '../../../src/examples.ts';
import { ensureN8nInstalled } from '../../../src/n8nInstall.ts';
import { startTestbed } from '../../../src/testbed.ts';
import { type SharedBed, shareBed } from './shared.ts';

export default async function start() {
	await ensureN8nInstalled();
	const examples = await readExamples();
	const testbed = await startTestbed({ editor: true, workflows: examples.map(({ workflow }) => workflow) });
	(globalThis as { testbed?: unknown }).testbed = testbed;
	const { n8n, sandbox, login, rest } = testbed;
	shareBed({ n8nUrl: n8n.url, sandboxUrl: sandbox.admin.baseUrl, login, session: rest.session } satisfies SharedBed);
}
