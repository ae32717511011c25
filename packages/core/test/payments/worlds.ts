import type { Plan, RunPlan } from './search.ts';

export const one: RunPlan = { workflow: 'w', parts: [['a']] };
const two: RunPlan = { workflow: 'w', parts: [['a', 'b']] };
const parts: RunPlan = { workflow: 'w', parts: [['a'], ['b']] };
export const copy = (run: RunPlan): RunPlan => ({ ...run, workflow: 'v' });
const changed = (run: RunPlan): RunPlan => ({ ...run, content: 'corrected' });
const bySequence: RunPlan = { workflow: 'w', parts: [['a:sequence']], run: { key: 'R', content: 'sequence' } };
const byPhone: RunPlan = { workflow: 'w', parts: [['a:phone']], run: { key: 'R', content: 'phone' } };
/**
 * Two runs that begin one payment run, one by sequence and one by phone, can block each other. Then a person must use
 * another payment run.
 */
const copiesOfKinds = (kills: number): Plan => ({ runs: [bySequence, copy(byPhone)], kills, mayStayOpen: true });
const otherKind = (kills: number): Plan => ({
	runs: [bySequence, bySequence],
	kills,
	last: byPhone,
	mayStayOpen: true,
});

const faults = { lostReplies: 1, answers: 1 } satisfies Partial<Plan>;
const row = { key: 'a', attempt: 'old', workflow: 'w', number: 1, until: 0, content: 'same' } as const;

/**
 * No row shows how the payment run began. Somebody answered about both keys of the payment, truthfully at that time.
 */
const answeredBoth = (times: number) => ({
	claims: ['w R 1'],
	log: ['a:sequence', 'a:phone'].flatMap((key) =>
		Array.from({ length: times }, (_, index) => {
			const [attempt, number, state] = [`old ${key} ${index}`, index + 1, 'hasNot' as const];
			return { ...row, key, attempt, number, state };
		}),
	),
});

/** Searched in `npm test`. */
export const worlds: Readonly<Record<string, Plan>> = {
	'two runs': { runs: [one, one], lostReplies: 2, answers: 2, lateWrites: true },
	'two runs, rows pruned at any moment': { runs: [one, one], ...faults, pruned: 1 },
	'two people, one answers late': { runs: [one, one], ...faults, answers: 2, isAnswerLate: true },
	'copies in two workflows, and somebody answers late': { runs: [one, copy(one)], answers: 2, isAnswerLate: true },
	'three runs': { runs: [one, one, one] },
	'two payments': { runs: [two, two], ...faults },
	'two packages': { runs: [parts, parts], stops: true, refuses: true },
	'a package of two and two packages': { runs: [two, parts], stops: true },
	'copies in two workflows': { runs: [one, copy(one)], ...faults },
	'corrected content': { runs: [one, changed(one)], ...faults },
	'corrected content, and the corrected one is run again': {
		runs: [one, changed(one)],
		answers: 1,
		last: changed(one),
	},
	'a log without its rows, paid': { runs: [one, one], ...faults, claims: ['w a 1'], ledger: ['a old'] },
	'a log without its rows, not paid': { runs: [one, one], ...faults, claims: ['w a 1'] },
	'a log without the rows of two numbers, not paid': { runs: [one], ...faults, claims: ['w a 1', 'w a 2'] },
	// The bank rejected a payment that it had made. It is paid twice, unless a person knows that it was made.
	'a person knows that a rejected payment was made': {
		...{ runs: [one, one], ...faults, claims: ['w a 1'], ledger: ['a old'] },
		log: [
			{ ...row, state: 'rejected' },
			{ ...row, state: 'has', attempt: 'person' },
		],
	},
	'copies of two packages': { runs: [parts, copy(parts)], kills: 1 },
	'copies in two workflows, one by sequence and one by phone': { ...copiesOfKinds(2), lostReplies: 1 },
	'two runs by sequence, later one by phone': otherKind(2),
	'two runs of a payment run': { runs: [bySequence, bySequence], ...faults },
	'sequence and phone': { runs: [bySequence, byPhone], ...faults },
	'sequence and phone, refused': { runs: [bySequence, byPhone], answers: 1, refuses: true },
	'a payment run without its row, answered in both ways': {
		runs: [bySequence, byPhone],
		...faults,
		...answeredBoth(1),
	},
	'a payment run without its row, answered in both ways three times': {
		...{ runs: [bySequence, byPhone], ...answeredBoth(3), lostReplies: 1, mayStayOpen: true },
	},
	'sequence, then phone; the rows are gone': {
		runs: [byPhone, byPhone],
		...faults,
		claims: ['w R 1', 'w a:sequence 1'],
		ledger: ['a:sequence old'],
	},
};

/** Plans that are small enough to search again for each fault that the tests put into the protocol. */
export const smallWorlds = {
	plain: { runs: [one, one], ...faults },
	two: { runs: [two, two], answers: 1 },
	late: { runs: [one, one], answers: 2, isAnswerLate: true, kills: 1 },
	packages: { runs: [parts, parts], kills: 1, stops: true, refuses: true },
	copies: { runs: [one, copy(one)], ...faults },
	content: { runs: [one, changed(one)] },
	run: { runs: [bySequence, bySequence] },
	kinds: { runs: [bySequence, byPhone], ...faults },
	twoPackages: { runs: [parts], lostReplies: 1 },
	copiesOfPackages: { runs: [parts, copy(parts)], kills: 0 },
	copiesOfKinds: copiesOfKinds(0),
	otherKind: otherKind(0),
	answeredBoth: { runs: [bySequence, byPhone], kills: 0, ...answeredBoth(1) },
	answeredOften: { runs: [bySequence, byPhone], kills: 1, ...answeredBoth(3), mayStayOpen: true },
	kindGone: {
		...{ runs: [byPhone, byPhone], ...faults, claims: ['w R 1', 'w a:sequence 1'], ledger: ['a:sequence old'] },
	},
	runGone: { runs: [byPhone], claims: ['w R 1'], answers: 1 },
	twoOpen: {
		...{ runs: [one], claims: ['w a 1', 'v a 1'], answers: 1 },
		log: [
			{ ...row, state: 'unknown' },
			{ ...row, state: 'unknown', workflow: 'v' },
		],
	},
} satisfies Record<string, Plan>;

/** Searched in `npm run test:all`, up to a number of states. */
export const largeWorlds: Readonly<Record<string, Plan>> = {
	'two runs, three lost replies': {
		runs: [one, one],
		lostReplies: 3,
		answers: 3,
		lateWrites: true,
		refuses: true,
		pruned: 2,
	},
	'three runs': { runs: [one, one, one], lostReplies: 2, answers: 2, lateWrites: true },
	'three runs, two people answer late': { runs: [one, one, one], ...faults, answers: 3, isAnswerLate: true },
	'four runs': { runs: [one, one, one, one], ...faults },
	'two payments': { runs: [two, two], lostReplies: 2, answers: 2, lateWrites: true, refuses: true },
	'two payments, three runs': { runs: [two, two, two], ...faults },
	'two packages': { runs: [parts, parts], ...faults, stops: true, refuses: true },
	'copies of two packages': { runs: [parts, copy(parts)], ...faults, stops: true },
	'three runs in two workflows': { runs: [one, one, copy(one)], ...faults, pruned: 0 },
	'corrected content, three runs': { runs: [one, changed(one), one], ...faults },
	'sequence and phone, three runs': { runs: [bySequence, byPhone, byPhone], ...faults },
};

/** Events that each search must have seen: a search in which nothing happens proves nothing. */
export const happenings = [
	...['insert', 'read', 'begin', 'claim', 'mark', 'send', 'write'].map((effect) => `killed at ${effect}`),
	...['insert', 'begin', 'claim', 'mark', 'write'].map((effect) => `lost reply of ${effect}`),
	...['accepted', 'alreadyAccepted', 'rejected', 'notSent', 'unknown', 'conflict', 'beingSent'],
	...['late answer recorded', 'late answer outdated'],
	...['won', 'lost', 'answered', 'answered twice', 'late write', 'pruned'],
];
