import base from '../../stryker.base.mjs';

// All tests but those that read the sources, the build or the docs.
const tests = ['test/{form,http,idempotency,pipeline}/!(sources).test.ts', 'test/{limits,rerun,*Package}.test.ts'];

export default {
	...base,
	mutate: [
		'nodes/shared/{http,idempotency,limits,pipeline}/**/*.ts',
		'nodes/shared/form/{nondeterministic,outputFields,run,settings,unstablePart,unstableValues}.ts',
	],
	jest: { ...base.jest, config: { testMatch: tests.map((file) => `<rootDir>/${file}`) } },
};
