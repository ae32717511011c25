// Every `npm run …` of the repository comes through here: it brings what is missing (Node 24, the workspace), then runs the task.
// Plain JavaScript without dependencies, because at this point nothing may be installed and Node may be as old as 20.12.
import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readFileSync, readdirSync, rmSync, statSync, utimesSync } from 'node:fs';
import os from 'node:os';
import { delimiter, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = join(dirname(fileURLToPath(import.meta.url)), '..');
const windows = process.platform === 'win32';
const hasNode24 = Number.parseInt(process.versions.node) >= 24;
const node24Home = join(root, 'tools/node24');
// The real folder rather than .bin: on Windows .bin holds a .cmd file, which not everything can start.
const node24Bin = join(node24Home, 'node_modules/node/bin');
const env = { ...process.env, TURBO_TELEMETRY_DISABLED: '1', TURBO_NO_UPDATE_NOTIFIER: '1', DO_NOT_TRACK: '1' };

/** Task name -> what it does with the arguments that follow it. Each answers with an exit code. */
const tasks = {
	build: (args) => turbo(['build', ...args]),
	lint,
	format: (args) => prettier(['--write', ...args]),
	typecheck: (args) => typecheck(args),
	test: async (args) => {
		const unsound = await overAll();
		const mistyped = await typecheck();
		return await runTests('test', ['lint', 'test', ...args], unsound || mistyped);
	},
	'test:all': (args) => runTests('test:all', ['test:all', 'test:all:own', 'test:all:cluster', ...args]),
	start: (args) => builtThen('packages/host/src/start.ts', args),
	dev: (args) => builtThen('packages/host/src/start.ts', ['--watch', ...args]),
	// The first argument names a package, the others go to Stryker.
	mutate: ([only, ...args]) => packageScripts('mutate', args, only),
	sandbox: (args) => node(['packages/fixtures/src/sandbox/cli.ts', ...args]),
	generate: (args) => packageScripts('generate', args),
	accept: (args) => builtThenScripts('accept', args),
	'new:operation': (args) => node(['tools/newOperation/newOperation.mjs', ...args]),
	bench: (args) => builtThenScripts('bench', args),
	chaos: (args) => builtThenScripts('chaos', args),
	claims: (args) => builtThenScripts('claims', args),
	pictures: (args) => builtThenScripts('pictures', args),
	site: (args) => packageScripts('site', args),
	'release:check': (args) => builtThenScripts('release:check', args),
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

function turboCommand(args, logs) {
	// Turbo's own default (10 at a time) would run many test suites at once on a small machine. One more than it has cores: what
	// starts n8n or a browser waits for them a fifth of its time.
	const concurrency = Math.max(2, os.availableParallelism()) + 1;
	return [
		join(root, 'node_modules/turbo/bin/turbo'),
		'run',
		`--output-logs=${logs}`,
		`--concurrency=${concurrency}`,
		...args,
	];
}

async function lint(args) {
	const unsound = await overAll(args);
	return (await turbo(['lint', '--continue'])) || unsound;
}

/** What is checked over all packages at once: the form of the files, which imports which, and the code that is in no package. */
async function overAll(files = []) {
	const unformatted = await prettier(['--check', ...files]);
	const unsound = await node([join(root, 'node_modules/eslint/bin/eslint.js'), 'tools', '*.mjs', '*.cjs']);
	return (await node(['tools/lint/structure.mjs'])) || unsound || unformatted;
}

/** All packages in one go: in each by itself, an error would be told by every package that imports the file. */
function typecheck(args = []) {
	return node([join(root, 'node_modules/typescript/bin/tsc'), '-p', root, ...args]);
}

function prettier([how, ...files]) {
	const targets = files.length > 0 ? files : ['.'];
	return node([join(root, 'node_modules/prettier/bin/prettier.cjs'), '--log-level=warn', '--cache', how, ...targets]);
}

/** The nodes and what they need, for a task that only wants them built: turbo's report is shown when it has something to say. */
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

/** Runs a script of that name in each package that has one, or only in one. Not through turbo: these are never worth caching. */
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

/** Runs these tasks of turbo, then prints how many tests passed and failed. `earlier` is the exit code of a check before them. */
async function runTests(script, turboTasks, earlier = 0) {
	const withTests = packages().filter((p) => p.scripts?.[script]);
	// A count may only come from this run. Turbo puts the files of a cached (unchanged) test task back in place.
	for (const { dir } of withTests) rmSync(join(dir, '.test-results'), { recursive: true, force: true });
	const prepared = await node(['packages/host/src/cli/installN8n.ts']);
	if (prepared) return prepared;
	const code = (await turbo([...turboTasks, '--continue'])) || earlier;

	const counts = { passed: 0, failed: 0, skipped: 0 };
	const silent = [];
	for (const { dir, name } of withTests) {
		const results = resultsIn(join(dir, '.test-results'));
		if (!results.length) silent.push(name);
		for (const result of results) {
			counts.passed += result.numPassedTests;
			// A file that could not even be loaded has no tests to count; it still is a failure.
			counts.failed += result.numFailedTests + result.numRuntimeErrorTestSuites;
			counts.skipped += result.numPendingTests;
		}
	}
	if (silent.length) console.log(`No test result from: ${silent.join(', ')}`);
	if (code && !counts.failed && !silent.length)
		console.log('All tests passed, but another check did not: see the output above.');
	if (counts.skipped)
		console.log(`${counts.skipped} skipped: a program that they need is missing, see the warnings above`);
	console.log(`${counts.passed} passed, ${counts.failed} failed`);
	return code || (counts.failed || silent.length ? 1 : 0);
}

function resultsIn(dir) {
	if (!existsSync(dir)) return [];
	return readdirSync(dir)
		.filter((file) => file.endsWith('.json'))
		.map((file) => JSON.parse(readFileSync(join(dir, file), 'utf8')));
}

// ---- what must be there first ------------------------------------------------------------------------------------------------

/** n8n and the `.ts` files need Node 24. Where the machine's Node is older, a private one from npm goes first on PATH. */
async function ensureNode24() {
	if (hasNode24) return 0;
	if (!existsSync(currentNode())) {
		console.log('Fetching Node 24 (this machine has an older one) …');
		// A half-finished install counts as done for pnpm, so it starts from nothing.
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
		// pnpm leaves the file alone when it finds nothing to do.
		utimesSync(stamp, new Date(), new Date());
	}
	putOnPath(join(root, 'node_modules/.bin'));
	return 0;
}

/** By pnpm of the version the repository names, through npx: it need not be installed. */
function install(cwd) {
	const { packageManager } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));
	// --prefer-offline: without it npx waits long for a registry that is away.
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

/** The Node that is first on PATH by now, which is not always the one that runs this file. */
function currentNode() {
	return hasNode24 ? process.execPath : join(node24Bin, windows ? 'node.exe' : 'node');
}

function node(args, cwd) {
	return run(currentNode(), args, { cwd });
}

/** Runs a command with our terminal and hands its exit code on. Signals that only we received go on to the command. */
function run(command, args, { cwd = root, shell = false } = {}) {
	return new Promise((resolve) => {
		const child = shell
			? spawn([command, ...args.map((arg) => JSON.stringify(arg))].join(' '), { cwd, env, stdio: 'inherit', shell })
			: spawn(command, args, { cwd, env, stdio: 'inherit' });
		const signals = ['SIGINT', 'SIGTERM', 'SIGHUP'];
		const forward = (signal) => child.kill(signal);
		for (const signal of signals) process.on(signal, forward);
		// npm puts a shell between itself and us, and a signal sent to npm alone ends that shell without reaching us.
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
