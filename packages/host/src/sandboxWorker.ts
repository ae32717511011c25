// The sandbox bank in a separate thread, so that it can be restarted with changed files.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { type SandboxOptions, startSandbox, type TokenStore } from '@bank/fixtures/sandbox';

if (!parentPort) throw new Error('To be started by sandboxThread.ts.');
// Everything is loaded. Waits until the previous sandbox has released its ports and passed on its tokens.
parentPort.postMessage('loaded');
const [tokens] = (await once(parentPort, 'message')) as [TokenStore | undefined];
const sandbox = await startSandbox({ ...(workerData as SandboxOptions), ...(tokens && { tokens }) });
parentPort.postMessage(sandbox.connection.baseUrl);
await once(parentPort, 'message');
parentPort.postMessage(sandbox.settings.tokens);
