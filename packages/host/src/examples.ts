import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { WorkflowFile } from './n8nCli.ts';
import { repoDir } from './paths.ts';

export interface Example {
	/** Name of the file in `examples/`. */
	file: string;
	workflow: WorkflowFile;
}

const examplesDir = join(repoDir, 'examples');

/** Whether a trigger and not a click starts the workflow. */
export function startsAtTheBank({ nodes }: WorkflowFile): boolean {
	return nodes.some(({ type }) => /^n8n-nodes-bank\..*Trigger$/.test(type));
}

/** The example that a new user runs first. */
const first = 'payout-from-rows.json';

/** The example workflows: the recommended first one, then the others by name. */
export function readExamples(): Example[] {
	const files = readdirSync(examplesDir).filter((file) => file.endsWith('.json'));
	return files
		.sort()
		.sort((one, other) => Number(other === first) - Number(one === first))
		.map((file) => ({ file, workflow: readExample(file) }));
}

export function readExample(file: string): WorkflowFile {
	return JSON.parse(readFileSync(join(examplesDir, file), 'utf8')) as WorkflowFile;
}
