const base = require('../../jest.config.base.cjs');

// Claims in a real n8n, on SQLite and on PostgreSQL with two workers: `npm run claims`.
module.exports = {
	...base,
	rootDir: __dirname,
	testMatch: ['<rootDir>/test/claims/**/*.test.ts'],
	setupFilesAfterEnv: [...base.setupFilesAfterEnv, '<rootDir>/test/e2e/setup/timeout.ts'],
	modulePathIgnorePatterns: ['<rootDir>/n8n/'],
	maxWorkers: 1,
};
