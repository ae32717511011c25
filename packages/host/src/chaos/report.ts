import type { Case } from './cases.ts';
import type { Evidence } from './evidence.ts';
import { type Signal, signals, type Violation } from './oracle.ts';

/** Results of a chaos run. */
export class Report {
	readonly violations: Violation[] = [];
	readonly unclear: string[] = [];
	readonly #head: { seed: number; runs: number; database: string };
	readonly #counts = new Map<string, Map<string, number>>();
	readonly #descriptions = new Map<number, string>();
	#seconds = 0;

	constructor(head: { seed: number; runs: number; database: string }) {
		this.#head = head;
	}

	add(one: Case, evidence: Evidence, violations: readonly Violation[]): void {
		const { sent, paid, visits, unclear } = evidence;
		this.violations.push(...violations);
		this.unclear.push(...unclear.map((text) => `case ${one.number}: ${text}`));
		if (violations.length > 0 || unclear.length > 0) this.#descriptions.set(one.number, JSON.stringify(one));
		const { shape, mode, retryOnFail, from } = one.kind;
		this.#count('cases', 'all', `${shape} workflow`, `mode ${mode}`, `recipients from ${from}`);
		this.#count('cases', ...(retryOnFail ? ['Retry On Fail'] : []), ...(one.times > 1 ? ['several at once'] : []));
		this.#count('cases', ...(one.trouble === 'none' ? [] : [`trouble: ${one.trouble}`]));
		this.#count('faults', ...one.faults.map(({ kind }) => kind));
		this.#count('requests that reached the bank', ...sent.map(({ certainty }) => certainty));
		this.#count('payments', ...one.rows.map(() => 'asked for'), ...paid.map(() => 'paid'));
		this.#count('reports', ...visits.flatMap(({ reports }) => reports.map(({ outcome }) => outcome)));
		for (const { signal } of violations) this.#count('signals', signal);
	}

	end(tally: ReadonlyMap<string, number>, seconds: number): void {
		this.#counts.set('n8n', new Map(tally));
		this.#seconds = seconds;
	}

	/** Counts that must be 0. */
	get faults(): number {
		return this.violations.length + this.unclear.length;
	}

	counted(what: string, which: string): number {
		return this.#counts.get(what)?.get(which) ?? 0;
	}

	/** The signals, each with its number. */
	get signals(): Record<Signal, number> {
		const names = Object.keys(signals) as Signal[];
		return Object.fromEntries(names.map((name) => [name, this.counted('signals', name)])) as Record<Signal, number>;
	}

	toString(): string {
		const { seed, runs, database } = this.#head;
		const where = database === 'postgres' ? 'PostgreSQL with two workers' : 'SQLite';
		return [
			`Chaos on ${where}: ${this.counted('cases', 'all')} cases of seed ${seed}, ${this.#seconds} s`,
			...[...this.#counts].filter(([what]) => what !== 'signals').flatMap(([what, counts]) => listed(what, counts)),
			'signals (all must be 0)',
			...Object.entries(this.signals).map(([name, count]) => `  ${signals[name as Signal]}: ${count}`),
			`  unclear: ${this.unclear.length}`,
			...this.#smallestViolations().flatMap(({ case: number, signal, text }) => [
				`${signals[signal]}: ${text}`,
				`  ${this.#descriptions.get(number)}`,
				`  npm run chaos -- --seed ${seed} --runs ${runs} --case ${number} --database ${database}`,
			]),
			...this.unclear.slice(0, 20).map((text) => `unclear: ${text}`),
		].join('\n');
	}

	/** The smallest cases for each signal. */
	#smallestViolations(): Violation[] {
		const size = ({ case: number }: Violation) => this.#descriptions.get(number)?.length ?? 0;
		const sorted = this.violations.toSorted((one, other) => size(one) - size(other));
		return (Object.keys(signals) as Signal[]).flatMap((name) =>
			sorted.filter(({ signal }) => signal === name).slice(0, 3),
		);
	}

	#count(what: string, ...which: string[]): void {
		const counts = this.#counts.get(what) ?? new Map<string, number>();
		this.#counts.set(what, counts);
		for (const each of which) counts.set(each, (counts.get(each) ?? 0) + 1);
	}
}

function listed(what: string, counts: ReadonlyMap<string, number>): string[] {
	const texts = [...counts]
		.sort(([one], [other]) => one.localeCompare(other))
		.map(([name, count]) => `${name}: ${count}`);
	return texts.length === 0 ? [] : [what, `  ${texts.join(', ')}`];
}
