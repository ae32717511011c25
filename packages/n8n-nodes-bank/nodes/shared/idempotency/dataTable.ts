import { textOrNumber } from '@bank/core';
import {
	type IDataObject,
	type IExecuteFunctions,
	type INode,
	type INodeExecutionData,
	isExpression,
} from 'n8n-workflow';

import { chunk } from '../base/inParallel.ts';
import { inlineNode, inlineWorkflow } from './inlineWorkflow.ts';

export type DataTableContext = Pick<IExecuteFunctions, 'executeWorkflow' | 'getWorkflow'>;

const nodeType = 'n8n-nodes-base.dataTable';

/** IDs of tables, by workflow and name. For n8n, finding a table takes as long as writing to it. */
const foundTables = new Map<string, { id: string; until: number }>();

const rememberMs = 60_000;

/** A Data Table in the project of the workflow, created if missing. All columns hold text. */
export class DataTable {
	readonly #context: DataTableContext;
	readonly #name: string;
	readonly #columns: readonly string[];
	readonly #place: string | undefined;
	#id: string | undefined;
	/** n8n's error message if the table could not be read or written. */
	problem: string | undefined;

	/**
	 * @param remembers whether to use a table for a minute without looking for it again, even if it is renamed
	 * meanwhile
	 */
	constructor(
		context: DataTableContext,
		name: string,
		columns: readonly string[],
		{ remembers = false }: { remembers?: boolean } = {},
	) {
		this.#context = context;
		this.#name = name;
		this.#columns = columns;
		this.#place = remembers ? `${context.getWorkflow().id} ${name}` : undefined;
		const known = foundTables.get(this.#place ?? '');
		this.#id = known !== undefined && known.until > Date.now() ? known.id : undefined;
	}

	/**
	 * Runs `work` at most twice, because the database may be busy.
	 * @returns undefined if both failed
	 */
	async tryTwice<Result>(work: (table: string) => Result | Promise<Result>): Promise<Result | undefined> {
		for (let isSecond = false; ; isSecond = true) {
			try {
				return await work((this.#id ??= await this.#find()));
			} catch (error) {
				if (foundTables.delete(this.#place ?? '')) this.#id = undefined;
				if (!isSecond) continue;
				this.problem = error instanceof Error ? error.message : String(error);
				return undefined;
			}
		}
	}

	/**
	 * The ID of the table with exactly this name, created if missing. Asked once per run, because a table may be renamed at any time.
	 * n8n's own lookup matches any table whose name contains it.
	 */
	async #find(): Promise<string> {
		const list = {
			...inlineNode('list', 'list', nodeType, 1.1),
			parameters: { resource: 'table', operation: 'list', returnAll: true, options: { filterName: this.#name } },
		};
		const create = {
			...inlineNode('create', 'create', nodeType, 1.1),
			// If several executions create the table at once, one succeeds, and the rest find the table.
			onError: 'continueRegularOutput' as const,
			parameters: {
				resource: 'table',
				operation: 'create',
				tableName: this.#name,
				columns: { column: this.#columns.map((name) => ({ name, type: 'string' })) },
				options: { createIfNotExists: true },
			},
		};
		const find = async (nodes: readonly INode[]) =>
			(await this.run('Find Data Table', nodes)).find(({ json }) => json.name === this.#name)?.json;
		const found = (await find([list])) ?? (await find([create, list]));
		const id = textOrNumber(found?.id);
		if (id === '') throw new Error(`n8n could not create the Data Table "${this.#name}"`);
		if (Array.isArray(found?.columns))
			this.#requireColumns(found.columns.map((column) => textOrNumber((column as IDataObject).name)));
		if (this.#place !== undefined) foundTables.set(this.#place, { id, until: Date.now() + rememberMs });
		return id;
	}

	/** @throws Error if a user has deleted or renamed a column: the rows would seem to have no value in it */
	#requireColumns(names: readonly string[]): void {
		const missing = this.#columns.filter((name) => !names.includes(name));
		if (missing.length > 0)
			throw new Error(
				`its Data Table has no column "${missing.join('", "')}". Add it again (type string); its earlier values are lost`,
			);
	}

	/** A node that inserts its input items as rows. */
	insert(table: string): INode {
		return {
			...this.node('insert', table, {
				resource: 'row',
				operation: 'insert',
				columns: { mappingMode: 'autoMapInputData', value: null },
				options: { optimizeBulk: true },
			}),
			executeOnce: false,
		};
	}

	node(name: string, table: string, parameters: IDataObject): INode {
		const dataTableId = { __rl: true, mode: 'id', value: table };
		// n8n types parameters narrower than what it stores.
		return {
			...inlineNode(name, name, nodeType, 1.1),
			parameters: { ...parameters, dataTableId } as INode['parameters'],
		};
	}

	/**
	 * A node that reads the rows that meet the conditions. n8n reads pages of 1,000 rows: without a fixed order a row
	 * could be missed, and it fails if rows are added meanwhile.
	 */
	get(table: string, conditions: readonly Condition[], { matchType, limit }: Query = {}): INode {
		return {
			...this.node('get', table, {
				resource: 'row',
				operation: 'get',
				matchType: matchType ?? 'allConditions',
				filters: { conditions: [...conditions] },
				...(limit === undefined ? { returnAll: true } : { returnAll: false, limit }),
				orderBy: true,
				orderByColumn: 'id',
				orderByDirection: 'ASC',
			}),
			retryOnFail: true,
			maxTries: 3,
			waitBetweenTries: 100,
		};
	}

	/** A node that deletes rows. */
	remove(table: string, conditions: readonly Condition[], name: string, matchType: MatchType = 'allConditions'): INode {
		return this.node(name, table, {
			resource: 'row',
			operation: 'deleteRows',
			matchType,
			filters: { conditions: [...conditions] },
			options: {},
		});
	}

	/** A node that changes the rows that have all values of `where`. */
	update(table: string, where: Readonly<Record<string, string>>, value: IDataObject, name = 'update'): INode {
		return this.node(name, table, {
			resource: 'row',
			operation: 'update',
			matchType: 'allConditions',
			filters: { conditions: equalTo(where) },
			columns: { mappingMode: 'defineBelow', value },
			options: {},
		});
	}

	/** Runs nodes, and returns the items of the last one. */
	async run(
		name: string,
		nodes: readonly INode[],
		items: INodeExecutionData[] = [{ json: {} }],
	): Promise<INodeExecutionData[]> {
		const workflowId = this.#context.getWorkflow().id ?? '';
		const code = inlineWorkflow(workflowId, name, nodes.map(withLiterals));
		return (await this.#context.executeWorkflow({ code }, items)).data[0] ?? [];
	}
}

type MatchType = 'allConditions' | 'anyCondition';

interface Query {
	/** Default: all conditions. */
	matchType?: MatchType | undefined;
	/** Default: all rows. */
	limit?: number;
}

export type Condition = {
	keyName: string;
	condition: 'eq' | 'gte' | 'lt' | 'like' | 'isNotEmpty';
	keyValue?: string | number;
};

export const equalTo = (values: Readonly<Record<string, string>>): Condition[] =>
	Object.entries(values).map(([keyName, keyValue]) => ({ keyName, condition: 'eq', keyValue }));

/** Maximum number of conditions in one query. SQLite allows about a thousand. */
const maxConditions = 200;

/** The conditions of each query that finds the rows with one of these values in one of these columns. Empty values are left out. */
export function conditionsIn(columns: Readonly<Record<string, readonly string[]>>): Condition[][] {
	const all = Object.entries(columns).flatMap(([keyName, values]) =>
		[...new Set(values)].flatMap((value) => (value === '' ? [] : equalTo({ [keyName]: value }))),
	);
	return chunk(all, maxConditions);
}

/**
 * Replaces each text that begins with "=", which n8n would evaluate, by an expression that returns the text. Such texts
 * may come from a form.
 */
const withLiterals = (node: INode): INode =>
	JSON.parse(JSON.stringify(node), (_key, value: unknown) =>
		isExpression(value)
			? `={{ ${JSON.stringify(value).replaceAll('{', '\\u007b').replaceAll('}', '\\u007d')} }}`
			: value,
	) as INode;
