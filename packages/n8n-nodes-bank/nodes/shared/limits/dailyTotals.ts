import { randomUUID } from 'node:crypto';

import { hundredths, hundredthsText, textOrNumber, wholeNumber } from '@bank/core';

import { DataTable, type DataTableContext } from '../idempotency/dataTable.ts';

const columns = [
	/** The day in the time zone of the limit, such as 2026-11-23. */
	'day',
	/** What the limit counts: the ID of a credential, or the base URL for limits of the whole instance. */
	'scope',
	'amount',
	'payments',
	/** ID of the reservation. */
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
	readonly #table: DataTable;
	readonly #day: string;
	readonly #scope: string;
	readonly #execution: string;

	constructor(context: DataTableContext, { day, scope, execution }: { day: string; scope: string; execution: string }) {
		this.#table = new DataTable(context, 'Bank Daily Totals', columns);
		this.#day = day;
		this.#scope = scope;
		this.#execution = execution;
	}

	/** n8n's error message if the table could not be read or written. */
	get problem(): string {
		return this.#table.problem ?? '';
	}

	/** @returns undefined if the table cannot be read */
	async read(): Promise<Used | undefined> {
		return await this.#table.tried(async (table) =>
			sumOf(await this.#table.run('Read daily totals', [this.#get(table)], [{ json: {} }])),
		);
	}

	/**
	 * Inserts a reservation, then adds up all reservations of the day. Of two simultaneous runs, the one that inserts
	 * last sees both.
	 * @returns undefined if it is uncertain whether the sum includes the reservation
	 */
	async reserve({ amount, payments }: Used): Promise<{ total: Used; reservation: string } | undefined> {
		return await this.#table.tried(async (table) => {
			const reservation = randomUUID();
			const row = {
				day: this.#day,
				scope: this.#scope,
				...rowOf({ amount, payments }),
				reservation,
				execution: this.#execution,
				at: new Date().toISOString(),
			};
			const [insert, get] = [this.#table.insert(table), this.#get(table)];
			const rows = await this.#table.run('Reserve daily total', [get], [{ json: row }], insert);
			if (!rows.some(({ json }) => json.reservation === reservation)) throw new Error('the reservation is missing');
			return { total: sumOf(rows), reservation };
		});
	}

	/** Reduces a reservation to the amount that was used. If that fails, the full amount counts, which is safe. */
	async settle(reservation: string, used: Used): Promise<void> {
		await this.#table.tried(async (table) => {
			const update = this.#table.node('update', table, {
				resource: 'row',
				operation: 'update',
				...allOf({ day: this.#day, scope: this.#scope, reservation }),
				columns: { mappingMode: 'defineBelow', value: rowOf(used) },
				options: {},
			});
			await this.#table.run('Settle daily total', [update], [{ json: {} }]);
		});
	}

	#get(table: string) {
		return {
			...this.#table.node('get', table, {
				resource: 'row',
				operation: 'get',
				...allOf({ day: this.#day, scope: this.#scope }),
				returnAll: true,
				// n8n reads pages of 1,000 rows; without a fixed order, a row could be missed.
				orderBy: true,
				orderByColumn: 'id',
				orderByDirection: 'ASC',
			}),
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 100,
		};
	}
}

const rowOf = ({ amount, payments }: Used) => ({ amount: hundredthsText(amount), payments: String(payments) });

const allOf = (values: Readonly<Record<string, string>>) => ({
	matchType: 'allConditions',
	filters: {
		conditions: Object.entries(values).map(([keyName, keyValue]) => ({ keyName, condition: 'eq', keyValue })),
	},
});

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
