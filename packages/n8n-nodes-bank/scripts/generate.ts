/**
 * `pnpm generate`: writes everything that is derived from the operation definitions: forms (descriptions/generated/), reference docs
 * and the OpenAPI file. Committed, so that every change of a form shows in the diff; CI checks that it leaves no diff.
 */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { resourcesOf } from '@bank/core';

import { nodeForm } from './forms/node.ts';
import { sourceOf } from './forms/source.ts';
import { writtenForms } from './forms/written.ts';
import { className, nodeNames } from './names.ts';
import { generatedSchemas } from './schemas.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Path -> text, as `write` takes it: the form of each node. */
export async function generatedForms(): Promise<Map<string, string>> {
	const files = new Map<string, string>();
	for (const node of nodeNames) {
		const resources = resourcesOf(node);
		const { forms, written } = await writtenForms(resources);
		const whole = forms.flatMap(({ whole: name, file }) => (name === undefined ? [] : [{ name, file }]));
		const text = await sourceOf('operationFields', nodeForm(resources, written), whole);
		files.set(here(`../nodes/${className(node)}/descriptions/generated/operationFields.ts`), text);
	}
	return files;
}

/** Writes what changed; tells whether anything did. */
export function write(files: Map<string, string>): string[] {
	const changed: string[] = [];
	for (const [path, text] of files) {
		if (existsSync(path) && readFileSync(path, 'utf8') === text) continue;
		mkdirSync(dirname(path), { recursive: true });
		writeFileSync(path, text);
		changed.push(path);
	}
	return changed;
}

async function generate(): Promise<void> {
	const forms = write(await generatedForms());
	// Loaded only now: the docs are read from the forms.
	const { generatedDocs } = await import('./docs.ts');
	const schemas = write(await generatedSchemas(here('../nodes')));
	const changed = [...forms, ...schemas, ...write(await generatedDocs())];
	console.log(changed.length === 0 ? 'Everything generated is up to date.' : `Written: ${changed.length} file(s).`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) void generate();
