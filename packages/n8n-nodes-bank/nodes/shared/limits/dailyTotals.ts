import { randomUUID } from 'node:crypto';

import { hundredths, hundredthsText, shiftDay, textOrNumber, wholeNumber } from '@bank/core';

import { DataTable, type DataTableContext } from '../idempotency/dataTable.ts';

const columns = [
	/** The day in the time zone of the limit, such as 2026-11-23. */
	'day',
	/** What the limit counts: the ID of a credential, or the host of the bank for limits of the whole instance. */
	'scope',
	'amount',
	'payments',
	'reservation',
	'execution',
	'at',
] as const;

/** The amount and number of payments that were or may have been made on one day. */
export interface DayTotal {
	/** The amount in hundredths. */
	amount: bigint;
	payments: number;
}

/** What one limit counts. */
export interface LimitScope {
	day: string;
	scope: string;
}

/** Days whose rows are kept: time zones differ by up to two days. */
const keptDays = 7;

/** The day on which this process last deleted the rows of earlier days, by table. */
const cleanedOn = new Map<string, string>();

/**
 * Daily totals, as rows of a Data Table in the project of the workflow. Before a request each limit gets a row, and after it the rows are
 * reduced. A row is deleted when its day is long over, because n8n searches the whole table. Rows of the current day are never deleted:
 * a run that reads at the same time would miss one and pay too much.
 */
export class DailyTotals {
	readonly #table: DataTable;
	readonly #counted: readonly LimitScope[];
	readonly #execution: string;

	/** @param counted one for each limit */
	constructor(context: DataTableContext, counted: readonly LimitScope[], execution: string) {
		this.#table = new DataTable(context, 'Bank Daily Totals', columns);
		this.#counted = counted;
		this.#execution = execution;
	}

	get problem(): string {
		return this.#table.problem ?? '';
	}

	/** @returns what is used of each limit; undefined if the table cannot be read */
	async read(): Promise<DayTotal[] | undefined> {
		return await this.#table.tryTwice(async (table) =>
			this.#sumsOf(await this.#table.run('Read daily totals', [this.#get(table)])),
		);
	}

	/**
	 * Inserts a reservation for each limit, then adds up all reservations of the day. Of two simultaneous runs, the one that inserts last
	 * sees both.
	 * @returns undefined if it is uncertain whether the sums include the reservation
	 */
	async reserve(wanted: DayTotal): Promise<{ used: DayTotal[]; reservation: string } | undefined> {
		return await this.#table.tryTwice(async (table) => {
			const reservation = randomUUID();
			const at = new Date().toISOString();
			const own = { ...rowOf(wanted), reservation, execution: this.#execution, at };
			const inserted = this.#counted.map(({ day, scope }) => ({ json: { day, scope, ...own } }));
			const [insert, get] = [this.#table.insert(table), this.#get(table)];
			const rows = await this.#table.run('Reserve daily total', [insert, get], inserted);
			const found = rows.filter(({ json }) => json.reservation === reservation);
			if (found.length !== inserted.length) throw new Error('the reservation is missing');
			return { used: this.#sumsOf(rows), reservation };
		});
	}

	/** Reduces a reservation to the amount that was used. If that fails, the full amount counts, which is safe. */
	async settle(reservation: string, used: DayTotal): Promise<void> {
		await this.#table.tryTwice(async (table) => {
			const update = this.#table.update(table, { reservation }, rowOf(used));
			const today = this.#firstDay;
			const isClean = cleanedOn.get(table) === today;
			await this.#table.run('Settle daily total', isClean ? [update] : [update, this.#clean(table)]);
			cleanedOn.set(table, today);
		});
	}

	/** Days differ if the limits of owner and administrator have different time zones. */
	get #firstDay(): string {
		return this.#counted.map(({ day }) => day).sort()[0] ?? '';
	}

	#get(table: string) {
		return this.#table.get(table, [{ keyName: 'day', condition: 'gte', keyValue: this.#firstDay }]);
	}

	#clean(table: string) {
		const old = { keyName: 'day', condition: 'lt' as const, keyValue: shiftDay(this.#firstDay, -keptDays) };
		// Deleting old rows only makes later reads faster, so a failure does no harm.
		return { ...this.#table.remove(table, [old], 'delete'), onError: 'continueRegularOutput' as const };
	}

	#sumsOf(rows: readonly { json: Record<string, unknown> }[]): DayTotal[] {
		return this.#counted.map(({ day, scope }) =>
			sumOf(rows.filter(({ json }) => json.day === day && json.scope === scope)),
		);
	}
}

const rowOf = ({ amount, payments }: DayTotal) => ({ amount: hundredthsText(amount), payments: String(payments) });

/** @throws Error if a row cannot be read: a user has edited it, so the amount is unknown */
function sumOf(rows: readonly { json: Record<string, unknown> }[]): DayTotal {
	const total = { amount: 0n, payments: 0 };
	for (const { json } of rows) {
		const [amount, payments] = [hundredths(textOrNumber(json.amount)), wholeNumber(json.payments, 0)];
		if (amount === undefined || amount < 0n || payments === undefined)
			throw new Error(`the row with ID ${textOrNumber(json.id)} cannot be read`);
		total.amount += amount;
		total.payments += payments;
	}
	return total;
}
