import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface Generated {
	/** The files written, as paths. */
	forms: string[];
	/** Resolves when the docs are written. The nodes can be built before. */
	docs: Promise<string[]>;
}

/** Cached, because formatting takes most of the time and most forms do not change. */
let formatted = new Map<string, string>();

/** Does what `npm run generate` does, with the current definitions. Throws if they cannot be loaded. */
export async function generate(): Promise<Generated> {
	// Worker warnings are about packages, not about the definitions.
	const worker = new Worker(new URL('generateWorker.ts', import.meta.url), { workerData: formatted, stderr: true });
	const [{ forms }] = (await once(worker, 'message')) as [{ forms: string[] }];
	const docs = docsOf(worker);
	// If the build has failed, nobody awaits the docs, whose error would be an unhandled rejection.
	docs.catch(() => undefined);
	return { forms, docs };
}

async function docsOf(worker: Worker): Promise<string[]> {
	const [message] = (await once(worker, 'message')) as [{ docs: string[]; formatted: Map<string, string> }];
	formatted = message.formatted;
	return message.docs;
}
