import base from '../../stryker.base.mjs';

// Without the tests that read the sources, the build or the docs.
const tests = ['test/{pipeline,http}/!(sources).test.ts', 'test/{rerun,sendPackage}.test.ts'];

export default {
	...base,
	mutate: ['nodes/shared/{pipeline,http}/**/*.ts'],
	jest: { ...base.jest, config: { testMatch: tests.map((file) => `<rootDir>/${file}`) } },
};
