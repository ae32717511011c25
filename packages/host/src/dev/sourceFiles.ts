import { statSync } from 'node:fs';
import { join } from 'node:path';
import { filesBelow } from '../n8nProcess.ts';

/**
 * Finds changed files below some folders by comparing times and sizes, because file system events are unreliable for editors that save
 * by renaming.
 */
export class SourceFiles {
	private readonly folders: readonly string[];
	private known = new Map<string, string>();

	constructor(folders: readonly string[]) {
		this.folders = folders;
	}

	/** Files written, created or deleted since the last call. The first call returns all. */
	async changes(): Promise<string[]> {
		const before = this.known;
		this.known = new Map();
		for (const folder of this.folders) this.remember((await filesBelow(folder, '.')).map((file) => join(folder, file)));
		const written = [...this.known].filter(([file, stamp]) => before.get(file) !== stamp).map(([file]) => file);
		const deleted = [...before.keys()].filter((file) => !this.known.has(file));
		return [...written, ...deleted].sort();
	}

	/** Remembers these files as they are now, so that our own changes to them are not reported. */
	remember(files: readonly string[]): void {
		for (const file of files) {
			const found = statSync(file, { throwIfNoEntry: false });
			if (found !== undefined) this.known.set(file, `${found.mtimeMs} ${found.size}`);
		}
	}
}
