// Generates the forms from the operation definitions in a separate thread, because a thread loads each module only once and the
// definitions have changed.
import { parentPort, workerData } from 'node:worker_threads';
import { formattedBefore } from 'n8n-nodes-bank/scripts/format.ts';
import { generatedForms, write } from 'n8n-nodes-bank/scripts/generate.ts';

for (const [source, text] of workerData as Map<string, string>) formattedBefore.set(source, text);
parentPort?.postMessage({ forms: write(await generatedForms()), formatted: formattedBefore });
