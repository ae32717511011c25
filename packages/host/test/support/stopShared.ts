import type { Testbed } from '../../../src/testbed.ts';

export default async function stop() {
	await (globalThis as { testbed?: Testbed }).testbed?.stop();
}
