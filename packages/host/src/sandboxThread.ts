import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SandboxOptions, TokenStore } from '@bank/fixtures/sandbox';
import { connectToSandbox, type SandboxAdmin } from './sandboxAdmin.ts';

export interface SandboxThread {
	readonly admin: SandboxAdmin;
	/** Returns the tokens for the next sandbox. Call it last before `stop`. */
	tokens(): Promise<TokenStore>;
	stop(): Promise<void>;
}

/** The sandbox bank in a thread, because Jest cannot load its libraries. */
export async function startSandboxThread(options: SandboxOptions): Promise<SandboxThread> {
	const worker = new Worker(new URL('sandboxWorker.ts', import.meta.url), { workerData: options });
	const [baseUrl] = (await once(worker, 'message')) as [string];
	// The process can end even if a test fails to stop the sandbox.
	worker.unref();
	return {
		admin: await connectToSandbox(baseUrl),
		async tokens() {
			worker.ref();
			worker.postMessage('tokens');
			const [tokens] = (await once(worker, 'message')) as [TokenStore];
			return tokens;
		},
		stop: async () => void (await worker.terminate()),
	};
}
