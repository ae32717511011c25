import type { Testbed } from '../../src/testbed.ts';

const started = globalThis as { testbed?: Testbed };

export default async function stop() {
	await started.testbed?.stop();
	delete started.testbed;
}
