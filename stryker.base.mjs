// Shared by every package's stryker.config.mjs. See "Mutation tests" in CONTRIBUTING.md.
export default {
	plugins: [import.meta.resolve('@stryker-mutator/jest-runner')],
	testRunner: 'jest',
	coverageAnalysis: 'perTest',
	// Workspace packages link to each other, so a copy would use the originals. Stryker restores the files at the end.
	inPlace: true,
	tempDirName: '.mutation/backup',
	// Mutants in code that runs while a module loads are skipped: each would need all tests.
	ignoreStatic: true,
	incremental: true,
	incrementalFile: '.mutation/incremental.json',
	// Every test imports its whole package, so all tests count as related.
	jest: { enableFindRelatedTests: false },
	reporters: ['clear-text', 'html', 'progress-append-only'],
	clearTextReporter: { allowColor: false, allowEmojis: false, logTests: false, reportTests: false },
	htmlReporter: { fileName: '.mutation/report.html' },
	thresholds: { high: 90, low: 80, break: 80 },
};
