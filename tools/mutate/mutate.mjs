// `npm run mutate -- [package] [files]`: changes the source in small ways, one at a time, and sees whether the package's own tests
// notice. Writes .mutation/report.md and fails where a folder has less than the score that is asked for.
import { spawn } from 'node:child_process';
import { globSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import os from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';

import { copyWorkspace } from '../../packages/fixtures/src/workspaceCopy.ts';
import { readResults, reportOf, summaryOf } from './report.mjs';

const root = join(import.meta.dirname, '../..');
const resultsDir = join(root, '.mutation');
const leastScore = 80;

/**
 * Where a survivor may cost money or hide a failure, and by which tests of the package it has to be noticed: not by those that read source
 * files. The rooms of a run answer to their own tests and to those of payments: the tests of every node pass through them as well, and
 * notice little that these do not.
 */
const parts = [
	{
		name: 'core',
		files: ['src/{client,errors,schemas,triggers}/**/*.ts', 'src/operations/payment/**/*.ts'],
		tests: ['**/!(portable)'],
	},
	{ name: 'credentials', files: ['src/**/*.ts'], tests: ['**/*'] },
	{
		name: 'n8n-nodes-bank',
		files: ['nodes/shared/run/**/*.ts'],
		tests: ['run/!(sources)', 'neverTwice', 'sendPackage'],
	},
];

const usage = `Usage: npm run mutate -- [options] [<${parts.map(({ name }) => name).join(' | ')}> [<files, as a glob in that package> …]]

  --concurrency <number>  how many test runs at a time (one per core)
  --force                 also mutants whose outcome is known from an earlier run and whose file and tests have not changed`;

process.exitCode = await main();

async function main() {
	const options = readOptions();
	if (!options) return 1;
	const { chosen, concurrency, force } = options;
	mkdirSync(resultsDir, { recursive: true });
	const copy = mkdtempSync(join(os.tmpdir(), 'n8n-nodes-bank-mutate-'));
	try {
		copyWorkspace(copy);
		for (const part of chosen) {
			console.log(`\n${part.name}: ${part.sources.length} files`);
			const code = await stryker(join(copy, 'packages', part.name), part, concurrency, force);
			if (code !== 0) return code;
		}
	} finally {
		rmSync(copy, { recursive: true, force: true });
	}
	const results = chosen.flatMap((part) => readResults(resultFile(part), part));
	const { text, below } = summaryOf(results, leastScore);
	writeFileSync(join(resultsDir, 'report.md'), reportOf(results, text));
	console.log(`\n${text}\n\nSurvivors: .mutation/report.md; in their source: .mutation/<package>.html`);
	if (below.length === 0) return 0;
	console.error(`\nBelow ${leastScore}: ${below.join(', ')}`);
	return 1;
}

function readOptions() {
	let parsed;
	try {
		parsed = parseArgs({
			allowPositionals: true,
			options: { concurrency: { type: 'string' }, force: { type: 'boolean' }, help: { type: 'boolean' } },
		});
	} catch (error) {
		return void console.error(`${error.message}\n\n${usage}`);
	}
	const { values, positionals } = parsed;
	const [name, ...files] = positionals;
	const wanted = name === undefined ? parts : parts.filter((part) => part.name === name);
	if (values.help || !wanted.length) return void console.error(usage);
	const chosen = wanted
		.map((part) => ({ ...part, ...(files.length > 0 && { files }) }))
		.map((part) => ({ ...part, sources: sourcesOf(part) }))
		.filter((part) => part.sources.length > 0);
	if (!chosen.length) return void console.error('No file matches.');
	return { chosen, concurrency: values.concurrency ?? String(os.availableParallelism()), force: values.force === true };
}

function sourcesOf({ name, files }) {
	return globSync(files, { cwd: join(root, 'packages', name) })
		.map((file) => file.replaceAll('\\', '/'))
		.sort();
}

function resultFile({ name }) {
	return join(resultsDir, `${name}.json`);
}

function stryker(cwd, part, concurrency, force) {
	// A file rather than arguments: what is told to jest cannot be said on a command line.
	const config = join(cwd, 'stryker.config.mjs');
	const settings = {
		mutate: part.sources,
		concurrency: Number(concurrency),
		force,
		incrementalFile: resultFile(part),
		htmlReporter: { fileName: join(resultsDir, `${part.name}.html`) },
	};
	const testMatch = part.tests.map((name) => `<rootDir>/test/${name}.test.ts`);
	writeFileSync(
		config,
		`import base from '../../tools/mutate/stryker.config.mjs';
Object.assign(base.jest.config, ${JSON.stringify({ testMatch })});
export default Object.assign(base, ${JSON.stringify(settings)});
`,
	);
	const bin = join(root, 'node_modules/@stryker-mutator/core/bin/stryker.js');
	return new Promise((resolve) => {
		const child = spawn(process.execPath, [bin, 'run', config], { cwd, stdio: 'inherit' });
		// The terminal has told Stryker as well: it keeps what it knows by then, and we still have to tidy up.
		for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => child.kill(signal));
		child.on('close', (code) => resolve(code ?? 1));
	});
}
