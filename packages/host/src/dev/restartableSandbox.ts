import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SandboxOptions, TokenStore } from '@bank/fixtures/sandbox';
import { connectToSandbox, type SandboxAdmin } from '../sandboxAdmin.ts';

export interface RestartableSandbox {
	readonly access: SandboxAdmin;
	/** Restarts the sandbox with the current files and the old tokens. If the files cannot be loaded, the old sandbox continues. */
	restart(): Promise<void>;
	close(): Promise<void>;
}

/** The sandbox bank with fixed ports and secrets, so that callers need not notice a restart. */
export async function startRestartableSandbox(options: SandboxOptions): Promise<RestartableSandbox> {
	let worker = await loaded(options);
	const access = await connectToSandbox(await answerOf<string>(worker));
	return {
		access,
		async restart() {
			const next = await loaded(options);
			const tokens = await answerOf<TokenStore>(worker);
			await worker.terminate();
			worker = next;
			await answerOf<string>(worker, tokens);
		},
		close: async () => void (await worker.terminate()),
	};
}

async function loaded(options: SandboxOptions): Promise<Worker> {
	const worker = new Worker(new URL('sandboxWorker.ts', import.meta.url), { workerData: options });
	await once(worker, 'message');
	return worker;
}

/** Sends a message to the worker and returns its next response. */
async function answerOf<T>(worker: Worker, message?: unknown): Promise<T> {
	worker.postMessage(message);
	const [answer] = (await once(worker, 'message')) as [T];
	return answer;
}
