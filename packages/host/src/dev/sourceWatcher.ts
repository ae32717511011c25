import { type FSWatcher, readdirSync, statSync, watch } from 'node:fs';
import { join } from 'node:path';

/**
 * Tells which files below some folders have changed. The system's events only say when to look: editors that save by renaming,
 * and Node's own recursive watching of them, make it impossible to trust what an event says.
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

	/** Files written, made or deleted since the last call. */
	changes(): string[] {
		const before = this.known;
		this.known = this.look();
		const written = [...this.known].filter(([file, stamp]) => before.get(file) !== stamp).map(([file]) => file);
		const deleted = [...before.keys()].filter((file) => !this.known.has(file));
		return [...written, ...deleted].sort();
	}

	/** What we wrote ourselves is no change. */
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
			// Before its files are read, so that nothing is written unheard in between.
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
			// Deleted a moment ago: its parent has been heard, and the next look finds it gone.
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
