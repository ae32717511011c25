import type { Call, SandboxState } from '@bank/fixtures/sandbox';
import type { IDataObject, INodeExecutionData, IRunExecutionData, ITaskData } from 'n8n-workflow';

import { type Case, hasJournal, type Row } from './cases.ts';
import {
	entryKeyOf,
	type Evidence,
	keyOf,
	type Outcome,
	type Paid,
	type Report,
	type Sent,
	type Visit,
} from './evidence.ts';
import { paymentNodes } from './shapes.ts';

/** What n8n stores of an execution and what the sandbox keeps of its requests -> evidence, by the number of the case. */

/** As much of an execution as is read here. */
export interface Stored {
	id: string;
	status: string;
	data?: IRunExecutionData;
}

export class EvidenceByCase {
	readonly #cases = new Map<number, Evidence>();

	of(number: number): Evidence {
		const known = this.#cases.get(number) ?? { sent: [], paid: [], visits: [], unclear: [] };
		this.#cases.set(number, known);
		return known;
	}

	addCalls(calls: readonly Call[]): void {
		for (const call of calls.filter(({ operation = '' }) => moneyMoving.has(operation))) {
			const payments = paymentsOf(call.body);
			const [first] = payments;
			const origin = originOf(first?.paymentDescription);
			if (origin === undefined) throw new Error(`A request of no case has reached the bank: ${JSON.stringify(call)}`);
			const { number, ...rest } = origin;
			const { sent, unclear } = this.of(number);
			if (payments.some(({ paymentDescription }) => paymentDescription !== first?.paymentDescription))
				unclear.push(`request ${call.id} mixes payments of several origins`);
			sent.push({ ...rest, at: Date.parse(call.time), keys: payments.map(keyOfPayment), certainty: certaintyOf(call) });
		}
	}

	addLedger(ledger: SandboxState['ledger']): void {
		for (const { payments, payPackage = '', receivedAt } of ledger) {
			for (const payment of payments) {
				const origin = originOf(payment.paymentDescription);
				if (origin === undefined) throw new Error(`The bank has paid for no case: ${JSON.stringify(payment)}`);
				const { number, ...rest } = origin;
				const { transactionId } = payment;
				const at = Date.parse(receivedAt);
				this.of(number).paid.push({
					...rest,
					at,
					key: keyOfPayment(payment),
					transactionId,
					payPackage,
				} satisfies Paid);
			}
		}
	}

	/** Of the orders of debits, those that cases have made: the bank begins with one of its own. */
	addOrders(orders: SandboxState['paymentOrders']): void {
		for (const { paymentOrderId, transactionId, purpose, amount = 0, createdAt } of orders) {
			const origin = originOf(purpose);
			if (origin === undefined) continue;
			const { number, ...rest } = origin;
			const sequence = sequenceOf(transactionId);
			const sent = this.of(number).sent.flatMap(({ keys }) => keys);
			// The bank keeps no phone of it, as the request has one.
			const key = sent.find((each) => each.endsWith(` ${amount} ${sequence}`)) ?? transactionId;
			const at = Date.parse(createdAt);
			this.of(number).paid.push({ ...rest, at, key, transactionId: paymentOrderId, payPackage: transactionId });
		}
	}

	/** The journal is written by many cases, and by those of earlier batches. */
	addJournal(cases: readonly Case[], rows: readonly IDataObject[]): void {
		for (const { number, kind } of cases) {
			if (!hasJournal(kind)) continue;
			const own = rows.filter(({ paymentRun }) => paymentRun === `payout ${number}`);
			this.of(number).journal = own.map(({ execution, phone, amount, outcome, transactionId }) => ({
				execution: String(execution),
				key: entryKeyOf({ phone: String(phone), amount }),
				outcome: String(outcome),
				transactionId: String(transactionId),
			}));
		}
	}

	/** @returns the case that the execution belongs to, if it holds anything that tells */
	addExecution(execution: Stored): number | undefined {
		const { id, data } = execution;
		const runs = data?.resultData?.runData ?? {};
		for (const name of paymentNodes) {
			(runs[name] ?? []).forEach((run, index) => {
				const input = inputOf(runs, run);
				const number = numberIn(input[0]?.['mark'] ?? input[0]?.['paymentDescription']);
				if (number === undefined) return;
				const { visits, unclear } = this.of(number);
				// Of what was stopped n8n keeps nothing but that.
				if (run.error?.message === stopped) return;
				visits.push(visitOf(`${id} ${name} ${index}`, name, run, input, (text) => unclear.push(text)));
			});
		}
		return numberIn(JSON.stringify(data ?? null));
	}
}

// ---- what n8n stores

const stopped = 'The execution was cancelled manually';

/** The rows that a run of a payment node was given, from the run of the node before it. */
function inputOf(runs: IRunExecutionData['resultData']['runData'], run: ITaskData): IDataObject[] {
	const [source] = run.source;
	const before = source === null || source === undefined ? undefined : runs[source.previousNode];
	const items = before?.[source?.previousNodeRun ?? 0]?.data?.['main']?.[source?.previousNodeOutput ?? 0] ?? [];
	return items.flatMap(({ json }) => {
		const { rows, ...settings } = (json['body'] ?? {}) as { rows?: IDataObject[] };
		return rows?.map((row) => ({ ...settings, ...row, isList: true })) ?? [json];
	});
}

function visitOf(
	name: string,
	node: string,
	run: ITaskData,
	input: IDataObject[],
	unclear: (text: string) => void,
): Visit {
	const rows = input.map(
		({ amount, phone, nspkBankId, sequence, sequenceGiven }) =>
			// What was prepared has a sequence in any case.
			({ amount, phone, nspkBankId, sequence: sequenceGiven === false ? '' : sequence }) as Row,
	);
	const row = (sequence: unknown) =>
		rows.find((each) => each.sequence !== '' && each.sequence === sequence) ??
		(rows[0]?.sequence === '' ? rows[Number(sequence) - 1] : undefined);
	const reportsOf = (sequences: readonly unknown[], outcome: Outcome, transactionId?: string): Report[] =>
		sequences.flatMap((sequence) => {
			const found = row(sequence);
			if (found === undefined) {
				unclear(`${name} reports ${outcome} for sequence ${String(sequence)}, which none of its rows has`);
				return [];
			}
			return [{ key: keyOf(found), outcome, ...(transactionId === undefined ? {} : { transactionId }) }];
		});

	const reports: Report[] = [];
	for (const { json, pairedItem } of (run.data?.['main'] ?? []).flatMap((items) => items ?? [])) {
		const details = json['details'] as Details | undefined;
		if (isOutcome(details?.outcome)) {
			// What was refused before it was a request has no sequences, but its item.
			const outcome = details.outcome;
			const named = details.sequences ?? details.transactionIds?.map(sequenceOf);
			if (named !== undefined) reports.push(...reportsOf(named, outcome));
			else
				reports.push(
					...rowsOf(pairedItem, rows, input[0]?.['isList'] === true).map((each) => ({ key: keyOf(each), outcome })),
				);
		} else if (isOutcome(json['outcome'])) {
			const { transactionId, phone } = json;
			const found = row(json['sequence']);
			if (phone !== undefined && found !== undefined && phone !== found.phone)
				unclear(`${name} reports ${String(phone)} under the sequence of ${found.phone}`);
			const id = typeof transactionId === 'string' ? transactionId : undefined;
			reports.push(...reportsOf([json['sequence']], json['outcome'], id));
		} else if (typeof json['paymentOrderId'] === 'string')
			reports.push(...reportsOf([sequenceOf(json['transactionId'])], 'accepted', json['paymentOrderId']));
		else unclear(`${name} gives an item that reports nothing: ${JSON.stringify({ json, pairedItem }).slice(0, 300)}`);
	}
	const { error } = run;
	if (error !== undefined) {
		const details = (error.context?.['details'] ?? {}) as Details;
		const named = details.sequences ?? details.transactionIds?.map(sequenceOf);
		if (named !== undefined && isOutcome(details.outcome)) reports.push(...reportsOf(named, details.outcome));
		// Whatever else stops a payment node says nothing of any payment, which has to be looked at.
		else unclear(`${name} was stopped by "${error.message}"`);
	}
	const [first] = input;
	return {
		name,
		begun: run.startTime,
		rows,
		reports,
		said: error === undefined ? '' : JSON.stringify([error.message, error.description, error.context]),
		sendAgain: String(first?.['sendAgain'] ?? originOf(first?.['paymentDescription'])?.sendAgain ?? ''),
		isFinal: node === 'Final',
	};
}

/** That of an item; of a list, which is one item, all. */
function rowsOf(pairedItem: INodeExecutionData['pairedItem'], rows: readonly Row[], isList: boolean): readonly Row[] {
	if (isList) return rows;
	const index = typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : pairedItem;
	return typeof index === 'number' ? rows.slice(index, index + 1) : [];
}

interface Details {
	sequences?: string[];
	transactionIds?: string[];
	outcome?: string;
}

const isOutcome = (value: unknown): value is Outcome =>
	value === 'accepted' || value === 'rejected' || value === 'unknown' || value === 'notSent';

// ---- what the sandbox keeps

interface SentPayment {
	phone: string;
	amount: number;
	sequence: string;
	paymentDescription: string;
}

const moneyMoving: ReadonlySet<string> = new Set(['payment.sendPackage', 'directDebit.debit']);

type SentDebit = Pick<SentPayment, 'phone' | 'amount'> & { purpose: string };

/** Those of a package; a debit is one of its own, whose purpose ends with its transaction ID. */
function paymentsOf(body: unknown): SentPayment[] {
	const { payments, purpose } = (body ?? {}) as { payments?: SentPayment[] } & Partial<SentDebit>;
	if (payments !== undefined || purpose === undefined) return payments ?? [];
	const { phone, amount } = body as SentDebit;
	return [{ phone, amount, sequence: sequenceOf(purpose), paymentDescription: purpose }];
}

/** That of the row, at the end of a transaction ID. */
const sequenceOf = (transactionId: unknown): string => /payment-\d+$/.exec(String(transactionId))?.[0] ?? '';

/** A sequence that the user gave is part of what a payment is, a position is not. */
const keyOfPayment = ({ phone, amount, sequence }: SentPayment) =>
	keyOf({ phone, amount, sequence: /^\d+$/.test(sequence) ? '' : sequence });

function originOf(description: unknown): { number: number; visit: string; sendAgain: string } | undefined {
	const found = /^chaos (\d+); (\d+ \S+ \d+) (.*);(?: service Id: \S+)?$/.exec(String(description));
	return found === null ? undefined : { number: Number(found[1]), visit: found[2] ?? '', sendAgain: found[3] ?? '' };
}

function numberIn(text: unknown): number | undefined {
	const found = /chaos (\d+);/.exec(String(text));
	return found === null ? undefined : Number(found[1]);
}

/** Faults after which nobody but the bank knows whether it paid, whatever it did. */
const silent: ReadonlySet<string> = new Set([
	'truncatedJson',
	'resetMidBody',
	'resetBefore',
	'resetAfter',
	'hang',
	'drip',
	'tooLarge',
	'tooDeep',
	'switchingProtocols',
]);

/** What whoever sent a request can know of it, if it waits for the answer. */
export function certaintyOf({ fault = '', status = 0 }: Pick<Call, 'fault' | 'status'>): Sent['certainty'] {
	if (silent.has(fault) || status >= 500) return 'uncertain';
	if (status === 0) return 'uncertain';
	if (status < 300) return 'accepted';
	// The first comes from something before the bank; the others can follow a request that was carried out.
	if (status < 400 || status === 408 || status === 409) return 'either';
	return 'rejected';
}
