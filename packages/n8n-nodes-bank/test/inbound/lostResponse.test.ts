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
		const deliver = async () => await flow.receive(node, { eventId: 'e' }, { headers });
		const { response } = await deliver();
		response.emit('close');
		const repeated = deliver();
		const first = await Promise.race([repeated, new Promise((resolve) => setImmediate(resolve, 'waits'))]);
		expect(first).toBe('waits');
		return { response, repeated, waited, sleep };
	};

	afterEach(() => jest.restoreAllMocks());

	it.each(['onReceived', ...workflowResponds])(
		'starts no second execution while the first one runs (%s)',
		async (respond) => {
			const { response, repeated } = await given(respond);
			response.answer(200);
			expect((await repeated).items).toEqual([]);
		},
	);

	it.each(workflowResponds)('is not held back for ever, because a worker may be gone (%s)', async (respond) => {
		const { repeated, waited, sleep } = await given(respond);
		waited.resolve();
		expect((await repeated).items).toHaveLength(1);
		expect(sleep).toHaveBeenCalledWith(60_000);
	});
});
