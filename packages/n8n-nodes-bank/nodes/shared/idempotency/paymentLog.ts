import { textOrNumber } from '@bank/core';
import type { IDataObject, IExecuteFunctions, INode, INodeExecutionData } from 'n8n-workflow';

import { isExpression } from '../form/parameters.ts';
import type { ClaimRequest } from './claimStore.ts';
import { inlineNode, inlineWorkflow } from './inlineWorkflow.ts';

/** All that the payment log needs of n8n. */
export type LogContext = Pick<IExecuteFunctions, 'executeWorkflow' | 'getWorkflow'>;

/** A row of the payment log: one attempt to make one payment. All columns hold text. */
export type LogRow = Record<(typeof logColumns)[number], string>;

export const logColumns = [
	'paymentRun',
	'sequence',
	'amount',
	/** Masked. */
	'phone',
	/** `preparing` before the claim, `sending` before the request, then the outcome. */
	'outcome',
	'payPackage',
	'transactionId',
	'execution',
	'at',
	/** Names the attempt: the payments of one request have the same. */
	'attempt',
	/** Until when an attempt may still be running. Empty once it has ended for certain. */
	'runningUntil',
	/** The workflows that hold the claims. */
	'workflow',
	/** Digests by which a payment is found again: see keys.ts. */
	'runKey',
	'key',
	'recipientKey',
	/** The claims, separated by a space. */
	'claims',
	/** Digests of the sender's account, the recipient's phone number and name: see partyDigest. */
	'sender',
	'recipient',
	'recipientName',
	/** A short digest of each field of the payment, to say which of them changed. */
	'content',
] as const;

/** Of an attempt that has no result yet. */
export const pendingOutcomes: readonly string[] = ['preparing', 'sending'];

/** By which rows are looked up. */
export interface LogQuery {
	runKey: string;
	keys: readonly { key: string; recipientKey: string }[];
}

const nodeType = 'n8n-nodes-base.dataTable';

/** So many payments are looked up one by one, more by their payment run. */
const fewEnough = 20;

/** SQLite takes about a thousand. */
const conditionsAtOnce = 200;

/** Where a Data Table is, by the workflow and its name: looked up once per process. */
const tableIds = new Map<string, string>();

/**
 * The payment log, a Data Table in the project of the workflow. People, reports and later runs read the result of each payment
 * from it. It may prevent a payment, and never permits one: only the claims do (claimStore.ts).
 */
export class PaymentLog {
	readonly #context: LogContext;
	readonly #name: string;
	/** Why the log could not be read or written, in n8n's words. */
	problem: string | undefined;

	constructor(context: LogContext, name: string) {
		this.#context = context;
		this.#name = name;
	}

	/** @returns nothing where the log cannot be read */
	async find({ runKey, keys }: LogQuery): Promise<LogRow[] | undefined> {
		const equal = (keyName: string, keyValue: string) => ({ keyName, condition: 'eq', keyValue });
		const conditions =
			keys.length > fewEnough
				? [equal('runKey', runKey)]
				: keys.flatMap(({ key, recipientKey }) => [
						...(key === '' ? [] : [equal('key', key)]),
						...(recipientKey === '' ? [] : [equal('recipientKey', recipientKey)]),
					]);
		return await this.#read({ matchType: 'anyCondition', filters: { conditions } });
	}

	/** Rows that have one of these values in a column. @returns nothing where the log cannot be read */
	async having(
		keyName: 'attempt' | 'claims' | 'recipient' | 'recipientName',
		values: readonly string[],
	): Promise<LogRow[] | undefined> {
		const conditions = [...new Set(values)].map((keyValue) => ({ keyName, condition: 'eq', keyValue }));
		const rows: LogRow[] = [];
		for (let from = 0; from < conditions.length; from += conditionsAtOnce) {
			const part = conditions.slice(from, from + conditionsAtOnce);
			const found = await this.#read({ matchType: 'anyCondition', filters: { conditions: part } });
			if (found === undefined) return undefined;
			rows.push(...found);
		}
		return rows;
	}

	/** Rows of a sender (see partyDigest) from an instant on. @returns nothing where the log cannot be read */
	async sentBy(sender: string, since: Date): Promise<LogRow[] | undefined> {
		const conditions = [
			{ keyName: 'sender', condition: 'eq', keyValue: sender },
			{ keyName: 'at', condition: 'gte', keyValue: since.toISOString() },
		];
		return await this.#read({ matchType: 'allConditions', filters: { conditions } });
	}

	async #read(filter: IDataObject): Promise<LogRow[] | undefined> {
		return await this.#tried(async (table) => {
			const get = {
				...this.#node('get', table, { resource: 'row', operation: 'get', ...filter, returnAll: true }),
				// n8n fails where rows are added while it reads several pages.
				retryOnFail: true,
				maxTries: 3,
				waitBetweenTries: 100,
			};
			return (await this.#run('Read payment log', [get], [{ json: {} }])).map(({ json }) => rowOf(json));
		});
	}

	/**
	 * The nodes that log an attempt around its claims: its rows before anything is claimed, and before the request that it goes out.
	 * @returns nothing where the log cannot be written
	 */
	async aroundClaims(rows: readonly LogRow[]): Promise<Required<Pick<ClaimRequest, 'before' | 'after'>> | undefined> {
		const table = await this.#tableId();
		const attempt = rows[0]?.attempt ?? '';
		if (table === undefined) return undefined;
		// That the log cannot be written does not keep anybody from being paid.
		const onError = 'continueRegularOutput' as const;
		return {
			before: { node: { ...this.#insert(table), onError }, items: rows.map((json) => ({ json: { ...json } })) },
			after: {
				...this.#node('sending', table, {
					resource: 'row',
					operation: 'update',
					...attemptIs(attempt),
					columns: { mappingMode: 'defineBelow', value: { outcome: 'sending' } },
					options: {},
				}),
				onError,
			},
		};
	}

	/** Replaces the rows of an attempt that has ended by those with its results. */
	async finish(attempt: string, rows: readonly LogRow[]): Promise<void> {
		await this.#tried(async (table) => {
			const remove = pendingOutcomes.map((keyValue) =>
				this.#node(`remove ${keyValue}`, table, {
					resource: 'row',
					operation: 'deleteRows',
					...attemptIs(attempt, { keyName: 'outcome', condition: 'eq', keyValue }),
					options: {},
				}),
			);
			if (rows.length === 0) return await this.#run('Write payment log', remove, [{ json: {} }]);
			const items = rows.map((json) => ({ json: { ...json } }));
			return await this.#run('Write payment log', remove, items, this.#insert(table));
		});
	}

	/** Adds what is known of an attempt since. */
	async update(row: LogRow, changes: Partial<LogRow>): Promise<void> {
		await this.#tried(async (table) => {
			const own = { keyName: 'claims', condition: 'eq', keyValue: row.claims };
			const update = this.#node('update', table, {
				resource: 'row',
				operation: 'update',
				...attemptIs(row.attempt, own),
				columns: { mappingMode: 'defineBelow', value: changes },
				options: {},
			});
			return await this.#run('Write payment log', [update], [{ json: {} }]);
		});
	}

	/** Twice at most: the table may have been deleted since it was looked up, or the database have been busy. */
	async #tried<Result>(work: (table: string) => Promise<Result>): Promise<Result | undefined> {
		for (let isSecond = false; ; isSecond = true) {
			const table = await this.#tableId();
			if (table === undefined) return undefined;
			try {
				return await work(table);
			} catch (error) {
				this.#forget();
				if (!isSecond) continue;
				this.problem = messageOf(error);
				return undefined;
			}
		}
	}

	get #cacheKey(): string {
		return `${this.#context.getWorkflow().id ?? ''} ${this.#name}`;
	}

	#forget(): void {
		tableIds.delete(this.#cacheKey);
	}

	/** The table of that very name, made where it is missing. n8n itself takes any table whose name contains it. */
	async #tableId(): Promise<string | undefined> {
		const known = tableIds.get(this.#cacheKey);
		if (known !== undefined) return known;
		if (isExpression(this.#name)) {
			this.problem = 'the name of the Data Table begins with "="';
			return undefined;
		}
		const create = {
			...inlineNode('create', 'create', nodeType, 1.1),
			// Of several executions that make it at the same moment one does: the table is there for the others too.
			onError: 'continueRegularOutput' as const,
			parameters: {
				resource: 'table',
				operation: 'create',
				tableName: this.#name,
				columns: { column: logColumns.map((name) => ({ name, type: 'string' })) },
				options: { createIfNotExists: true },
			},
		};
		const list = {
			...inlineNode('list', 'list', nodeType, 1.1),
			parameters: { resource: 'table', operation: 'list', returnAll: true, options: { filterName: this.#name } },
		};
		try {
			const tables = await this.#run('Find payment log', [create, list], [{ json: {} }]);
			const id = textOrNumber(tables.find(({ json }) => json.name === this.#name)?.json.id);
			if (id === '') throw new Error(`n8n could not make the Data Table "${this.#name}"`);
			tableIds.set(this.#cacheKey, id);
			return id;
		} catch (error) {
			this.problem = messageOf(error);
			return undefined;
		}
	}

	#insert(table: string): INode {
		return {
			...this.#node('insert', table, {
				resource: 'row',
				operation: 'insert',
				columns: { mappingMode: 'autoMapInputData', value: null },
				options: { optimizeBulk: true },
			}),
			executeOnce: false,
		};
	}

	#node(name: string, table: string, parameters: IDataObject): INode {
		const dataTableId = { __rl: true, mode: 'id', value: table };
		// n8n types parameters narrower than what it stores.
		return {
			...inlineNode(name, name, nodeType, 1.1),
			parameters: { ...parameters, dataTableId } as INode['parameters'],
		};
	}

	async #run(
		name: string,
		nodes: readonly INode[],
		items: INodeExecutionData[],
		first?: INode,
	): Promise<INodeExecutionData[]> {
		const workflowId = this.#context.getWorkflow().id ?? '';
		const code = inlineWorkflow(workflowId, name, nodes, first === undefined ? {} : { first });
		return (await this.#context.executeWorkflow({ code }, items)).data[0] ?? [];
	}
}

const attemptIs = (attempt: string, ...others: readonly IDataObject[]) => ({
	matchType: 'allConditions',
	filters: { conditions: [{ keyName: 'attempt', condition: 'eq', keyValue: attempt }, ...others] },
});

const rowOf = (json: IDataObject): LogRow =>
	Object.fromEntries(logColumns.map((name) => [name, textOrNumber(json[name])])) as LogRow;

const messageOf = (error: unknown): string => (error instanceof Error ? error.message : String(error));
