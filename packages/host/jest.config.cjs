const base = require('../../jest.config.base.cjs');

const project = {
	...base,
	rootDir: __dirname,
	modulePathIgnorePatterns: ['<rootDir>/n8n/', '<rootDir>/n8n-versions/'],
};
const inN8n = [...base.setupFilesAfterEnv, '<rootDir>/test/e2e/setup/timeout.ts'];

const e2e = (...names) => names.map((name) => `<rootDir>/test/e2e/${name}.test.ts`);
/** What starts an n8n of its own, stops it, kills it. */
const ownN8n = { demo: e2e('start', 'triggerExamples', 'exampleRestarts'), cluster: e2e('triggers') };

const shared = [
	{
		...project,
		displayName: 'unit',
		testPathIgnorePatterns: [
			'/node_modules/',
			'<rootDir>/test/e2e/',
			// Minutes of claims against claims, with processes killed: `npm run claims` in this package, each night.
			'<rootDir>/test/claims/',
			'<rootDir>/test/chaos/',
			'<rootDir>/test/queueMode/',
			'<rootDir>/test/console/',
			'<rootDir>/n8n/',
			'<rootDir>/n8n-versions/',
		],
	},
	{
		...project,
		displayName: 'e2e',
		testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
		testPathIgnorePatterns: ['/node_modules/', ...ownN8n.demo, ...ownN8n.cluster],
		// One n8n and one sandbox for all files of this project; not started when none of them runs.
		globalSetup: '<rootDir>/test/e2e/setup/start.ts',
		globalTeardown: '<rootDir>/test/e2e/setup/stop.ts',
		setupFilesAfterEnv: inN8n,
	},
];

const demo = [
	{ ...project, displayName: 'e2e', testMatch: ownN8n.demo, setupFilesAfterEnv: inN8n },
	{
		...project,
		// The sandbox bank's pages in Chromium, without n8n.
		displayName: 'console',
		testMatch: ['<rootDir>/test/console/**/*.test.ts'],
		setupFilesAfterEnv: inN8n,
	},
];

const cluster = [
	{ ...project, displayName: 'e2e', testMatch: ownN8n.cluster, setupFilesAfterEnv: inN8n },
	{
		...project,
		displayName: 'queue mode',
		testMatch: ['<rootDir>/test/queueMode/**/*.test.ts'],
		setupFilesAfterEnv: inN8n,
	},
	{ ...project, displayName: 'chaos', testMatch: ['<rootDir>/test/chaos/**/*.test.ts'], setupFilesAfterEnv: inN8n },
];

/**
 * About as long each, as tasks of their own: the two or three that run at the same time are enough for two cores. jest alone, for one
 * file, knows all of them.
 */
const parts = { shared, demo, cluster };

module.exports = {
	projects: parts[process.env.TEST_PART] ?? [...shared, ...demo, ...cluster],
	// The files of a part share one n8n, or start one each.
	maxWorkers: 1,
};
