import { statSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
import { pollUntil } from '../poll.ts';

/**
 * Returns a function to call before the files of a package change. The promise that it returns resolves when n8n serves the new
 * files. With N8N_DEV_RELOAD, n8n watches the package, reloads it and writes /types/*.json for the editor, credentials last.
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
				// n8n reports that it is ready shortly before it starts watching.
				if (performance.now() - toldAt < 2_000) return false;
				toldAt = performance.now();
				for (const file of files) utimesSync(file, new Date(), new Date());
				return false;
			},
			{ what: 'The reload by n8n', intervalMs: 20 },
		);
	};
}
