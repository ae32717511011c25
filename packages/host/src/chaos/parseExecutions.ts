import type { Call, StateSnapshot } from '@bank/fixtures/sandbox';
import type { IDataObject, INodeExecutionData, IRunExecutionData, ITaskData } from 'n8n-workflow';

import { type Case, isAlwaysNamed, isLogged } from './cases.ts';
import {
	entryOf,
	type Evidence,
	keyOf,
	type Outcome,
	outcomes,
	type Report,
	type Sent,
	type Visit,
} from './evidence.ts';
import { paymentNodes, runOf } from './shapes.ts';

/** Collects evidence by case number from n8n's stored executions and the sandbox's requests. */

/** The parts of an execution that are used here. */
export interface Stored {
	id: string;
	status: string;
	data?: IRunExecutionData;
}

export class EvidenceByCase {
	readonly #evidence = new Map<number, Evidence>();
	readonly #cases: ReadonlyMap<number, Case>;
	/** Run that sent each request, by call ID. */
	readonly #visits = new Map<number, string>();

	constructor(cases: readonly Case[]) {
		this.#cases = new Map(cases.map((one) => [one.number, one]));
	}

	of(number: number): Evidence {
		const known = this.#evidence.get(number) ?? { sent: [], paid: [], visits: [], resolved: [], unclear: [] };
		this.#evidence.set(number, known);
		return known;
	}

	/** Key of a payment of this case. */
	keyIn(number: number): (row: { phone: string; sequence: string }) => string {
		const one = this.#cases.get(number);
		const isNamed = one === undefined || isAlwaysNamed(one);
		return (row) => keyOf(row, isNamed);
	}

	addCalls(calls: readonly Call[]): void {
		for (const call of calls.filter(({ operation = '' }) => moneyMoving.has(operation))) {
			const payments = paymentsOf(call.body);
			const number = numberIn(payments[0]?.paymentDescription);
			if (number === undefined) throw new Error(`A request of no case has reached the bank: ${JSON.stringify(call)}`);
			const { signedBody } = (call.body ?? {}) as { signedBody?: unknown };
			const visit = /^visit (\d+ \S+ \d+)$/.exec(String(signedBody))?.[1] ?? '';
			this.#visits.set(call.id, visit);
			const keys = payments.map(this.keyIn(number));
			this.of(number).sent.push({ visit, at: Date.parse(call.time), keys, certainty: certaintyOf(call) });
		}
	}

	addLedger(ledger: StateSnapshot['ledger']): void {
		for (const { payments, payPackage, receivedAt, call } of ledger) {
			for (const payment of payments) {
				const number = numberIn(payment.paymentDescription);
				if (number === undefined) throw new Error(`The bank has paid for no case: ${JSON.stringify(payment)}`);
				this.of(number).paid.push({
					key: this.keyIn(number)(payment),
					entry: entryOf(payment),
					visit: this.#visits.get(call) ?? '',
					at: Date.parse(receivedAt),
					transactionId: payment.transactionId,
					payPackage,
				});
			}
		}
	}

	/** Adds the debits of cases. The sandbox starts with one debit that belongs to no case. */
	addOrders(orders: StateSnapshot['paymentOrders']): void {
		for (const { paymentOrderId, transactionId, purpose, createdAt } of orders) {
			const number = numberIn(purpose);
			if (number === undefined) continue;
			const at = Date.parse(createdAt);
			const key = sequenceOf(transactionId);
			const ids = { transactionId: paymentOrderId, payPackage: transactionId };
			this.of(number).paid.push({ key, entry: '', visit: '', at, ...ids });
		}
	}

	/** The log contains rows of many cases, also of earlier batches. */
	addLog(rows: readonly IDataObject[]): void {
		for (const one of this.#cases.values()) {
			if (!isLogged(one) || one.kind.shape === 'debit') continue;
			const own = rows.filter(({ paymentRun }) => paymentRun === runOf(one));
			this.of(one.number).log = own.map(({ execution, phone, amount, outcome, transactionId }) => ({
				execution: String(execution),
				entry: entryOf({ phone: String(phone), amount }),
				outcome: String(outcome),
				transactionId: String(transactionId),
			}));
		}
	}

	/** @returns the case that the execution belongs to, if its data shows one */
	addExecution(execution: Stored): number | undefined {
		const { id, data } = execution;
		const runs = data?.resultData?.runData ?? {};
		for (const name of paymentNodes) {
			(runs[name] ?? []).forEach((run, index) => {
				const input = inputOf(runs, run);
				const number = numberIn(input[0]?.['paymentDescription']);
				if (number === undefined) return;
				const { visits, unclear } = this.of(number);
				// For a stopped run, n8n stores only that it was stopped.
				if (run.error?.message === stopped) return;
				const keyOfRow = this.keyIn(number);
				visits.push(visitOf(`${id} ${name} ${index}`, name, run, input, keyOfRow, (text) => unclear.push(text)));
			});
		}
		return numberIn(JSON.stringify(data ?? null));
	}
}

/** An unknown payment as its error names it, with the values for *Resolve*. */
export interface ShownUnknown {
	/** The sequence, or the last digits of the phone number if there is none. */
	recipient: string;
	sequence: string;
	attempt: string;
}

/** The unknown payments in the errors of an execution. */
export function unknownIn({ data }: Stored): ShownUnknown[] {
	const runs = paymentNodes.flatMap((name) => data?.resultData?.runData?.[name] ?? []);
	const errors = runs.flatMap((run) => [
		run.error?.context?.['details'],
		...itemsOf(run).map(({ json }) => json['details']),
	]);
	return errors.flatMap((details) => {
		const { outcome, recipient, sequence, attempt } = Object(details) as Details;
		if (outcome !== 'unknown' || recipient === undefined || sequence === undefined || attempt === undefined) return [];
		return [{ recipient: recipient.replace(/^.*(?=\d{4}$)/, ''), sequence, attempt }];
	});
}

// ---- what n8n stores

const stopped = 'The execution was cancelled manually';

/** Input rows of a payment node's run, taken from the previous node. */
function inputOf(runs: IRunExecutionData['resultData']['runData'], run: ITaskData): IDataObject[] {
	const [source] = run.source;
	const before = source === null || source === undefined ? undefined : runs[source.previousNode];
	const items = before?.[source?.previousNodeRun ?? 0]?.data?.['main']?.[source?.previousNodeOutput ?? 0] ?? [];
	return items.flatMap(({ json }) => {
		const { rows, ...settings } = (json['body'] ?? {}) as { rows?: IDataObject[] };
		return rows?.map((row) => ({ ...settings, ...row, isList: true })) ?? [json];
	});
}

interface InputRow {
	amount: number;
	phone: string;
	/** As mapped: empty in a run without sequences. */
	sequence: string;
}

const itemsOf = (run: ITaskData): INodeExecutionData[] => (run.data?.['main'] ?? []).flatMap((items) => items ?? []);

function visitOf(
	name: string,
	node: string,
	run: ITaskData,
	input: IDataObject[],
	keyOfRow: (row: InputRow) => string,
	unclear: (text: string) => void,
): Visit {
	const rows = input.map(({ amount, phone, sequence }) => ({ amount, phone, sequence }) as InputRow);
	const row = (sequence: string) =>
		rows.find((each) => each.sequence !== '' && each.sequence === sequence) ??
		(rows[0]?.sequence === '' ? rows[Number(sequence) - 1] : undefined);

	const reports: Report[] = [];
	const report = (sequence: string, more: Omit<Report, 'key'>, phone?: unknown) => {
		const found = row(sequence);
		if (found === undefined)
			return unclear(`${name} reports ${more.outcome} for sequence ${sequence}, which none of its rows has`);
		if (more.outcome === 'accepted' && phone !== undefined && phone !== found.phone)
			unclear(`${name} reports ${String(phone)} under the sequence of ${found.phone}`);
		reports.push({ key: keyOfRow(found), ...more });
	};
	const reportDetails = (details: Details, others: readonly InputRow[]) => {
		const { outcome, code } = details;
		if (!isOutcome(outcome)) return unclear(`${name} gives the outcome ${String(outcome)}`);
		const more = { outcome, ...(code === undefined ? {} : { code }) };
		const named = namesIn(details);
		// Payments rejected before there was a request have an item and no sequence.
		if (named.length === 0) reports.push(...others.map((each) => ({ key: keyOfRow(each), ...more })));
		for (const sequence of named) report(sequence, more);
	};

	for (const { json, pairedItem } of itemsOf(run)) {
		const { details, outcome, transactionId, paymentOrderId, sequence, phone } = json;
		if (details !== undefined) {
			reportDetails(details as Details, rowsOf(pairedItem, rows, input[0]?.['isList'] === true));
		} else if (isOutcome(outcome) || typeof paymentOrderId === 'string') {
			const id = paymentOrderId ?? (sequence === undefined ? undefined : transactionId);
			report(
				sequence === undefined ? sequenceOf(transactionId) : String(sequence),
				{
					outcome: isOutcome(outcome) ? outcome : 'accepted',
					...(typeof id === 'string' && id !== '' ? { transactionId: id } : {}),
				},
				phone,
			);
		} else unclear(`${name} gives an item that reports nothing: ${JSON.stringify({ json, pairedItem }).slice(0, 300)}`);
	}
	const { error } = run;
	if (error !== undefined) {
		const details = (error.context?.['details'] ?? {}) as Details;
		// Other errors that stop a payment node report no payment, so a person has to check.
		if (!isOutcome(details.outcome) || namesIn(details).length === 0)
			unclear(`${name} was stopped by "${error.message}": ${error.description ?? ''}`);
		else reportDetails(details, []);
		for (const { sequence, transactionId } of details.carriedOut ?? [])
			report(String(sequence ?? sequenceOf(transactionId)), { outcome: 'alreadyAccepted' });
	}
	return {
		name,
		begun: run.startTime,
		reports,
		said: error === undefined ? '' : JSON.stringify([error.message, error.description, error.context]),
		isFinal: node === 'Final',
	};
}

/** Sequences of rows. */
const namesIn = ({ sequence, sequences, transactionId, transactionIds }: Details): string[] => [
	...(sequences ?? (sequence === undefined ? [] : [sequence])),
	...(transactionIds ?? (transactionId === undefined ? [] : [transactionId])).map(sequenceOf),
];

/** Rows of an item; if the item is a list, all of its rows. */
function rowsOf(
	pairedItem: INodeExecutionData['pairedItem'],
	rows: readonly InputRow[],
	isList: boolean,
): readonly InputRow[] {
	if (isList) return rows;
	const index = typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : pairedItem;
	return typeof index === 'number' ? rows.slice(index, index + 1) : [];
}

interface Details {
	sequence?: string;
	sequences?: string[];
	attempt?: string;
	recipient?: string;
	transactionId?: string;
	transactionIds?: string[];
	outcome?: string;
	code?: string;
	carriedOut?: IDataObject[];
}

const isOutcome = (value: unknown): value is Outcome => outcomes.some((outcome) => outcome === value);

// ---- what the sandbox keeps

interface SentPayment {
	phone: string;
	sequence: string;
	paymentDescription: string;
}

const moneyMoving: ReadonlySet<string> = new Set(['payment.sendPackage', 'directDebit.debit']);

/** Payments of a package. A debit is one payment, whose purpose ends with its transaction ID. */
function paymentsOf(body: unknown): SentPayment[] {
	const { payments, purpose } = (body ?? {}) as { payments?: SentPayment[]; purpose?: string };
	if (payments !== undefined || purpose === undefined) return payments ?? [];
	return [{ phone: '', sequence: sequenceOf(purpose), paymentDescription: purpose }];
}

/** Sequence of the row, which is at the end of a transaction ID. */
export const sequenceOf = (transactionId: unknown): string => /payment-n\d+$/.exec(String(transactionId))?.[0] ?? '';

function numberIn(text: unknown): number | undefined {
	const found = /chaos (\d+);/.exec(String(text));
	return found === null ? undefined : Number(found[1]);
}

/** Faults after which only the bank knows whether it has paid. */
const silent: ReadonlySet<string> = new Set([
	'truncatedJson',
	'resetMidBody',
	'resetBefore',
	'resetAfter',
	'resetHalfway',
	'hang',
	'drip',
	'tooLarge',
	'tooDeep',
	'switchingProtocols',
]);

/** Statuses that a server may use to reject a payment that it already has. */
const duplicate: ReadonlySet<number> = new Set([408, 409, 422]);

/** What the sender of a request can know about it after waiting for the response. */
export function certaintyOf({
	fault = '',
	status = 0,
	error,
}: Pick<Call, 'fault' | 'status' | 'error'>): Sent['certainty'] {
	if (silent.has(fault) || status >= 500 || status === 0) return 'uncertain';
	if (status < 300) return 'accepted';
	if (duplicate.has(status) || error?.code.startsWith('duplicate') === true) return 'uncertain';
	// A response from a proxy in front of the bank.
	return status < 400 ? 'either' : 'rejected';
}
