import { type EventRow, textOrNumber } from '@bank/core';
import type { INode } from 'n8n-workflow';

import { DataTable, type DataTableContext } from '../../../shared/idempotency/dataTable.ts';

/** A row of the Data Table *Bank Events*: a run that began to handle an event. All columns hold text. */
export type StoredEvent = Record<(typeof columns)[number], string>;

const columns = [
	/** The key, as the user sees it. */
	'key',
	'execution',
	'at',
	/** The item as JSON; empty if the user does not keep it. */
	'data',
	/** The workflow that owns the claims. */
	'workflow',
	'attempt',
	/** Digest of workflow and key. */
	'event',
	/** The same, with the workflow that handles the event now: *List Unfinished* may run in another one. */
	'handler',
	/** Identifies the row. */
	'row',
] as const;

export const defaultTable = 'Bank Events';

/** In one query. SQLite allows about a thousand. */
const maxConditions = 200;

/** n8n reads more rows in pages, and fails if rows are added meanwhile. */
const maxRows = 1000;

export class EventTable {
	readonly #table: DataTable;

	constructor(context: DataTableContext, name: string) {
		this.#table = new DataTable(context, name, columns);
	}

	async insert(rows: readonly StoredEvent[]): Promise<void> {
		const items = rows.map((json) => ({ json: { ...json } }));
		await this.#run((table) => this.#table.run('Store events', [this.#table.insert(table)], items));
	}

	/** The oldest rows. */
	async oldest(): Promise<StoredEvent[]> {
		return await this.#read([]);
	}

	async ofEvents(events: readonly string[]): Promise<StoredEvent[]> {
		const parts = inParts(events).map(async (part) => await this.#read(part));
		return (await Promise.all(parts)).flat();
	}

	/** Deletes the rows that have one of these values in the column. */
	async delete(column: 'row' | 'event' | 'handler', values: readonly string[]): Promise<void> {
		for (const part of inParts(values))
			await this.#run((table) =>
				this.#table.run('Remove events', [this.#select('remove', table, 'deleteRows', column, part)]),
			);
	}

	async #read(events: readonly string[]): Promise<StoredEvent[]> {
		const items = await this.#run((table) => {
			const node = this.#select('get', table, 'get', 'event', events);
			return this.#table.run('Read events', [
				{ ...node, alwaysOutputData: true, retryOnFail: true, maxTries: 3, waitBetweenTries: 100 },
			]);
		});
		// With alwaysOutputData, n8n returns an empty item if there is no row.
		return items.flatMap(({ json }) => (textOrNumber(json.row) === '' ? [] : [storedEvent(json)]));
	}

	#select(name: string, table: string, operation: string, keyName: string, values: readonly string[]): INode {
		return this.#table.node(name, table, {
			resource: 'row',
			operation,
			matchType: 'anyCondition',
			filters: { conditions: values.map((keyValue) => ({ keyName, condition: 'eq', keyValue })) },
			...(operation === 'get'
				? { returnAll: false, limit: maxRows, orderBy: true, orderByColumn: 'id', orderByDirection: 'ASC' }
				: { options: {} }),
		});
	}

	/** @throws Error with n8n's words */
	async #run<Result>(work: (table: string) => Promise<Result>): Promise<Result> {
		const result = await this.#table.tried(work);
		if (result === undefined) throw new Error(this.#table.problem);
		return result;
	}
}

const storedEvent = (json: Partial<Record<string, unknown>>): StoredEvent =>
	Object.fromEntries(columns.map((name) => [name, textOrNumber(json[name])])) as StoredEvent;

export const asEventRow = (row: StoredEvent): EventRow & { stored: StoredEvent } => ({
	event: row.event,
	row: row.row,
	at: row.at,
	attempt: Number(row.attempt),
	stored: row,
});

function inParts(values: readonly string[]): string[][] {
	const all = [...new Set(values)];
	return Array.from({ length: Math.ceil(all.length / maxConditions) }, (_, part) =>
		all.slice(part * maxConditions, (part + 1) * maxConditions),
	);
}
