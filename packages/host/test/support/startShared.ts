import { readExamples } from '../../src/examples.ts';
import { type Testbed, startTestbed } from '../../src/testbed.ts';
import { type SharedBed, shareBed } from './sharedBed.ts';

const started = globalThis as { testbed?: Testbed };

/** jest calls this for each project that uses the shared n8n. The first call starts it. */
export default async function start() {
	if (started.testbed !== undefined) return;
	const examples = readExamples();
	const testbed = await startTestbed({ editor: true, workflows: examples.map(({ workflow }) => workflow) });
	started.testbed = testbed;
	const { n8n, sandbox, login, rest } = testbed;
	shareBed({ n8nUrl: n8n.url, sandboxUrl: sandbox.admin.baseUrl, login, session: rest.session } satisfies SharedBed);
}
