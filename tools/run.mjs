// Runs every `npm run …` of the repository: installs what is missing (Node 24, the workspace), then runs the task.
// Plain JavaScript without dependencies, because nothing may be installed yet and Node may be as old as 20.12.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import os from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const windows = process.platform === 'win32';
const hasNode24 = Number.parseInt(process.versions.node) >= 24;
const node24Home = join(root, 'tools/node24');
// Not .bin: on Windows it contains a .cmd file, which some programs cannot start.
const node24Bin = join(node24Home, 'node_modules/node/bin');
const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1' };

/** Task name -> function of the remaining arguments that returns an exit code. */
const tasks = {
	build: (args) => turbo(['build', ...args]),
	lint,
	format: (args) => prettier(['--write', ...args]),
	typecheck: (args) => typecheck(args),
	test: (args) => runTests('test', ['lint', 'test', ...args], [overAll(), typecheck()]),
	'test:all': (args) => runTests('test:all', ['test:all', 'test:all:own', ...args]),
	start: (args) => builtThen('packages/host/src/start.ts', args),
	dev: (args) => builtThen('packages/host/src/start.ts', ['--watch', ...args]),
	// The first argument names a package, the others go to Stryker.
	mutate: ([only, ...args]) => packageScripts('mutate', args, only),
	sandbox: (args) => node(['packages/fixtures/src/sandbox/cli.ts', ...args]),
	generate: (args) => packageScripts('generate', args),
	'update-snapshots': (args) => packageScripts('update-snapshots', args),
	'new:operation': (args) => node(['tools/newOperation/newOperation.mjs', ...args]),
	bench: (args) => builtThenScripts('bench', args),
	chaos: (args) => builtThenScripts('chaos', args),
	'test:nightly': (args) => builtThenScripts('test:nightly', args),
	simulate,
	pictures: (args) => builtThenScripts('pictures', args),
	site: (args) => packageScripts('site', args),
	'release:check': (args) => builtThenScripts('release:check', args),
	'release:rehearse': (args) => packageScripts('release:rehearse', args),
	'test:image': (args) => builtThenScripts('test:image', args),
};

const [task, ...args] = process.argv.slice(2);
process.exitCode = await main();

async function main() {
	const [major, minor] = process.versions.node.split('.').map(Number);
	if (major < 20 || (major === 20 && minor < 12)) {
		return stop(`This repository needs Node 20.12 or newer to start; this is Node ${process.versions.node}.`);
	}
	if (!Object.hasOwn(tasks, task ?? ''))
		return stop(`Usage: node tools/run.mjs <${Object.keys(tasks).join(' | ')}> [options]`);
	return (await ensureNode24()) || (await ensureWorkspace()) || (await tasks[task](args));
}

// ---- tasks -------------------------------------------------------------------------------------------------------------------

function turbo(args) {
	return node(turboCommand(args, 'new-only'));
}

/**
 * Turbo's default of 10 at once is too much for a small machine. One more than the number of cores, because tests that start n8n or a
 * browser wait for a fifth of their time.
 */
function turboCommand(args, logs) {
	const concurrency = Math.max(2, os.availableParallelism()) + 1;
	const turboBin = join(root, 'node_modules/turbo/bin/turbo');
	return [turboBin, 'run', `--output-logs=${logs}`, `--concurrency=${concurrency}`, ...args];
}

async function lint(args) {
	const unsound = await overAll(args);
	return (await turbo(['lint', '--continue'])) || unsound;
}

/** Checks over all packages: formatting, spelling, imports. Each uses one core. */
function overAll(files = []) {
	return firstFailure([prettier(['--check', ...files]), spelling(), node(['tools/lint/structure.mjs'])]);
}

async function firstFailure(exitCodes) {
	return (await Promise.all(exitCodes)).find((code) => code !== 0) ?? 0;
}

/** Spelling, and the terms that CONTRIBUTING.md ("Language") replaces. */
function spelling() {
	const options = ['--no-progress', '--no-summary', '--cache', '--cache-location', 'node_modules/.cache/cspell'];
	return node([join(root, 'node_modules/cspell/bin.mjs'), 'lint', ...options]);
}

/** All packages at once; otherwise every package that imports a file would report its errors again. */
function typecheck(args = []) {
	return node([join(root, 'node_modules/typescript/bin/tsc'), '-p', root, ...args]);
}

function prettier([how, ...files]) {
	const targets = files.length > 0 ? files : ['.'];
	return node([join(root, 'node_modules/prettier/bin/prettier.cjs'), '--log-level=warn', '--cache', how, ...targets]);
}

/** Builds the nodes. Shows turbo's output only if it fails. */
async function build() {
	const report = spawnSync(currentNode(), turboCommand(['build', '--filter=n8n-nodes-bank...'], 'errors-only'), {
		cwd: root,
		env,
		encoding: 'utf8',
	});
	if (report.status !== 0)
		console.error(
			`${report.stdout}${report.stderr}${report.error?.message ?? ''}\nThe nodes could not be built: see above.`,
		);
	return report.status ?? 1;
}

async function builtThen(script, args) {
	return (await build()) || node([script, ...args]);
}

async function builtThenScripts(name, args) {
	return (await build()) || packageScripts(name, args);
}

/** Histories of payouts with the real nodes: --runs (default 1,000) and --seed of the first one (default 1). */
function simulate(args) {
	const { values } = parseArgs({ args, options: { runs: { type: 'string' }, seed: { type: 'string' } } });
	Object.assign(env, { SIMULATION_RUNS: values.runs ?? '1000', SIMULATION_SEED: values.seed ?? '1' });
	const jest = join(root, 'node_modules/jest/bin/jest.js');
	return node([jest, 'test/simulation/simulation.test.ts'], join(root, 'packages/n8n-nodes-bank'));
}

/** Runs a script in each package that has it, or in one package. Not through turbo, because these are never cached. */
async function packageScripts(name, args, only) {
	const found = packages().filter(
		({ dir, scripts }) => scripts?.[name] && (!only || dir === join(root, 'packages', only)),
	);
	if (!found.length) return stop(`No package${only ? ` ${only}` : ''} has a script named "${name}".`);
	for (const { dir } of found) {
		const code = await node([join(root, 'node_modules/pnpm/bin/pnpm.mjs'), 'run', name, ...args], dir);
		if (code) return code;
	}
	return 0;
}

/** Runs these tasks of turbo, then prints how many tests passed and failed. `checks` are exit codes of checks that run before them. */
async function runTests(script, turboTasks, checks = []) {
	const withTests = packages().filter((p) => p.scripts?.[script]);
	// Count only this run's results. Turbo restores those of cached test tasks.
	for (const { dir } of withTests) rmSync(join(dir, '.test-results'), { recursive: true, force: true });
	const [unsound, prepared] = await Promise.all([firstFailure(checks), node(['packages/host/src/cli/installN8n.ts'])]);
	if (prepared) return prepared;
	const code = (await turbo([...turboTasks, '--continue'])) || unsound;

	const counts = { passed: 0, failed: 0, skipped: 0 };
	const silent = [];
	for (const { dir, name } of withTests) {
		const results = resultsIn(join(dir, '.test-results'));
		if (!results.length) silent.push(name);
		for (const result of results) {
			counts.passed += result.numPassedTests;
			// A test file that cannot be loaded has no tests, but is a failure.
			counts.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
			counts.skipped += result.numPendingTests;
		}
	}
	if (silent.length) console.log(`No test result from: ${silent.join(', ')}`);
	if (code && !counts.failed && !silent.length)
		console.log('All tests passed, but another check did not: see the output above.');
	if (counts.skipped) console.log(`${counts.skipped} skipped: a required program is missing, see the warnings above`);
	console.log(`${counts.passed} passed, ${counts.failed} failed`);
	return code || (counts.failed || silent.length ? 1 : 0);
}

function resultsIn(dir) {
	if (!existsSync(dir)) return [];
	return readdirSync(dir)
		.filter((file) => file.endsWith('.json'))
		.map((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')));
}

// ---- installation --------- ------------------------------------------------------------------------------------------------

/** n8n and the `.ts` files need Node 24. If the machine's Node is older, installs one from npm and puts it first on PATH. */
async function ensureNode24() {
	if (hasNode24) return 0;
	if (!existsSync(currentNode())) {
		console.log('Fetching Node 24 (this machine has an older one) …');
		// pnpm considers an interrupted install complete, so start from scratch.
		rmSync(join(node24Home, 'node_modules'), { recursive: true, force: true });
		const code = await install(node24Home);
		if (code) return code;
		if (!existsSync(currentNode()))
			return stop('Node 24 could not be installed into tools/node24. Install Node 24 or newer yourself and try again.');
	}
	putOnPath(node24Bin);
	return 0;
}

async function ensureWorkspace() {
	const stamp = join(root, 'node_modules/.modules.yaml');
	const manifests = ['pnpm-lock.yaml', 'pnpm-workspace.yaml', 'package.json'].map((file) => join(root, file));
	for (const { dir } of [...packages(), { dir: join(root, 'tools/lint') }]) manifests.push(join(dir, 'package.json'));
	const complete = packages().every(
		({ dir, devDependencies }) => !devDependencies || existsSync(join(dir, 'node_modules')),
	);
	if (!complete || !existsSync(stamp) || manifests.some((file) => statSync(file).mtimeMs > statSync(stamp).mtimeMs)) {
		console.log('Installing the workspace …');
		const code = await install(root);
		if (code) return code;
		// pnpm does not touch the file if there is nothing to do.
		utimesSync(stamp, new Date(), new Date());
	}
	putOnPath(join(root, 'node_modules/.bin'));
	// Tests and lint start a hundred processes that load the same files.
	env.NODE_COMPILE_CACHE = join(root, 'node_modules/.cache/node');
	return 0;
}

/** Uses the pnpm version in `packageManager` through npx. */
function install(cwd) {
	const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	// --prefer-offline: otherwise npx waits long for an unreachable registry.
	const npx = ['--yes', '--prefer-offline', packageManager];
	return run(
		'npx',
		[...npx, 'install', '--frozen-lockfile', '--config.confirmModulesPurge=false', '--reporter=append-only'],
		{ cwd, shell: windows },
	);
}

function packages() {
	return readdirSync(join(root, 'packages'))
		.map((name) => join(root, 'packages', name))
		.filter((dir) => existsSync(join(dir, 'package.json')))
		.map((dir) => ({ dir, ...JSON.parse(readFileSync(join(dir, 'package.json'), 'utf8')) }));
}

// ---- processes ---------------------------------------------------------------------------------------------------------------

function putOnPath(dir) {
	const key = Object.keys(env).find((name) => name.toUpperCase() === 'PATH') ?? 'PATH';
	env[key] = dir + delimiter + (env[key] ?? '');
}

/** The Node that is first on PATH, which may differ from the one that runs this file. */
function currentNode() {
	return hasNode24 ? process.execPath : join(node24Bin, windows ? 'node.exe' : 'node');
}

function node(args, cwd) {
	return run(currentNode(), args, { cwd });
}

/** Runs a command in this terminal and returns its exit code. Forwards signals. */
function run(command, args, { cwd = root, shell = false } = {}) {
	return new Promise((resolve) => {
		const child = shell
			? spawn([command, ...args.map((arg) => JSON.stringify(arg))].join(' '), { cwd, env, stdio: 'inherit', shell })
			: spawn(command, args, { cwd, env, stdio: 'inherit' });
		const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
		const forward = (signal) => child.kill(signal);
		for (const signal of signals) process.on(signal, forward);
		// npm starts us through a shell. A signal to npm ends that shell and does not reach us.
		const parent = process.ppid;
		const watch =
			process.env.npm_lifecycle_event && setInterval(() => process.ppid !== parent && forward('SIGTERM'), 500);
		const done = (code) => {
			clearInterval(watch);
			for (const signal of signals) process.off(signal, forward);
			resolve(code);
		};
		child.on('error', (error) => done(stop(`${command} could not be started: ${error.message}`)));
		child.on('close', (code, signal) => done(code ?? 128 + (os.constants.signals[signal] ?? 0)));
	});
}

function stop(message) {
	console.error(message);
	return 1;
}
