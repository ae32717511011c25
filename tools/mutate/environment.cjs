const { createRequire } = require('node:module');

// From where pnpm lays it: Stryker would look for it in the package under test.
const { TestEnvironment } = createRequire(require.resolve('../../packages/fixtures/package.json'))(
	'jest-environment-node',
);

/** Passes over the rest of a test file once a test of it has noticed the mutant. jest ends after files only. */
module.exports = class UntilNoticed extends TestEnvironment {
	#noticed = false;

	handleTestEvent({ name, test }) {
		// Not in the trial run, which has no mutant.
		if (process.env.__STRYKER_ACTIVE_MUTANT__ === undefined) return;
		if (name === 'test_done' && test.errors.length > 0) this.#noticed = true;
		if (name === 'test_start' && this.#noticed) test.mode = 'skip';
	}
};
