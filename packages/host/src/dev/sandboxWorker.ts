// The sandbox bank in a thread of its own, so that it can be started anew with changed files.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { type SandboxOptions, startSandbox, type TokenStore } from '@bank/fixtures/sandbox';

if (!parentPort) throw new Error('To be started by restartableSandbox.ts.');
// Loaded, so nothing keeps it from starting any more. It waits until the one before has left its ports and its tokens.
parentPort.postMessage('loaded');
const [tokens] = (await once(parentPort, 'message')) as [TokenStore | undefined];
const sandbox = await startSandbox({ ...(workerData as SandboxOptions), ...(tokens && { tokens }) });
parentPort.postMessage(sandbox.baseUrl);
await once(parentPort, 'message');
parentPort.postMessage(sandbox.tokens);
