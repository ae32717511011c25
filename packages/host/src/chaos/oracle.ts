import { type Case, correctedBy, isAlwaysNamed, isCorrected, isLogged, isMixed } from './cases.ts';
import { type Evidence, keyOf, type Paid, type Report, type Sent, type Visit } from './evidence.ts';

/**
 * Compares the reports of a case with the bank's ledger. Independent of the node's code: what a caller can know about a request
 * follows from what the sandbox did with it.
 */

export const signals = {
	paidTwice: 'paid twice',
	deniedButPaid: 'denied but paid',
	acceptedButNotPaid: 'accepted but not paid',
	reportedNowhere: 'paid and reported nowhere',
	uncertainNotUnknown: 'uncertain and not unknown',
	notRecognized: 'accepted and not recognized later',
	resolvedTwice: 'one attempt resolved twice',
	logOtherwise: 'the log says otherwise',
} as const;

export type Signal = keyof typeof signals;

export interface Violation {
	case: number;
	signal: Signal;
	/** The payment, and the contradicting facts. */
	text: string;
}

export type Judged = Pick<Case, 'number' | 'rows' | 'settings' | 'then' | 'kind' | 'interruption'>;

export function judge(one: Judged, evidence: Evidence): Violation[] {
	const wanted = wantedOf(one);
	const ofKeys = [...wanted].flatMap(([key, count]) => {
		// The last run sends the rows without corrections.
		const atEnd = one.rows.filter((row) => keyOf(row, isAlwaysNamed(one)) === key).length;
		const facts = { key, wanted: count, atEnd, evidence };
		const found: Found = [
			...paidTwice(facts),
			...evidence.visits.flatMap((visit) => [
				...deniedButPaid(facts, visit),
				...acceptedButNotPaid(facts, visit),
				...uncertainNotUnknown(facts, visit),
				...reportedNowhere(facts, visit),
				...notRecognized(facts, visit, one),
			]),
		];
		return found.map(([signal, text]): [Signal, string] => [signal, `${key}: ${text}`]);
	});
	return [...ofKeys, ...resolvedTwice(evidence), ...logOtherwise(evidence)].map(([signal, text]) => ({
		case: one.number,
		signal,
		text,
	}));
}

/** Expected number of payments per key: the maximum number of its rows in one run. */
function wantedOf(one: Judged): Map<string, number> {
	const wanted = new Map<string, number>();
	const corrections = one.then.map((step) => (step.do === 'call' ? step.correction : null));
	for (const correction of [null, ...corrections]) {
		const { rows } = correctedBy(one.rows, correction);
		for (const [key, same] of Map.groupBy(rows, (row) => keyOf(row, isAlwaysNamed(one))))
			wanted.set(key, Math.max(wanted.get(key) ?? 0, same.length));
	}
	return wanted;
}

interface Facts {
	key: string;
	wanted: number;
	/** Number of rows of the last run with this key. */
	atEnd: number;
	evidence: Evidence;
}

type Found = Array<[Signal, string]>;

function paidTwice({ key, wanted, evidence }: Facts): Found {
	const by = paidFor(evidence, key);
	return by.length > wanted ? [['paidTwice', `paid ${by.length} times instead of ${wanted}, by ${listed(by)}`]] : [];
}

/** A run must not report a payment as not made if it was made by this run or before it. */
function deniedButPaid({ key, wanted, evidence }: Facts, visit: Visit): Found {
	const denied = count(visit, key, isDenial);
	if (denied === 0) return [];
	const paid = paidFor(evidence, key);
	const own = paid.filter((payment) => payment.visit === visit.name);
	if (denied + own.length > wanted) return [['deniedButPaid', `${told(visit, key)}, and has paid it`]];
	const before = paid.filter((payment) => isBefore(payment, visit));
	return denied > wanted - Math.min(wanted, before.length)
		? [['deniedButPaid', `${told(visit, key)}, after it was paid by ${listed(before)}`]]
		: [];
}

function acceptedButNotPaid({ key, evidence }: Facts, visit: Visit): Found {
	const paid = paidFor(evidence, key);
	const accepted = reportsOf(visit, key).filter(isAccepted);
	// Resolved payments have no transaction ID.
	const foreign = accepted.filter(
		({ transactionId, outcome }) =>
			(transactionId !== undefined || outcome === 'accepted') &&
			!paid.some((payment) => payment.transactionId === transactionId),
	);
	return foreign.length > 0 || accepted.length > paid.length
		? [['acceptedButNotPaid', `${told(visit, key)}, and the bank has paid it ${paid.length} times`]]
		: [];
}

/** A payment with an uncertain result must be unknown for the run that sent it, and for later runs until it is resolved. */
function uncertainNotUnknown({ key, wanted, evidence }: Facts, visit: Visit): Found {
	if (visit.reports.length === 0 && visit.said === '') return [];
	const own = paymentsIn(evidence.sent, key, (sent) => sent.visit === visit.name && sent.certainty === 'uncertain');
	if (count(visit, key, ({ outcome }) => outcome === 'unknown') < Math.min(own, wanted))
		return [['uncertainNotUnknown', `${told(visit, key)}, and nobody can know what became of what it sent`]];
	const freed = evidence.resolved.filter((one) => one.key === key && !one.bankHasIt && one.at < visit.begun).length;
	const sentBefore = (sent: Sent) => sent.certainty === 'uncertain' && isBefore(sent, visit);
	const before = paymentsIn(evidence.sent, key, sentBefore) - freed;
	const certain =
		count(visit, key, isDenial) + paidFor(evidence, key).filter((payment) => payment.visit === visit.name).length;
	return before > 0 && certain > wanted - Math.min(wanted, before)
		? [['uncertainNotUnknown', `${told(visit, key)}, and what was sent before may have been paid`]]
		: [];
}

/** The run that paid must report the payment, if n8n stored its data; at the end, some run must report it. */
function reportedNowhere({ key, atEnd, evidence }: Facts, visit: Visit): Found {
	const shown = count(visit, key, (report) => !isDenial(report));
	const paid = paidFor(evidence, key);
	const unsaid = paid.filter(
		(payment) =>
			payment.visit === visit.name &&
			!visit.said.includes(payment.transactionId) &&
			!visit.said.includes(payment.payPackage),
	);
	if (unsaid.length > shown) return [['reportedNowhere', `${told(visit, key)}, and has paid it`]];
	// n8n calls an execution canceled while its worker still pays.
	const known = paid.filter((payment) => payment.visit === visit.name || isBefore(payment, visit));
	if (!visit.isFinal || shown >= Math.min(atEnd, known.length)) return [];
	return [['reportedNowhere', `${told(visit, key)} at the end, and it was paid by ${listed(known)}`]];
}

/**
 * If nothing was uncertain or interrupted and the log was kept, the last run must report each payment as accepted. Without a
 * correction, there must be no conflict.
 */
function notRecognized({ key, evidence }: Facts, visit: Visit, one: Judged): Found {
	const conflicts = count(visit, key, ({ outcome }) => outcome === 'conflict');
	if (conflicts > 0 && !isCorrected(one))
		return [['notRecognized', `${told(visit, key)}, and nobody has corrected anything`]];
	const isCertain = evidence.sent.every(({ certainty }) => certainty === 'accepted' || certainty === 'rejected');
	const isQuiet = one.interruption === 'none' && one.then.every((step) => step.do !== 'retry');
	// Two workflows have separate claims but share one log.
	const isPlain = isLogged(one) && !isMixed(one);
	if (!visit.isFinal || !isCertain || !isQuiet || !isPlain) return [];
	const unknown = count(visit, key, ({ outcome }) => outcome === 'unknown');
	return unknown > 0 ? [['notRecognized', `${told(visit, key)} at the end, and everything was certain`]] : [];
}

function resolvedTwice({ resolved }: Evidence): Found {
	return [...Map.groupBy(resolved, ({ name }) => name)].flatMap(([name, same]): Found =>
		same.length > 1 ? [['resolvedTwice', `${name}: recorded ${same.length} times`]] : [],
	);
}

/**
 * Payments that the log shows as accepted must be in the ledger. Payments of a completed run must be in the log as accepted or
 * unknown.
 */
function logOtherwise({ log, paid, visits }: Evidence): Found {
	if (log === undefined) return [];
	const isOf = (payment: Paid, { entry, transactionId }: { entry: string; transactionId: string }) =>
		payment.entry === entry && (transactionId === '' || payment.transactionId === transactionId);
	const foreign = log.filter((row) => row.outcome === 'accepted' && !paid.some((payment) => isOf(payment, row)));
	const missing = paid.filter((payment) => {
		const isOver = visits.some(({ name, reports }) => name === payment.visit && reports.length > 0);
		const own = log.filter(({ execution }) => execution === payment.visit.split(' ')[0]);
		const says = own.some((row) => isOf(payment, row) && row.outcome !== 'rejected' && row.outcome !== 'notSent');
		return isOver && !says;
	});
	return [
		...foreign.map(({ entry, execution }): [Signal, string] => [
			'logOtherwise',
			`${entry}: accepted, it says of execution ${execution}, and the bank has no such payment`,
		]),
		...missing.map(({ entry, visit }): [Signal, string] => [
			'logOtherwise',
			`${entry}: paid by ${visit}, and it says nothing of that`,
		]),
	];
}

const paidFor = (evidence: Evidence, key: string) => evidence.paid.filter((payment) => payment.key === key);

const reportsOf = (visit: Visit, key: string) => visit.reports.filter((report) => report.key === key);

const count = (visit: Visit, key: string, counts: (report: Report) => boolean) =>
	reportsOf(visit, key).filter(counts).length;

const isAccepted = ({ outcome }: Report) => outcome === 'accepted' || outcome === 'alreadyAccepted';

/** A prepared package is sent completely or not at all, and has the same result for all its payments. */
const isDenial = ({ outcome, code }: Report) =>
	(outcome === 'rejected' || outcome === 'notSent') && code !== 'prepared_package_outdated';

const isBefore = (one: { visit: string; at: number }, visit: Visit) => one.visit !== visit.name && one.at < visit.begun;

const paymentsIn = (all: readonly Sent[], key: string, counts: (sent: Sent) => boolean) =>
	all.filter(counts).flatMap(({ keys }) => keys.filter((each) => each === key)).length;

function told(visit: Visit, key: string): string {
	const outcomes = reportsOf(visit, key).map(({ outcome }) => outcome);
	return `${visit.name} reports ${outcomes.length === 0 ? 'nothing' : outcomes.join(', ')}`;
}

const listed = (payments: ReadonlyArray<{ visit: string; transactionId: string }>) =>
	payments.map(({ visit, transactionId }) => `${visit} (${transactionId})`).join(', ');
