import { openBed } from '../support/bed.ts';
import { noOp } from '../../src/workflows.ts';
import { TriggerWorkflows, bankTrigger, keepTidy } from '../support/triggerBed.ts';

let bed: TriggerWorkflows;

beforeAll(async () => {
	bed = new TriggerWorkflows(await openBed());
});

keepTidy(() => bed);

describe('Bank Trigger', () => {
	test('activation attaches the subscription to n8n and keeps its accounts; deactivation restores it', async () => {
		const before = await bed.subscription();
		const id = await bed.workflow(bankTrigger(), noOp);
		expect(await bed.rest.activateToEnd(id)).toEqual({ active: true, message: '' });
		expect(await bed.subscription()).toMatchObject({
			enabled: true,
			data: before.data,
			callbackUri: expect.stringContaining(`${bed.webhookUrl}/webhook/`),
		});
		const requests = await bed.requests();
		expect(requests.filter((name) => name === 'update')).toHaveLength(1);
		expect(requests[0]).toBe('get');

		await bed.rest.deactivateToEnd(id);
		expect(await bed.subscription()).toEqual(before);
		expect(new Set(await bed.requests())).toEqual(new Set(['get', 'update']));
	});

	test.each(['GET', 'HEAD', 'OPTIONS'])('a bank that checks the address by %s accepts it', async (probeCallback) => {
		await bed.sandbox.send('POST', '/_sandbox/quirks', { probeCallback });
		await bed.published(bankTrigger());
		expect(await bed.subscription()).toMatchObject({ enabled: true });
	});

	describe('deliveries', () => {
		let id: string;

		beforeEach(async () => {
			id = await bed.published(bankTrigger(), noOp);
		});

		test('that are repeated start the workflow once', async () => {
			expect(await bed.send({ count: 3, duplicates: 4, outOfOrder: true })).toMatchObject({ delivered: 15 });
			await bed.sandbox.send('POST', '/_sandbox/events', { data: { purpose: 'last' } });
			const items = await bed.items(id, 4, 'Seen');
			expect(items).toHaveLength(4);
			expect(await bed.rest.allExecutions(id)).toHaveLength(4);
		});

		test.each([
			['a wrong signature', { signing: { secret: 'forged' } }, 401],
			['no signature', { signing: false }, 401],
			['broken JSON', { body: '{"cut' }, 422],
		] as const)('with %s are refused and start nothing', async (_what, order, status) => {
			const { deliveries } = await bed.send(order);
			expect(deliveries).toMatchObject([{ state: 'given up', attempts: [{ status }] }]);
			await bed.send({ data: { purpose: 'last' } });
			expect(await bed.items(id, 1, 'Seen')).toMatchObject([{ payload: { data: { purpose: 'last' } } }]);
			expect(await bed.rest.allExecutions(id)).toHaveLength(1);
		});
	});
});
