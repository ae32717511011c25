// What keeps a test file loaded, so that a mutant costs its tests and not the loading of all of core as well.
const { createRequire } = require('node:module');

// From where pnpm lays it: Stryker would look for it in the package under test.
const { TestEnvironment } = createRequire(require.resolve('../../packages/fixtures/package.json'))(
	'jest-environment-node',
);

/** Path -> the file that is about to be loaded from there. Runner and environment are in one process. */
const opened = new Map();

/** A loaded test file, which runs some of its tests with one mutant, then others with another. */
class TestFile {
	/** What the changed source looks at: which mutant is active, and how often it was passed. */
	mutant;
	#tests = [];
	#pause;
	#round;
	#next = Promise.withResolvers();
	#noticed;

	constructor(mutant) {
		this.mutant = { ...mutant };
	}

	/** Which of the tests, by name, notices the mutant; undefined when none does. The first that does ends the round. */
	run(names, mutant) {
		const { promise, resolve } = Promise.withResolvers();
		this.#next.resolve({ names, mutant, resolve });
		return promise;
	}

	/** Lets jest come to its end. */
	close() {
		this.#next.resolve(undefined);
	}

	/** jest runs what the root block lists, as long as it lists: a pause, the tests, a pause, the tests, … */
	begin({ rootDescribeBlock: root }) {
		const blocks = [...root.children];
		this.#tests = testsIn(root);
		const pause = { type: 'describeBlock', name: '', parent: root, children: [], hooks: [], tests: [] };
		this.#pause = pause;
		const hasRound = () => this.#round !== undefined;
		function* rounds() {
			for (yield pause; hasRound(); yield pause) yield* blocks;
		}
		root.children = Object.assign([...blocks], { filter: () => [], [Symbol.iterator]: rounds });
	}

	isPause(block) {
		return block === this.#pause;
	}

	async nextRound() {
		// Also what hooks add, which belong to no test.
		const failed = this.#tests.find(({ errors }) => errors.length > 0);
		this.#round?.resolve(failed && nameOf(failed));
		this.#round = await this.#next.promise;
		if (!this.#round) return;
		this.#next = Promise.withResolvers();
		this.#noticed = false;
		Object.assign(this.mutant, this.#round.mutant);
		for (const test of this.#tests)
			Object.assign(test, { errors: [], invocations: 0, status: null, mode: this.#modeOf(test) });
	}

	#modeOf(test) {
		return this.#round.names.has(nameOf(test)) ? undefined : 'skip';
	}

	start(test) {
		if (this.#noticed) test.mode = 'skip';
	}

	end(test) {
		if (test.errors.length > 0) this.#noticed = true;
	}
}

function testsIn(block) {
	return block.children.flatMap((child) => (child.type === 'test' ? [child] : testsIn(child)));
}

/** As Stryker calls it. */
function nameOf({ name, parent }) {
	return parent ? `${nameOf(parent)} ${name}`.trimStart() : '';
}

/** In the trial run, where no file was opened, it is jest's own. */
class MutantEnvironment extends TestEnvironment {
	#file;

	constructor(config, context) {
		super(config, context);
		this.#file = opened.get(context.testPath);
		opened.delete(context.testPath);
		if (this.#file) this.global.__stryker__ = this.#file.mutant;
	}

	async handleTestEvent({ name, test, describeBlock }, state) {
		const file = this.#file;
		if (!file) return;
		if (name === 'run_start') file.begin(state);
		if (name === 'run_describe_start' && file.isPause(describeBlock)) await file.nextRound();
		if (name === 'test_start') file.start(test);
		if (name === 'test_done') file.end(test);
	}
}

module.exports = Object.assign(MutantEnvironment, { opened, TestFile });
