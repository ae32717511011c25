/**
 * Searches all states that runs of the payment protocol can reach: breadth first, equal states merged. It runs the
 * protocol that is published; only log, claims, bank, clocks, people and faults are simulated. A step that no other run
 * can notice (a reply that arrives, a decision without refusals) is part of the step before it.
 */
import { hash } from 'node:crypto';

import {
	type AnswerResult,
	createRun,
	type Effect,
	type Event,
	type LogEntry,
	type Outcome,
	type Part,
	resolve as resolvePayment,
	type Result,
	type RunState,
	step as realStep,
} from '../../src/payments/protocol.ts';

/** A run of the search: its payments by part. Keys of one person's payment share the name before the colon. */
export interface RunPlan {
	workflow: string;
	parts: readonly (readonly string[])[];
	run?: { key: string; content: string };
	content?: string;
}

export interface Plan {
	runs: readonly RunPlan[];
	/** Maximum number of replies of the database that are lost. */
	lostReplies?: number;
	/** Maximum number of kills. Default: one for each run. */
	kills?: number;
	/** Maximum number of answers of a person before the faults end. */
	answers?: number;
	/** Whether a person may record the answer later than the bank gave it. */
	isAnswerLate?: boolean;
	/** Whether a write whose reply is lost may take effect late. */
	lateWrites?: boolean;
	/** Maximum number of rows that are pruned, at any moment. Rows of an attempt that may still run are kept. */
	pruned?: number;
	/** Whether limits and *Refuse the Whole Run* may forbid payments. */
	refuses?: boolean;
	/** Whether a run may end after a part: a failure without *Continue On Fail*, or Stop. */
	stops?: boolean;
	/** What happened before: claims, payments and rows. */
	claims?: readonly string[];
	ledger?: readonly string[];
	log?: readonly LogEntry[];
	/** The run that is repeated after the faults have ended. Default: the first. */
	last?: RunPlan;
	/**
	 * Whether payments may stay unpaid at the end: those of a payment run that was begun with both kinds of key, or is
	 * repeated with the other kind.
	 */
	mayStayOpen?: boolean;
	/** Whether the clock of a worker is wrong by more than the margin. Only used to show that the search finds it. */
	isMarginTooSmall?: boolean;
}

interface RunInWorld {
	state: RunState;
	effect?: Effect;
	/** The claims that are still to be inserted, and those that the run has won: claims are inserted one by one. */
	progress?: { left: string[]; won: string[] };
	/** Payments that may not be sent. */
	refused?: readonly string[];
	/** Whether other runs consider the attempt ended. The run then sends no request. */
	isOver?: boolean;
	isKilled?: boolean;
	isDone?: boolean;
}

interface World {
	runs: RunInWorld[];
	log: LogEntry[];
	claims: string[];
	/** `key attempt` of each payment that the bank made. */
	ledger: string[];
	late: LogEntry[];
	/** Answers of the bank that a person has not recorded yet. */
	asked: Asked[];
	/** The rows that each person who has read the log is about to add. */
	persons: (readonly LogEntry[])[];
	left: { replies: number; kills: number; answers: number; pruned: number };
}

interface Asked {
	key: string;
	/** The attempt that was shown to the person. */
	attempt: string;
	answer: 'has' | 'hasNot';
}

export interface Machine {
	step: typeof realStep;
	resolve: typeof resolvePayment;
}

export interface Report {
	states: number;
	/** States in which all runs have ended. */
	ends: number;
	isComplete: boolean;
	/** What is wrong, and the steps that led there. The search ends at the first problem. */
	problem?: string;
	/** How often each kind of result and event was seen: a search in which nothing happens proves nothing. */
	seen: Map<string, number>;
}

const personOf = (key: string): string => key.split(':')[0] ?? key;

/** @param most number of states after which the search ends; `isComplete` is then false */
export function search(plan: Plan, machine: Machine = { step: realStep, resolve: resolvePayment }, most = 3e6): Report {
	const report = searchOnce(plan, machine, most);
	if (report.problem === undefined) return report;
	// Again, because only the history of a problem is worth its memory.
	const before = new Map<World, World>();
	return searchOnce(plan, machine, most, before);
}

function searchOnce(plan: Plan, machine: Machine, most: number, before?: Map<World, World>): Report {
	const first: World = {
		runs: plan.runs.map((one, index) => begin(one, `r${index}`, machine)),
		log: [...(plan.log ?? [])],
		claims: [...(plan.claims ?? [])],
		ledger: [...(plan.ledger ?? [])],
		late: [],
		asked: [],
		persons: [],
		left: {
			replies: plan.lostReplies ?? 0,
			kills: plan.kills ?? plan.runs.length,
			answers: plan.answers ?? 0,
			pruned: plan.pruned ?? 0,
		},
	};
	const report: Report = { states: 0, ends: 0, isComplete: true, seen: new Map() };
	const known = new Set<string>([keyOf(first)]);
	const ended = new Set<string>();
	let open: World[] = [first];
	while (open.length > 0 && report.isComplete) {
		const next: World[] = [];
		for (const world of open) {
			report.states++;
			report.isComplete = report.states < most;
			let problem = lieIn(world);
			if (world.runs.every(isEnded)) {
				report.ends++;
				const end = afterFaults(world, machine);
				const key = keyOf(end);
				if (!ended.has(key)) problem ??= inPeace(end, plan, machine);
				ended.add(key);
			}
			if (problem !== undefined) return { ...report, problem: [problem, ...historyOf(world, before)].join('\n') };
			if (!report.isComplete) return report;
			for (const one of movesOf(world, plan, machine, report.seen)) {
				const key = keyOf(one);
				if (known.has(key)) continue;
				known.add(key);
				before?.set(one, world);
				next.push(one);
			}
		}
		open = next;
	}
	return report;
}

function begin({ workflow, parts, run, content = 'same' }: RunPlan, name: string, machine: Machine): RunInWorld {
	const planned = parts.map((keys, index): Part => ({
		attempt: `${name}.${index}`,
		...(run === undefined ? {} : { run }),
		payments: keys.map((key) => ({ key, content })),
		sendBefore: 0,
		until: 1,
	}));
	const { state, effect } = machine.step(createRun(workflow, planned), { is: 'start' });
	return { state, ...(effect === undefined ? { isDone: true } : { effect }) };
}

function historyOf(world: World, before?: Map<World, World>): string[] {
	const worlds = [];
	for (let one: World | undefined = world; one !== undefined; one = before?.get(one)) worlds.unshift(one);
	return worlds.map(({ runs, log, claims, ledger }) => {
		const doing = runs.map(({ effect, isKilled, isOver, isDone }) => {
			const now = isKilled === true ? 'killed' : isDone === true ? 'done' : effect?.do;
			return isOver === true ? `${now}, over` : now;
		});
		const rows = log.map(({ key, attempt, number, state, until }) =>
			[key, attempt, number, state, until > 0 ? 'running' : ''].join(' ').trim(),
		);
		return `  ${doing.join(' | ')}. Log: ${rows.join(', ')}. Claims: ${claims.join()}. Bank: ${ledger.join()}`;
	});
}

const isEnded = ({ isKilled, isDone }: RunInWorld): boolean => isKilled === true || isDone === true;
const indexOfRun = (attempt: string): number => Number(/^r(\d+)/.exec(attempt)?.[1] ?? -1);

/** Whether the log has rows by which other runs believe that the run may still run. */
const isLive = ({ log, late }: World, index: number): boolean =>
	[...log, ...late].some(({ until, attempt }) => until > 0 && indexOfRun(attempt) === index);

/**
 * Two states are equal if everything is equal that a later step depends on. That excludes the order of rows, and the
 * name of an attempt for all runs but its own. So runs that do the same are sorted, and runs that have ended are left
 * out: their results were checked already.
 */
function keyOf(world: World): string {
	const { runs, log, claims, ledger, late, asked, persons, left } = world;
	const texts = runs.map((run, index) => {
		if (!isEnded(run)) return textOfRun(run);
		return run.isOver !== true && isLive(world, index) ? 'live' : '';
	});
	const order = texts.map((text, index) => ({ text, index })).sort((one, other) => (one.text < other.text ? -1 : 1));
	const names = new Map(order.flatMap(({ text, index }, place) => (text === '' ? [] : [[index, `r${place}`]])));
	const nameOf = (attempt: string) => {
		const name = names.get(indexOfRun(attempt));
		return name === undefined ? '' : `${name}${attempt.slice(attempt.indexOf('.'))}`;
	};
	const textOf = (row: LogEntry) => {
		const name = nameOf(row.attempt);
		const about = asked.map(({ attempt }) => Number(attempt === row.attempt)).join('');
		return `${textOfRow(row)} ${name} ${name === '' ? 0 : row.until} ${about}`;
	};
	const made = ledger.map((entry) => {
		const [key = '', attempt = ''] = entry.split(' ');
		return `${key} ${nameOf(attempt)}`;
	});
	const all = [
		order.map(({ text }) => text).join('|'),
		[...new Set(log.map(textOf))].sort().join(),
		claims.toSorted().join(),
		made.sort().join(),
		late.map(textOf).sort().join(),
		asked.map(({ key, attempt, answer }) => `${key} ${nameOf(attempt)} ${answer}`).join(),
		persons
			.map((rows) => rows.map(textOf).join())
			.sort()
			.join(';'),
		left.replies,
		Math.min(left.kills, runs.filter((run) => !isEnded(run)).length),
		left.answers,
		left.pruned,
	];
	return hash('md5', all.join('/'), 'base64');
}

const texts = new WeakMap<object, string>();

/** Most rows and runs of a state are also in the state before it. */
function cached<Value extends object>(value: Value, write: (value: Value) => string): string {
	const known = texts.get(value);
	if (known !== undefined) return known;
	const text = write(value);
	texts.set(value, text);
	return text;
}

const textOfRow = (row: LogEntry): string =>
	cached(row, ({ key, workflow, number, state, content }) => [key, workflow, number, state, content].join(' '));

const textOfRun = (run: RunInWorld): string =>
	cached(run, ({ state, effect, progress, isOver, refused }) => {
		const { workflow, parts, doing, at, beginning, numbers, begun, won, results } = state;
		const planned = cached(parts, () =>
			JSON.stringify(
				parts.map(({ run: payout, payments }) => [payout, payments.map(({ key, content }) => [key, content])]),
			),
		);
		const said = Object.entries(results).map(([key, result]) => [key, shown(result), 'row' in result]);
		const attempts = effect?.do === 'write' ? effect.attempts.map((attempt) => attempt.split('.')[1]) : [];
		const now = [isOver === true, doing, at, String(beginning), numbers, begun, won, said, attempts, progress, refused];
		return `${workflow} ${planned} ${JSON.stringify(now)}`;
	});

/** What is wrong: a payment that was made twice, or whose result is wrong or missing. */
function lieIn({ runs, ledger }: World): string | undefined {
	const made = Map.groupBy(ledger, (entry) => personOf(entry.split(' ')[0] ?? ''));
	for (const [person, entries] of made) if (entries.length > 1) return `paid twice: ${person} (${entries.join(', ')})`;
	for (const { state, isKilled, isDone, refused = [] } of runs) {
		if (isKilled === true) continue;
		const hidden = state.parts.flatMap(({ payments }) => payments).find(({ key }) => !(key in state.results));
		if (isDone === true && hidden !== undefined) return `${hidden.key} is not shown`;
		for (const [key, result] of Object.entries(state.results)) {
			const isMade = made.has(personOf(key));
			const own = state.parts.find(({ payments }) => payments.some((payment) => payment.key === key))?.attempt;
			const payment = state.parts.flatMap(({ payments }) => payments).find((one) => one.key === key);
			if (result.is === 'alreadyAccepted' && result.row.content !== payment?.content)
				return `${key} is shown as alreadyAccepted, with other content`;
			if (refused.includes(key) && ledger.includes(`${key} ${own}`)) return `${key} was refused, and paid`;
			if (saysPaid(result) && !isMade) return `${key} is shown as ${shown(result)}, and the bank has not made it`;
			if (saysNotPaid(result) && ledger.includes(`${key} ${own}`))
				return `${key} is shown as ${shown(result)}, and the bank made it`;
		}
	}
	return undefined;
}

const shown = (result: Result): string => (result.is === 'answered' ? result.outcome : result.is);
const saysPaid = (result: Result): boolean => ['accepted', 'alreadyAccepted'].includes(shown(result));
const saysNotPaid = (result: Result): boolean => ['rejected', 'notSent'].includes(shown(result));

function* movesOf(world: World, plan: Plan, machine: Machine, seen: Map<string, number>): Generator<World> {
	const saw = (what: string) => void seen.set(what, (seen.get(what) ?? 0) + 1);
	const { left } = world;
	for (const [index, run] of world.runs.entries()) {
		const replaced = (one: Partial<RunInWorld>): RunInWorld[] => world.runs.with(index, { ...run, ...one });
		if (run.isOver !== true && (!isEnded(run) || isLive(world, index)))
			yield { ...world, runs: replaced({ isOver: true }) };
		if (isEnded(run)) continue;
		if (left.kills > 0) {
			saw(`killed at ${run.effect?.do}`);
			yield { ...world, runs: replaced({ isKilled: true }), left: { ...left, kills: left.kills - 1 } };
		}
		yield* perform(world, index, plan, machine, saw);
	}
	for (const [at, row] of world.late.entries()) {
		saw('late write');
		yield { ...world, log: [...world.log, row], late: world.late.toSpliced(at, 1) };
	}
	for (const [at, one] of world.asked.entries()) {
		const { is, rows } = { rows: [], ...answerTo(world, one, machine) };
		saw(`late answer ${is}`);
		yield {
			...world,
			asked: world.asked.toSpliced(at, 1),
			persons: rows.length === 0 ? world.persons : [...world.persons, rows],
		};
	}
	for (const [at, rows] of world.persons.entries()) {
		saw(rows.some((row) => world.log.some((other) => isSameAnswer(row, other))) ? 'answered twice' : 'answered');
		yield { ...world, log: [...world.log, ...rows], persons: world.persons.toSpliced(at, 1) };
	}
	if (left.pruned > 0)
		for (const [at, { until }] of rowsAt(world).entries()) {
			if (until > 0) continue;
			saw('pruned');
			yield { ...world, log: world.log.toSpliced(at, 1), left: { ...left, pruned: left.pruned - 1 } };
		}
	if (left.answers > 0)
		for (const key of keysIn(world)) {
			const answer = bankAnswer(world, key);
			const found = answerTo(world, { key, answer, attempt: '' }, machine);
			if (found.is !== 'recorded') continue;
			const after = { ...world, left: { ...left, answers: left.answers - 1 } };
			if (plan.isAnswerLate !== true) yield { ...after, persons: [...world.persons, found.rows] };
			else
				for (const attempt of new Set(attemptsOf(world, found.rows)))
					yield { ...after, asked: [...world.asked, { key, answer, attempt }] };
		}
}

const isSameAnswer = (one: LogEntry, other: LogEntry): boolean =>
	one.key === other.key && one.number === other.number && one.state === other.state;

const keysIn = ({ log }: World): Set<string> =>
	new Set(log.flatMap(({ key, state }) => (state === 'begun' ? [] : [key])));

const madeFor = ({ ledger }: World, key: string): string[] =>
	ledger.filter((entry) => personOf(entry.split(' ')[0] ?? '') === personOf(key));

/** The bank's answer at this moment, which is true. */
const bankAnswer = (world: World, key: string): 'has' | 'hasNot' => (madeFor(world, key).length > 0 ? 'has' : 'hasNot');

/** The effect of a person's answer at this moment. */
const answerTo = (world: World, { key, answer, attempt }: Asked, machine: Machine): AnswerResult =>
	machine.resolve(
		rowsAt(world).filter((row) => row.key === key),
		answer,
		'person',
		0,
		attempt,
	);

/** The rows that a truthful person adds at this moment. */
function truthIn(world: World, key: string, machine: Machine): readonly LogEntry[] {
	const found = answerTo(world, { key, answer: bankAnswer(world, key), attempt: '' }, machine);
	return found.is === 'recorded' ? found.rows : [];
}

/** Attempts that a user may be shown: those of open rows with these numbers. */
const attemptsOf = ({ log }: World, numbers: readonly LogEntry[]): string[] =>
	log.flatMap(({ key, workflow, number, state, attempt }) =>
		(state === 'sending' || state === 'unknown') &&
		numbers.some((one) => one.key === key && one.workflow === workflow && one.number === number)
			? [attempt]
			: [],
	);

/** The rows as a reader sees them: `until` is 1 while their run may still run. */
const rowsAt = ({ log, runs }: World): LogEntry[] =>
	log.map((row) => {
		const run = row.until > 0 ? runs[indexOfRun(row.attempt)] : undefined;
		return { ...row, until: run !== undefined && run.isOver !== true ? 1 : 0 };
	});

type Saw = (what: string) => void;

/**
 * The states after the next step of a run, one for each way in which its effect can end. The first is the one without
 * faults.
 */
function* perform(world: World, index: number, plan: Plan, machine: Machine, saw: Saw): Generator<World> {
	const run = world.runs[index];
	if (run?.effect === undefined) return;
	const { effect, progress } = run;
	const tell = (event: Event, change: Partial<World> = {}, told: Partial<RunInWorld> = {}): World => {
		let { state, effect: next } = machine.step(run.state, event);
		if (next?.do === 'decide' && plan.refuses !== true)
			({ state, effect: next } = machine.step(state, { is: 'decided', refused: [] }));
		if (next === undefined) for (const result of Object.values(state.results)) saw(shown(result));
		const { effect: _, progress: __, ...rest } = run;
		const after = { ...rest, ...told, state, ...(next === undefined ? { isDone: true } : { effect: next }) };
		return { ...world, ...change, runs: world.runs.with(index, after) };
	};
	const isLossy = world.left.replies > 0;
	const left = { ...world.left, replies: world.left.replies - 1 };
	const failed = { is: 'failed' } as const;
	switch (effect.do) {
		case 'insert':
		case 'mark':
		case 'write': {
			const attempts = effect.do === 'write' ? effect.attempts : [];
			const isKept = (row: LogEntry) => row.until === 0 || !attempts.includes(row.attempt);
			yield tell({ is: 'done' }, { log: [...world.log, ...effect.rows].filter(isKept) });
			if (!isLossy) return;
			saw(`lost reply of ${effect.do}`);
			// None of the rows was added, some, or all.
			for (const count of new Set([0, 1, effect.rows.length]))
				yield tell(failed, { left, log: [...world.log, ...effect.rows.slice(0, count)] });
			if (plan.lateWrites === true) yield tell(failed, { left, late: [...world.late, ...effect.rows] });
			return;
		}
		case 'read': {
			const rows = rowsAt(world).filter(({ key }) => effect.keys.includes(key));
			yield tell({ is: 'rows', rows, now: 0 });
			if (isLossy) yield tell(failed, { left });
			return;
		}
		case 'decide': {
			const free = Object.keys(run.state.numbers);
			for (const refused of [[], free.slice(0, 1), free]) yield tell({ is: 'decided', refused }, {}, { refused });
			return;
		}
		case 'begin':
		case 'claim': {
			const numbers = effect.do === 'begin' ? { [effect.begun.key]: effect.begun.number } : effect.numbers;
			const { left: keys, won: before } = progress ?? { left: Object.keys(numbers), won: [] };
			if (progress === undefined && isLossy) yield tell({ ...failed, isCertain: true }, { left });
			const [key, ...others] = keys;
			// The row that follows the claim of a payment run.
			if (key === undefined) {
				const log = effect.do === 'begin' ? [...world.log, effect.begun] : world.log;
				yield tell({ is: 'claimed', won: before }, { log });
				return;
			}
			const claim = `${run.state.workflow} ${key} ${numbers[key]}`;
			const isNew = !world.claims.includes(claim);
			saw(isNew ? 'won' : 'lost');
			const won = isNew ? [...before, key] : before;
			const claims = isNew ? [...world.claims, claim] : world.claims;
			const isLast = others.length === 0 && !(effect.do === 'begin' && isNew);
			if (isLast) yield tell({ is: 'claimed', won }, { claims });
			else yield { ...world, claims, runs: world.runs.with(index, { ...run, progress: { left: others, won } }) };
			if (!isLossy) return;
			saw(`lost reply of ${effect.do}`);
			yield tell(failed, { left, claims });
			// n8n was asked a second time, and finds the first claim of this run as taken.
			if (isLast && won.length > 0) yield tell({ is: 'claimed', won: won.slice(1) }, { left, claims });
			return;
		}
		case 'send': {
			const isLast = effect.part === run.state.parts.length - 1;
			/** @param outcome result of each payment. Default: no payment has an answer */
			const answered = function* (outcome?: Outcome, ledger = world.ledger): Generator<World> {
				const outcomes = outcome === undefined ? {} : Object.fromEntries(effect.keys.map((key) => [key, outcome]));
				yield tell({ is: 'answered', outcomes }, { ledger });
				if (plan.stops !== true || isLast) return;
				const refused = run.state.parts
					.slice(effect.part + 1)
					.flatMap(({ payments }) => payments.map(({ key }) => key));
				yield tell({ is: 'answered', outcomes, stops: true }, { ledger }, { refused });
			};
			const attempt = run.state.parts[effect.part]?.attempt ?? '';
			const made = [...world.ledger, ...effect.keys.map((key) => `${key} ${attempt}`)];
			if (run.isOver !== true || plan.isMarginTooSmall === true) {
				yield* answered('accepted', made);
				yield* answered(undefined, made);
				yield* answered('unknown');
				yield* answered('rejected');
			}
			yield* answered('notSent');
			return;
		}
	}
}

/** The state after all faults: no run continues, and everything that was late has happened. */
function afterFaults(world: World, machine: Machine): World {
	let after: World = {
		...world,
		runs: world.runs.map((run) => ({ ...run, isOver: true, isKilled: true })),
		log: [...world.log, ...world.late, ...world.persons.flat()],
		...{ late: [], asked: [], persons: [] },
		left: { replies: 0, kills: 0, answers: 0, pruned: 0 },
	};
	for (const one of world.asked) {
		const found = answerTo(after, one, machine);
		if (found.is === 'recorded') after = { ...after, log: [...after.log, ...found.rows] };
	}
	return after;
}

/** Whether the log shows that no money moved under any number that was claimed for a payment. */
function isSettled({ claims, log }: World, key: string, { run }: RunPlan): boolean {
	const nameOf = (row: LogEntry): string => `${row.workflow} ${row.key} ${row.number}`;
	const ended = log.filter(({ state }) => ['rejected', 'notSent', 'hasNot'].includes(state)).map(nameOf);
	const numbers = [...claims, ...log.filter(({ number }) => number > 0).map(nameOf)];
	const isBegun = run === undefined || log.some(({ state }) => state === 'begun');
	return isBegun && numbers.every((name) => name.split(' ')[1] !== key || ended.includes(name));
}

/** Runs what happens after the faults have ended: run, person, run, person, run. Returns what is then wrong. */
function inPeace(world: World, plan: Plan, machine: Machine): string | undefined {
	// With the kind of key that the payment run began with.
	const begun = world.log.find(({ state }) => state === 'begun')?.content;
	const last = plan.last ?? plan.runs.find(({ run }) => run?.content === begun) ?? plan.runs[0];
	if (last === undefined) return undefined;
	const keys = last.parts.flat();
	const peaceful = { ...plan, refuses: false, stops: false };
	let now = world;
	let results: RunState['results'] = {};
	for (const time of [1, 2, 3]) {
		const index = now.runs.length;
		now = { ...now, runs: [...now.runs, begin(last, `r${index}`, machine)] };
		for (let next: World | undefined = now; next !== undefined;)
			[next] = perform((now = next), index, peaceful, machine, () => undefined);
		const run = now.runs[index];
		results = run?.state.results ?? {};
		now = { ...now, runs: now.runs.map((one) => ({ ...one, isOver: true })) };
		const lie = lieIn(now);
		if (lie !== undefined) return `in peace, run ${time}: ${lie}`;
		const isAsked = (key: string) => results[key]?.is === 'unknown';
		const needless = keys.find((key) => time === 1 && isAsked(key) && isSettled(world, key, last));
		if (needless !== undefined) return `${needless} is shown as unknown, although nothing is open`;
		for (const key of keys) {
			now = { ...now, log: [...now.log, ...truthIn(now, key, machine)] };
			if (truthIn(now, key, machine).some(({ state }) => state === 'hasNot'))
				return `${key} is paid or not: asked twice`;
		}
	}
	for (const key of plan.mayStayOpen === true ? [] : keys) {
		const count = madeFor(now, key).length;
		const result = results[key];
		// A payment that was made with other content stays a conflict.
		const isTold = result !== undefined && (saysPaid(result) || result.is === 'conflict');
		if (count !== 1 || !isTold)
			return `at the end ${key} was paid ${count} times and is ${result === undefined ? 'missing' : shown(result)}: ${JSON.stringify(
				now.log,
			)} ${now.claims.join()}`;
	}
	return undefined;
}
