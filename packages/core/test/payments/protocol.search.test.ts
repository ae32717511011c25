import { type Report, search } from './search.ts';
import { copy, happenings, one, worlds } from './worlds.ts';

const seen = new Map<string, number>();
const found: string[] = [];

/** A search that visits far fewer states than before may no longer find anything. */
const leastStates = 100_000;
let states = 0;

function count(name: string, plan: object, report: Report): void {
	states += report.states;
	for (const [what, times] of report.seen) seen.set(what, (seen.get(what) ?? 0) + times);
	found.push(`${name}: ${report.states} states, ${report.ends} ends. ${JSON.stringify(plan)}`);
}

describe('nobody is paid twice, nothing is shown that is not so, and each payment is made in the end', () => {
	it.each(Object.entries(worlds))('%s', (name, plan) => {
		const report = search(plan);
		count(name, plan, report);
		expect(report.problem).toBeUndefined();
		expect(report.isComplete).toBe(true);
	});

	afterAll(() => process.stdout.write(`${found.join('\n')}\nTogether: ${states} states\n`));
});

it('all outcomes, kills and faults were seen', () => {
	expect(happenings.filter((what) => (seen.get(what) ?? 0) === 0)).toEqual([]);
	expect(states).toBeGreaterThan(leastStates);
});

describe('what no protocol can do is found', () => {
	it('clocks that differ by more than the margin', () => {
		expect(search({ runs: [one, one], answers: 1, isMarginTooSmall: true }).problem).toMatch(/paid twice: a/);
	});

	it('copies in two workflows, and rows of the log that are gone', () => {
		const plan = { runs: [one, copy(one)], claims: ['w a 1'], ledger: ['a old'] };
		expect(search(plan).problem).toMatch(/paid twice: a/);
	});
});
