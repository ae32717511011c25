import type { Contexts } from './workflow.ts';

/** What stands for GitHub, npm and the system in a rehearsal. */
export interface World {
	/** Folder of all files of the rehearsal. */
	folder: string;
	/** Bare git repository that stands for the one on GitHub. */
	origin: string;
	/** `owner/name`. */
	repository: string;
	/** A checkout of the commit that was pushed. */
	checkout: string;
	/** Folder with the system's programs. */
	programs: string;
	env: Record<string, string>;
	/** Steps that did not run, with the reason. */
	skipped: Map<string, string>;
}

/** A job that runs, as its steps see it. */
export interface RunningJob {
	world: World;
	home: string;
	workspace: string;
	/** Folders before the system's programs on PATH. */
	path: string[];
	contexts: Contexts & { github: Record<string, string> };
}
