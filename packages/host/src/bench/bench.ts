// `npm run bench`: compares the nodes with alternatives, as ratios of two measurements in the same run on the same machine. Slow
// results do not fail it. It fails if a side does not return the expected rows, because then there is nothing to compare.
// `npm run bench -- --only <part of a name>` measures only some rows.
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { ensureN8nInstalled } from '../n8nInstall.ts';
import { n8nDir, nodesPackageDir, repoDir } from '../paths.ts';
import { runSteps } from '../steps.ts';
import { eventRows } from './events.ts';
import { growthRows } from './growth.ts';
import { logRows } from './logged.ts';
import { measured, type Result, type Row } from './measure.ts';
import { payingRows } from './paying.ts';
import { readingRows } from './reading.ts';
import { sizeRows } from './sizes.ts';
import { startingRows } from './starting.ts';
import { triggerRows } from './triggers.ts';

/** The rows in the order of the table. */
const rows: readonly Row[] = [
	...readingRows,
	...payingRows,
	...logRows,
	...eventRows,
	...triggerRows,
	...growthRows,
	...sizeRows,
	...startingRows,
];

const { only } = parseArgs({ options: { only: { type: 'string', multiple: true, default: [''] } } }).values;

await runSteps(main);

async function main(): Promise<string> {
	const isWanted = ({ name }: Row) => only.some((text) => name.toLowerCase().includes(text.toLowerCase()));
	const chosen = rows.filter(isWanted);
	assert(chosen.length > 0, `No row has such a name. The rows:\n${rows.map(({ name }) => name).join('\n')}`);
	await ensureN8nInstalled();

	console.log(`${chosen.length} of ${rows.length} rows, each of two things in turn …\n`);
	const versions = await versionsNow();
	const results: Result[] = [];
	for (const row of chosen) {
		const result = await measured(row, versions);
		results.push(result);
		console.error(`${row.name}: ${result.ratio} ${result.unit}`);
		await keep(results);
	}
	// Updates the table in bench/README.md.
	await promisify(execFile)(process.execPath, ['scripts/generate.ts'], { cwd: nodesPackageDir });
	return '\nWritten: bench/results.json and bench/README.md';
}

/** Replaces the measured rows in bench/results.json and keeps the others, in the order of the table. */
async function keep(results: readonly Result[]): Promise<void> {
	const file = join(repoDir, 'bench/results.json');
	const kept = (JSON.parse(await readFile(file, 'utf8')) as { rows: Result[] }).rows;
	const found = new Map([...kept, ...results].map((result) => [result.name, result]));
	const inOrder = rows.flatMap(({ name }) => found.get(name) ?? []);
	await writeFile(file, `${JSON.stringify({ rows: inOrder }, null, '\t')}\n`);
}

async function versionsNow(): Promise<Record<string, string>> {
	const versionOf = async (dir: string) =>
		(JSON.parse(await readFile(join(dir, 'package.json'), 'utf8')) as { version: string }).version;
	return {
		n8n: await versionOf(n8nDir),
		node: process.versions.node,
		'n8n-nodes-bank': await versionOf(nodesPackageDir),
	};
}
