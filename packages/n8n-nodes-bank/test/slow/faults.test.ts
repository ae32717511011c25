/**
 * Tests the simulation: puts single faults into the source of adapters and pipeline, one at a time, which the
 * simulation must find. Fails if the text that a fault replaces is no longer in the source.
 */
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';

/** `seed`: a history that finds the fault, which is tried first. */
type Fault = [file: string, what: string, text: string, instead: string, seed?: number];

const shared = path.join(__dirname, '../../nodes/shared');
const [claimKeys, claims, log, table, protect, resolve, pay, refusals] = [
	...['claimKeys', 'claims', 'paymentLog', 'dataTable', 'protect', 'resolve'].map((name) => `idempotency/${name}.ts`),
	'pipeline/payJobs.ts',
	'pipeline/refusals.ts',
] as [string, string, string, string, string, string, string, string];

const faults: Fault[] = [
	[claimKeys, 'a lost claim is won', "marks[index] === '1'", 'true'],
	[claimKeys, 'won and lost are exchanged', "marks[index] === '1'", "marks[index] === '0'"],
	[claims, 'the number is not claimed', `sha256(\`\${key} \${number}\`)`, 'sha256(key)'],
	[claims, 'the number is claimed for all payments', `sha256(\`\${key} \${number}\`)`, `sha256(\`\${number}\`)`],
	[
		claims,
		'each run claims something else',
		`sha256(\`\${key} \${number}\`)`,
		`sha256(\`\${key} \${number} \${Math.random()}\`)`,
	],
	[claims, 'all is won if n8n fails twice', 'throw new ClaimError(second.message);', 'return [...digests];', 101],
	[claims, 'all is won if n8n fails', 'return claimErrorOf(cause);', 'return [...digests];'],
	[log, 'a write that fails is done', 'return result !== undefined;', 'return true;', 52],
	[log, 'a write that is done fails', 'return result !== undefined;', 'return false;'],
	[
		table,
		'only rows of the first payment are read',
		'[...new Set(values)].flatMap',
		'[...new Set(values)].slice(0, 2).flatMap',
	],
	[log, 'removes results, too', "{ keyName: 'until', condition: 'isNotEmpty' },", ''],
	[
		log,
		'removes rows of all attempts',
		"{ keyName: 'attempt', condition: attempt.endsWith('%') ? 'like' : 'eq', keyValue: attempt },",
		'',
		102,
	],
	[log, 'the number is lost', 'number: Number(number) || 0', 'number: 0'],
	[log, 'the time is lost', 'until: Number(until) || 0', 'until: 0', 101],
	[log, 'results have a time', "until: until === 0 ? '' : String(until)", 'until: String(until || 1)'],
	[log, 'unknown is written as rejected', 'outcome: state,', "outcome: state === 'unknown' ? 'rejected' : state,"],
	[log, 'sending is written as preparing', 'outcome: state,', "outcome: state === 'sending' ? 'preparing' : state,"],
	[protect, 'sends although the time is over', '() => Date.now() > sendBefore', '() => false', 265],
	[protect, 'the time is over at once', 'const preparationMs = 120_000', 'const preparationMs = -1'],
	[protect, 'the attempt ends before its request', 'sendBefore + timeout * 1000 + clockMarginMs', 'startedAt', 101],
	[
		protect,
		'all claims are won',
		"{ is: 'claimed', won: await claimAll(this.#context, claims, then) } as const",
		"(await claimAll(this.#context, claims, then), { is: 'claimed', won: claims.map(({ key }) => key) } as const)",
	],
	[
		protect,
		'a claim that failed is won',
		'this.#claimError = error;',
		"return { is: 'claimed', won: claims.map(({ key }) => key) } as const;",
		101,
	],
	[
		protect,
		'a mark is not written',
		'return ended(await this.#log.add(this.#completed(effect.rows)));',
		"return ended(effect.do === 'mark' || (await this.#log.add(this.#completed(effect.rows))));",
		52,
	],
	[
		protect,
		'results are not written',
		'this.#log.replaceRows(this.#completed(effect.rows)',
		'this.#log.replaceRows([]',
	],
	[
		resolve,
		'the answer is exchanged',
		'?? [], answer, attempt, Date.now(), asked)',
		"?? [], answer === 'has' ? 'hasNot' : 'has', attempt, Date.now(), asked)",
	],
	[resolve, 'the answer is not written', 'const isAdded = await log.add(added);', 'const isAdded = true;'],
	[resolve, 'only the first answer is written', 'await log.add(added)', 'await log.add(added.slice(0, 1))'],
	[
		resolve,
		'an answer while an attempt may run',
		'?? [], answer, attempt, Date.now(), asked)',
		'?? [], answer, attempt, Infinity, asked)',
		144,
	],
	[
		pay,
		'unknown is rejected',
		"outcome === 'rejected' || outcome === 'notSent' ? outcome : 'unknown'",
		"outcome === 'rejected' || outcome === 'notSent' ? outcome : 'rejected'",
	],
	[
		pay,
		'every failure means not sent',
		'isBankFailure(failure) ? failure.details.outcome',
		"isBankFailure(failure) ? 'notSent'",
	],
	[pay, 'every failure means accepted', 'if (failure === undefined) return', 'if (true) return'],
	[refusals, 'the whole run is not refused', 'refusesAlreadySent(run) && earlier.length > 0', 'false', 42],
	[
		refusals,
		'a prepared package is not refused because of rows that it leaves out',
		'const earlier = [...passed, ',
		'const earlier = [',
		42,
	],
	[
		pay,
		'sends payments that were not claimed',
		'const narrowed = narrowTo(hooks, planned, claimed);',
		'const narrowed = planned;',
	],
];

const most = 400;
const seedsUpTo = (last: number): number[] => Array.from({ length: last }, (_, index) => index + 1);

const sourceOf = (file: string): string => readFileSync(path.join(shared, file), 'utf8');

/** Simulates histories until one has a problem, and returns the problem; otherwise undefined. */
async function simulate(file: string, source: string, seeds: readonly number[]): Promise<string | undefined> {
	const target = path.join(shared, file);
	// Inside the package, so that Jest transforms the file and finds its imports.
	const faulty = path.join(__dirname, '../../.test-results/faulty.ts');
	const absolute = (_: string, name: string) => `from '${path.join(path.dirname(target), name)}'`;
	writeFileSync(faulty, source.replaceAll(/from '(\.[^']+)'/g, absolute));
	jest.resetModules();
	jest.doMock(target, () => jest.requireActual<object>(faulty));
	try {
		const { Simulation } = await import('../simulation/simulation.ts');
		for (const seed of seeds) {
			const { problem } = await new Simulation(seed).run();
			if (problem !== undefined) return `${problem} (seed ${seed})`;
		}
		return undefined;
	} finally {
		jest.unmock(target);
		rmSync(faulty);
	}
}

it.each([claimKeys, claims, log, table, protect, resolve, pay, refusals])(
	'%s: without a fault nothing is found',
	async (file) => {
		expect(await simulate(file, sourceOf(file), seedsUpTo(5))).toBeUndefined();
	},
	600_000,
);

it.each(faults)(
	'%s: %s',
	async (file, what, text, instead, seed = 1) => {
		const source = sourceOf(file);
		expect(source.split(text)).toHaveLength(2);
		const found = await simulate(
			file,
			source.replace(text, () => instead),
			[seed, ...seedsUpTo(most)],
		);
		process.stdout.write(`${what}: ${found}\n`);
		expect(found).toBeDefined();
	},
	600_000,
);
