import { randomUUID } from 'node:crypto';

import { hundredths, hundredthsText, textOrNumber, wholeNumber } from '@bank/core';

import { DataTable, type DataTableContext, equalTo } from '../idempotency/dataTable.ts';

const columns = [
	/** The day in the time zone of the limit, such as 2026-11-23. */
	'day',
	/** What the limit counts: the ID of a credential, or the base URL for limits of the whole instance. */
	'scope',
	'amount',
	'payments',
	'reservation',
	'execution',
	'at',
] as const;

/** The amount and number of payments that were or may have been made on one day. */
export interface Used {
	/** In hundredths. */
	amount: bigint;
	payments: number;
}

/**
 * Daily totals, as rows of a Data Table in the project of the workflow. A row is reserved before a request and reduced
 * after it. Rows are never deleted: a run that reads at the same time would miss one and pay too much.
 */
export class DailyTotals {
	readonly day: string;
	readonly #table: DataTable;
	readonly #scope: string;
	readonly #execution: string;
	#reservation: string | undefined;

	constructor(context: DataTableContext, { day, scope, execution }: { day: string; scope: string; execution: string }) {
		this.#table = new DataTable(context, 'Bank Daily Totals', columns);
		this.day = day;
		this.#scope = scope;
		this.#execution = execution;
	}

	get problem(): string {
		return this.#table.problem ?? '';
	}

	/** @returns undefined if the table cannot be read */
	async read(): Promise<Used | undefined> {
		return await this.#table.tried(async (table) =>
			sumOf(await this.#table.run('Read daily totals', [this.#get(table)])),
		);
	}

	/**
	 * Inserts a reservation, then adds up all reservations of the day. Of two simultaneous runs, the one that inserts
	 * last sees both.
	 * @returns undefined if it is uncertain whether the sum includes the reservation
	 */
	async reserve(wanted: Used): Promise<Used | undefined> {
		return await this.#table.tried(async (table) => {
			const reservation = randomUUID();
			const at = new Date().toISOString();
			const row = { ...this.#own, ...rowOf(wanted), reservation, execution: this.#execution, at };
			const [insert, get] = [this.#table.insert(table), this.#get(table)];
			const rows = await this.#table.run('Reserve daily total', [get], [{ json: row }], insert);
			if (!rows.some(({ json }) => json.reservation === reservation)) throw new Error('the reservation is missing');
			const total = sumOf(rows);
			this.#reservation = reservation;
			return total;
		});
	}

	/** Reduces the reservation to the amount that was used. If that fails, the full amount counts, which is safe. */
	async settle(used: Used): Promise<void> {
		const reservation = this.#reservation;
		if (reservation === undefined) return;
		await this.#table.tried(async (table) => {
			const update = this.#table.update(table, { ...this.#own, reservation }, rowOf(used));
			await this.#table.run('Settle daily total', [update]);
		});
	}

	get #own() {
		return { day: this.day, scope: this.#scope };
	}

	#get(table: string) {
		return this.#table.get(table, equalTo(this.#own));
	}
}

const rowOf = ({ amount, payments }: Used) => ({ amount: hundredthsText(amount), payments: String(payments) });

/** @throws Error if a row cannot be read: a user has edited it, so the amount is unknown */
function sumOf(rows: readonly { json: Record<string, unknown> }[]): Used {
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
