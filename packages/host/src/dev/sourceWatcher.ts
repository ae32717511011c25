import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';

/**
 * Reports changed files below some folders. File system events only trigger a comparison, because they are unreliable for editors
 * that save by renaming.
 */
export class SourceWatcher {
	private readonly folders: readonly string[];
	private readonly heard: () => void;
	private readonly watched = new Map<string, FSWatcher>();
	private known: Map<string, string>;

	constructor(folders: readonly string[], heard: () => void) {
		this.folders = folders;
		this.heard = heard;
		this.known = this.look();
	}

	/** Files written, created or deleted since the last call. */
	changes(): string[] {
		const before = this.known;
		this.known = this.look();
		const written = [...this.known].filter(([file, stamp]) => before.get(file) !== stamp).map(([file]) => file);
		const deleted = [...before.keys()].filter((file) => !this.known.has(file));
		return [...written, ...deleted].sort();
	}

	/** Ignores changes that we made ourselves. */
	disregard(files: readonly string[]): void {
		for (const file of files) this.known.set(file, stampOf(file) ?? '');
	}

	close(): void {
		for (const watcher of this.watched.values()) watcher.close();
		this.watched.clear();
	}

	private look(): Map<string, string> {
		const found = new Map<string, string>();
		const folders = [...this.folders];
		for (const folder of folders) {
			// Started before the files are read, so that no change in between is missed.
			this.listen(folder);
			for (const entry of entriesOf(folder)) {
				const path = join(folder, entry.name);
				if (entry.isDirectory()) folders.push(path);
				else found.set(path, stampOf(path) ?? '');
			}
		}
		for (const [folder, watcher] of this.watched) {
			if (folders.includes(folder)) continue;
			watcher.close();
			this.watched.delete(folder);
		}
		return found;
	}

	private listen(folder: string) {
		if (this.watched.has(folder)) return;
		try {
			this.watched.set(folder, watch(folder, this.heard).on('error', this.heard));
		} catch {
			// The folder was deleted in the meantime. The event of its parent leads to a comparison that finds this.
		}
	}
}

function entriesOf(folder: string) {
	try {
		return readdirSync(folder, { withFileTypes: true });
	} catch {
		return [];
	}
}

function stampOf(file: string): string | undefined {
	const found = statSync(file, { throwIfNoEntry: false });
	return found && `${found.mtimeMs} ${found.size}`;
}
