import type { Call, StateSnapshot } from '@bank/fixtures/sandbox';
import type { IDataObject, INodeExecutionData, IRunExecutionData } from 'n8n-workflow';

import { type Case, mark, type Row } from './cases.ts';
import { paymentNode, rowsNode, runOf } from './shapes.ts';

/** Evidence about a case: what n8n has stored, and the requests and payments at the bank. */
export interface Evidence {
	sent: Sent[];
	paid: Paid[];
	visits: Visit[];
	resolved: Resolved[];
	/** Rows of the payment log. */
	log: Entry[];
	/** Reasons why the case cannot be judged. They are reported, never ignored. */
	unclear: string[];
}

export const outcomes = ['accepted', 'alreadyAccepted', 'rejected', 'unknown', 'conflict', 'notSent'] as const;
export type Outcome = (typeof outcomes)[number];

/** A run of the payment node. */
export interface Visit {
	execution: string;
	/** Milliseconds since 1970. */
	begun: number;
	reports: Report[];
	/** Whether this visit is the last one, after which each payment must be made. */
	isFinal: boolean;
}

/** Result of one payment, as reported by a run. `key` is the phone number, which no two rows of a case share. */
export interface Report {
	key: string;
	outcome: Outcome;
	code?: string;
	transactionId?: string;
	/** Payment ID, for *Resolve*. */
	payment?: string;
}

/** A person's answer that *Resolve* has recorded. */
export interface Resolved {
	key: string;
	bankHasIt: boolean;
	/** Milliseconds since 1970. */
	at: number;
}

export interface Entry {
	execution: string;
	workflow: string;
	outcome: string;
	transactionId: string;
	until: string;
}

/** One request that reached the bank. */
export interface Sent {
	execution: string;
	/** Milliseconds since 1970. */
	at: number;
	keys: string[];
	/** What the sender can know about the result. */
	certainty: 'accepted' | 'rejected' | 'uncertain';
}

export interface Paid {
	key: string;
	execution: string;
	/** Milliseconds since 1970. */
	at: number;
	transactionId: string;
}

/** The parts of an execution that are used here. */
export interface Stored {
	id: string;
	data?: IRunExecutionData;
}

/** Requests of a case, and the payments that the bank made for them. */
export function atTheBank({ number }: Case, calls: readonly Call[], ledger: StateSnapshot['ledger']) {
	const isOwn = (payment?: { paymentDescription: string }) => payment?.paymentDescription.includes(mark(number));
	const own = calls.flatMap((call) => {
		const { payments = [], signedBody } = (call.body ?? {}) as { payments?: Row[]; signedBody?: string };
		const [, execution = ''] = /^visit (\d+)$/.exec(String(signedBody)) ?? [];
		return isOwn(payments[0]) === true ? [{ call, payments, execution }] : [];
	});
	const executions = new Map(own.map(({ call, execution }) => [call.id, execution]));
	return {
		sent: own.map(({ call, payments, execution }): Sent => {
			const keys = payments.map(({ phone }) => phone);
			return { execution, at: Date.parse(call.time), keys, certainty: certaintyOf(call) };
		}),
		paid: ledger.flatMap(({ payments, receivedAt, call }) =>
			payments.filter(isOwn).map(({ phone, transactionId }): Paid => {
				return { key: phone, execution: executions.get(call) ?? '', at: Date.parse(receivedAt), transactionId };
			}),
		),
	};
}

/** What the sender of a request can know about it after waiting for the response. */
export function certaintyOf({ fault = '', status = 0 }: Pick<Call, 'fault' | 'status'>): Sent['certainty'] {
	if (/^(?:reset|hang)/.test(fault) || status === 0 || status === 409 || status >= 500) return 'uncertain';
	return status < 300 ? 'accepted' : 'rejected';
}

export const logOf = (one: Case, rows: readonly IDataObject[]): Entry[] =>
	rows
		.filter(({ paymentRun }) => paymentRun === runOf(one))
		.map(({ execution, workflow, outcome, transactionId, until }) => ({
			execution: String(execution),
			workflow: String(workflow),
			outcome: String(outcome),
			transactionId: String(transactionId),
			until: String(until ?? ''),
		}));

/** The number of the case that an execution belongs to, if its data shows one. */
export function numberOf({ data }: Stored): number | undefined {
	const [, number] = /chaos (\d+);/.exec(JSON.stringify(data ?? null)) ?? [];
	return number === undefined ? undefined : Number(number);
}

/**
 * Errors that n8n stores for a node that was running when somebody stopped its execution, or when the process was
 * killed.
 */
const interrupted: ReadonlySet<string | undefined> = new Set([
	'The execution was cancelled manually',
	'Execution stopped at this node',
]);

/**
 * The run of the payment node in an execution; undefined if it was interrupted, because n8n then keeps only the error.
 */
export function visitOf({ id, data }: Stored, isFinal: boolean, unclear: (text: string) => void): Visit | undefined {
	const runs = data?.resultData?.runData ?? {};
	const [run] = runs[paymentNode] ?? [];
	if (run === undefined || interrupted.has(run.error?.message)) return undefined;
	if (run.error !== undefined) unclear(`${id} was ended by "${run.error.message}"`);
	const rows = itemsOf(runs[rowsNode]?.[0]).map(({ json }) => json as unknown as Row);
	const reports = itemsOf(run).flatMap((item): Report[] => {
		const row = rows[itemIndexOf(item)];
		const { details, ...shown } = item.json as IDataObject & { details?: IDataObject };
		const { outcome, code, payment, transactionId, phone } = { ...shown, ...details };
		const isOther = outcome === 'accepted' && phone !== row?.phone;
		if (row === undefined || isOther || !isOutcome(outcome)) {
			unclear(`${id} gives an item that reports nothing: ${JSON.stringify(item).slice(0, 300)}`);
			return [];
		}
		const known = Object.entries({ code, payment, transactionId }).filter(([, value]) => typeof value === 'string');
		return [{ key: row.phone, outcome, ...(Object.fromEntries(known) as Partial<Report>) }];
	});
	return { execution: id, begun: run.startTime, reports, isFinal };
}

const itemsOf = (run?: { data?: { [output: string]: (INodeExecutionData[] | null)[] } }): INodeExecutionData[] =>
	(run?.data?.['main'] ?? []).flatMap((items) => items ?? []);

function itemIndexOf({ pairedItem }: INodeExecutionData): number {
	const index = typeof pairedItem === 'object' && 'item' in pairedItem ? pairedItem.item : pairedItem;
	return typeof index === 'number' ? index : -1;
}

const isOutcome = (value: unknown): value is Outcome => outcomes.some((outcome) => outcome === value);
