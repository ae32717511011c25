import type { Case } from './cases.ts';
import type { Evidence, Paid, Report, Sent, Visit } from './evidence.ts';

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
	deadEnd: 'not made at the end',
	logOtherwise: 'the log says otherwise',
	leftRows: 'rows left in the log',
} as const;

export type Signal = keyof typeof signals;

export interface Violation {
	case: number;
	signal: Signal;
	/** The payment, and the facts that contradict each other. */
	text: string;
}

export type Judged = Pick<Case, 'number' | 'rows' | 'interruption'>;

type Found = Array<[Signal, string]>;

export function judge({ number, rows, interruption }: Judged, evidence: Evidence): Violation[] {
	const ofKeys = rows.flatMap(({ phone: key }) => {
		const facts = { key, evidence, paid: evidence.paid.filter((payment) => payment.key === key) };
		const found = [
			...paidTwice(facts),
			...evidence.visits.flatMap((visit) => [
				...deniedButPaid(facts, visit),
				...acceptedButNotPaid(facts, visit),
				...reportedNowhere(facts, visit),
				...uncertainNotUnknown(facts, visit),
				...deadEnd(facts, visit),
			]),
		];
		return found.map(([signal, text]): [Signal, string] => [signal, `${key}: ${text}`]);
	});
	const ofLog = [...logOtherwise(evidence), ...(interruption === 'none' ? leftRows(evidence) : [])];
	return [...ofKeys, ...ofLog].map(([signal, text]) => ({ case: number, signal, text }));
}

interface Facts {
	key: string;
	evidence: Evidence;
	paid: Paid[];
}

const paidTwice = ({ paid }: Facts): Found =>
	paid.length > 1 ? [['paidTwice', `paid ${paid.length} times, by ${listed(paid)}`]] : [];

function deniedButPaid({ key, paid }: Facts, visit: Visit): Found {
	const before = paid.filter((payment) => isOf(payment, visit) || payment.at < visit.begun);
	return isDenied(visit, key) && before.length > 0
		? [['deniedButPaid', `${told(visit, key)}, and it was paid by ${listed(before)}`]]
		: [];
}

function acceptedButNotPaid({ key, paid }: Facts, visit: Visit): Found {
	const { outcome, transactionId } = reportOf(visit, key) ?? {};
	if (outcome !== 'accepted' && outcome !== 'alreadyAccepted') return [];
	// A payment that a person resolved may have no transaction ID, so any payment at the bank confirms it.
	const isKnown = paid.some((payment) =>
		transactionId === undefined ? outcome === 'alreadyAccepted' : payment.transactionId === transactionId,
	);
	return isKnown ? [] : [['acceptedButNotPaid', `${told(visit, key)}, and the bank has no such payment`]];
}

/** The run that made a payment must report it, and the last run must report every payment. */
function reportedNowhere({ key, paid }: Facts, visit: Visit): Found {
	const isExpected = visit.isFinal || paid.some((payment) => isOf(payment, visit));
	return isExpected && reportOf(visit, key) === undefined ? [['reportedNowhere', told(visit, key)]] : [];
}

/** A payment with an uncertain result is unknown for the run that sent it, and for later runs until a person answers. */
function uncertainNotUnknown({ key, evidence, paid }: Facts, visit: Visit): Found {
	const sent = evidence.sent.filter(({ keys, certainty }) => certainty === 'uncertain' && keys.includes(key));
	if (sent.some((one) => isOf(one, visit)) && reportOf(visit, key)?.outcome !== 'unknown')
		return [
			['uncertainNotUnknown', `${told(visit, key)}, and nobody can know whether the bank carried out what it sent`],
		];
	const isAnswered = evidence.resolved.some((one) => one.key === key);
	const isOpen = !isAnswered && sent.some((one) => !isOf(one, visit) && one.at < visit.begun);
	const isSure = isDenied(visit, key) || paid.some((payment) => isOf(payment, visit));
	return isOpen && isSure
		? [['uncertainNotUnknown', `${told(visit, key)}, and what was sent before may have been paid`]]
		: [];
}

/** A truthful person and one more run make every payment. */
function deadEnd({ key, paid }: Facts, visit: Visit): Found {
	if (!visit.isFinal) return [];
	const { outcome } = reportOf(visit, key) ?? {};
	const isShown = outcome === 'accepted' || outcome === 'alreadyAccepted';
	return isShown && paid.length > 0 ? [] : [['deadEnd', `${told(visit, key)} at the end`]];
}

/** Payments that the log calls accepted are in the ledger, and those of a run that ended are in the log. */
function logOtherwise({ log, paid, visits }: Evidence): Found {
	const accepted = log.filter(({ outcome }) => outcome === 'accepted');
	const foreign = accepted.filter((row) => !paid.some(({ transactionId }) => transactionId === row.transactionId));
	const missing = paid.filter(({ execution, transactionId }) => {
		const visit = visits.find((one) => one.execution === execution);
		const isAccepted = visit?.reports.some((one) => one.transactionId === transactionId);
		return isAccepted === true && !accepted.some((row) => row.transactionId === transactionId);
	});
	const begun = log.filter(({ outcome }) => outcome === 'begun');
	const repeated = [...Map.groupBy(begun, ({ workflow }) => workflow)].filter(([, rows]) => rows.length > 1);
	return [
		...foreign.map(({ execution }): [Signal, string] => [
			'logOtherwise',
			`execution ${execution}: accepted, and the bank has no such payment`,
		]),
		...missing.map(({ execution, key }): [Signal, string] => [
			'logOtherwise',
			`${key}: accepted in execution ${execution}, and not in the log`,
		]),
		...repeated.map(([workflow, rows]): [Signal, string] => [
			'logOtherwise',
			`${workflow} has begun the payment run ${rows.length} times`,
		]),
	];
}

/** Executions that ended by themselves have removed their rows `preparing` and `sending`. */
const leftRows = ({ log }: Evidence): Found =>
	log
		.filter(({ until }) => until !== '')
		.map(({ outcome, execution }) => ['leftRows', `${outcome} of execution ${execution}`]);

const reportOf = ({ reports }: Visit, key: string): Report | undefined => reports.find((report) => report.key === key);

/**
 * Whether a run says that a payment was not made. A run that identifies payments by the other key (sequence or phone)
 * sends nothing and says nothing about earlier payments.
 */
function isDenied(visit: Visit, key: string): boolean {
	const { outcome, code } = reportOf(visit, key) ?? {};
	return (outcome === 'rejected' || outcome === 'notSent') && code !== 'other_identification';
}

const isOf = ({ execution }: Paid | Sent, visit: Visit): boolean => execution === visit.execution;

const told = (visit: Visit, key: string): string =>
	`execution ${visit.execution} reports ${reportOf(visit, key)?.outcome ?? 'nothing'}`;

const listed = (payments: readonly Paid[]): string =>
	payments.map(({ execution, transactionId }) => `${execution} (${transactionId})`).join(', ');
