import { randomBytes } from 'node:crypto';
import { demoCredentialIds, demoCredentials } from '../../src/demoCredentials.ts';
import type { WorkflowNode } from '../../src/n8nCli.ts';
import type { ExecutionSummary, N8nRest } from '../../src/n8nRest.ts';
import { pollUntil } from '../../src/poll.ts';
import type { SandboxAdmin } from '../../src/sandboxAdmin.ts';
import { afterAClick, inARow } from '../../src/workflows.ts';

/** An n8n with any database and number of processes. */
interface LimitBed {
	rest: N8nRest;
	sandbox: SandboxAdmin;
	webhookUrl: string;
}

/** Limit for the whole instance, for an n8n that is started with `env`. */
export const instanceLimit = {
	largestPayment: 9_000_000,
	env: {
		CREDENTIALS_OVERWRITE_DATA: JSON.stringify({
			bankClientCredentialsOAuth2Api: { instanceLargestPayment: '9000000' },
		}),
	},
};

/** Attempts of a workflow author to exceed the limits of a credential that belongs to another user. */
export function limitsHold(bed: () => LimitBed, { hasInstanceLimit = false } = {}): void {
	const made: string[] = [];

	afterAll(async () => {
		for (const id of made) await bed().rest.deactivateToEnd(id);
	});

	/** @returns the value for a node's `credentials` */
	async function restricted(restrictions: object): Promise<NonNullable<WorkflowNode['credentials']>> {
		const type = 'bankClientCredentialsOAuth2Api';
		const demo = (await demoCredentials(bed().sandbox)).find(({ id }) => id === demoCredentialIds.clientCredentials);
		const name = `Limited ${randomBytes(4).toString('hex')}`;
		const data = { ...demo?.data, restrictUse: true, ...restrictions };
		const { id } = await bed().rest.createCredential({ name, type, data });
		return { [type]: { id, name } };
	}

	const webhook = (path: string): WorkflowNode => ({
		name: 'Webhook',
		type: 'n8n-nodes-base.webhook',
		typeVersion: 2,
		webhookId: path,
		parameters: { httpMethod: 'POST', path, responseMode: 'lastNode', options: {} },
	});

	const pay = (credentials: WorkflowNode['credentials']): WorkflowNode => ({
		name: 'Pay',
		type: 'n8n-nodes-bank.bank',
		typeVersion: 1,
		credentials,
		onError: 'continueRegularOutput',
		parameters: {
			resource: 'payment',
			operation: 'sendPackage',
			recipientsFrom: 'items',
			paymentRun: 'limited-2026-11',
			amount: '={{ $json.body.amount }}',
			phone: '={{ $json.body.phone }}',
			nspkBankId: '100000000111',
			paymentDescription: 'Reward',
			ric: '1',
			sequence: '={{ $json.body.sequence }}',
			options: {},
		},
	});

	/** @returns its URL */
	async function published(...nodes: WorkflowNode[]): Promise<string> {
		const path = `limits-${randomBytes(5).toString('hex')}`;
		const file = inARow('Limits', [webhook(path), ...nodes]);
		await bed().rest.createWorkflow(file);
		made.push(file.id);
		expect(await bed().rest.activateToEnd(file.id)).toMatchObject({ active: true });
		const url = `${bed().webhookUrl}/webhook/${path}`;
		await pollUntil(async () => (await send(url, {})).status !== 404, { what: `The webhook ${path}` });
		return url;
	}

	/** Other numbers than in the examples, whose payments would make the recipients known. */
	const person = (number: number, amount = 1000) => ({
		sequence: `p-${number}`,
		amount,
		phone: `+7911000${String(number).padStart(4, '0')}`,
	});

	const send = async (url: string, body: object): Promise<Response> =>
		await fetch(url, {
			method: 'POST',
			headers: { 'content-type': 'application/json' },
			body: JSON.stringify(body),
		});

	async function post(url: string, body: object): Promise<{ outcome: string; text: string }> {
		const text = await (await send(url, body)).text();
		const json = JSON.parse(text) as { outcome?: string; details?: { outcome?: string } };
		return { outcome: json.details?.outcome ?? json.outcome ?? '', text };
	}

	const paid = async () =>
		(await bed().sandbox.state()).ledger
			.flatMap(({ payments }) => payments)
			.reduce((sum, { amount }) => sum + Number(amount), 0);

	test('20 packages of 4 workflows at the same moment stay within the daily total, and what is left can be paid', async () => {
		await bed().sandbox.reset();
		const credentials = await restricted({ largestDailyTotal: '5000' });
		const urls: string[] = [];
		for (let count = 4; count > 0; count--) urls.push(await published(pay(credentials)));
		const payTo = async (number: number) => await post(urls[number % 4] ?? '', person(number));
		const numbers = Array.from({ length: 20 }, (_, index) => index + 1);
		const first = await Promise.all(numbers.map(payTo));
		expect(await paid()).toBe(first.filter(({ outcome }) => outcome === 'accepted').length * 1000);
		expect(await paid()).toBeLessThanOrEqual(5000);
		const later: Awaited<ReturnType<typeof post>>[] = [];
		for (const number of numbers) later.push(await payTo(number));
		expect(await paid()).toBe(5000);
		const refused = later.find(({ outcome }) => outcome === 'notSent');
		expect(refused?.text).toContain('allows 5,000.00 per day (Largest Daily Total); 0.00 is left');
	});

	test('neither an expression nor another node of the workflow loosens a limit', async () => {
		await bed().sandbox.reset();
		const credentials = await restricted({ largestPayment: '1000' });
		const node = pay(credentials);
		const url = await published({
			...node,
			parameters: { ...node.parameters, options: { restrictUse: false, largestPayment: '={{ 1e9 }}' } },
		});
		expect(await post(url, person(31, 1000.01))).toMatchObject({ outcome: 'notSent' });
		expect(await post(url, person(31, 1000))).toMatchObject({ outcome: 'accepted' });
		expect(await paid()).toBe(1000);
	});

	test('a manual run, one step of it, a retry and an inline sub-workflow count for the same day', async () => {
		await bed().sandbox.reset();
		const { rest } = bed();
		const credentials = await restricted({ largestDailyTotal: '1000' });
		const stopping: WorkflowNode = { ...pay(credentials), onError: 'stopWorkflow' };
		const create = async (number: number, node: WorkflowNode) => {
			const file = afterAClick('Limits', [node], [{ json: { body: person(number) } }]);
			await rest.createWorkflow(file);
			return file.id;
		};
		const called: WorkflowNode = {
			name: 'Called',
			type: 'n8n-nodes-base.executeWorkflowTrigger',
			typeVersion: 1.1,
			parameters: { inputSource: 'passthrough' },
		};
		const { nodes, connections } = inARow('Inline', [called, stopping]);
		const inline: WorkflowNode = {
			name: 'Sub-workflow',
			type: 'n8n-nodes-base.executeWorkflow',
			typeVersion: 1.1,
			parameters: { source: 'parameter', workflowJson: JSON.stringify({ nodes, connections }), options: {} },
		};
		expect(await rest.runToEnd(await create(61, stopping))).toMatchObject({ status: 'success' });
		const id = await create(62, stopping);
		const failed = await rest.runToEnd(id);
		const { Start } = failed.data.resultData.runData;
		const destinationNode = { nodeName: 'Pay', mode: 'inclusive' };
		const step = await rest.request<{ executionId: string }>('POST', `/rest/workflows/${id}/run`, {
			runData: { Start },
			destinationNode,
			dirtyNodeNames: [],
		});
		const retry = async (loadWorkflow: boolean) =>
			await rest.request<ExecutionSummary>('POST', `/rest/executions/${failed.id}/retry`, { loadWorkflow });
		const refused = [
			failed,
			await rest.waitForExecution(step.executionId),
			await retry(true),
			await retry(false),
			await rest.runToEnd(await create(63, inline)),
		];
		expect(refused.map(({ status }) => status)).toEqual(refused.map(() => 'error'));
		expect(await paid()).toBe(1000);
	});

	if (hasInstanceLimit) {
		test('the administrator limits credentials whose owner does not', async () => {
			await bed().sandbox.reset();
			const credentials = await restricted({ restrictUse: false });
			const url = await published(pay(credentials));
			const { largestPayment } = instanceLimit;
			const refused = await post(url, person(41, largestPayment + 1));
			expect(refused).toMatchObject({ outcome: 'notSent' });
			expect(refused.text).toContain('your n8n administrator allows for one payment');
			expect(await post(url, person(41, largestPayment))).toMatchObject({ outcome: 'accepted' });
		});
	}
}
