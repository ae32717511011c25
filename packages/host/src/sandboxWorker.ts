// The sandbox bank in a separate thread.
import { once } from 'node:events';
import { parentPort, workerData } from 'node:worker_threads';
import { type SandboxOptions, startSandbox } from '@bank/fixtures/sandbox';

if (!parentPort) throw new Error('To be started by sandboxThread.ts.');
const sandbox = await startSandbox(workerData as SandboxOptions);
parentPort.postMessage(sandbox.connection.baseUrl);
await once(parentPort, 'message');
parentPort.postMessage(sandbox.settings.tokens);
