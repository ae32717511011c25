const base = require('../../jest.config.base.cjs');

const project = { ...base, rootDir: __dirname };

module.exports = {
	projects: [
		{
			...project,
			displayName: 'unit',
			testPathIgnorePatterns: [
				'/node_modules/',
				'<rootDir>/test/e2e/',
				// Minutes of claims against claims, with processes killed: `npm run claims` in this package, each night.
				'<rootDir>/test/guard/',
				'<rootDir>/test/chaos/',
				'<rootDir>/test/queueMode/',
				'<rootDir>/test/console/',
				'<rootDir>/n8n/',
			],
		},
		{
			...project,
			displayName: 'e2e',
			testMatch: ['<rootDir>/test/e2e/**/*.test.ts'],
			// One n8n and one sandbox for all files of this project; not started when none of them runs.
			globalSetup: '<rootDir>/test/e2e/setup/start.ts',
			globalTeardown: '<rootDir>/test/e2e/setup/stop.ts',
			setupFilesAfterEnv: [...base.setupFilesAfterEnv, '<rootDir>/test/e2e/setup/timeout.ts'],
		},
		{
			...project,
			// The sandbox bank's pages in Chromium, without n8n.
			displayName: 'console',
			testMatch: ['<rootDir>/test/console/**/*.test.ts'],
			setupFilesAfterEnv: [...base.setupFilesAfterEnv, '<rootDir>/test/e2e/setup/timeout.ts'],
		},
		{
			...project,
			displayName: 'queue mode',
			testMatch: ['<rootDir>/test/queueMode/**/*.test.ts'],
			setupFilesAfterEnv: [...base.setupFilesAfterEnv, '<rootDir>/test/e2e/setup/timeout.ts'],
		},
		{
			...project,
			displayName: 'chaos',
			testMatch: ['<rootDir>/test/chaos/**/*.test.ts'],
			setupFilesAfterEnv: [...base.setupFilesAfterEnv, '<rootDir>/test/e2e/setup/timeout.ts'],
		},
	].map((each) => ({ ...each, modulePathIgnorePatterns: ['<rootDir>/n8n/'] })),
	// The files share one n8n, and an n8n and a Chromium at a time are enough for two cores.
	maxWorkers: 1,
};
