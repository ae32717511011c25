// Stryker's jest runner, made to run no more than it must. Every test file loads all of core, and loading took nearly all of the
// time: now a file is loaded once and its tests run with one mutant after the other (environment.cjs). Files run one by one, the
// quickest first, to the first test that notices. A mutant of what runs while files load needs a load of its own: of the file that
// noticed the last one, then of all files in one,
// but for those that mock modules.
import { readFileSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';

import { strykerPlugins as jestPlugins, strykerValidationSchema } from '@stryker-mutator/jest-runner';

const { opened, TestFile } = createRequire(import.meta.url)('./environment.cjs');

export { strykerValidationSchema };

export const strykerPlugins = jestPlugins.map((plugin) => ({
	...plugin,
	name: 'jest-by-file',
	factory: byFile(plugin.factory),
}));

const noMutant = { activeMutant: undefined, hitCount: undefined, hitLimit: undefined };

/** Milliseconds from which on a test waits until all quicker ones, of every file, have run. */
const slowMs = 100;

function byFile(jestFactory) {
	const factory = (injector, options) => {
		const runner = jestFactory(injector);
		// The trial run happens in one process, the mutants in others.
		const groupsFile = join(options.tempDirName, 'test-files.json');
		const { dryRun } = runner;
		const kept = new Map();
		let groups;
		let unsteady;

		runner.dryRun = async (given) => {
			const result = await dryRun.call(runner, given);
			if (result.tests) writeFileSync(groupsFile, JSON.stringify(groupsOf(result.tests)));
			return result;
		};

		runner.mutantRun = async ({ activeMutant, testFilter, reloadEnvironment, hitLimit }) => {
			groups ??= JSON.parse(readFileSync(groupsFile, 'utf8'));
			// Stryker allows for a hundred times what the trial run took, which takes an endless loop of requests minutes.
			const mutant = { activeMutant: activeMutant.id, hitCount: 0, hitLimit: hitLimit && hitLimit / 10 };
			const wanted = testFilter && new Set(testFilter);
			let whole;
			let isFirst = true;
			let nrOfTests = 0;
			try {
				for (const group of groups) {
					const names = new Set(group.names.filter((name) => wanted?.has(name) ?? true));
					if (names.size === 0) continue;
					nrOfTests += names.size;
					const isInWhole = reloadEnvironment && !isFirst && !mocksModules(group.file);
					if (isInWhole) {
						unsteady ??= await unsteadyTests();
						whole ??= load(wholeFile(), mutant);
						for (const name of unsteady) names.delete(name);
					}
					const { error, noticed } = await (isInWhole
						? run(whole, names, mutant)
						: (reloadEnvironment ? triedAlone : tried)(group.file, names, mutant));
					isFirst = false;
					if (error !== undefined) return { status: 'error', errorMessage: error };
					if (noticed === undefined) continue;
					groups = [group, ...groups.filter((other) => other !== group)];
					return { status: 'killed', killedBy: [noticed], failureMessage: '', nrOfTests };
				}
			} finally {
				if (whole) await close(whole);
			}
			return { status: 'survived', nrOfTests };
		};

		runner.dispose = async () => {
			for (const path of [...kept.keys()].reverse()) await unload(path);
		};

		/** In a file that stays loaded. What a mutant leaves behind there must not be held against the next. */
		async function tried(path, names, mutant) {
			if (!kept.has(path)) kept.set(path, load(path));
			const found = await run(kept.get(path), names, mutant);
			if (found.noticed === undefined) return found;
			const { noticed } = await run(kept.get(path), new Set([found.noticed]), noMutant);
			if (noticed === undefined) return found;
			await unload(path);
			return triedAlone(path, names, mutant);
		}

		async function triedAlone(path, names, mutant) {
			const loaded = load(path, mutant);
			const found = await run(loaded, names, mutant);
			await close(loaded);
			return found;
		}

		async function run({ file, over }, names, mutant, options) {
			const result = await Promise.race([file.run(names, mutant, options).then((failed) => ({ failed })), over]);
			Object.assign(file.mutant, noMutant);
			return { ...result, noticed: result.failed?.[0] };
		}

		function load(path, mutant = noMutant) {
			const file = new TestFile(mutant);
			opened.set(path, file);
			// It is over before it is closed only if it could not be loaded.
			const over = runner
				.run({ jestConfig: { ...runner.jestConfig, testMatch: [path] }, testFiles: [path] })
				.then(({ dryRunResult }) => ({ error: dryRunResult.errorMessage ?? 'no tests' }));
			return { file, over };
		}

		/** All test files in one: what a mutant in their sources needs is loaded once for all. */
		function wholeFile() {
			const path = join(process.cwd(), 'test/whole.mutants.ts');
			const files = [...new Set(groups.map(({ file }) => file))].filter((file) => !mocksModules(file)).sort();
			writeFileSync(path, files.map((file) => `import ${JSON.stringify(file)};\n`).join(''));
			return path;
		}

		/** Those that fail, without any mutant, where all files are loaded in one. */
		async function unsteadyTests() {
			const found = new Set();
			const whole = load(wholeFile());
			const names = new Set(groups.filter(({ file }) => !mocksModules(file)).flatMap((group) => group.names));
			for (let isSteady = false; !isSteady;) {
				const { failed = [] } = await run(whole, names, noMutant, { all: true });
				for (const name of failed) found.add(name);
				isSteady = !failed.some((name) => names.delete(name));
			}
			await close(whole);
			return found;
		}

		async function unload(path) {
			const loaded = kept.get(path);
			kept.delete(path);
			await close(loaded);
		}

		async function close({ file, over }) {
			file.close();
			await over;
		}

		return runner;
	};
	factory.inject = ['$injector', 'options'];
	return factory;
}

/** Such a file cannot be loaded with others, which may have loaded the module itself by then. */
const mocksModules = (file) => /\bjest\.mock\(/.test(readFileSync(file, 'utf8'));

/**
 * The part of the whole time, and the milliseconds, from which on a test does not take part. Those are the few that prove something of
 * 100,000 rows or of any input; what survives would cost each of them, which made nearly all of the time. A mutant that they alone
 * notice counts as a survivor.
 */
const long = { share: 1 / 200, ms: 500 };

/** [{ file, names }]: the quick tests of each file, those files first that take the least time; then each slow one. */
function groupsOf(tests) {
	const wholeMs = tests.reduce((sum, { timeSpentMs }) => sum + timeSpentMs, 0);
	const quick = new Map();
	const slow = [];
	for (const { fileName: file, name, timeSpentMs: ms } of tests) {
		if (ms > long.ms && ms > long.share * wholeMs) continue;
		if (ms >= slowMs) {
			slow.push({ file, names: [name], ms });
			continue;
		}
		const group = quick.get(file) ?? { file, names: [], ms: 0 };
		group.names.push(name);
		group.ms += ms;
		quick.set(file, group);
	}
	const quickestFirst = (one, other) => one.ms - other.ms;
	return [...[...quick.values()].sort(quickestFirst), ...slow.sort(quickestFirst)];
}
