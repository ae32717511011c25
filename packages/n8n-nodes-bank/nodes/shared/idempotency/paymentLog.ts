import { paymentProtocol, textOrNumber } from '@bank/core';

import { type Condition, conditionsIn, DataTable, type DataTableContext, equalTo } from './dataTable.ts';

/** Columns of the Data Table, all text: what decides, and what people and reports read. */
export const logColumns = [
	'paymentRun',
	'sequence',
	/** Name of the recipient in the user's columns. */
	'recipient',
	'amount',
	/** Masked. */
	'phone',
	/** `state` of a row. */
	'outcome',
	'payPackage',
	'transactionId',
	'execution',
	/** When the attempt started, or the answer was given. */
	'at',
	/** `key` of a row. *Resolve* accepts it as payment ID. */
	'payment',
	/** Digest of the payment run. */
	'run',
	'attempt',
	'number',
	'until',
	'workflow',
	/** Digests of the sender's account, the recipient's phone number and name: see partyDigest. */
	'sender',
	'phoneDigest',
	'nameDigest',
	'content',
] as const;

type Column = (typeof logColumns)[number];

export interface LogRow
	extends paymentProtocol.LogEntry, Readonly<Omit<Record<Column, string>, 'outcome' | 'payment' | 'number' | 'until'>> {
	/** ID of the row in the Data Table; 0 before it is added. */
	readonly id: number;
}

/** Up to this many payments are looked up by their own keys, more by their payment run. */
const fewPayments = 20;

/**
 * The payment log: a Data Table in the project of the workflow. Rows are added and never changed. A run that ends removes its rows
 * `preparing` and `sending`. The functions return undefined or false if the table cannot be read or written.
 */
export class PaymentLog {
	readonly #table: DataTable;

	constructor(context: DataTableContext, name: string) {
		this.#table = new DataTable(context, name, logColumns);
	}

	get problem(): string | undefined {
		return this.#table.problem;
	}

	/**
	 * All rows of these payments.
	 * @param run their payment run; empty if they have none
	 * @param names digests of names whose rows are wanted, too
	 */
	async find(run: string, keys: readonly string[], names: readonly string[] = []): Promise<LogRow[] | undefined> {
		if (run !== '' && keys.length > fewPayments) return await this.#read(equalTo({ run }));
		return await this.#readAny({ payment: keys, nameDigest: names });
	}

	/** Rows with one of these values in a column. */
	async rowsWith(keyName: Party | 'payment', values: readonly string[]): Promise<LogRow[] | undefined> {
		return await this.#readAny({ [keyName]: values });
	}

	async #readAny(columns: Partial<Record<Column, readonly string[]>>): Promise<LogRow[] | undefined> {
		const rows: LogRow[] = [];
		for (const conditions of conditionsIn(columns)) {
			const found = await this.#read(conditions, 'anyCondition');
			if (found === undefined) return undefined;
			rows.push(...found);
		}
		return rows;
	}

	/** @param sender see partyDigest */
	async rowsOfSender(sender: string, since: Date): Promise<LogRow[] | undefined> {
		return await this.#read([
			...equalTo({ sender }),
			{ keyName: 'at', condition: 'gte', keyValue: since.toISOString() },
		]);
	}

	async add(rows: readonly LogRow[]): Promise<boolean> {
		return await this.#write(rows, []);
	}

	/**
	 * Adds rows, then removes the rows of attempts that have ended: those with an `until`, from an ID on.
	 * @param attempts IDs of attempts; `%` at the end stands for any text
	 */
	async replaceRows(rows: readonly LogRow[], attempts: readonly string[], from: number): Promise<boolean> {
		const ended = (attempt: string): Condition[] => [
			{ keyName: 'id', condition: 'gte', keyValue: from },
			{ keyName: 'attempt', condition: attempt.endsWith('%') ? 'like' : 'eq', keyValue: attempt },
			{ keyName: 'until', condition: 'isNotEmpty' },
		];
		return await this.#write(rows, attempts.map(ended));
	}

	/** The node that adds rows, and its items. */
	async insertNode(rows: readonly LogRow[]) {
		const items = rows.map((row) => ({ json: toTable(row) }));
		return await this.#table.tryTwice((table) => ({ node: this.#table.insert(table), items }));
	}

	async #read(conditions: readonly Condition[], matchType?: 'anyCondition'): Promise<LogRow[] | undefined> {
		return await this.#table.tryTwice(async (table) => {
			const rows = await this.#table.run('Read payment log', [this.#table.get(table, conditions, { matchType })]);
			return rows.flatMap(({ json }) => (json.payment === undefined ? [] : [fromTable(json)]));
		});
	}

	async #write(rows: readonly LogRow[], removed: readonly Condition[][]): Promise<boolean> {
		const items = rows.map((row) => ({ json: toTable(row) }));
		const result = await this.#table.tryTwice(async (table) => {
			const remove = removed.map((conditions, index) => this.#table.remove(table, conditions, `remove ${index}`));
			const insert = items.length === 0 ? [] : [this.#table.insert(table)];
			if (insert.length + remove.length === 0) return [];
			return await this.#table.run('Write payment log', [...insert, ...remove], items.length === 0 ? undefined : items);
		});
		return result !== undefined;
	}
}

type Party = 'phoneDigest' | 'nameDigest';

function toTable(row: LogRow): Record<Column, string> {
	const { key, state, number, until } = row;
	const shown = {
		...row,
		payment: key,
		outcome: state,
		number: String(number),
		until: until === 0 ? '' : String(until),
	};
	return Object.fromEntries(logColumns.map((name) => [name, shown[name]])) as Record<Column, string>;
}

/** Columns that are missing are empty. A state that somebody has edited counts as unknown, so that nothing is sent. */
export function fromTable(json: Readonly<Record<string, unknown>>): LogRow {
	const texts = Object.fromEntries(logColumns.map((name) => [name, textOrNumber(json[name])])) as Record<
		Column,
		string
	>;
	const { outcome, payment: key, number, until, ...others } = texts;
	return {
		...others,
		id: Number(json.id) || 0,
		key,
		state: paymentProtocol.logStates.find((state) => state === outcome) ?? 'unknown',
		number: Number(number) || 0,
		until: Number(until) || 0,
	};
}
