// What all parts have in common. mutate.mjs adds the part: files, reports, tests that are left out.
import { createRequire } from 'node:module';
import { fileURLToPath } from 'node:url';

const fixtures = createRequire(new URL('../../packages/fixtures/package.json', import.meta.url));

export default {
	plugins: [fileURLToPath(new URL('./runner.mjs', import.meta.url))],
	testRunner: 'jest-by-file',
	coverageAnalysis: 'perTest',
	// mutate.mjs runs it in a copy of the repository: packages find each other by links, which a sandbox of Stryker's would break.
	inPlace: true,
	incremental: true,
	// Every test imports all of its package, so looking for the related ones finds all of them, slowly.
	jest: {
		enableFindRelatedTests: false,
		// By its path: Stryker looks for it from the package under test, where pnpm does not lay it.
		config: { testEnvironment: fixtures.resolve('jest-environment-node') },
	},
	reporters: [process.stdout.isTTY ? 'progress' : 'progress-append-only', 'html'],
	// mutate.mjs judges, over all parts.
	thresholds: { break: null },
	// Endless loops are found by counting. This is for what only waits, and must not kill on a busy machine.
	timeoutMS: 60_000,
	dryRunTimeoutMinutes: 60,
	logLevel: 'warn',
};
