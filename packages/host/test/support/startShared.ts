import { readExamples } from '../../src/examples.ts';
import { lazyEngine, type Testbed, startTestbed } from '../../src/testbed.ts';
import { shareBed } from './bed.ts';

const started = globalThis as { testbed?: Testbed };

/** jest calls this for each project that uses the shared n8n. The first call starts it. */
export default async function start() {
	if (started.testbed !== undefined) return;
	const workflows = readExamples().map(({ workflow }) => workflow);
	started.testbed = await startTestbed({ editor: true, workflows, env: lazyEngine });
	shareBed(started.testbed);
}
