import { readFile, readdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { WorkflowFile } from './n8nCli.ts';
import { examplesDir } from './paths.ts';

export interface Example {
	/** Name of the file in `examples/`. */
	file: string;
	workflow: WorkflowFile;
}

/** Whether a trigger and not a click starts the workflow. */
export function startsAtTheBank({ nodes }: WorkflowFile): boolean {
	return nodes.some(({ type }) => /^n8n-nodes-bank\..*Trigger$/.test(type));
}

/** The example that a new user runs first. */
const first = 'payout-from-rows.json';

/** The example workflows: the recommended first one, then the others by name. */
export async function readExamples(): Promise<Example[]> {
	const files = (await readdir(examplesDir))
		.filter((file) => file.endsWith('.json'))
		.sort()
		.sort((one, other) => Number(other === first) - Number(one === first));
	return await Promise.all(
		files.map(async (file) => ({
			file,
			workflow: JSON.parse(await readFile(join(examplesDir, file), 'utf8')) as WorkflowFile,
		})),
	);
}
