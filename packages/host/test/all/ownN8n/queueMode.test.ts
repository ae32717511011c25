import { demoReferences } from '../../../src/demoCredentials.ts';
import { readExamples, startsAtTheBank } from '../../../src/examples.ts';
import type { WorkflowNode } from '../../../src/n8nCli.ts';
import { findTestServices } from '../../../src/testServices.ts';
import { lazyEngine } from '../../../src/testbed.ts';
import { isAvailable } from '../../../src/optionalDependencies.ts';
import { runExample } from '../../support/examples.expect.ts';
import { instanceLimit, limitsHold } from '../../support/limitCases.ts';
import { noOp } from '../../../src/workflows.ts';
import {
	TriggerBed,
	bankTrigger,
	courierTrigger,
	event,
	keepTidy,
	operationsTrigger,
} from '../../support/triggerBed.ts';

/**
 * n8n in queue mode: a main process, two webhook processes, two workers, Redis and PostgreSQL. Each process has the package in its
 * own folder and its own memory.
 */

let bed: TriggerBed;
const examples = readExamples().filter(({ workflow }) => !startsAtTheBank(workflow));
const seen = new Set<string>();
/**
 * Examples that a click starts, and each has a node of this package, a form or a Data Table that those before it lack. Active ones are
 * services that others call.
 */
const withOtherNodes = examples.filter(({ workflow: { active, nodes } }) => {
	const own = /^n8n-nodes-bank\.|\.(?:wait|form|dataTable)$/;
	const types = active ? [] : nodes.flatMap(({ type }) => (own.test(type) ? type : []));
	const isOther = types.some((type) => !seen.has(type));
	for (const type of types) seen.add(type);
	return isOther;
});

/** The same URL at the second webhook process. */
function atTheOther(url: string): string {
	return url.replace(bed.webhookUrl, bed.testbed.receivers[1]?.url ?? '');
}

const deliverToTheOther = async (url: string, body: unknown) => await deliverToTheFirst(atTheOther(url), body);

async function deliverToTheFirst(url: string, body: unknown): Promise<Response> {
	const text = JSON.stringify(body);
	return await fetch(url, {
		method: 'POST',
		headers: { 'content-type': 'application/json', ...bed.sandbox.signatureOf(text) },
		body: text,
	});
}

(isAvailable(findTestServices) ? describe : describe.skip)('in queue mode', () => {
	beforeAll(async () => {
		bed = await TriggerBed.start({
			workflows: examples.map(({ workflow }) => workflow),
			cluster: { receivers: 2, workers: 2 },
			env: { ...lazyEngine, ...instanceLimit.env },
		});
	});

	keepTidy(() => bed);

	describe('limits of a credential', () => limitsHold(() => bed, { hasInstanceLimit: true }));

	/** Workers run all executions, including manual ones. All examples: main/examples.test.ts. */
	test('examples with every node of this package do what they do elsewhere', async () => {
		expect(withOtherNodes.length).toBeGreaterThan(4);
		for (const example of withOtherNodes) {
			await bed.sandbox.reset();
			await runExample(bed, example);
		}
	});

	describe('Bank Trigger', () => {
		test('each of 100 events, 20 at a time, is in exactly one execution', async () => {
			const id = await bed.published(bankTrigger(), noOp);
			const { delivered, deliveries } = await bed.send({ count: 100, parallel: 20 });
			expect(delivered).toBe(100);
			const sent = deliveries.map(({ body }) => (body as { data: { id: string } }).data.id);
			const seen = (await bed.items(id, 100, 'Seen')).map(
				({ payload }) => (payload as { data: { id: string } }).data.id,
			);
			expect(seen.toSorted()).toEqual(sent.toSorted());
		});

		test.each(['onReceived', 'responseNode'])(
			'of 20 deliveries of an event at both processes at once, one gets past Skip Repeats (%s)',
			async (respond) => {
				const id = await bed.published(bankTrigger({ respond }), event('skipRepeats'), noOp, event('done'));
				const { deliveries } = await bed.send();
				const { url = '', body } = deliveries[0] ?? {};
				await bed.items(id, 1, 'Seen');
				const other = { ...(body as object), eventId: `another event, ${respond}` };
				const statuses = await Promise.all(
					Array.from({ length: 20 }, async (_, index) => {
						const at = index % 2 === 0 ? deliverToTheOther : deliverToTheFirst;
						return (await at(url, other)).status;
					}),
				);
				expect(new Set(statuses)).toEqual(new Set([200]));
				// Each process drops the repeats that it gets itself.
				expect(await bed.items(id, 3, 'Bank Trigger')).toHaveLength(3);
				expect(await bed.items(id, 3, 'Seen')).toHaveLength(2);
				expect(await bed.rest.tableRows('Bank Events')).toEqual([]);
			},
		);
	});

	describe('Bank Courier Order Trigger', () => {
		const order = { orderId: 'A-1', address: { city: 'Nowhere' } };
		const accepting = { identifierField: 'orderId', requiredFields: ['address.city'] };

		test('an order that another process has accepted is answered with 009', async () => {
			const id = await bed.published(courierTrigger(accepting), noOp);
			const { accepted, url } = await bed.sandbox.sendCourierOrders({ order });
			expect(accepted).toBe(true);
			// n8n stored the event before it responded.
			const again = await deliverToTheOther(url, order);
			expect([again.status, await again.json()]).toMatchObject([400, { errorInfo: { errorCode: '009' } }]);
			await bed.items(id, 1, 'Seen');
			expect(await bed.rest.allExecutions(id)).toHaveLength(1);
		});

		test('the answer of a workflow comes back from the worker', async () => {
			const answer: WorkflowNode = {
				name: 'Accept',
				type: 'n8n-nodes-base.set',
				typeVersion: 3.4,
				parameters: { mode: 'raw', jsonOutput: '={{ { accepted: $json.orderId } }}', options: {} },
			};
			await bed.published(courierTrigger({ ...accepting, respond: 'lastNode' }), answer);
			expect(await bed.sandbox.sendCourierOrders({ order })).toMatchObject({
				accepted: true,
				answer: { accepted: 'A-1' },
			});
		});
	});

	test('a restart of the main process changes no subscription, loses no delivery and repeats no operation', async () => {
		const id = await bed.published(bankTrigger(), noOp);
		const polling = await bed.published(operationsTrigger(), noOp);
		const first = await bed.addOperation();
		await bed.rest.deactivateToEnd(polling);
		await bed.rest.activateToEnd(polling);
		await bed.items(polling, 1, 'Seen');
		const second = await bed.addOperation();
		const attached = await bed.subscription();
		await bed.sandbox.clearCalls();
		const restarted = bed.testbed.restartN8n();
		expect(await bed.send()).toMatchObject({ delivered: 1 });
		await restarted;
		expect(await bed.requests()).not.toContain('update');
		expect(await bed.subscription()).toEqual(attached);
		expect(await bed.send()).toMatchObject({ delivered: 1 });
		expect(await bed.items(id, 2, 'Seen')).toHaveLength(2);
		const operations = (await bed.items(polling, 2, 'Seen')).map(({ operation }) => (operation as { id: string }).id);
		expect(operations).toEqual([first, second]);
	});

	describe('tokens', () => {
		const history: WorkflowNode = {
			name: 'History',
			type: 'n8n-nodes-bank.bank',
			typeVersion: 1,
			parameters: { resource: 'accountOperation', operation: 'getMany', limit: 1 },
			credentials: demoReferences.authorizationCode,
		};

		test('that have expired are renewed for all workers, though a refresh token is good for one use', async () => {
			const id = await bed.published(bankTrigger(), history, noOp);
			await bed.sandbox.advanceClock(2 * 3600);
			await bed.sandbox.clearCalls();
			expect(await bed.send({ count: 20, parallel: 20 })).toMatchObject({ delivered: 20 });
			const ended = await bed.rest.executionsToEnd(id, 20);
			expect(ended.map(({ status }) => status)).toEqual(ended.map(() => 'success'));
			const tokens = (await bed.sandbox.calls()).filter(({ operation }) => operation === 'oauth.token');
			expect(tokens.map(({ status }) => status)).toEqual(tokens.map(() => 200));
		});
	});
});
