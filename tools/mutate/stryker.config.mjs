// What all parts have in common. mutate.mjs adds the part: files, reports, tests that are left out.
import { fileURLToPath } from 'node:url';

const here = (file) => fileURLToPath(new URL(file, import.meta.url));

export default {
	plugins: [here('./runner.mjs')],
	testRunner: 'jest-by-file',
	coverageAnalysis: 'perTest',
	// mutate.mjs runs it in a copy of the repository: packages find each other by links, which a sandbox of Stryker's would break.
	inPlace: true,
	incremental: true,
	// Every test imports all of its package, so looking for the related ones finds all of them, slowly.
	jest: {
		enableFindRelatedTests: false,
		// Long tests do not take part: one that takes so long waits for what the mutant keeps from coming.
		config: { testEnvironment: here('./environment.cjs'), testTimeout: 10_000 },
	},
	reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only', 'html'],
	// mutate.mjs judges, over all parts.
	thresholds: { break: null },
	// Endless loops are found by counting. This is for what only waits, and must not kill on a busy machine.
	timeoutMS: 60_000,
	dryRunTimeoutMinutes: 60,
	logLevel: 'warn',
};
