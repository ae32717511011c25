import { BankCourierOrderTrigger } from '../../nodes/BankCourierOrderTrigger/BankCourierOrderTrigger.node.ts';
import { BankTrigger } from '../../nodes/BankTrigger/BankTrigger.node.ts';
import { FakeWorkflow, inbound, withDefaults } from '../support/trigger.ts';

const headers = { 'x-api-key': 'the key of the bank' };
const credential = inbound({ checks: ['header'], headerName: 'X-Api-Key', headerSecret: headers['x-api-key'] });

describe.each([
	['Bank Trigger', new BankTrigger(), {}, ['responseNode']],
	[
		'Courier Order Trigger',
		new BankCourierOrderTrigger(),
		{ identifierField: 'eventId' },
		['lastNode', 'responseNode'],
	],
])('%s: a repeat of a delivery that the bank gave up waiting for', (_name, node, parameters, workflowResponds) => {
	const given = async (respond: string) => {
		const waited = Promise.withResolvers<void>();
		const sleep = jest
			.spyOn(jest.requireMock<{ sleep: () => Promise<void> }>('n8n-workflow'), 'sleep')
			.mockReturnValue(waited.promise);
		const flow = new FakeWorkflow(withDefaults(node, { ...parameters, respond }), credential);
		const start = () => flow.start(node, { eventId: 'e' }, { headers });
		const first = start();
		await first.received;
		first.response.close();
		const repeat = start();
		const decided = await Promise.race([repeat.received, new Promise((resolve) => setImmediate(resolve, 'waits'))]);
		expect(decided).toBe('waits');
		return { first, repeat, waited, sleep, start };
	};

	afterEach(() => jest.restoreAllMocks());

	it.each(['onReceived', ...workflowResponds])(
		'starts no second execution while the first one runs (%s)',
		async (respond) => {
			const { first, repeat } = await given(respond);
			first.response.answer(200);
			expect((await repeat.received).items).toEqual([]);
		},
	);

	it.each(workflowResponds)('is not held back for ever, because a worker may be gone (%s)', async (respond) => {
		const { repeat, waited, sleep } = await given(respond);
		waited.resolve();
		expect((await repeat.received).items).toHaveLength(1);
		expect(sleep).toHaveBeenCalledWith(60_000);
	});

	it.each(workflowResponds)('starts nothing if the bank has given up on it, too (%s)', async (respond) => {
		const { repeat, waited, start } = await given(respond);
		repeat.response.close();
		waited.resolve();
		expect((await repeat.received).items).toEqual([]);
		expect((await start().received).items).toHaveLength(1);
	});
});
