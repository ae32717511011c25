import base from '../../stryker.base.mjs';

// Without the tests that read the sources, the build or the docs.
const tests = ['test/run/!(sources).test.ts', 'test/{neverTwice,sendPackage}.test.ts'];

export default {
	...base,
	mutate: ['nodes/shared/run/**/*.ts'],
	jest: { ...base.jest, config: { testMatch: tests.map((file) => `<rootDir>/${file}`) } },
};
