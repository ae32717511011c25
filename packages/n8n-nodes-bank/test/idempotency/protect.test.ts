/** `protect` if its caller throws, which the nodes never do. */
import { definitions } from '@bank/core';

import { protect, type ProtectionContext, type SendCallbacks } from '../../nodes/shared/idempotency/protect.ts';
import { FakeN8n } from '../support/duplicateProtection.ts';

const payment = { identity: ['T-1'], field: 'transactionId' as const, name: 'T-1', item: 0 };
const destination = { environment: 'sandbox', baseUrl: 'https://bank.test' };
const protection = { operation: definitions.directDebit.debit, destination, logName: 'Log', timeout: 60 };

const claims = new Set<string>();
const context: ProtectionContext = { ...new FakeN8n(claims).in('workflow'), getExecutionId: () => 'e1' };
const pay = async (more: Partial<SendCallbacks>) =>
	await protect(context, protection, [[payment]], {
		decide: () => Promise.resolve([]),
		send: () => Promise.resolve({ answers: new Map(), stops: false }),
		...more,
	});

it('sends and claims nothing if the caller cannot decide', async () => {
	const send = jest.fn<ReturnType<SendCallbacks['send']>, []>();
	const decide = () => Promise.reject(new Error('no limits'));
	await expect(pay({ decide, send })).rejects.toThrow('no limits');
	expect([send.mock.calls, [...claims]]).toEqual([[], []]);
});

it('a payment that was handed over and has no answer is unknown', async () => {
	const { results } = await pay({});
	expect(results.get(payment)).toEqual({ is: 'answered', outcome: 'unknown' });
});
