// Generates files from the operation definitions in a separate thread, because a thread loads each module only once and the
// definitions have changed. Forms come first, because the nodes are built from them.
import { parentPort, workerData } from 'node:worker_threads';
import { formattedBefore } from 'n8n-nodes-bank/scripts/format.ts';
import { generatedForms, write } from 'n8n-nodes-bank/scripts/generate.ts';

for (const [source, text] of workerData as Map<string, string>) formattedBefore.set(source, text);
parentPort?.postMessage({ forms: write(await generatedForms()) });
// Imported after the forms are written, because the docs are generated from them.
const { generatedDocs } = await import('n8n-nodes-bank/scripts/docs/generateDocs.ts');
parentPort?.postMessage({ docs: write(await generatedDocs()), formatted: formattedBefore });
