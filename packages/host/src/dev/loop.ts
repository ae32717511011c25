import { once } from 'node:events';
import { statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import { build } from 'n8n-nodes-bank/build.mjs';
import { filesBelow, placePackage } from '../n8nProcess.ts';
import { nodesPackageDir, repoDir } from '../paths.ts';
import { reloadOf } from './reload.ts';

/** Folders with sources of the published package. */
const folders = [
	...['packages/core/src', 'packages/credentials/src'],
	...['credentials', 'icons', 'nodes', 'scripts'].map((folder) => `packages/n8n-nodes-bank/${folder}`),
].map((folder) => join(repoDir, folder));

/** Milliseconds between two checks of the sources. */
const period = 250;

/**
 * Updates a running n8n with N8N_DEV_RELOAD after every change of the sources.
 *
 * @returns a function that stops this, after an update that is under way
 */
export function watchSources(userFolder: string, say: (line: string) => void): () => Promise<void> {
	const stopped = new AbortController();
	const run = async () => {
		let times = await modificationTimes();
		// The forms may be older than the definitions.
		await attempt('as it stands', userFolder, say);
		while (!stopped.signal.aborted) {
			await sleep(period);
			const before = times;
			times = await modificationTimes();
			const [first, ...more] = [...times].filter(([file, time]) => before.get(file) !== time);
			if (first === undefined) continue;
			const file = pathInRepo(first[0]);
			await attempt(more.length > 0 ? `${file} and ${more.length} more` : file, userFolder, say);
		}
	};
	const ended = run();
	return async () => {
		stopped.abort();
		await ended;
	};
}

/** Modification times of the sources. File system events would miss some ways in which editors save. */
async function modificationTimes(): Promise<Map<string, number>> {
	const found = await Promise.all(
		folders.map(async (folder) => (await filesBelow(folder, '.')).map((file) => join(folder, file))),
	);
	// Generated forms are results and not sources.
	const sources = found.flat().filter((file) => !/[\\/]generated[\\/]/.test(file));
	return new Map(sources.map((file) => [file, statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? 0]));
}

async function attempt(title: string, userFolder: string, say: (line: string) => void): Promise<void> {
	const started = performance.now();
	try {
		const forms = await generateForms();
		if (forms.length > 0) say(`${title}: generated ${forms.map(pathInRepo).join(', ')}`);
		await build(nodesPackageDir);
		const outcome = await placeNodes(userFolder);
		say(`${title}: ${outcome} (${Math.round(performance.now() - started)} ms)`);
	} catch (error) {
		say(`${title}: ${error instanceof Error ? error.stack : String(error)}\nWhat was built before stays in use.`);
	}
}

/** Returns the files written. Throws if the definitions cannot be loaded. */
async function generateForms(): Promise<string[]> {
	// Worker warnings are about packages, not about the definitions.
	const worker = new Worker(new URL('formsWorker.ts', import.meta.url), { stderr: true });
	const [forms] = (await once(worker, 'message')) as [string[]];
	return forms;
}

async function placeNodes(userFolder: string): Promise<string> {
	const reload = reloadOf(userFolder);
	const files = await placePackage({ name: 'n8n-nodes-bank', dir: nodesPackageDir }, userFolder);
	if (files.length === 0) return 'nothing new for n8n';
	await reload(files);
	return 'n8n has reloaded';
}

function pathInRepo(file: string): string {
	return relative(repoDir, file).replaceAll('\\', '/');
}
