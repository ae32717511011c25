import type { Case } from './cases.ts';
import { entryKeyOf, type Evidence, keyOf, type Report, type Sent, type Visit } from './evidence.ts';

/**
 * Judges a case by the bank's own ledger. Stands on nothing of the node: what a caller can know of a request follows from what the
 * sandbox did with it.
 */

export const signals = {
	paidTwice: 'paid twice',
	deniedButPaid: 'denied but paid',
	acceptedButNotPaid: 'accepted but not paid',
	reportedNowhere: 'paid and reported nowhere',
	uncertainNotUnknown: 'uncertain and not unknown',
	journalOtherwise: 'the journal says otherwise',
} as const;

export type Signal = keyof typeof signals;

export interface Violation {
	case: number;
	signal: Signal;
	/** Which payment, and what speaks against what. */
	text: string;
}

export function judge({ number, rows }: Pick<Case, 'number' | 'rows'>, evidence: Evidence): Violation[] {
	const keys = [...new Set(rows.map(keyOf))];
	const otherwise = journalOtherwise(evidence).map((text) => ({
		case: number,
		signal: 'journalOtherwise' as const,
		text,
	}));
	const others = keys.flatMap((key) => {
		const facts = { key, wanted: rows.filter((row) => keyOf(row) === key).length, evidence };
		const found: Array<[Signal, string]> = [
			...paidTwice(facts),
			...evidence.visits.flatMap((visit) => [
				...deniedButPaid(facts, visit),
				...acceptedButNotPaid(facts, visit),
				...uncertainNotUnknown(facts, visit),
				...reportedNowhere(facts, visit),
			]),
		];
		return found.map(([signal, text]) => ({ case: number, signal, text: `${key}: ${text}` }));
	});
	return [...others, ...otherwise];
}

/** What the journal calls accepted is in the ledger; what a run paid that came to its end is in the journal as that, or as unknown. */
function journalOtherwise({ journal, paid, visits }: Evidence): string[] {
	if (journal === undefined) return [];
	const foreign = journal.filter(
		({ outcome, transactionId, key }) =>
			outcome === 'accepted' &&
			!paid.some((payment) => payment.transactionId === transactionId && entryKey(payment) === key),
	);
	const missing = paid.filter((payment) => {
		const isOver = visits.some(({ name, reports }) => name === payment.visit && reports.length > 0);
		const own = journal.filter(
			({ execution, key }) => execution === payment.visit.split(' ')[0] && key === entryKey(payment),
		);
		return (
			isOver &&
			!own.some(({ outcome, transactionId }) => outcome === 'unknown' || transactionId === payment.transactionId)
		);
	});
	return [
		...foreign.map(
			({ key, execution }) => `${key}: accepted, it says of execution ${execution}, and the bank has no such payment`,
		),
		...missing.map(({ key, visit }) => `${key}: paid by ${visit}, and it says nothing of that`),
	];
}

function entryKey({ key }: { key: string }): string {
	const [phone = '', amount] = key.split(' ');
	return entryKeyOf({ phone, amount });
}

interface Facts {
	key: string;
	/** How many equal payments the rows ask for. */
	wanted: number;
	evidence: Evidence;
}

type Found = Array<[Signal, string]>;

/** Once without a word of *Send Again*, and once with each: also what nobody had sent before. */
function paidTwice({ key, wanted, evidence }: Facts): Found {
	const paid = evidence.paid.filter((payment) => payment.key === key);
	return [...new Set(paid.map(({ sendAgain }) => sendAgain))].flatMap((word): Found => {
		const by = paid.filter(({ sendAgain }) => sendAgain === word);
		if (by.length <= wanted) return [];
		const how = word === '' ? '' : ` with the word "${word}"`;
		return [['paidTwice', `paid ${by.length} times instead of ${wanted}${how}, by ${listed(by)}`]];
	});
}

/** A payment that a visit has made, or that was made before it began, must not be denied by it. */
function deniedButPaid({ key, wanted, evidence }: Facts, visit: Visit): Found {
	const denied = count(visit, key, isDenial);
	if (denied === 0) return [];
	const own = evidence.paid.filter((payment) => payment.key === key && payment.visit === visit.name);
	if (denied + own.length > wanted) return [['deniedButPaid', `${told(visit, key)}, and has paid it`]];
	if (visit.sendAgain !== '') return [];
	const before = evidence.paid.filter((payment) => payment.key === key && isBefore(payment, visit));
	return denied > wanted - Math.min(wanted, before.length)
		? [['deniedButPaid', `${told(visit, key)}, after it was paid by ${listed(before)}`]]
		: [];
}

function acceptedButNotPaid({ key, evidence }: Facts, visit: Visit): Found {
	const paid = evidence.paid.filter((payment) => payment.key === key);
	const accepted = reportsOf(visit, key).filter(({ outcome }) => outcome === 'accepted');
	const foreign = accepted.filter(
		({ transactionId }) => !paid.some((payment) => payment.transactionId === transactionId),
	);
	return foreign.length > 0 || accepted.length > paid.length
		? [['acceptedButNotPaid', `${told(visit, key)}, and the bank has paid it ${paid.length} times`]]
		: [];
}

/** What nobody can know is unknown: for the visit that has sent it, and for each one after that until somebody says to send it again. */
function uncertainNotUnknown({ key, wanted, evidence }: Facts, visit: Visit): Found {
	if (visit.reports.length === 0 && visit.said === '') return [];
	const own = paymentsIn(evidence.sent, key, (sent) => sent.visit === visit.name && sent.certainty === 'uncertain');
	const unknown = count(visit, key, ({ outcome }) => outcome === 'unknown');
	if (unknown < Math.min(own, wanted))
		return [['uncertainNotUnknown', `${told(visit, key)}, and nobody can know what became of what it sent`]];
	if (visit.sendAgain !== '') return [];
	const before = paymentsIn(evidence.sent, key, (sent) => sent.certainty === 'uncertain' && isBefore(sent, visit));
	const certain =
		count(visit, key, isDenial) +
		evidence.paid.filter((payment) => payment.key === key && payment.visit === visit.name).length;
	return before > 0 && certain > wanted - Math.min(wanted, before)
		? [['uncertainNotUnknown', `${told(visit, key)}, and what was sent before may have been paid`]]
		: [];
}

/** Whoever paid says so, if n8n keeps anything of it; and at the end it stands somewhere in any case. */
function reportedNowhere({ key, wanted, evidence }: Facts, visit: Visit): Found {
	const shown = count(visit, key, ({ outcome }) => outcome === 'accepted' || outcome === 'unknown');
	const paid = evidence.paid.filter((payment) => payment.key === key && payment.sendAgain === visit.sendAgain);
	const own = paid.filter((payment) => payment.visit === visit.name);
	const unsaid = own.filter(
		({ transactionId, payPackage }) => !visit.said.includes(transactionId) && !visit.said.includes(payPackage),
	);
	if (unsaid.length > shown) return [['reportedNowhere', `${told(visit, key)}, and has paid it`]];
	if (!visit.isFinal || shown >= Math.min(wanted, paid.length)) return [];
	return [['reportedNowhere', `${told(visit, key)} at the end, and it was paid by ${listed(paid)}`]];
}

const reportsOf = (visit: Visit, key: string) => visit.reports.filter((report) => report.key === key);

const count = (visit: Visit, key: string, counts: (report: Report) => boolean) =>
	reportsOf(visit, key).filter(counts).length;

const isDenial = ({ outcome }: Report) => outcome === 'rejected' || outcome === 'notSent';

/** Under the same identity: what was sent again on purpose is another matter. */
const isBefore = (one: { visit: string; sendAgain: string; at: number }, visit: Visit) =>
	one.visit !== visit.name && one.sendAgain === '' && one.at < visit.begun;

const paymentsIn = (all: readonly Sent[], key: string, counts: (sent: Sent) => boolean) =>
	all.filter(counts).flatMap(({ keys }) => keys.filter((each) => each === key)).length;

function told(visit: Visit, key: string): string {
	const outcomes = reportsOf(visit, key).map(({ outcome }) => outcome);
	return `${visit.name} reports ${outcomes.length === 0 ? 'nothing' : outcomes.join(', ')}`;
}

const listed = (payments: ReadonlyArray<{ visit: string; transactionId: string }>) =>
	payments.map(({ visit, transactionId }) => `${visit} (${transactionId})`).join(', ');
