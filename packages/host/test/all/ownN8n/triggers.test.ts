import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

import { readExamples, startsAtTheBank } from '../../../src/examples.ts';
import type { WorkflowFile, WorkflowNode } from '../../../src/n8nCli.ts';
import { pollUntil } from '../../../src/poll.ts';
import { lazyEngine } from '../../../src/testbed.ts';
import { noOp } from '../../../src/workflows.ts';
import {
	TriggerBed,
	bankTrigger,
	courierTrigger,
	event,
	itemsOf,
	keepTidy,
	operationsTrigger,
} from '../../support/triggerBed.ts';
import { approvals, checks, checksAcrossRestart, waiting } from '../../support/triggerExamples.expect.ts';

/** The triggers in a real n8n with the sandbox bank, from activation to deactivation. See also main/bankTrigger.test.ts. */

const statements = '00000000-0000-4000-8000-00000000a001';

let bed: TriggerBed;
const examples = readExamples().filter(({ workflow }) => startsAtTheBank(workflow));

beforeAll(async () => {
	const workflows = [...examples.map(({ workflow }) => workflow), ...waiting];
	bed = await TriggerBed.start({ env: lazyEngine, workflows });
});

keepTidy(() => bed);

describe('Bank Trigger: a test run', () => {
	test('listens at the test address, shows one delivery, and never touches the production subscription', async () => {
		const id = await bed.published(bankTrigger(), noOp);
		const attached = await bed.subscription();
		await bed.sandbox.clearCalls();

		await bed.rest.listen(id, 'Bank Trigger');
		// The bank does not know the test URL, so a user sends the event there, with the curl command of the console.
		const { deliveries } = await bed.send();
		const event = deliveries[0]?.body;
		expect(await bed.rest.executionsToEnd(id, 1)).toMatchObject([{ mode: 'webhook' }]);
		await bed.sandbox.send('POST', `/_sandbox/webhooks/${statements}/register`, {
			callbackUri: attached.callbackUri.replace('/webhook/', '/webhook-test/'),
		});
		expect(await bed.send({ payload: event })).toMatchObject({ delivered: 1 });
		const runs = await bed.rest.executionsToEnd(id, 2);
		expect(runs.map(({ mode }) => mode).sort()).toEqual(['manual', 'webhook']);
		await bed.sandbox.send('POST', `/_sandbox/webhooks/${statements}/register`, { callbackUri: attached.callbackUri });
		expect(await bed.requests()).not.toContain('update');
		expect(await bed.subscription()).toEqual(attached);
	});
});

describe('Bank Trigger: one subscription', () => {
	test('a second workflow with the subscription is refused, takes it over on request and gives it back', async () => {
		const first = await bed.published(bankTrigger());
		const { callbackUri } = await bed.subscription();
		const refused = await bed.workflow(bankTrigger());
		const { message } = await bed.rest.activateToEnd(refused);
		expect(message).toContain(`Another workflow receives the events of this subscription, at ${callbackUri}`);
		expect(await bed.subscription()).toMatchObject({ enabled: true, callbackUri });

		const second = await bed.published(bankTrigger({ options: { takeOver: true } }));
		expect((await bed.subscription()).callbackUri).not.toBe(callbackUri);
		await bed.rest.deactivateToEnd(second);
		expect(await bed.subscription()).toMatchObject({ enabled: true, callbackUri });
		await bed.send();
		await bed.items(first, 1, 'Bank Trigger');
	});
});

describe('Bank Trigger: deliveries', () => {
	let id: string;

	beforeEach(async () => {
		id = await bed.published(bankTrigger(), noOp);
	});

	test('go only to the URL that ends in the secret, if the credential has one', async () => {
		await bed.tidy();
		const { id: credential } = await bed.rest.createCredential({
			name: 'Secret path',
			type: 'bankInboundApi',
			data: { checks: ['path'], pathSecret: 'a-secret-of-the-path' },
		});
		id = await bed.published(bankTrigger({}, credential), noOp);
		const { callbackUri } = await bed.subscription();
		expect(callbackUri).toMatch(/\/a-secret-of-the-path$/);
		const body = JSON.stringify({ eventId: 'forged' });
		const statuses = [
			callbackUri.replace(/secret-of-the-path$/, 'guess-at-the-path'),
			callbackUri.replace(/\/a-secret-of-the-path$/, ''),
		].map(
			async (url) =>
				(await fetch(url, { method: 'POST', headers: { 'content-type': 'application/json' }, body })).status,
		);
		for (const status of await Promise.all(statuses)) expect([401, 403, 404]).toContain(status);
		expect(await bed.send({ signing: false })).toMatchObject({ delivered: 1 });
		expect(await bed.items(id, 1, 'Seen')).toMatchObject([{ payload: { object: 'ul_transaction_default' } }]);
		expect(await bed.rest.allExecutions(id)).toHaveLength(1);
	});

	// The number can be changed; nightly runs use 1,000.
	const many = Number(process.env['DELIVERIES'] ?? 250);

	test(`${many} at 50 in parallel are all accepted, and each event is in exactly one execution`, async () => {
		const { delivered, deliveries } = await bed.send({ count: many, parallel: 50, timeoutSeconds: 240 });
		expect(delivered).toBe(many);
		const sent = deliveries.map(({ body }) => (body as { data: { id: string } }).data.id);
		const items = await bed.items(id, many, 'Seen');
		const seen = items.map(({ payload }) => (payload as { data: { id: string } }).data.id);
		expect(seen.toSorted()).toEqual(sent.toSorted());
		expect(new Set(items.map(({ eventId }) => eventId)).size).toBe(many);
	});
});

describe('Bank Courier Order Trigger', () => {
	const order = { orderId: 'A-1', address: { city: 'Nowhere' } };
	const accepting = { identifierField: 'orderId', requiredFields: ['address.city'] };

	test('lets the workflow respond, with 011 through the Respond to Webhook node', async () => {
		const errorInfo = { errorCode: '011', errorString: 'The address could not be geocoded' };
		const respond = {
			name: 'Refuse',
			type: 'n8n-nodes-base.respondToWebhook',
			typeVersion: 1.4,
			parameters: { respondWith: 'json', responseBody: JSON.stringify({ errorInfo }), options: {} },
		};
		// The node needs a Webhook node before it, as the notice in the form says. It may be deactivated.
		const webhook = {
			name: 'Webhook',
			type: 'n8n-nodes-base.webhook',
			typeVersion: 2,
			disabled: true,
			webhookId: 'never-called',
			parameters: { path: 'never-called', responseMode: 'responseNode', options: {} },
		};
		const id = await bed.published(courierTrigger({ ...accepting, respond: 'responseNode' }), webhook, respond);
		expect(await bed.sandbox.sendCourierOrders({ order })).toMatchObject({ status: 200, accepted: false, errorInfo });
		expect(await bed.rest.executionsToEnd(id, 1)).toMatchObject([{ status: 'success' }]);
	});

	test('accepts an order only if n8n can store it', async () => {
		const id = await bed.published(courierTrigger(accepting), noOp);
		const database = new DatabaseSync(
			join(bed.testbed.n8n.settings.userFolder, '.n8n', 'database.sqlite'),
			// n8n may still be writing.
			{ timeout: 10_000 },
		);
		database.exec('BEGIN IMMEDIATE');
		const refused = await bed.sandbox.sendCourierOrders({ order });
		database.exec('ROLLBACK');
		database.close();
		expect(refused.accepted).toBe(false);
		expect(refused.errorInfo).toBeUndefined();
		expect(await bed.sandbox.sendCourierOrders({ order })).toMatchObject({ status: 200, accepted: true });
		expect(await bed.items(id, 1, 'Seen')).toHaveLength(1);
	});
});

/** A restart leaves the subscription alone, knows the orders, misses no operation, and deliveries go on. */
async function* subscriptions(): AsyncGenerator<void, void> {
	const before = await bed.subscription();
	const events = await bed.published(bankTrigger(), noOp);
	const orders = await bed.published(courierTrigger({ identifierField: 'orderId' }), noOp);
	const operations = await bed.published(operationsTrigger(), noOp);
	const attached = await bed.subscription();
	const order = { orderId: 'A-1' };
	expect(await bed.sandbox.sendCourierOrders({ order })).toMatchObject({ accepted: true });
	await bed.items(orders, 1, 'Seen');
	await bed.sandbox.clearCalls();
	const added = await bed.addOperation();

	yield;
	expect(await bed.requests()).not.toContain('update');
	expect(await bed.subscription()).toEqual(attached);
	expect(await bed.send()).toMatchObject({ delivered: 1 });
	expect(await bed.items(events, 1, 'Seen')).toHaveLength(1);
	expect(await bed.items(operations, 1, 'Seen')).toMatchObject([{ event: 'created', operation: { id: added } }]);
	expect(await bed.sandbox.sendCourierOrders({ order })).toMatchObject({ errorInfo: { errorCode: '009' } });

	// The previous subscription is still known.
	await bed.rest.deactivateToEnd(events);
	expect(await bed.subscription()).toEqual(before);
}

/** Events that a killed n8n did not finish do not pass again, and are listed. */
async function* unfinishedEvents(): AsyncGenerator<void, void> {
	// Another subscription than that of the examples.
	const object = 'jp_sbp_incoming_payments';
	const subscription = { id: '00000000-0000-4000-8000-00000000b002', object };
	const hold: WorkflowNode = {
		name: 'Seen',
		type: 'n8n-nodes-base.wait',
		typeVersion: 1.1,
		webhookId: 'hold',
		parameters: { amount: 30, unit: 'seconds' },
	};
	const responding = bankTrigger({ ...subscription, respond: 'responseNode' });
	const id = await bed.published(responding, event('skipRepeats'), hold, event('done'));
	const listing = await bed.workflow(
		{ name: 'Start', type: 'n8n-nodes-base.manualTrigger', typeVersion: 1, parameters: {} },
		event('listUnfinished', { olderThan: 1 }),
	);
	const { deliveries } = await bed.send({ object, count: 5 });
	expect(deliveries.map(({ state }) => state)).toEqual(deliveries.map(() => 'delivered'));

	yield;
	for (const { body } of deliveries) expect(await bed.send({ object, payload: body })).toMatchObject({ delivered: 1 });
	const listed = async () => itemsOf(await bed.rest.runToEnd(listing), 'listUnfinished');
	// Each event is listed as soon as it is old enough, once.
	const found: Awaited<ReturnType<typeof listed>> = [];
	await pollUntil(
		async () => {
			found.push(...(await listed()));
			return found.length >= deliveries.length;
		},
		{ what: 'The unfinished events', intervalMs: 5000, timeoutMs: 150_000 },
	);
	const texts = (payloads: unknown[]) => payloads.map((payload) => JSON.stringify(payload)).sort();
	expect(texts(found.map(({ payload }) => payload))).toEqual(texts(deliveries.map(({ body }) => body)));
	expect(found).toMatchObject(found.map(() => ({ unfinished: { workflow: id, mayHaveRun: true } })));
	expect(await listed()).toEqual([]);
}

describe('examples', () => {
	test.each(Object.entries(checks))('%s does what its note says', async (file, check) => {
		const workflow = await activated(file);
		await check(bed, workflow);
		await bed.rest.deactivateToEnd(workflow.id);
	});

	test('every example that the bank starts is tested here', () => {
		const files = examples.map(({ file }) => file);
		expect(files).toEqual([...Object.keys(checks), ...Object.keys(checksAcrossRestart)].sort());
	});
});

async function activated(file: string): Promise<WorkflowFile> {
	const { workflow } = examples.find((example) => example.file === file) ?? {};
	if (!workflow) throw new Error(`There is no example ${file}.`);
	expect(await bed.rest.activateToEnd(workflow.id)).toEqual({ active: true, message: '' });
	return workflow;
}

async function* exampleAcrossRestart(file: string): AsyncGenerator<void, void> {
	const workflow = await activated(file);
	yield* checksAcrossRestart[file]?.(bed, workflow) ?? [];
	await bed.rest.deactivateToEnd(workflow.id);
}

test('triggers, waiting examples and unfinished events survive a restart of n8n, and a kill', async () => {
	const finish = async (one: AsyncGenerator<void, void>) => expect(await one.next()).toEqual({ done: true });
	// The test of subscriptions counts the requests to the bank, so the other tests must send none between its parts.
	const [approving, invoices, subscribed] = [
		approvals(bed),
		exampleAcrossRestart('incoming-payment-invoice.json'),
		subscriptions(),
	];
	for (const one of [approving, invoices, subscribed]) await one.next();
	await bed.testbed.restartN8n();
	await finish(subscribed);
	await finish(invoices);
	await approving.next();

	const statements = exampleAcrossRestart('statement-to-table.json');
	const unfinished = unfinishedEvents();
	await statements.next();
	await unfinished.next();
	await bed.testbed.n8n.kill();
	await bed.testbed.restartN8n();
	await finish(statements);
	await finish(approving);
	await finish(unfinished);
});
