// Writes what is derived from the operation definitions, in a thread of its own: modules are loaded once per thread, and the
// definitions have just changed. First the forms, which the nodes are built from, then the docs.
import { parentPort, workerData } from 'node:worker_threads';
import { formattedBefore } from 'n8n-nodes-bank/scripts/format.ts';
import { generatedForms, write } from 'n8n-nodes-bank/scripts/generate.ts';

for (const [source, text] of workerData as Map<string, string>) formattedBefore.set(source, text);
parentPort?.postMessage({ forms: write(await generatedForms()) });
// Loaded only now: the docs are read from the forms.
const { generatedDocs } = await import('n8n-nodes-bank/scripts/docs/generateDocs.ts');
parentPort?.postMessage({ docs: write(await generatedDocs()), formatted: formattedBefore });
