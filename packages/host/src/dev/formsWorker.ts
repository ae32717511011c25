// Generates the forms from the operation definitions in a separate thread, because a thread loads each module only once and the
// definitions have changed.
import { parentPort } from 'node:worker_threads';
import { generatedForms, write } from 'n8n-nodes-bank/scripts/generate.ts';

parentPort?.postMessage(write(await generatedForms()));
