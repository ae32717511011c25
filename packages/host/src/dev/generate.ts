import { once } from 'node:events';
import { Worker } from 'node:worker_threads';

export interface Generated {
	/** The files written, as paths. */
	forms: string[];
	/** What else is derived comes later: the nodes can be built without it. */
	docs: Promise<string[]>;
}

/** Formatting is most of the work, and most forms are as they were. */
let formatted = new Map<string, string>();

/** What `npm run generate` does, from the definitions as they are now. Throws when they do not load. */
export async function generate(): Promise<Generated> {
	// Its warnings are about packages, not about the definitions.
	const worker = new Worker(new URL('generateWorker.ts', import.meta.url), { workerData: formatted, stderr: true });
	const [{ forms }] = (await once(worker, 'message')) as [{ forms: string[] }];
	const docs = docsOf(worker);
	// Callers that await the docs still get the error. If the build failed, nobody does, and it would be an unhandled rejection.
	docs.catch(() => undefined);
	return { forms, docs };
}

async function docsOf(worker: Worker): Promise<string[]> {
	const [message] = (await once(worker, 'message')) as [{ docs: string[]; formatted: Map<string, string> }];
	formatted = message.formatted;
	return message.docs;
}
