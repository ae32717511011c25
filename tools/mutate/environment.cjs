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
	/** Each with its name. */
	#tests = new Map();
	#pause;
	#round;
	#next = Promise.withResolvers();
	#noticed = false;
	#isStray = false;

	constructor(mutant) {
		this.mutant = { ...mutant };
	}

	/** Which of the tests notice the mutant, by name. The first that does ends the round, unless all are asked for. */
	run(names, mutant, { all = false } = {}) {
		const { promise, resolve } = Promise.withResolvers();
		this.#next.resolve({ names, mutant, all, resolve });
		return promise;
	}

	/** Lets jest come to its end. */
	close() {
		this.#next.resolve(undefined);
	}

	/** jest runs what the root block lists, as long as it lists: a pause, the tests, a pause, the tests, … */
	begin({ rootDescribeBlock: root }) {
		const blocks = [...root.children];
		this.#tests = new Map(testsIn(root).map((test) => [test, nameOf(test)]));
		const isWanted = (block) =>
			[block].concat(testsIn(block)).some((test) => this.#round.names.has(this.#tests.get(test)));
		const pause = { type: 'describeBlock', name: '', parent: root, children: [], hooks: [], tests: [] };
		this.#pause = pause;
		const hasRound = () => this.#round !== undefined;
		function* rounds() {
			for (yield pause; hasRound(); yield pause) yield* blocks.filter(isWanted);
		}
		root.children = Object.assign([...blocks], { filter: () => [], [Symbol.iterator]: rounds });
	}

	isPause(block) {
		return block === this.#pause;
	}

	async nextRound() {
		if (this.#round) await this.#endRound(this.#round);
		this.#round = await this.#next.promise;
		if (!this.#round) return;
		this.#next = Promise.withResolvers();
		this.#noticed = false;
		this.#isStray = false;
		process.on('unhandledRejection', this.#noticeStray);
		Object.assign(this.mutant, this.#round.mutant);
		for (const [test, name] of this.#tests) {
			const mode = this.#round.names.has(name) ? undefined : 'skip';
			Object.assign(test, { errors: [], invocations: 0, status: null, mode });
		}
	}

	async #endRound({ resolve }) {
		// Rejections that nobody handles are told after what is due by now.
		await new Promise(setImmediate);
		process.off('unhandledRejection', this.#noticeStray);
		const failed = [...this.#tests].filter(([{ errors }]) => errors.length > 0).map(([, name]) => name);
		resolve([...failed, ...(this.#isStray ? ['a rejection that nobody handles'] : [])]);
	}

	/** It would end jest. */
	#noticeStray = () => {
		this.#isStray = true;
	};

	start(test) {
		if (this.#noticed) test.mode = 'skip';
	}

	end(test) {
		if (test.errors.length > 0 && !this.#round.all) this.#noticed = true;
	}
}

function testsIn(block) {
	return (block.children ?? []).flatMap((child) => (child.type === 'test' ? [child] : testsIn(child)));
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
