import { textOrNumber } from '@bank/core';

import type { ClaimRequest } from './claimStore.ts';
import { type Condition, DataTable, type DataTableContext, equalTo } from './dataTable.ts';

/** A row of the payment log: one attempt to make one payment. All columns hold text. */
export type LogRow = Record<(typeof logColumns)[number], string>;

export const logColumns = [
	'paymentRun',
	'sequence',
	'amount',
	/** Masked. */
	'phone',
	/** `preparing` before the claim, `sending` before the request, then the final outcome. */
	'outcome',
	'payPackage',
	'transactionId',
	'execution',
	'at',
	/** ID of the attempt. Payments of one request share it. */
	'attempt',
	/** Time until which the attempt may still be running. Empty if it has ended. */
	'runningUntil',
	/** The workflows that own the claims. */
	'workflow',
	/** Digests that identify the payment: see keys.ts. */
	'runKey',
	'key',
	'recipientKey',
	/** The claims, separated by a space. */
	'claims',
	/** Digests of the sender's account, the recipient's phone number and name: see partyDigest. */
	'sender',
	'recipient',
	'recipientName',
	/** A short digest of each field of the payment, to detect changes. */
	'content',
] as const;

export const pendingOutcomes: readonly string[] = ['preparing', 'sending'];

/** Up to this many payments are looked up by their own keys, more by their payment run. */
const fewPayments = 20;

/** In one query. SQLite allows about a thousand. */
const maxConditions = 200;

/**
 * The payment log: a Data Table in the project of the workflow. Users, reports and later runs read the result of each
 * payment from it. The log can prevent a payment but never permits one; only a claim does (claimStore.ts). What reads rows
 * returns undefined if the log cannot be read.
 */
export class PaymentLog {
	readonly #table: DataTable;

	constructor(context: DataTableContext, name: string) {
		this.#table = new DataTable(context, name, logColumns);
	}

	get problem(): string | undefined {
		return this.#table.problem;
	}

	/** @param runKey the payment run of the keys; empty if they have none */
	async find(runKey: string, keys: readonly Pick<LogRow, 'key' | 'recipientKey'>[]): Promise<LogRow[] | undefined> {
		if (runKey !== '' && keys.length > fewPayments) return await this.#read(equalTo({ runKey }));
		return await this.#readAny(
			keys.flatMap(({ key, recipientKey }) => [
				...(key === '' ? [] : equalTo({ key })),
				...(recipientKey === '' ? [] : equalTo({ recipientKey })),
			]),
		);
	}

	/** Rows with one of these values in a column. */
	async having(
		keyName: 'attempt' | 'claims' | 'recipient' | 'recipientName',
		values: readonly string[],
	): Promise<LogRow[] | undefined> {
		return await this.#readAny([...new Set(values)].flatMap((value) => equalTo({ [keyName]: value })));
	}

	async #readAny(conditions: readonly Condition[]): Promise<LogRow[] | undefined> {
		const rows: LogRow[] = [];
		for (let from = 0; from < conditions.length; from += maxConditions) {
			const found = await this.#read(conditions.slice(from, from + maxConditions), 'anyCondition');
			if (found === undefined) return undefined;
			rows.push(...found);
		}
		return rows;
	}

	/** @param sender see partyDigest */
	async sentBy(sender: string, since: Date): Promise<LogRow[] | undefined> {
		return await this.#read([
			...equalTo({ sender }),
			{ keyName: 'at', condition: 'gte', keyValue: since.toISOString() },
		]);
	}

	async #read(conditions: readonly Condition[], matchType?: 'anyCondition'): Promise<LogRow[] | undefined> {
		return await this.#table.tried(async (table) => {
			const get = this.#table.get(table, conditions, matchType);
			const rows = await this.#table.run('Read payment log', [get]);
			// The ID of the table may have been cached before a column was deleted.
			if (rows[0] !== undefined) this.#table.requireColumns(Object.keys(rows[0].json));
			return rows.map(({ json }) => logRow(json));
		});
	}

	/**
	 * The nodes that log an attempt: they insert its rows before the claims, and mark them as `sending` before the request.
	 * @returns nothing if the log cannot be written
	 */
	async aroundClaims(rows: readonly LogRow[]): Promise<Required<Pick<ClaimRequest, 'before' | 'after'>> | undefined> {
		const attempt = rows[0]?.attempt ?? '';
		// Payments are sent even if the log cannot be written.
		const onError = 'continueRegularOutput' as const;
		return await this.#table.tried((table) => ({
			before: { node: { ...this.#table.insert(table), onError }, items: rows.map((json) => ({ json: { ...json } })) },
			after: { ...this.#table.update(table, { attempt }, { outcome: 'sending' }, 'sending'), onError },
		}));
	}

	/** Replaces the rows of an attempt by rows with its results. */
	async finish(attempt: string, rows: readonly LogRow[]): Promise<void> {
		await this.#table.tried(async (table) => {
			const remove = pendingOutcomes.map((outcome) =>
				this.#table.node(`remove ${outcome}`, table, {
					resource: 'row',
					operation: 'deleteRows',
					matchType: 'allConditions',
					filters: { conditions: equalTo({ attempt, outcome }) },
					options: {},
				}),
			);
			if (rows.length === 0) return await this.#table.run('Write payment log', remove);
			const items = rows.map((json) => ({ json: { ...json } }));
			return await this.#table.run('Write payment log', remove, items, this.#table.insert(table));
		});
	}

	async update(where: Readonly<Record<string, string>>, changes: Partial<LogRow>): Promise<void> {
		await this.#table.tried(async (table) => {
			const update = this.#table.update(table, where, changes);
			return await this.#table.run('Write payment log', [update]);
		});
	}
}

/** Columns that are missing are empty. */
export const logRow = (json: Partial<Record<keyof LogRow, unknown>>): LogRow =>
	Object.fromEntries(logColumns.map((name) => [name, textOrNumber(json[name])])) as LogRow;
