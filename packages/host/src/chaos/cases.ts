import fc from 'fast-check';

import type { FaultRuleInput } from '@bank/fixtures/sandbox';

/**
 * Generates test cases from a seed; the same seed gives the same cases. They contain what needs a real n8n: claims and
 * log rows of simultaneous executions in its database, killed processes, several workers. Search and simulation cover
 * the other histories.
 */

export type Fault = FaultRuleInput['fault'];

export interface Row {
	amount: number;
	phone: string;
	sequence: string;
	paymentDescription: string;
}

/** What the user does after the first call of a case has ended, `times` at once. */
export interface Step {
	/**
	 * `resolve`: records the answer of the bank's ledger with *Payment: Resolve*, for all payments that the last call
	 * has shown as unknown.
	 */
	do: 'call' | 'resolve';
	times: number;
}

/** Interrupts the executions of the first call. `stopAtTheBank`: after the bank has received a request. */
export type Interruption = 'none' | 'stopAtOnce' | 'stopAtTheBank' | 'kill';

export interface Case {
	number: number;
	/** Copies of the workflow, which are called in turn. Each has its own claims. */
	workflows: 1 | 2;
	/** Whether *Sequence* is mapped. `both`: only in every second call. */
	sequences: 'mapped' | 'empty' | 'both';
	rows: Row[];
	/** Payments in a package; 0 means no maximum. */
	maxPayments: number;
	/** Faults for the first requests of the case, in order. */
	faults: Fault[];
	/** Number of simultaneous executions. */
	times: number;
	interruption: Interruption;
	then: Step[];
}

/** Marker in every request of a case, to tell the cases apart. */
export const mark = (number: number) => `chaos ${number};`;

const applied = fc.boolean();
const unclear: fc.Arbitrary<Fault>[] = [
	fc.record({ kind: fc.constant('error' as const), status: fc.constantFrom(409, 500, 504), applied }),
	fc.record({ kind: fc.constant('hang' as const), applied }),
	// After `resetHalfway`, the bank has only some payments of the package, so their answers differ.
	fc.constantFrom<Fault>({ kind: 'resetBefore' }, { kind: 'resetAfter' }, { kind: 'resetHalfway' }),
];
const clear: fc.Arbitrary<Fault> = fc.constantFrom<Fault>(
	{ kind: 'error', status: 400 },
	{ kind: 'latency', ms: 300 },
	// A correct response.
	{ kind: 'latency', ms: 0 },
);
const fault = fc.oneof({ weight: 3, arbitrary: fc.oneof(...unclear) }, { weight: 2, arbitrary: clear });

/** Faults that keep a request open long enough to interrupt the execution. */
const holding = fc.oneof(
	fc.record({ kind: fc.constant('hang' as const), applied }),
	fc.constant<Fault>({ kind: 'latency', ms: 3000 }),
);

const rows: fc.Arbitrary<Row[]> = fc
	.array(fc.integer({ min: 1, max: 500_000 }), { minLength: 1, maxLength: 4 })
	.map((all) =>
		all.map((hundredths, index) => ({
			amount: hundredths / 100,
			phone: `+7900000000${index + 1}`,
			sequence: `payment-n${index + 1}`,
			paymentDescription: '',
		})),
	);

const step: fc.Arbitrary<Step> = fc.record({
	do: fc.constantFrom('call', 'call', 'resolve'),
	times: fc.constantFrom(1, 1, 2),
});

const anyCase: fc.Arbitrary<Omit<Case, 'number'>> = fc
	.record({
		workflows: fc.constantFrom<Case['workflows']>(1, 1, 2),
		sequences: fc.constantFrom<Case['sequences']>('mapped', 'mapped', 'empty', 'both'),
		rows,
		maxPayments: fc.constantFrom(0, 0, 1, 2),
		faults: fc.array(fault, { maxLength: 2 }),
		held: holding,
		times: fc.constantFrom(1, 2, 4),
		interruption: fc.constantFrom<Interruption>('none', 'none', 'none', 'stopAtOnce', 'stopAtTheBank', 'kill', 'kill'),
		then: fc.array(step, { maxLength: 3 }),
	})
	.map(({ held, ...one }) => {
		const isHeld = one.interruption === 'kill' || one.interruption === 'stopAtTheBank';
		return { ...one, faults: isHeld ? [held, ...one.faults] : one.faults };
	});

/** The first cases of a seed. The number of cases does not change what they contain. */
export function casesOf(seed: number, count: number): Case[] {
	return fc.sample(anyCase, { seed, numRuns: count }).map((one, index) => ({
		...one,
		number: index + 1,
		rows: one.rows.map((row) => ({ ...row, paymentDescription: mark(index + 1) })),
	}));
}
