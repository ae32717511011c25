// Stryker's jest runner, made to run no more than it must. Every test file loads all of core, so the runner's own way, all
// files with a filter on names, took seconds per mutant. This one runs file by file, quickest first, and stops at the first
// that kills; files without a test that reaches the mutant are left out.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';

import { strykerPlugins as jestPlugins, strykerValidationSchema } from '@stryker-mutator/jest-runner';

export { strykerValidationSchema };

export const strykerPlugins = jestPlugins.map((plugin) => ({
	...plugin,
	name: 'jest-by-file',
	factory: byFile(plugin.factory),
}));

function byFile(jestFactory) {
	const factory = (injector, options) => {
		const runner = jestFactory(injector);
		// The trial run happens in one process, the mutants in others.
		const filesFile = join(options.tempDirName, 'test-files.json');
		const { dryRun, mutantRun, run } = runner;
		let files;
		let only;

		runner.run = (settings) => run.call(runner, only ? { ...settings, testFiles: [only] } : settings);

		runner.dryRun = async (given) => {
			const result = await dryRun.call(runner, given);
			if (result.tests) writeFileSync(filesFile, JSON.stringify(filesOf(result.tests)));
			return result;
		};

		runner.mutantRun = async (given) => {
			files ??= JSON.parse(readFileSync(filesFile, 'utf8'));
			const wanted = given.testFilter && new Set(given.testFilter);
			const reaching = files.filter(({ tests }) => !wanted || tests.some((test) => wanted.has(test)));
			let nrOfTests = 0;
			let result;
			for (const entry of reaching) {
				only = entry.file;
				result = await mutantRun.call(runner, given);
				nrOfTests += result.nrOfTests ?? 0;
				if (result.status === 'survived') continue;
				files = [entry, ...files.filter((other) => other !== entry)];
				return result.nrOfTests === undefined ? result : { ...result, nrOfTests };
			}
			return result ?? { status: 'survived', nrOfTests };
		};
		return runner;
	};
	factory.inject = ['$injector', 'options'];
	return factory;
}

/** [{ file, tests }], those that take the least time first. */
function filesOf(tests) {
	const found = new Map();
	for (const { fileName, name, timeSpentMs } of tests) {
		const entry = found.get(fileName) ?? { file: fileName, tests: [], ms: 0 };
		entry.tests.push(name);
		entry.ms += timeSpentMs;
		found.set(fileName, entry);
	}
	return [...found.values()].sort((one, other) => one.ms - other.ms);
}
