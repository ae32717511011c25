import { once } from 'node:events';
import { Worker } from 'node:worker_threads';
import type { SandboxOptions, TokenStore } from '@bank/fixtures/sandbox';
import { connectToSandbox, type SandboxAdmin } from './sandboxAdmin.ts';

export interface SandboxThread {
	readonly admin: SandboxAdmin;
	/** Restarts the sandbox with the current files and the old tokens. If the files cannot be loaded, the old sandbox continues. */
	restart(): Promise<void>;
	/** Tokens for the next sandbox. The last call before `stop`. */
	tokens(): Promise<TokenStore>;
	stop(): Promise<void>;
}

/** The sandbox bank in a thread, because Jest cannot load its libraries, and because a thread can be restarted with changed files. */
export async function startSandboxThread(options: SandboxOptions, tokens?: TokenStore): Promise<SandboxThread> {
	let worker = await loaded(options);
	const admin = await connectToSandbox(await answerOf<string>(worker, tokens));
	const tokensNow = () => answerOf<TokenStore>(worker);
	const stop = async () => void (await worker.terminate());
	return {
		admin,
		async restart() {
			const next = await loaded(options);
			const left = await tokensNow();
			await stop();
			worker = next;
			await answerOf<string>(worker, left);
		},
		tokens: tokensNow,
		stop,
	};
}

async function loaded(options: SandboxOptions): Promise<Worker> {
	const worker = new Worker(new URL('sandboxWorker.ts', import.meta.url), { workerData: options });
	await once(worker, 'message');
	return worker;
}

/** Sends a message to the worker and returns its next response. A test that fails to stop the sandbox ends all the same. */
async function answerOf<T>(worker: Worker, message?: unknown): Promise<T> {
	worker.ref();
	worker.postMessage(message);
	const [answer] = (await once(worker, 'message')) as [T];
	worker.unref();
	return answer;
}
