/**
 * `npm run update-snapshots`: updates the snapshots of parameter names after printing the differences. Every line with `-` breaks
 * saved workflows.
 */
import { existsSync, globSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname } from 'node:path';
import { fileURLToPath } from 'node:url';

import { operations } from '@bank/core';

import { formatted } from './format.ts';
import { type ContractFields, type NodeContract, nodeContract, operationContract } from './publicContract.ts';

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const formFile = (id: string) => here(`../__snapshots__/forms/${id}.json`);
const nodesFile = here('../__snapshots__/nodes.json');
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown;

/** The lines to print; empty if nothing differs. */
export function difference(name: string, before: ContractFields, after: ContractFields): string[] {
	const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
	const lines = names
		.filter((field) => before[field] !== after[field])
		.flatMap((field) => [
			...(before[field] === undefined ? [] : [`  - ${field}: ${before[field]}`]),
			...(after[field] === undefined ? [] : [`  + ${field}: ${after[field]}`]),
		]);
	return lines.length === 0 ? [] : [name, ...lines];
}

async function updateSnapshots(): Promise<void> {
	// The node classes cannot be loaded here: n8n-workflow is built for bundlers and `require`.
	const nodes = read(here('../dist/types/nodes.json')) as Parameters<typeof nodeContract>[0];
	const credentials = read(here('../dist/types/credentials.json')) as Parameters<typeof nodeContract>[1];
	const files = new Map<string, object>();
	const removed: string[] = [];
	const shown: string[] = [];

	for (const operation of operations) {
		const file = formFile(operation.id);
		const form = operationContract(operation, nodes);
		const lines = difference(operation.id, existsSync(file) ? (read(file) as ContractFields) : {}, form);
		if (lines.length > 0 || !existsSync(file)) files.set(file, form);
		shown.push(...lines);
	}
	const current = new Set<string>(operations.map(({ id }) => id));
	for (const file of globSync(formFile('*'))) {
		const id = basename(file, '.json');
		if (current.has(id)) continue;
		removed.push(file);
		shown.push(...difference(id, read(file) as ContractFields, {}));
	}

	const before = (existsSync(nodesFile) ? read(nodesFile) : { nodes: {}, credentials: {} }) as NodeContract;
	const after = nodeContract(nodes, credentials);
	const changed = (['nodes', 'credentials'] as const).flatMap((kind) =>
		[...new Set([...Object.keys(before[kind]), ...Object.keys(after[kind])])].flatMap((name) =>
			difference(name, before[kind][name] ?? {}, after[kind][name] ?? {}),
		),
	);
	if (changed.length > 0) files.set(nodesFile, after);
	shown.push(...changed);

	if (files.size + removed.length === 0) return console.log('All snapshots are up to date.');
	console.log(shown.join('\n'));
	for (const [file, json] of files) {
		mkdirSync(dirname(file), { recursive: true });
		writeFileSync(file, await formatted('json', JSON.stringify(json)));
	}
	for (const file of removed) rmSync(file);
	console.log(
		`\nUpdated: ${files.size + removed.length} file(s) in packages/n8n-nodes-bank/__snapshots__. Lines with - break saved workflows.`,
	);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	if (!['', 'false', undefined].includes(process.env.CI)) {
		console.error(
			'Snapshots are not updated in CI. Run `npm run update-snapshots` on your machine and commit the result.',
		);
		process.exitCode = 1;
	} else await updateSnapshots();
}
