/**
 * `pnpm generate`: writes forms (descriptions/generated/), output schemas, reference docs and the OpenAPI file from the operation
 * definitions. The results are committed, so that reviewers see every change of a form; a test fails if they are out of date.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';

import { resourcesOf } from '@bank/core';

import { ownedFiles } from './docs/owner.ts';
import { nodeForm } from './forms/nodeForm.ts';
import { commonFieldsOf } from './forms/commonFields.ts';
import { commonSource, formSource } from './forms/source.ts';
import { readParts } from './forms/readParts.ts';
import { className, nodeNames } from './names.ts';
import { generatedSchemas } from './outputSchemas.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));

/** Fields of operations that triggers have too: those of *Account Operation: Get Many* and of *Webhook: Update*. */
const ofTriggers = [
	...['accounts', 'arrayFormat', 'cards', 'maxMegabytes', 'maxRows', 'operationDirection', 'pageSize'],
	...['organizationIdHash', 'registeredCallbackUri'],
];

/** The text of each file with the form of a node, and of the file with the fields of several nodes; by path. */
export async function generatedForms(): Promise<Map<string, string>> {
	const forms = await Promise.all(
		nodeNames.map(async (node) => {
			const resources = resourcesOf(node);
			return { folder: className(node), fields: nodeForm(resources, await readParts(resources)) };
		}),
	);
	const common = commonFieldsOf(
		forms.map(({ fields }) => fields),
		ofTriggers,
	);
	const files = new Map([[here('../nodes/shared/descriptions/generated/commonFields.ts'), await commonSource(common)]]);
	for (const { folder, fields } of forms) {
		const file = here(`../nodes/${folder}/descriptions/generated/operationFields.ts`);
		files.set(file, await formSource(fields, common));
	}
	return files;
}

/** Writes the files whose text has changed and returns their paths. */
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

/** Files of operations that no longer exist. */
export function orphans(files: ReadonlyMap<string, string>): string[] {
	const generated = new Set([...files.keys()].map((path) => resolve(path)));
	return ['../nodes/*/__schema__/**/*.json', '../../../docs/reference/*.md', '../../../docs/service-details/*.json']
		.flatMap((pattern) => globSync(here(pattern)))
		.filter((path) => !generated.has(resolve(path)));
}

async function generate(): Promise<void> {
	const forms = write(await generatedForms());
	// The docs are generated from the forms, so they are loaded after the forms are written.
	const { generatedDocs } = await import('./docs/generateDocs.ts');
	const schemas = await generatedSchemas(here('../nodes'));
	const docs = await generatedDocs();
	const changed = [...forms, ...write(schemas), ...write(docs), ...write(ownedFiles())];
	const deleted = orphans(new Map([...schemas, ...docs]));
	for (const path of deleted) rmSync(path);
	const counts = Object.entries({ Written: changed.length, Deleted: deleted.length }).filter(([, count]) => count > 0);
	console.log(
		counts.map(([what, count]) => `${what}: ${count} file(s).`).join(' ') || 'Everything generated is up to date.',
	);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) void generate();
