/**
 * `npm run accept`: makes the names that the forms have now the promised ones. Shows every difference first: a line that goes, or
 * changes, is a saved workflow that breaks.
 */
import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { operations } from '@bank/core';

import { formatted } from './format.ts';
import { nodePromises, type Promises, promisesOf } from './promises.ts';

type Json = Record<string, unknown>;

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const oracle = (file: string) => here(`../../fixtures/oracle/${file}`);
const read = (file: string) => JSON.parse(readFileSync(file, 'utf8')) as unknown;

/** Lines of a difference, as they are printed; none where there is none. */
export function difference(name: string, before: Promises, after: Promises): string[] {
	const names = [...new Set([...Object.keys(before), ...Object.keys(after)])].sort();
	const lines = names
		.filter((field) => before[field] !== after[field])
		.flatMap((field) => [
			...(before[field] === undefined ? [] : [`  - ${field}: ${before[field]}`]),
			...(after[field] === undefined ? [] : [`  + ${field}: ${after[field]}`]),
		]);
	return lines.length === 0 ? [] : [name, ...lines];
}

async function accept(): Promise<void> {
	// The classes themselves cannot be loaded here: n8n-workflow is built for bundlers and for `require`.
	const described = read(here('../dist/types/nodes.json')) as Parameters<typeof nodePromises>[0];
	const credentials = read(here('../dist/types/credentials.json')) as Parameters<typeof nodePromises>[1];
	const files = new Map<string, Json>();
	const shown: string[] = [];

	const without = operations.filter(({ id }) => !existsSync(oracle(`${id.replace('.', '/')}.json`)));
	if (without.length > 0) {
		console.error(
			`No oracle yet: ${without.map(({ id }) => `packages/fixtures/oracle/${id.replace('.', '/')}.json`).join(', ')}`,
		);
		process.exitCode = 1;
		return;
	}
	for (const operation of operations) {
		const file = oracle(`${operation.id.replace('.', '/')}.json`);
		const known = read(file) as Json & { form?: Promises };
		const form = promisesOf(operation, described);
		const lines = difference(operation.id, known.form ?? {}, form);
		if (lines.length > 0) files.set(file, { ...known, form });
		shown.push(...lines);
	}

	const nodesFile = oracle('nodes.json');
	const before = (existsSync(nodesFile) ? read(nodesFile) : { nodes: {}, credentials: {} }) as ReturnType<
		typeof nodePromises
	>;
	const after = nodePromises(described, credentials);
	const changed = (['nodes', 'credentials'] as const).flatMap((kind) =>
		[...new Set([...Object.keys(before[kind]), ...Object.keys(after[kind])])].flatMap((name) =>
			difference(name, before[kind][name] ?? {}, after[kind][name] ?? {}),
		),
	);
	if (changed.length > 0) files.set(nodesFile, { ...after });
	shown.push(...changed);

	if (files.size === 0) return console.log('The forms have the promised names.');
	console.log(shown.join('\n'));
	for (const [file, json] of files) writeFileSync(file, await formatted('json', JSON.stringify(json)));
	console.log(`\nAccepted: ${files.size} file(s) of packages/fixtures/oracle. Lines with - were promised before.`);
}

if (process.argv[1] === fileURLToPath(import.meta.url)) {
	if (!['', 'false', undefined].includes(process.env.CI)) {
		console.error(
			'Promised names are accepted by a person: run `npm run accept` on your machine and commit what it writes.',
		);
		process.exitCode = 1;
	} else await accept();
}
