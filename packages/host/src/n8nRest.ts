import { parse as parseFlatted } from 'flatted';
import type { ExecutionStatus, IDataObject, IRunExecutionData } from 'n8n-workflow';
import type { WorkflowFile } from './n8nCli.ts';
import { pollUntil } from './poll.ts';

export interface Login {
	email: string;
	password: string;
}

export interface CredentialDraft {
	name: string;
	type: string;
	data: Record<string, unknown>;
}

export interface CredentialTestResult {
	status: 'OK' | 'Error';
	message: string;
}

export interface ExecutionSummary {
	id: string;
	workflowId: string;
	status: ExecutionStatus;
	mode: string;
	startedAt: string;
	stoppedAt?: string;
}

export interface Execution extends ExecutionSummary {
	data: IRunExecutionData;
	/** Custom data, by which the list of executions can be filtered. */
	customData?: Record<string, string>;
}

const unfinished: readonly ExecutionStatus[] = ['new', 'running', 'waiting', 'unknown'];

interface PublicationStatus {
	status: 'in_progress' | 'not_published' | 'published' | 'partial' | 'failed';
	triggers: Array<{ status: string; errorMessage: string | null }>;
}

export class N8nRestError extends Error {
	readonly status: number;

	constructor(request: string, status: number, body: string) {
		super(`${request} was answered with ${status}: ${body.slice(0, 2000)}`);
		this.name = 'N8nRestError';
		this.status = status;
	}
}

/** Client of the REST API that n8n's editor uses, signed in as one user. */
export class N8nRest {
	private readonly url: string;
	private cookie: string;
	/** n8n ties a session to the browser that opened it. */
	private readonly browserId = 'n8n-nodes-bank-host';

	/** @param session session of another client; n8n allows only a few sign-ins per minute */
	constructor(url: string, session = '') {
		this.url = url;
		this.cookie = session;
	}

	get session(): string {
		return this.cookie;
	}

	// ---- owner and session

	async isOwnerSetUp(): Promise<boolean> {
		const settings = await this.request<{ userManagement: { showSetupOnFirstLoad?: boolean } }>(
			'GET',
			'/rest/settings',
		);
		return !settings.userManagement.showSetupOnFirstLoad;
	}

	async setUpOwner({ email, password }: Login): Promise<void> {
		await this.request('POST', '/rest/owner/setup', { email, password, firstName: 'Demo', lastName: 'Owner' });
	}

	async login({ email, password }: Login): Promise<void> {
		await this.request('POST', '/rest/login', { emailOrLdapLoginId: email, password });
	}

	// ---- credentials

	createCredential(credential: CredentialDraft): Promise<{ id: string; name: string; type: string }> {
		return this.request('POST', '/rest/credentials', credential);
	}

	/** Does what the editor does when a credential is saved: tests values, which need not be stored. */
	testCredential(credential: CredentialDraft & { id?: string }): Promise<CredentialTestResult> {
		return this.request('POST', '/rest/credentials/test', { credentials: { id: '', ...credential } });
	}

	// ---- workflows

	async workflowIds(): Promise<Set<string>> {
		const ids = new Set<string>();
		for (;;) {
			const page = await this.request<Array<{ id: string }>>('GET', `/rest/workflows?take=100&skip=${ids.size}`);
			for (const { id } of page) ids.add(id);
			if (page.length < 100) return ids;
		}
	}

	/** Keeps the ID of the file. */
	createWorkflow(workflow: WorkflowFile): Promise<WorkflowFile & { versionId: string }> {
		const { id, name, nodes, connections, settings, pinData, meta } = workflow;
		return this.request('POST', '/rest/workflows', {
			id,
			name,
			nodes,
			connections,
			settings: settings ?? {},
			pinData,
			meta,
		});
	}

	getWorkflow(id: string): Promise<WorkflowFile & { versionId: string }> {
		return this.request('GET', `/rest/workflows/${id}`);
	}

	/** Activates a workflow. Its webhooks are available a moment later, so poll for the first call. */
	async activateWorkflow(id: string): Promise<void> {
		const { versionId } = await this.getWorkflow(id);
		await this.request('POST', `/rest/workflows/${id}/activate`, { versionId });
	}

	/**
	 * Activates a workflow and waits until its triggers are registered, which n8n does not wait for. Returns n8n's error message if
	 * that fails.
	 */
	async activateToEnd(id: string): Promise<{ active: boolean; message: string }> {
		try {
			await this.activateWorkflow(id);
		} catch (error) {
			if (error instanceof N8nRestError) return { active: false, message: error.message };
			throw error;
		}
		return await this.publication(id);
	}

	/** Deactivates a workflow and waits until its triggers are removed. */
	async deactivateToEnd(id: string): Promise<void> {
		await this.request('POST', `/rest/workflows/${id}/deactivate`, {});
		await this.publication(id);
	}

	private async publication(id: string): Promise<{ active: boolean; message: string }> {
		const ask = () => this.request<PublicationStatus>('GET', `/rest/workflows/${id}/publication-status`);
		return await pollUntil(
			async () => {
				if ((await ask()).status === 'in_progress') return undefined;
				// n8n reads the end of the publication and the state of its triggers in two queries, so it may end between them.
				const { status, triggers } = await ask();
				return {
					active: status === 'published',
					message: triggers.flatMap(({ errorMessage }) => errorMessage ?? []).join('\n'),
				};
			},
			{ what: `The end of the publication of workflow ${id}` },
		);
	}

	/** Does what "Execute workflow" does if the trigger waits for a call: listens at the test URL. */
	async listen(id: string, trigger: string): Promise<void> {
		const { waitingForWebhook } = await this.execute(id, trigger);
		if (!waitingForWebhook) throw new Error(`The trigger "${trigger}" of workflow ${id} does not wait for a call.`);
	}

	/** Does what "Execute workflow" does. Returns the ID of the execution. */
	async runWorkflow(id: string, trigger?: string): Promise<string> {
		const name = trigger ?? firstTrigger(await this.getWorkflow(id));
		const { executionId } = await this.execute(id, name);
		if (!executionId)
			throw new Error(`Workflow ${id} waits for a call from outside: its trigger "${name}" does not start on a click.`);
		return executionId;
	}

	private execute(id: string, trigger: string) {
		return this.request<{ executionId?: string; waitingForWebhook?: boolean }>('POST', `/rest/workflows/${id}/run`, {
			triggerToStartFrom: { name: trigger },
		});
	}

	// ---- executions

	/** The newest executions, and how many there are. */
	executions(filter: object, limit = 100): Promise<{ count: number; results: ExecutionSummary[] }> {
		return this.request('GET', `/rest/executions?limit=${limit}&filter=${encodeURIComponent(JSON.stringify(filter))}`);
	}

	/**
	 * All executions of a workflow, oldest first. Paged by start time: n8n's own cursor pages by ID through a list that is sorted by
	 * start, so it skips and repeats executions that workers started in another order.
	 */
	async allExecutions(workflowId: string, startedAfter?: string): Promise<ExecutionSummary[]> {
		const found = new Map<string, ExecutionSummary>();
		for (let startedBefore: string | undefined; ;) {
			const { results } = await this.executions({ workflowId, startedBefore, startedAfter });
			const before = found.size;
			for (const execution of results) found.set(execution.id, execution);
			startedBefore = results.at(-1)?.startedAt;
			if (results.length < 100) return [...found.values()].sort((one, other) => Number(one.id) - Number(other.id));
			if (found.size === before || !startedBefore)
				throw new Error(`More than a page of executions of workflow ${workflowId} began at the same moment.`);
		}
	}

	/** Waits for `count` executions of a workflow and until all of them have ended. */
	executionsToEnd(workflowId: string, count: number): Promise<ExecutionSummary[]> {
		return pollUntil(
			async () => {
				// Counts first, because reading hundreds of pages repeatedly would slow n8n down.
				const ended = await this.executions({ workflowId, status: ['success', 'error', 'crashed', 'canceled'] }, 1);
				if (ended.count < count) return undefined;
				const found = await this.allExecutions(workflowId);
				return found.every(({ status }) => !unfinished.includes(status)) ? found : undefined;
			},
			{ what: `${count} ended executions of workflow ${workflowId}`, intervalMs: 200 },
		);
	}

	async getExecution(id: string): Promise<Execution> {
		const { data, ...rest } = await this.request<ExecutionSummary & { data: string }>('GET', `/rest/executions/${id}`);
		return { ...rest, data: parseFlatted(data) as IRunExecutionData };
	}

	/** Returns the execution once it has ended, successfully or not. */
	waitForExecution(id: string): Promise<Execution> {
		return pollUntil(
			async () => {
				const execution = await this.getExecution(id);
				return unfinished.includes(execution.status) ? undefined : execution;
			},
			{ what: `The end of execution ${id}` },
		);
	}

	/** Returns the execution once it waits for a user for the `asked`-th time. */
	waitForQuestion(id: string, asked = 1): Promise<Execution> {
		return pollUntil(
			async () => {
				const execution = await this.getExecution(id);
				// A running execution has no data yet.
				if (execution.status !== 'waiting') return unfinished.includes(execution.status) ? undefined : execution;
				const { lastNodeExecuted = '', runData } = execution.data.resultData;
				return (runData[lastNodeExecuted]?.length ?? 0) >= asked ? execution : undefined;
			},
			{ what: `Execution ${id} waiting for a person` },
		);
	}

	async runToEnd(workflowId: string, trigger?: string): Promise<Execution> {
		return await this.waitForExecution(await this.runWorkflow(workflowId, trigger));
	}

	// ---- data tables

	/** The rows of a Data Table, by its name. */
	async tableRows(tableName: string): Promise<IDataObject[]> {
		const table = await this.tablePath(tableName);
		const rows: IDataObject[] = [];
		for (;;) {
			const { data } = await this.request<{ data: IDataObject[] }>('GET', `${table}/rows?take=100&skip=${rows.length}`);
			rows.push(...data);
			if (data.length < 100) return rows;
		}
	}

	async addRows(tableName: string, rows: IDataObject[]): Promise<void> {
		await this.request('POST', `${await this.tablePath(tableName)}/insert`, { data: rows });
	}

	/** What n8n counts for its limit of all Data Tables. */
	async tableBytes(tableName: string): Promise<number> {
		const { id } = await this.findTable(tableName);
		const { dataTables } = await this.request<{ dataTables: Record<string, { sizeBytes: number }> }>(
			'GET',
			'/rest/data-tables-global/limits',
		);
		return dataTables[id]?.sizeBytes ?? Number.NaN;
	}

	private async tablePath(tableName: string): Promise<string> {
		const { id, projectId } = await this.findTable(tableName);
		return `/rest/projects/${projectId}/data-tables/${id}`;
	}

	private async findTable(tableName: string): Promise<{ id: string; projectId: string }> {
		const filter = encodeURIComponent(JSON.stringify({ name: tableName }));
		const tables = await this.request<{ data: Array<{ id: string; name: string; projectId: string }> }>(
			'GET',
			`/rest/data-tables-global?take=250&filter=${filter}`,
		);
		const table = tables.data.find(({ name }) => name === tableName);
		if (table === undefined) throw new Error(`There is no data table "${tableName}".`);
		return table;
	}

	// ---- node types

	nodeTypes() {
		return this.types<{ name: string; version: number | number[] }>('nodes');
	}

	credentialTypes() {
		return this.types<{ name: string; properties: { name: string; type: string }[] }>('credentials');
	}

	/** Needs an n8n with its editor. */
	private async types<T>(kind: string): Promise<T[]> {
		return JSON.parse(await this.text('GET', `/types/${kind}.json`)) as T[];
	}

	// ---- transport

	/** Calls any other endpoint and returns the `data` of the response. */
	async request<T>(method: string, path: string, body?: unknown): Promise<T> {
		const text = await this.text(method, path, body);
		return (text ? (JSON.parse(text) as { data: T }).data : undefined) as T;
	}

	private async text(method: string, path: string, body?: unknown): Promise<string> {
		const response = await fetch(this.url + path, {
			method,
			headers: {
				'browser-id': this.browserId,
				// n8n closes idle connections after five seconds. On a busy machine a request could be sent into one.
				connection: 'close',
				...(this.cookie && { cookie: this.cookie }),
				...(body !== undefined && { 'content-type': 'application/json' }),
			},
			body: body === undefined ? undefined : JSON.stringify(body),
		});
		const text = await response.text();
		if (!response.ok) throw new N8nRestError(`${method} ${path}`, response.status, text);
		const session = response.headers.getSetCookie().find((cookie) => cookie.startsWith('n8n-auth='));
		if (session) this.cookie = session.split(';')[0] ?? '';
		return text;
	}
}

function firstTrigger(workflow: WorkflowFile): string {
	const trigger = workflow.nodes.find((node) => !node.disabled && /trigger$/i.test(node.type));
	if (!trigger) throw new Error(`Workflow "${workflow.name}" has no trigger to start from.`);
	return trigger.name;
}
