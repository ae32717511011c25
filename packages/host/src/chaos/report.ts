import type { Case } from './cases.ts';
import type { Evidence } from './evidence.ts';
import { signals, type Violation } from './oracle.ts';

/** Results of a chaos run. */
export class Report {
	readonly violations: Violation[] = [];
	readonly unclear: string[] = [];
	/** How often something happened. */
	readonly counts = new Map<string, number>();
	readonly #head: { seed: number; runs: number; database: string };
	readonly #cases = new Map<number, string>();
	readonly #begun = performance.now();

	constructor(head: { seed: number; runs: number; database: string }) {
		this.#head = head;
	}

	count(what: string, times = 1): void {
		this.counts.set(what, (this.counts.get(what) ?? 0) + times);
	}

	add(one: Case, { sent, paid, visits, unclear }: Evidence, violations: readonly Violation[]): void {
		this.#cases.set(one.number, JSON.stringify(one));
		this.violations.push(...violations);
		this.unclear.push(...unclear.map((text) => `case ${one.number}: ${text}`));
		this.count('payments asked for', one.rows.length);
		this.count('payments at the bank', paid.length);
		for (const { kind } of one.faults) this.count(`fault: ${kind}`);
		for (const { certainty } of sent) this.count(`request: ${certainty}`);
		for (const { outcome } of visits.flatMap(({ reports }) => reports)) this.count(`reported: ${outcome}`);
	}

	/** Number of problems. */
	get faults(): number {
		return this.violations.length + this.unclear.length;
	}

	toString(): string {
		const { seed, runs, database } = this.#head;
		const where = database === 'postgres' ? 'PostgreSQL with two workers' : 'SQLite';
		const seconds = Math.round((performance.now() - this.#begun) / 1000);
		const size = ({ case: number }: Violation) => this.#cases.get(number)?.length ?? 0;
		const smallestFirst = this.violations.toSorted((one, other) => size(one) - size(other));
		const found = Object.entries(signals).map(
			([name, text]) => [text, smallestFirst.filter(({ signal }) => signal === name)] as const,
		);
		return [
			`Chaos on ${where}: ${this.#cases.size} cases of seed ${seed}, ${seconds} s`,
			...[...this.counts].map(([what, count]) => `  ${what}: ${count}`).sort(),
			'signals (all must be 0)',
			...found.map(([text, all]) => `  ${text}: ${all.length}`),
			`  unclear: ${this.unclear.length}`,
			...found.flatMap(([signal, all]) =>
				all
					.slice(0, 3)
					.map(({ case: number, text }) =>
						[
							`${signal}: ${text}`,
							`  ${this.#cases.get(number)}`,
							`  npm run chaos -- --seed ${seed} --runs ${runs} --case ${number} --database ${database}`,
						].join('\n'),
					),
			),
			...this.unclear.slice(0, 20).map((text) => `unclear: ${text}`),
		].join('\n');
	}
}
