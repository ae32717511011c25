import { textOrNumber } from '@bank/core';
import type { INode, INodeExecutionData } from 'n8n-workflow';

import {
	type Condition,
	conditionsIn,
	DataTable,
	type DataTableContext,
} from '../../../shared/idempotency/dataTable.ts';

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
	/** Digest of the key and the workflow that handles the event now: *List Unfinished* may run in another workflow. */
	'handler',
	'row',
] as const;

export const defaultTable = 'Bank Events';

/** n8n reads more rows in pages, and fails if rows are added meanwhile. */
const maxRows = 1000;

export class EventTable {
	readonly #table: DataTable;

	constructor(context: DataTableContext, name: string) {
		this.#table = new DataTable(context, name, columns, { remembers: true });
	}

	async insert(rows: readonly StoredEvent[]): Promise<void> {
		const items = rows.map((json) => ({ json: { ...json } }));
		await this.#run('Store events', (table) => this.#table.insert(table), items);
	}

	/** The oldest rows. */
	async oldest(): Promise<StoredEvent[]> {
		return await this.#read([]);
	}

	async ofEvents(events: readonly string[]): Promise<StoredEvent[]> {
		return (await Promise.all(conditionsIn({ event: events }).map(async (part) => await this.#read(part)))).flat();
	}

	/** Deletes the rows that have one of the values in one of the columns. */
	async delete(values: Partial<Record<'row' | 'event' | 'handler', readonly string[]>>): Promise<void> {
		for (const conditions of conditionsIn(values))
			await this.#run('Remove events', (table) => this.#table.remove(table, conditions, 'remove', 'anyCondition'));
	}

	async #read(conditions: readonly Condition[]): Promise<StoredEvent[]> {
		const items = await this.#run('Read events', (table) => {
			const node = this.#table.get(table, conditions, { matchType: 'anyCondition', limit: maxRows });
			return { ...node, alwaysOutputData: true };
		});
		// With alwaysOutputData, n8n returns an empty item if there is no row.
		return items.flatMap(({ json }) => (textOrNumber(json.row) === '' ? [] : [storedEvent(json)]));
	}

	/** @throws Error with n8n's message */
	async #run(
		name: string,
		node: (table: string) => INode,
		items?: INodeExecutionData[],
	): Promise<INodeExecutionData[]> {
		const result = await this.#table.tryTwice((table) => this.#table.run(name, [node(table)], items));
		if (result === undefined) throw new Error(this.#table.problem);
		return result;
	}
}

const storedEvent = (json: Partial<Record<string, unknown>>): StoredEvent =>
	Object.fromEntries(columns.map((name) => [name, textOrNumber(json[name])])) as StoredEvent;
