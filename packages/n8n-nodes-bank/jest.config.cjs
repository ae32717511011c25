module.exports = {
	...require('../../jest.config.base.cjs'),
	rootDir: __dirname,
	setupFiles: ['<rootDir>/test/support/skipWaits.ts'],
};
