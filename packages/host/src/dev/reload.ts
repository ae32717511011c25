import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { pollUntil } from '../poll.ts';

/**
 * Called before the files of a package change; what it answers waits until n8n serves what is in them. With N8N_DEV_RELOAD n8n
 * watches the package, loads it anew and writes what the editor asks for as /types/*.json: the credentials last.
 */
export function reloadOf(userFolder: string): (files: readonly string[]) => Promise<void> {
	const served = join(userFolder, '.cache/n8n/public/types/credentials.json');
	const writtenAt = () => statSync(served, { throwIfNoEntry: false })?.mtimeMs;
	const before = writtenAt();
	return async (files) => {
		let toldAt = performance.now();
		await pollUntil(
			async () => {
				if (writtenAt() !== before) return true;
				// Right after its start n8n is ready, but not yet watching.
				if (performance.now() - toldAt < 2_000) return undefined;
				toldAt = performance.now();
				for (const file of files) utimesSync(file, new Date(), new Date());
				return undefined;
			},
			{ what: 'The reload by n8n', timeoutMs: 20_000, intervalMs: 20 },
		);
	};
}
