import type { EventsInput, SentEvents, Webhook } from '@bank/fixtures/sandbox';
import type { IDataObject } from 'n8n-workflow';
import { demoReferences } from '../../src/demoCredentials.ts';
import { inParallel } from '../../src/inParallel.ts';
import type { WorkflowNode } from '../../src/n8nCli.ts';
import type { Execution, N8nRest } from '../../src/n8nRest.ts';
import type { SandboxAdmin } from '../../src/sandboxAdmin.ts';
import { type Testbed, type TestbedOptions, startTestbed } from '../../src/testbed.ts';
import { inARow } from '../../src/workflows.ts';

/** Creates workflows with triggers in an n8n that the sandbox bank can reach, and removes them after each test. */
export class TriggerWorkflows {
	readonly rest: N8nRest;
	readonly sandbox: SandboxAdmin;
	readonly webhookUrl: string;
	private readonly made: string[] = [];

	constructor({ rest, sandbox, webhookUrl }: { rest: N8nRest; sandbox: SandboxAdmin; webhookUrl: string }) {
		this.rest = rest;
		this.sandbox = sandbox;
		this.webhookUrl = webhookUrl;
	}

	/** Removes what a test activated, then resets the bank. */
	async tidy(): Promise<void> {
		for (const id of this.made.splice(0)) {
			await this.rest.deactivateToEnd(id);
			await this.rest.request('POST', `/rest/workflows/${id}/archive`, {});
			await this.rest.request('DELETE', `/rest/workflows/${id}`);
		}
		await this.sandbox.reset();
	}

	/** Stores a workflow with these nodes in a row; the first one is its trigger. */
	async workflow(...nodes: WorkflowNode[]): Promise<string> {
		const file = inARow('Triggered', nodes);
		await this.rest.createWorkflow(file);
		this.made.push(file.id);
		return file.id;
	}

	/** Stores and publishes a workflow with these nodes in a row. */
	async published(...nodes: WorkflowNode[]): Promise<string> {
		const id = await this.workflow(...nodes);
		expect(await this.rest.activateToEnd(id)).toMatchObject({ active: true });
		return id;
	}

	/** Delivers events; refused deliveries are not repeated. */
	async send(order: EventsInput = {}): Promise<SentEvents> {
		return await this.sandbox.sendEvents({ attempts: 1, ...order });
	}

	/** Adds an operation to the bank's history and returns its ID. */
	async addOperation(): Promise<string> {
		return (await this.sandbox.send<{ id: string }>('POST', '/_sandbox/operations', { direction: 'INCOME' })).id;
	}

	async subscription(): Promise<Webhook> {
		const object = 'ul_transaction_default';
		const found = (await this.sandbox.state()).webhooks.find((webhook) => webhook.object === object);
		if (!found) throw new Error(`The subscription for ${object} was deleted.`);
		return found;
	}

	/** Requests to the bank since the last `clearCalls`, without token requests: `PUT /api/v2/webhooks/…`. */
	async requests(): Promise<string[]> {
		return (await this.sandbox.operations()).map((id) => id.replace('webhook.', ''));
	}

	/** Waits for `count` executions of the workflow and returns all items of the node. */
	async items(workflowId: string, executions: number, node: string): Promise<IDataObject[]> {
		const ended = await this.rest.executionsToEnd(workflowId, executions);
		const found = await inParallel(ended, 10, ({ id }) => this.rest.getExecution(id));
		return found.flatMap((execution) => itemsOf(execution, node));
	}
}

/** Trigger workflows in a separate n8n with its own sandbox, which a test may restart. */
export class TriggerBed extends TriggerWorkflows {
	readonly testbed: Testbed;

	private constructor(testbed: Testbed) {
		super(testbed);
		this.testbed = testbed;
	}

	static async start(options: TestbedOptions = {}): Promise<TriggerBed> {
		return new TriggerBed(await startTestbed(options));
	}

	stop(): Promise<void> {
		return this.testbed.stop();
	}
}

export function itemsOf({ data }: Execution, node: string): IDataObject[] {
	return (data.resultData.runData[node] ?? []).flatMap((run) => (run.data?.main?.[0] ?? []).map(({ json }) => json));
}

const { authorizationCode: oauth, inbound } = demoReferences;

let count = 0;

/** A Bank Trigger that checks the sandbox's signature, unless another inbound credential is given. */
export function bankTrigger(
	parameters: WorkflowNode['parameters'] = {},
	inboundId: string = inbound.bankInboundApi.id,
): WorkflowNode {
	return {
		name: 'Bank Trigger',
		type: 'n8n-nodes-bank.bankTrigger',
		typeVersion: 2,
		webhookId: `bank-trigger-${++count}`,
		parameters: {
			id: '00000000-0000-4000-8000-00000000a001',
			object: 'ul_transaction_default',
			verifySender: true,
			...parameters,
		},
		credentials: { ...oauth, bankInboundApi: { ...inbound.bankInboundApi, id: inboundId } },
	};
}

/** An operation of the resource *Event*. */
export function event(operation: 'skipRepeats' | 'done' | 'listUnfinished', parameters = {}): WorkflowNode {
	return {
		name: operation,
		type: 'n8n-nodes-bank.bank',
		typeVersion: 1,
		parameters: { resource: 'event', operation, ...parameters },
	};
}

export function courierTrigger(parameters: WorkflowNode['parameters'] = {}): WorkflowNode {
	return {
		name: 'Order',
		type: 'n8n-nodes-bank.bankCourierOrderTrigger',
		typeVersion: 2,
		webhookId: `courier-${++count}`,
		parameters,
		credentials: inbound,
	};
}

export function operationsTrigger(): WorkflowNode {
	return {
		name: 'Operations',
		type: 'n8n-nodes-bank.bankOperationsTrigger',
		typeVersion: 1,
		// Polls once a year, so that only the poll at activation happens during a test.
		parameters: { pollTimes: { item: [{ mode: 'custom', cronExpression: '0 3 1 1 *' }] } },
		credentials: oauth,
	};
}

/** Resets the bank before each test; afterwards expects no validation error and removes the workflows. Stops everything at the end. */
export function keepTidy(bed: () => TriggerWorkflows | undefined): void {
	beforeEach(() => bed()?.sandbox.reset());

	afterEach(async () => {
		expect(await bed()?.sandbox.validationErrors()).toEqual([]);
		await bed()?.tidy();
	});

	afterAll(async () => {
		const opened = bed();
		if (opened instanceof TriggerBed) await opened.stop();
	});
}
