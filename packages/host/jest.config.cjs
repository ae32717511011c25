const base = require('../../jest.config.base.cjs');

/** The tests of a folder of `test/`, by its name: `jest --selectProjects main all/console`. */
const folder = (name, more = {}) => ({
	...base,
	rootDir: __dirname,
	displayName: name,
	testMatch: [`<rootDir>/test/${name}/**/*.test.ts`],
	modulePathIgnorePatterns: ['<rootDir>/n8n/', '<rootDir>/n8n-versions/'],
	...more,
});

const slow = { setupFilesAfterEnv: [...base.setupFilesAfterEnv, '<rootDir>/test/support/timeout.ts'] };

/** One n8n and one sandbox for all files; not started when none of them runs. */
const sharedN8n = {
	...slow,
	globalSetup: '<rootDir>/test/support/startShared.ts',
	globalTeardown: '<rootDir>/test/support/stopShared.ts',
};

module.exports = {
	projects: [
		folder('unit'),
		folder('engine'),
		folder('main', sharedN8n),
		folder('all/sharedN8n', sharedN8n),
		...['all/ownN8n', 'all/console', 'nightly'].map((name) => folder(name, slow)),
	],
	// Most files share one n8n. Those in all/ownN8n start one each and run two at a time.
	maxWorkers: 1,
	// jest reads the timeout here, not in a project.
	testTimeout: base.testTimeout,
	testSequencer: '<rootDir>/jest.sequencer.cjs',
};
