import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { promisify } from 'node:util';

import type { Contender } from './compare.ts';

/** `require` of n8n-workflow, which n8n has loaded anyway, and of everything the package brings, after it. Each in a new process. */
export function loadTimes(packageDir: string): [Contender, Contender] {
	const n8nWorkflow = `require('n8n-workflow')`;
	const bundle = async () => {
		const { n8n } = JSON.parse(await readFile(join(packageDir, 'package.json'), 'utf8')) as {
			n8n: { nodes: string[]; credentials: string[] };
		};
		return [...n8n.nodes, ...n8n.credentials].map((file) => `require(${JSON.stringify(`./${file}`)})`).join(';');
	};
	return [
		{ name: 'n8n-workflow', run: async () => await timed(packageDir, '', n8nWorkflow) },
		{ name: 'nodes and credentials', run: async () => await timed(packageDir, n8nWorkflow, await bundle()) },
	];
}

async function timed(cwd: string, before: string, code: string) {
	const script = `${before}; const start = performance.now(); ${code}; console.log(performance.now() - start)`;
	const { stdout } = await promisify(execFile)(process.execPath, ['-e', script], { cwd });
	return { milliseconds: Number(stdout) };
}
