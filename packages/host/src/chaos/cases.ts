import fc from 'fast-check';

import type { FaultRuleInput } from '@bank/fixtures/sandbox';

/** Generates test cases from a seed; the same seed gives the same cases. Independent of n8n and the sandbox. */

export type Fault = FaultRuleInput['fault'];

/** The node's *On Error* setting: stop, or continue with the regular or the error output. */
export type Mode = 'stop' | 'continue' | 'errorOutput';

/**
 * The workflow around the node. `plain`: nothing else. `copy`: a copy of the node next to it. `loop`: its error output leads back to
 * it. `subWorkflow`: called by a workflow with *Retry On Fail*. `shared`: two workflows share duplicate protection. `debit`: *Debit*
 * instead of payments.
 */
export type Shape = 'plain' | 'copy' | 'loop' | 'subWorkflow' | 'shared' | 'debit';

export interface Kind {
	shape: Shape;
	mode: Mode;
	retryOnFail: boolean;
	/** Source of the recipients. `prepared`: a Prepare Package node before it. */
	from: 'items' | 'list' | 'prepared';
}

export interface Packaging {
	packagePerItem: boolean;
	/** 0 means no maximum. */
	maxPayments: number;
}

/** One payment of a payout. Rows that are equal in everything are separate payments. */
export interface Row {
	amount: number;
	phone: string;
	nspkBankId: string;
	paymentDescription: string;
	ric: string;
	/** Not mapped in every run. */
	sequence: string;
}

/** The sender, shared by all rows. */
export interface Sender {
	account: string;
	inn: string;
	partnerId: string;
}

export const sender: Sender = { account: '40702810000000000001', inn: '7700000000', partnerId: '1001' };

/** A field of the first row, or of the sender, that is corrected for one run and then restored. */
export type Correction = Exclude<keyof Row, 'sequence'> | keyof Sender;

/** Settings that may change between the runs of a payout. */
export interface Settings {
	/** `deleted`: the Data Table is deleted between runs. */
	log: 'kept' | 'deleted' | 'off';
	/** Whether *Share Duplicate Protection With* is set. */
	isShared: boolean;
	/** Whether *Sequence* is mapped. */
	isNamed: boolean;
}

/** The user's next action after the first call of a case has ended. */
export type Step =
	/** Calls the workflow with the same rows again, `times` in parallel, as the next schedule or a caller without a response would. */
	| ({ do: 'call'; times: number; reversed: boolean; packaging: Packaging; correction: Correction | null } & Settings)
	/** *Retry* of a failed execution, with the original or the currently saved workflow. */
	| { do: 'retry'; saved: boolean }
	/** *Execute step* in the editor, with the input of the first execution. */
	| { do: 'executeStep' }
	/**
	 * *Payment: Resolve* for all payments that the log shows as unknown, as the bank's ledger says, `times` in parallel; then again for
	 * payments that were already resolved. `after`: a payout that runs first and whose errors have the values to enter, by the order of
	 * its rows.
	 */
	| { do: 'resolve'; times: number; after: 'none' | 'sameOrder' | 'reversed' }
	| { do: 'deleteLog' };

/** Interrupts the execution of the first call. `stopAtTheBank`: after the bank has received a request. */
export type Interruption = 'none' | 'stopAtOnce' | 'stopAtTheBank' | 'kill';

export interface Case {
	number: number;
	kind: Kind;
	rows: Row[];
	settings: Settings;
	packaging: Packaging;
	/** Faults for the first requests of the case, in order. */
	faults: Fault[];
	/** Number of simultaneous executions. */
	times: number;
	interruption: Interruption;
	then: Step[];
}

type SettingsOf = Pick<Case, 'settings' | 'then'>;

const settingsOf = ({ settings, then }: SettingsOf): Settings[] => [
	settings,
	...then.filter((step) => step.do === 'call'),
];

/** Whether every run maps *Sequence*, so that payments are identified by it. Otherwise they are identified by recipient. */
export const isAlwaysNamed = (one: SettingsOf): boolean => settingsOf(one).every(({ isNamed }) => isNamed);

/** Whether some runs map *Sequence* and others do not. */
export const isMixed = (one: SettingsOf): boolean => new Set(settingsOf(one).map(({ isNamed }) => isNamed)).size > 1;

/** Whether every run uses the same log, which is never deleted. */
export const isLogged = (one: SettingsOf): boolean => settingsOf(one).every(({ log }) => log === 'kept');

export const isCorrected = ({ then }: Pick<Case, 'then'>): boolean =>
	then.some((step) => step.do === 'call' && step.correction !== null);

const corrected: Readonly<Record<Correction, string | number>> = {
	amount: 7654.32,
	phone: '+79000009001',
	nspkBankId: '100000000222',
	paymentDescription: 'corrected',
	ric: '2',
	account: '40702810000000000002',
	inn: '7700000001',
	partnerId: '1002',
};

/** Rows and sender after a correction. */
export function correctedBy(rows: readonly Row[], correction: Correction | null): { rows: Row[]; sender: Sender } {
	if (correction === null) return { rows: [...rows], sender };
	if (correction in sender) return { rows: [...rows], sender: { ...sender, [correction]: corrected[correction] } };
	const [first] = rows;
	const value =
		correction === 'paymentDescription'
			? `${first?.paymentDescription} ${corrected[correction]}`
			: corrected[correction];
	return { rows: rows.map((row, index) => (index === 0 ? { ...row, [correction]: value } : row)), sender };
}

/** Marker in every request of a case, to tell the cases apart. */
export const mark = (number: number) => `chaos ${number};`;

/** Timeout in seconds, which a fault without a response takes. Longer if the execution must be interrupted meanwhile. */
export const timeoutOf = ({ interruption, faults }: Pick<Case, 'interruption' | 'faults'>, isFirst: boolean) => {
	const isCaught = isFirst && interruption !== 'none';
	return !isCaught && faults.some(({ kind }) => neverAnswers.has(kind)) ? 2 : 30;
};

const neverAnswers: ReadonlySet<string> = new Set(['hang', 'drip', 'switchingProtocols']);

const applied = fc.boolean();
const unclear: fc.Arbitrary<Fault>[] = [
	fc.record({ kind: fc.constant('error' as const), status: fc.constantFrom(500, 502, 503, 504), applied }),
	fc.record({ kind: fc.constant('empty' as const), status: fc.constantFrom(500, 502, 504), applied }),
	fc.record({ kind: fc.constant('html' as const), status: fc.constantFrom(502, 504), applied }),
	fc.record({ kind: fc.constant('hang' as const), applied }),
	...[
		...(['unavailable', 'truncatedJson', 'resetMidBody', 'resetBefore', 'resetAfter'] as const),
		...(['drip', 'tooDeep', 'switchingProtocols'] as const),
	].map((kind) => fc.constant<Fault>({ kind })),
	// Statuses that a bank may use for a payment that it already has.
	...[400, 409, 422].map((status) =>
		fc.record({
			kind: fc.constant('error' as const),
			status: fc.constant(status),
			code: fc.constant('duplicate_payment'),
			applied,
		}),
	),
	// Larger than a payment's response may be (16 MB).
	fc.constant<Fault>({ kind: 'tooLarge', megabytes: 17 }),
];
const clear: fc.Arbitrary<Fault>[] = [
	fc.record({ kind: fc.constant('error' as const), status: fc.constantFrom(400, 401, 403, 404) }),
	fc.record({ kind: fc.constant('latency' as const), ms: fc.integer({ min: 20, max: 400 }) }),
	fc.constantFrom<Fault>({ kind: 'rateLimit' }, { kind: 'wrongContentType' }, { kind: 'redirect' }),
	// A correct response.
	fc.constant<Fault>({ kind: 'latency', ms: 0 }),
];

const fault = fc.oneof(
	{ weight: 3, arbitrary: fc.oneof(...unclear) },
	{ weight: 3, arbitrary: fc.oneof(...clear) },
	// The bank then has only some payments of the package, so they are resolved differently.
	{ weight: 1, arbitrary: fc.constant<Fault>({ kind: 'resetHalfway' }) },
);

/** Faults that keep a request open long enough to interrupt the execution. */
const holding = fc.oneof(
	fc.record({ kind: fc.constant('hang' as const), applied }),
	fc.constant<Fault>({ kind: 'latency', ms: 3000 }),
	fc.constant<Fault>({ kind: 'drip' }),
);

const packaging: fc.Arbitrary<Packaging> = fc.constantFrom(
	{ packagePerItem: false, maxPayments: 0 },
	{ packagePerItem: true, maxPayments: 0 },
	{ packagePerItem: false, maxPayments: 1 },
	{ packagePerItem: false, maxPayments: 2 },
	{ packagePerItem: false, maxPayments: 3 },
);

const kind: fc.Arbitrary<Kind> = fc
	.record({
		shape: fc.oneof(
			{ weight: 5, arbitrary: fc.constant<Shape>('plain') },
			{ weight: 1, arbitrary: fc.constantFrom<Shape>('copy', 'loop', 'subWorkflow', 'shared', 'debit') },
		),
		mode: fc.constantFrom<Mode>('stop', 'continue', 'errorOutput'),
		retryOnFail: fc.boolean(),
		from: fc.oneof(
			{ weight: 3, arbitrary: fc.constant('items' as const) },
			{ weight: 1, arbitrary: fc.constantFrom('list' as const, 'prepared' as const) },
		),
	})
	.map((chosen) => (chosen.shape === 'plain' ? chosen : aroundTheNode(chosen.shape)));

/** The other shapes have one kind each, because only the workflow around the node differs. */
function aroundTheNode(shape: Shape): Kind {
	return { shape, mode: shape === 'loop' ? 'errorOutput' : 'stop', retryOnFail: false, from: 'items' };
}

/** A person may get several payments, which may be equal except for the sequence. */
const rows: fc.Arbitrary<Row[]> = fc
	.array(
		fc.record({
			amount: fc.integer({ min: 1, max: 500_000 }).map((hundredths) => hundredths / 100),
			times: fc.oneof({ weight: 5, arbitrary: fc.constant(1) }, { weight: 1, arbitrary: fc.constant(2) }),
		}),
		{ minLength: 1, maxLength: 4 },
	)
	.map((people) =>
		people
			.flatMap(({ amount, times }, person) =>
				Array.from({ length: times }, () => ({
					amount,
					phone: `+7900000${String(person + 1).padStart(4, '0')}`,
					nspkBankId: '100000000111',
					paymentDescription: '',
					ric: '1',
				})),
			)
			.map((row, index) => ({ ...row, sequence: `payment-n${index + 1}` })),
	);

const log: fc.Arbitrary<Settings['log']> = fc.oneof(
	{ weight: 6, arbitrary: fc.constant<Settings['log']>('kept') },
	{ weight: 1, arbitrary: fc.constantFrom<Settings['log']>('deleted', 'off') },
);

/** Settings of one run; the differences to the first run are generated below. */
const settings: fc.Arbitrary<Settings> = fc.record({ log, isShared: fc.boolean(), isNamed: fc.boolean() });

const correction = fc.oneof(
	{ weight: 3, arbitrary: fc.constant(null) },
	{ weight: 2, arbitrary: fc.constantFrom(...(Object.keys(corrected) as Correction[])) },
);

const call = fc
	.record({ times: fc.constantFrom(1, 1, 1, 2), reversed: fc.boolean(), packaging, correction, settings })
	.map(({ settings: own, ...rest }): Step => ({ do: 'call', ...rest, ...own }));

const step: fc.Arbitrary<Step> = fc.oneof(
	{ weight: 6, arbitrary: call },
	{ weight: 2, arbitrary: fc.record({ do: fc.constant('retry' as const), saved: fc.boolean() }) },
	{ weight: 1, arbitrary: fc.record({ do: fc.constant('executeStep' as const) }) },
	{
		weight: 4,
		arbitrary: fc.record({
			do: fc.constant('resolve' as const),
			times: fc.constantFrom(1, 1, 2),
			after: fc.constantFrom('none', 'sameOrder', 'reversed'),
		}),
	},
	{ weight: 1, arbitrary: fc.constant<Step>({ do: 'deleteLog' }) },
);

const interruption: fc.Arbitrary<Interruption> = fc.oneof(
	{ weight: 14, arbitrary: fc.constant<Interruption>('none') },
	{ weight: 1, arbitrary: fc.constant<Interruption>('stopAtOnce') },
	{ weight: 2, arbitrary: fc.constant<Interruption>('stopAtTheBank') },
	{ weight: 3, arbitrary: fc.constant<Interruption>('kill') },
);

const anyCase: fc.Arbitrary<Omit<Case, 'number'>> = fc
	.record({
		kind,
		rows,
		settings,
		// Most payouts keep their settings.
		isSteady: fc.constantFrom(true, true, false),
		packaging,
		faults: fc.array(fault, { maxLength: 2 }),
		held: holding,
		times: fc.constantFrom(1, 1, 1, 1, 1, 2, 4),
		interruption,
		then: fc.oneof(
			{ weight: 1, arbitrary: fc.constant<Step[]>([]) },
			{ weight: 2, arbitrary: fc.tuple(step) },
			{ weight: 2, arbitrary: fc.tuple(step, step) },
			{ weight: 2, arbitrary: fc.tuple(step, step, step) },
		),
	})
	.map(({ held, isSteady, settings: first, ...one }) => {
		const isDebit = one.kind.shape === 'debit';
		// A debit is identified by its transaction ID only. Workflows of the shape `shared` always share protection.
		const always = {
			...(isDebit ? { isNamed: true } : {}),
			...(one.kind.shape === 'shared' ? { isShared: true } : {}),
		};
		const then = one.then
			.map((step) => (step.do === 'call' ? { ...step, ...(isSteady ? first : {}), ...always } : step))
			// Both steps would send what an earlier execution prepared, so their requests could not be attributed to one execution.
			.filter(({ do: what }) => one.kind.from !== 'prepared' || (what !== 'retry' && what !== 'executeStep'));
		const settled = { ...one, settings: { ...first, ...always }, then };
		return {
			...settled,
			then: then.map((step) =>
				step.do === 'call' ? { ...step, correction: correctionOf(settled, step.correction) } : step,
			),
			faults: one.interruption === 'none' || one.interruption === 'stopAtOnce' ? one.faults : [held, ...one.faults],
		};
	});

/** A debit has only an amount to correct. Without sequences, another phone number means another person. */
function correctionOf(one: SettingsOf & { kind: Kind }, wanted: Correction | null): Correction | null {
	if (wanted === null) return null;
	return one.kind.shape === 'debit' || (wanted === 'phone' && isMixed(one)) ? 'amount' : wanted;
}

/** The first cases of a seed. The number of cases does not change what they contain. */
export function casesOf(seed: number, count: number): Case[] {
	return fc.sample(anyCase, { seed, numRuns: count }).map((one, index) => ({
		...one,
		number: index + 1,
		rows: one.rows.map((row) => ({ ...row, paymentDescription: mark(index + 1) })),
	}));
}
