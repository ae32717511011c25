// `npm run bench`: compares the nodes with alternatives, as ratios of two measurements in the same run on the same machine. Slow
// results do not fail it. It fails if a side does not return the expected rows, because then there is nothing to compare.
import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { parseArgs, promisify } from 'node:util';

import { ensureN8nInstalled } from '../n8nInstall.ts';
import { n8nDir, nodesPackageDir } from '../paths.ts';
import { Beds } from './bed.ts';
import { measured, type Result, type Row } from './measure.ts';
import { payingRows } from './paying.ts';
import { readingRows } from './reading.ts';
import { keep } from './results.ts';
import { sizeRows } from './sizes.ts';
import { startingRows } from './starting.ts';
import { triggerRows } from './triggers.ts';

/** In the order of the table. */
const rows: readonly Row[] = [...readingRows, ...payingRows, ...triggerRows, ...sizeRows, ...startingRows];

const help = `Usage: npm run bench -- [options]

  --only <text>   rows of this group, or with this in their name; may be given several times
  --pairs <n>     so many pairs that count, for a quick look
  --list          the rows and their groups`;

const { values: options } = parseArgs({
	options: {
		only: { type: 'string', multiple: true, default: [] },
		pairs: { type: 'string' },
		list: { type: 'boolean', default: false },
		help: { type: 'boolean', default: false },
	},
});

const beds = new Beds();
let interrupted = false;
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, stop);

try {
	if (options.help) console.log(help);
	else if (options.list) console.log(rows.map(({ group, name }) => `${group.padEnd(12)}${name}`).join('\n'));
	else await main();
} catch (error) {
	// Errors after an interruption are expected.
	if (!interrupted) console.error(error);
	process.exitCode = 1;
} finally {
	await beds.close();
}

function stop() {
	interrupted = true;
	void beds.close().finally(() => process.exit(130));
}

async function main() {
	const wanted = options.only.map((text) => text.toLowerCase());
	const isWanted = ({ group, name }: Row) =>
		wanted.length === 0 || wanted.some((text) => group === text || name.toLowerCase().includes(text));
	const chosen = rows.filter(isWanted);
	if (chosen.length === 0) throw new Error(`No row is called so.\n\n${help}`);
	await ensureN8nInstalled();

	console.log(`${chosen.length} of ${rows.length} rows, each of two things in turn …\n`);
	const versions = await versionsNow();
	const results: Result[] = [];
	for (const row of chosen) {
		const result = await measured(withPairs(row), beds, versions);
		results.push(result);
		console.error(`${row.name}: ${result.ratio} ${result.unit}`);
		await keep(
			results,
			rows.map(({ name }) => name),
		);
	}
	console.log('\nWritten: bench/results.json and bench/README.md');
	// Updates the table in bench/README.md.
	await promisify(execFile)(process.execPath, ['scripts/generate.ts'], { cwd: nodesPackageDir });
}

function withPairs(row: Row): Row {
	return options.pairs === undefined ? row : { ...row, pairs: Number(options.pairs) };
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
