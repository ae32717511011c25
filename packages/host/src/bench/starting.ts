import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

import { startN8n } from '../n8nProcess.ts';
import { OwnedProcess } from '../ownedProcess.ts';
import { repoDir } from '../paths.ts';
import { freePort } from '../ports.ts';
import { cleanups } from '../steps.ts';
import type { Row } from './measure.ts';

/** Runs `npm start` until it prints the URL of n8n. */
async function npmStart(stateDir: string, [port, sandbox, secured]: readonly number[]): Promise<number> {
	const ports = ['--port', port, '--sandbox-port', sandbox, '--sandbox-tls-port', secured].map(String);
	const start = performance.now();
	const owned = new OwnedProcess({
		command: process.execPath,
		args: [join(repoDir, 'tools/run.mjs'), 'start', ...ports, '--state-dir', stateDir],
		cwd: repoDir,
		env: process.env,
	});
	const isReady = async () => owned.logTail().includes('Ctrl-C stops both');
	await owned.until('The end of npm start', isReady, { intervalMs: 20 });
	const milliseconds = performance.now() - start;
	await owned.stop();
	return milliseconds;
}

async function n8nAlone(userFolder: string): Promise<number> {
	const settings = {
		userFolder,
		port: await freePort(),
		encryptionKey: 'bench-encryption-key',
		// `npm start` gives n8n a compile cache, which saves it time. Users who start n8n themselves have none.
		env: { NODE_DISABLE_COMPILE_CACHE: '1' },
	};
	const start = performance.now();
	const n8n = await startN8n(settings);
	const milliseconds = performance.now() - start;
	await n8n.stop();
	return milliseconds;
}

export const startingRows: Row[] = [
	{
		name: 'npm start, second time',
		against: 'starting n8n alone',
		target: '<= 1.5',
		async sides() {
			const folder = await mkdtemp(join(tmpdir(), 'n8n-nodes-bank-start-'));
			cleanups.push(() => rm(folder, { recursive: true, force: true, maxRetries: 3 }));
			// Every start uses the same ports, as for a user.
			const ports = [await freePort(), await freePort(), await freePort()];
			// The first start, which takes longer, is the warm-up and not counted.
			return {
				ours: async () => await npmStart(join(folder, 'demo'), ports),
				other: async () => await n8nAlone(join(folder, 'alone')),
			};
		},
	},
];
