/**
 * Searches the protocol that handles an event once: deliveries of one event and lists of unfinished events run in every
 * order, and each may be killed at every step. A reply of the database that is lost looks like a kill after the step.
 */
import {
	effectOf,
	type EventAnswer,
	type EventRow,
	type EventState,
	listEvent,
	receiveEvent,
	stepEvent,
	unfinishedEvents,
} from '../src/index.ts';

interface Row {
	owner: number;
	attempt: number;
}

interface Run {
	kind: 'delivery' | 'list';
	/** Absent before the run begins. */
	state?: EventState;
	/** Indexes of the runs whose rows a list has read. */
	read: number[];
	/** What this run does next. */
	next: 'protocol' | 'effect' | 'ask' | 'done' | 'over';
}

interface World {
	rows: Row[];
	claims: number[];
	runs: Run[];
	effects: number;
	/** Whether the bank has got the response 200 for a delivery. */
	isConfirmed: boolean;
}

interface Rules {
	/** Replaces the protocol, to show that the search finds faults. */
	step?: typeof stepEvent;
	isTracked?: boolean;
}

const worldOf = (...kinds: Run['kind'][]): World => ({
	rows: [],
	claims: [],
	runs: kinds.map((kind) => ({ kind, read: [], next: 'protocol' })),
	effects: 0,
	isConfirmed: false,
});

/** The states that the next step of a run may lead to; none if the run cannot continue. */
function advance(before: World, index: number, { step = stepEvent, isTracked = true }: Rules): World | undefined {
	const world = JSON.parse(JSON.stringify(before)) as World;
	const run = world.runs[index];
	if (run === undefined || run.next === 'over') return undefined;
	if (run.next === 'effect') {
		world.effects++;
		run.next = 'done';
	} else if (run.next === 'done') {
		world.rows = [];
		run.next = 'over';
	} else if (run.next === 'ask') {
		// A person looks whether the effect has happened, then decides.
		run.next = world.effects > 0 ? 'done' : 'effect';
	} else if (run.state === undefined) {
		if (run.kind === 'delivery') run.state = receiveEvent(isTracked);
		else {
			// Only rows of runs that have ended: the time of List Unfinished must be longer than the longest run.
			if (world.rows.length === 0 || world.rows.some(({ owner }) => world.runs[owner]?.next !== 'over'))
				return undefined;
			run.read = world.rows.map(({ owner }) => owner);
			run.state = listEvent(Math.max(...world.rows.map(({ attempt }) => attempt)));
		}
	} else {
		const effect = effectOf(run.state);
		if (effect === undefined) return undefined;
		let answer: EventAnswer = 'done';
		if (effect.do === 'insertRow') world.rows.push({ owner: index, attempt: effect.attempt });
		else if (effect.do === 'claim') {
			answer = world.claims.includes(effect.number) ? 'no' : 'yes';
			if (answer === 'yes') world.claims = [...world.claims, effect.number].sort();
		} else if (effect.do === 'findNewRows') {
			const known = [...run.read, index];
			answer = world.rows.some(({ owner }) => !known.includes(owner)) ? 'yes' : 'no';
		} else {
			const gone = effect.do === 'deleteOldRows' ? run.read : [index];
			world.rows = world.rows.filter(({ owner }) => !gone.includes(owner));
		}
		run.state = step(run.state, answer);
		if (run.state.is === 'ended') {
			const { verdict } = run.state;
			// The response 200 is sent when the protocol has ended.
			if (run.kind === 'delivery') world.isConfirmed = true;
			run.next = verdict === 'first' ? 'effect' : verdict === 'mayHaveRun' ? 'ask' : 'over';
		}
	}
	return world;
}

function kill(before: World, index: number): World {
	const world = JSON.parse(JSON.stringify(before)) as World;
	const run = world.runs[index];
	if (run !== undefined) run.next = 'over';
	return world;
}

/** Runs one more delivery or list to its end, without faults. */
function calmly(before: World, kind: Run['kind'], rules: Rules): { world: World; verdict: string } {
	let world: World = { ...before, runs: [...before.runs, { kind, read: [], next: 'protocol' }] };
	const index = world.runs.length - 1;
	for (let next = advance(world, index, rules); next !== undefined; next = advance(world, index, rules)) world = next;
	const { state } = world.runs[index] ?? {};
	return { world, verdict: state !== undefined && 'verdict' in state ? state.verdict : 'nothing' };
}

function search(start: World, rules: Rules = {}) {
	const seen = new Set<string>([JSON.stringify(start)]);
	let level = [start];
	const found = { states: 0, ends: 0, twice: 0, silent: 0, unending: 0, shown: 0, neverRun: 0, killedUnconfirmed: 0 };
	while (level.length > 0) {
		const next: World[] = [];
		for (const world of level) {
			found.states++;
			if (world.effects > 1) found.twice++;
			if (world.runs.some(({ kind, state }) => kind === 'list' && state?.is === 'ended' && state.verdict === 'first'))
				found.neverRun++;
			// Runs of the same kind are equal, so they begin in order.
			const isNext = (kind: Run['kind'], index: number) =>
				world.runs.findIndex((run) => run.kind === kind && run.state === undefined) === index;
			const live = world.runs.flatMap(({ kind, next: left, state }, index) =>
				left === 'over' || (state === undefined && !isNext(kind, index))
					? []
					: [{ index, isBegun: state !== undefined }],
			);
			const worlds = live.flatMap(({ index, isBegun }) => [
				...[advance(world, index, rules)].filter((one) => one !== undefined),
				...(isBegun ? [kill(world, index)] : []),
			]);
			if (!live.some(({ isBegun }) => isBegun)) judge(world, rules, found);
			for (const one of worlds) {
				const key = JSON.stringify(one);
				if (seen.has(key)) continue;
				seen.add(key);
				next.push(one);
			}
		}
		level = next;
	}
	return found;
}

/**
 * After all faults and runs have ended: each confirmed event has had its effect, or is listed as unfinished. All events
 * can be finished.
 */
function judge(end: World, rules: Rules, found: ReturnType<typeof search>): void {
	found.ends++;
	let world = end;
	if (!world.isConfirmed && world.runs.some(({ kind, state }) => kind === 'delivery' && state !== undefined)) {
		found.killedUnconfirmed++;
		// The bank delivers again.
		world = calmly(world, 'delivery', rules).world;
	}
	if (!world.isConfirmed) return;
	const wasOpen = world.effects === 0;
	const { world: listed, verdict } = calmly(world, 'list', rules);
	if (wasOpen) {
		if (verdict === 'taken' || verdict === 'nothing') found.silent++;
		else found.shown++;
	}
	if (listed.effects !== 1 || listed.rows.length > 0) found.unending++;
}

const fine = { twice: 0, silent: 0, unending: 0 };

it.each<[Run['kind'][], number]>([
	[['delivery', 'delivery'], 60],
	[['delivery', 'list'], 40],
	[['delivery', 'delivery', 'list'], 700],
	[['delivery', 'list', 'list'], 700],
	[['delivery', 'delivery', 'list', 'list'], 15_000],
])('of %j no event has its effect twice, and none that was confirmed is silent', (kinds, least) => {
	const found = search(worldOf(...kinds));
	expect(found).toMatchObject(fine);
	expect(found.states).toBeGreaterThan(least);
	// The search has seen both: a killed run that is listed and, with lists, a run that certainly did nothing.
	expect(found.shown).toBeGreaterThan(0);
	expect(found.neverRun > 0).toBe(kinds.includes('list'));
	expect(found.killedUnconfirmed).toBeGreaterThan(0);
});

it('without rows it is at most once: an event whose run was killed is silent', () => {
	const found = search(worldOf('delivery', 'delivery'), { isTracked: false });
	expect(found.twice).toBe(0);
	expect(found.silent).toBeGreaterThan(0);
});

describe('the search finds', () => {
	const changed =
		(change: (next: EventState, state: EventState, answer: EventAnswer) => EventState): typeof stepEvent =>
		(state, answer) =>
			change(stepEvent(state, answer), state, answer);
	const faults: [string, keyof typeof fine, Run['kind'][], typeof stepEvent][] = [
		[
			'a list that takes every event for one that no run has handled',
			'twice',
			['delivery', 'list'],
			changed((next) => ('verdict' in next && next.verdict === 'mayHaveRun' ? { ...next, verdict: 'first' } : next)),
		],
		[
			'a lost claim that is ignored',
			'twice',
			['delivery', 'delivery'],
			(state, answer) => stepEvent(state, state.is === 'claiming' ? 'yes' : answer),
		],
		[
			'a list that does not look for new rows',
			'twice',
			['delivery', 'list', 'list'],
			(state, answer) => stepEvent(state, state.is === 'checking' ? 'no' : answer),
		],
		[
			'a list that does not try number 1',
			'twice',
			['delivery', 'delivery', 'list'],
			changed((next) =>
				next.kind === 'list' && next.is === 'claiming' && next.number === 1 ? { ...next, number: 2 } : next,
			),
		],
		[
			'a list that tries one number only',
			'unending',
			['delivery', 'list'],
			changed((next, { is }) =>
				next.kind === 'list' && next.is === 'claiming' && is === 'claiming' && next.number > 2
					? { ...next, is: 'withdrawing', verdict: 'taken' }
					: next,
			),
		],
		[
			'a run that deletes the rows of others when it loses',
			'silent',
			['delivery', 'delivery'],
			changed((next) => (next.is === 'withdrawing' ? { ...next, is: 'replacing' } : next)),
		],
		[
			'a claim before the row',
			'silent',
			['delivery', 'delivery'],
			changed((next, { is }, answer) =>
				is === 'claiming' && answer === 'yes'
					? { ...next, is: 'storing' }
					: is === 'storing'
						? { ...next, is: 'ended', verdict: 'first' }
						: next,
			),
		],
	];

	it.each(faults)('%s (%s)', (what, sign, kinds, step) => {
		const start = worldOf(...kinds);
		for (const run of start.runs) {
			if (what.startsWith('a run that deletes')) run.read = [0, 1];
			if (what.startsWith('a claim before')) run.state = { ...receiveEvent(false), kind: 'delivery' };
		}
		expect(search(start, { step })[sign]).toBeGreaterThan(0);
	});
});

it('an event is unfinished when all of its runs began long enough ago', () => {
	const row = (event: string, at: string): EventRow => ({ event, at: `2026-01-01T${at}` });
	const [first, other, second] = [row('a', '10:00'), row('b', '10:00'), row('a', '10:03')];
	expect(unfinishedEvents([first, other, second], '2026-01-01T10:02')).toEqual([[other]]);
	expect(unfinishedEvents([first, other, second], '2026-01-01T10:04')).toEqual([[first, second], [other]]);
});
