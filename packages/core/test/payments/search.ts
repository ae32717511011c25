/**
 * Searches all states that runs of the payment protocol can reach: breadth first, equal states merged. The machine is the one that ships;
 * here are only its surroundings: log, claims, bank, clocks, people and faults.
 */
import { hash } from 'node:crypto';

import {
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
	/** How many replies of the database are lost at most. */
	lostReplies?: number;
	/** How many kills at most. Default: one for each run. */
	kills?: number;
	/** How many times a person answers at most before peace. */
	answers?: number;
	/** Whether a person's answer and a run's last write may take effect late. */
	lateWrites?: boolean;
	/** What happened before: claims, payments and rows. */
	claims?: readonly string[];
	ledger?: readonly string[];
	log?: readonly LogEntry[];
	/** The run that is repeated in peace. Default: the first. */
	last?: RunPlan;
	/** The clock of a worker is wrong by more than the margin. Only to show that the search finds it. */
	isMarginTooSmall?: boolean;
}

interface RunInWorld {
	state: RunState;
	effect?: Effect;
	/** An effect that takes several steps, or a response on its way. */
	progress?: { left: string[]; won: string[] } | { outcomes: Record<string, Outcome> };
	/** Its time is over for others. Then it hands over no request. */
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
	person?: readonly LogEntry[] | undefined;
	left: { replies: number; kills: number; answers: number };
}

export interface Machine {
	step: typeof realStep;
	resolve: typeof resolvePayment;
}

export interface Report {
	states: number;
	ends: number;
	problems: string[];
	/** How often each kind of result and event was seen: a search in which nothing happens proves nothing. */
	seen: Map<string, number>;
}

const personOf = (key: string): string => key.split(':')[0] ?? key;

/** @throws if there are more states than `most` */
export function search(plan: Plan, machine: Machine = { step: realStep, resolve: resolvePayment }, most = 3e6): Report {
	const first: World = {
		runs: plan.runs.map((one, index) => begin(one, `r${index}`)),
		log: [...(plan.log ?? [])],
		claims: [...(plan.claims ?? [])],
		ledger: [...(plan.ledger ?? [])],
		late: [],
		left: {
			replies: plan.lostReplies ?? 0,
			kills: plan.kills ?? plan.runs.length,
			answers: plan.answers ?? 0,
		},
	};
	const report: Report = { states: 0, ends: 0, problems: [], seen: new Map() };
	const known = new Set<string>([keyOf(first)]);
	const ended = new Set<string>();
	let open: World[] = [first];
	while (open.length > 0 && report.problems.length === 0) {
		const next: World[] = [];
		for (const world of open) {
			report.states++;
			if (report.states > most) throw new Error(`more than ${most} states`);
			const lie = lieIn(world);
			if (lie !== undefined) report.problems.push(lie);
			const following = [...movesOf(world, plan, machine, report.seen)];
			if (world.runs.every(({ isDone, isKilled }) => isDone === true || isKilled === true)) {
				report.ends++;
				const end = JSON.stringify([world.log, world.claims, world.ledger, world.late]);
				if (!ended.has(end)) {
					ended.add(end);
					const problem = inPeace(world, plan, machine);
					if (problem !== undefined) report.problems.push(problem);
				}
			}
			for (const one of following) {
				const key = keyOf(one);
				if (known.has(key)) continue;
				known.add(key);
				next.push(one);
			}
		}
		open = next;
	}
	return report;
}

function begin({ workflow, parts, run, content = 'same' }: RunPlan, name: string): RunInWorld {
	const planned = parts.map((keys, index): Part => ({
		attempt: `${name}.${index}`,
		...(run === undefined ? {} : { run }),
		payments: keys.map((key) => ({ key, content })),
		sendBefore: 0,
		until: 1,
	}));
	return { state: createRun(workflow, planned) };
}

/** States are equal if everything that decides is equal; the order of rows decides nothing. */
const keyOf = ({ runs, log, claims, ledger, late, person = [], left }: World): string =>
	hash(
		'md5',
		[
			runs.map(textOfRun).join('|'),
			log.map(textOf).sort().join(),
			claims.toSorted().join(),
			ledger.toSorted().join(),
			late.map(textOf).sort().join(),
			person.map(textOf).join(),
			left.replies,
			left.kills,
			left.answers,
		].join('/'),
		'base64',
	);

const texts = new WeakMap<object, string>();

/** Most rows and runs of a state are those of the state before it. */
function cached<Value extends object>(value: Value, write: (value: Value) => string): string {
	const known = texts.get(value);
	if (known !== undefined) return known;
	const text = write(value);
	texts.set(value, text);
	return text;
}

const textOf = (row: LogEntry): string =>
	cached(row, ({ key, attempt, workflow, number, state, until, content }) =>
		[key, attempt, workflow, number, state, until, content].join(' '),
	);

const textOfRun = (run: RunInWorld): string =>
	cached(run, ({ state, effect, progress, isOver, isKilled, isDone }) => {
		// What it said was checked, and stays true.
		if (isKilled === true || isDone === true) return `ended ${isOver}`;
		const { doing, at, isBlocked, numbers, begun, won, results } = state;
		return JSON.stringify([isOver, doing, at, isBlocked, numbers, begun, won, results, effect?.do, progress]);
	});

/** Red and green lies, and payments made twice. */
function lieIn({ runs, ledger }: World): string | undefined {
	const made = Map.groupBy(ledger, (entry) => personOf(entry.split(' ')[0] ?? ''));
	for (const [person, entries] of made) if (entries.length > 1) return `paid twice: ${person} (${entries.join(', ')})`;
	for (const { state, isKilled } of runs) {
		if (isKilled === true) continue;
		for (const [key, result] of Object.entries(state.results)) {
			const isMade = ledger.some((entry) => personOf(entry.split(' ')[0] ?? '') === personOf(key));
			const own = state.parts.find(({ payments }) => payments.some((payment) => payment.key === key))?.attempt;
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
	for (const [index, run] of world.runs.entries()) {
		const others = world.runs;
		const replaced = (one: Partial<RunInWorld>): RunInWorld[] =>
			others.map((other, at) => (at === index ? { ...run, ...one } : other));
		if (run.isOver !== true) yield { ...world, runs: replaced({ isOver: true }) };
		if (run.isKilled === true || run.isDone === true) continue;
		if (world.left.kills > 0) {
			saw(`killed at ${run.effect?.do ?? 'start'}`);
			yield { ...world, runs: replaced({ isKilled: true }), left: { ...world.left, kills: world.left.kills - 1 } };
		}
		yield* perform(world, index, plan, machine, saw);
	}
	for (const [at, row] of world.late.entries())
		yield { ...world, log: [...world.log, row], late: world.late.filter((_, index) => index !== at) };
	if (world.person !== undefined) {
		saw('answered');
		yield { ...world, log: [...world.log, ...world.person], person: undefined };
	} else if (world.left.answers > 0) {
		const left = { ...world.left, answers: world.left.answers - 1 };
		for (const key of new Set(world.log.flatMap(({ key: one, state }) => (state === 'begun' ? [] : [one])))) {
			const rows = answerTo(world, key, machine);
			if (rows.length > 0) yield { ...world, person: rows, left };
		}
	}
}

/** What a truthful person records; nothing if it is refused. */
function answerTo(world: World, key: string, machine: Machine): readonly LogEntry[] {
	const isMade = world.ledger.some((entry) => personOf(entry.split(' ')[0] ?? '') === personOf(key));
	const found = machine.resolve(
		rowsAt(world).filter((row) => row.key === key),
		isMade ? 'has' : 'hasNot',
		'person',
		0,
	);
	return found.is === 'recorded' ? found.rows : [];
}

/** The rows as a reader sees them: `until` is 1 while their run may still run. */
const rowsAt = ({ log, runs }: World): LogEntry[] =>
	log.map((row) => {
		const index = Number(/^r(\d+)/.exec(row.attempt)?.[1] ?? -1);
		return { ...row, until: row.until > 0 && runs[index] !== undefined && runs[index].isOver !== true ? 1 : 0 };
	});

type Saw = (what: string) => void;

/** The next step of a run: all ways in which its effect can go on. */
function* perform(world: World, index: number, plan: Plan, machine: Machine, saw: Saw): Generator<World> {
	const run = world.runs[index];
	if (run === undefined) return;
	const { effect, progress } = run;
	const withRun = (one: RunInWorld, change: Partial<World> = {}): World => ({
		...world,
		...change,
		runs: world.runs.map((other, at) => (at === index ? one : other)),
	});
	const tell = (event: Event, change: Partial<World> = {}): World => {
		const { progress: _, effect: __, ...rest } = run;
		const { state, effect: next } = machine.step(run.state, event);
		if (next === undefined) for (const result of Object.values(state.results)) saw(`${shown(result)}`);
		return withRun({ ...rest, state, ...(next === undefined ? { isDone: true } : { effect: next }) }, change);
	};
	const isLossy = world.left.replies > 0;
	const lost = { ...world.left, replies: world.left.replies - 1 };
	const failed = { is: 'failed' } as const;
	if (effect === undefined) {
		yield tell({ is: 'start' });
		return;
	}
	switch (effect.do) {
		case 'insert':
		case 'mark':
		case 'write': {
			const added = [...world.log, ...effect.rows];
			const attempts = effect.do === 'write' ? effect.attempts : [];
			yield tell({ is: 'done' }, { log: added.filter((row) => row.until === 0 || !attempts.includes(row.attempt)) });
			if (!isLossy) return;
			saw(`lost reply of ${effect.do}`);
			yield tell(failed, { left: lost });
			yield tell(failed, { left: lost, log: added });
			if (plan.lateWrites === true) yield tell(failed, { left: lost, late: [...world.late, ...effect.rows] });
			return;
		}
		case 'read': {
			const rows = rowsAt(world).filter(({ key }) => effect.keys.includes(key));
			yield tell({ is: 'rows', rows, now: 0 });
			if (isLossy) yield tell(failed, { left: lost });
			return;
		}
		case 'decide':
			yield tell({ is: 'decided', refused: [] });
			return;
		case 'begin':
		case 'claim': {
			const numbers = effect.do === 'begin' ? { [effect.begun.key]: 1 } : effect.numbers;
			const { left, won } =
				progress !== undefined && 'won' in progress ? progress : { left: Object.keys(numbers), won: [] };
			const [key] = left;
			if (key === undefined) {
				yield tell({ is: 'claimed', won });
				if (!isLossy) return;
				saw(`lost reply of ${effect.do}`);
				yield tell(failed, { left: lost });
				return;
			}
			if (effect.do === 'begin' && key === 'begun') {
				yield withRun({ ...run, progress: { left: [], won } }, { log: [...world.log, effect.begun] });
				return;
			}
			const claim = `${run.state.workflow} ${key} ${numbers[key]}`;
			const isNew = !world.claims.includes(claim);
			saw(isNew ? 'won' : 'lost');
			const after = effect.do === 'begin' && isNew ? ['begun'] : left.slice(1);
			yield withRun(
				{ ...run, progress: { left: after, won: isNew ? [...won, key] : won } },
				{ claims: isNew ? [...world.claims, claim] : world.claims },
			);
			return;
		}
		case 'send': {
			if (progress !== undefined && 'outcomes' in progress) {
				yield tell({ is: 'answered', outcomes: progress.outcomes });
				return;
			}
			const every = (outcome: Outcome) => Object.fromEntries(effect.keys.map((key) => [key, outcome]));
			saw('too late');
			yield withRun({ ...run, progress: { outcomes: every('notSent') } });
			if (run.isOver === true && plan.isMarginTooSmall !== true) return;
			const attempt = run.state.parts[effect.part]?.attempt ?? '';
			const made = [...world.ledger, ...effect.keys.map((key) => `${key} ${attempt}`)];
			yield withRun({ ...run, progress: { outcomes: every('accepted') } }, { ledger: made });
			yield withRun({ ...run, progress: { outcomes: every('unknown') } }, { ledger: made });
			yield withRun({ ...run, progress: { outcomes: every('unknown') } });
			yield withRun({ ...run, progress: { outcomes: every('rejected') } });
			return;
		}
	}
}

/** Faults stop: run, person, run, person, run. Returns what is wrong then. */
function inPeace(world: World, plan: Plan, machine: Machine): string | undefined {
	const runs = world.runs.map((run) => ({ ...run, isOver: true, isKilled: true }));
	let now: World = { ...world, runs, log: [...world.log, ...world.late, ...(world.person ?? [])], late: [] };
	// In the way in which the payment run began.
	const begun = now.log.find(({ state }) => state === 'begun')?.content;
	const last = plan.last ?? plan.runs.find(({ run }) => run?.content === begun) ?? plan.runs[0];
	if (last === undefined) return undefined;
	const keys = last.parts.flat();
	let results: RunState['results'] = {};
	for (const name of ['p', 'q', 's']) {
		let run = begin(last, name);
		let event: Event = { is: 'start' };
		for (;;) {
			const { state, effect } = machine.step(run.state, event);
			run = { ...run, state };
			if (effect === undefined) break;
			[now, event] = carryOut(now, run.state, effect);
		}
		results = run.state.results;
		for (const key of keys) now = { ...now, log: [...now.log, ...answerTo(now, key, machine)] };
	}
	for (const key of keys) {
		const count = now.ledger.filter((entry) => personOf(entry.split(' ')[0] ?? '') === personOf(key)).length;
		const result = results[key];
		if (count !== 1 || result === undefined || !saysPaid(result))
			return `at the end ${key} was paid ${count} times and is ${result === undefined ? 'missing' : shown(result)}: ${JSON.stringify(
				now.log,
			)} ${now.claims.join()}`;
	}
	return undefined;
}

function carryOut(world: World, { workflow, parts }: RunState, effect: Effect): [World, Event] {
	const log = [...world.log];
	switch (effect.do) {
		case 'insert':
		case 'mark':
			return [{ ...world, log: [...log, ...effect.rows] }, { is: 'done' }];
		case 'write': {
			const kept = log.filter((row) => row.until === 0 || !effect.attempts.includes(row.attempt));
			return [{ ...world, log: [...kept, ...effect.rows] }, { is: 'done' }];
		}
		case 'read':
			return [world, { is: 'rows', rows: rowsAt(world).filter(({ key }) => effect.keys.includes(key)), now: 0 }];
		case 'decide':
			return [world, { is: 'decided', refused: [] }];
		case 'begin':
		case 'claim': {
			const numbers = effect.do === 'begin' ? { [effect.begun.key]: 1 } : effect.numbers;
			const own = Object.entries(numbers).map(([key, number]) => [key, `${workflow} ${key} ${number}`] as const);
			const won = own.filter(([, claim]) => !world.claims.includes(claim));
			const claims = [...world.claims, ...won.map(([, claim]) => claim)];
			if (effect.do === 'begin' && won.length > 0) log.push(effect.begun);
			return [
				{ ...world, claims, log },
				{ is: 'claimed', won: won.map(([key]) => key) },
			];
		}
		case 'send': {
			const attempt = parts[effect.part]?.attempt ?? '';
			const ledger = [...world.ledger, ...effect.keys.map((key) => `${key} ${attempt}`)];
			return [
				{ ...world, ledger },
				{ is: 'answered', outcomes: Object.fromEntries(effect.keys.map((key) => [key, 'accepted'])) },
			];
		}
	}
}
