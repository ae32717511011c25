/** Errors for payments that were not sent because of an earlier attempt: what happened, what it means, what to do. */
import { operationById } from '@bank/core';

import { heldBackError } from '../../nodes/shared/idempotency/heldBackPayment.ts';
import type { Verdict } from '../../nodes/shared/idempotency/matchPayments.ts';
import { descriptionOf } from '../../nodes/shared/messages.ts';
import type { Payment } from '../../nodes/shared/pipeline/run.ts';
import { runOf } from '../pipeline/support.ts';
import { logRow } from '../support/logRow.ts';

const operation = operationById('payment.sendPackage');
const content = { amount: '1100.5', phone: '9000000001' };
const payment = {
	...{ field: 'sequence', name: 'payout-0001', own: ['run', 'payout-0001'], item: 0, content },
	...{ paymentRun: 'run', phone: '+*******0001' },
};
const { own: _, ...unnamed } = payment;
const row = logRow({
	key: 'digest',
	...{ sequence: 'payout-0001', amount: '1000.5', outcome: 'unknown', execution: '4711' },
	at: '2026-11-23T22:30:00.000Z',
});
const run = runOf(operation, { timezone: 'Europe/Moscow' });
const later = new Date(Date.now() + 60_000).toISOString();

it.each<[string, Payment, Exclude<Verdict, { is: 'alreadyAccepted' }>, RegExp, RegExp]>([
	[
		'may have been paid',
		payment,
		{ is: 'unknown', row },
		/^payout-0001 may have been paid on 24 Nov 2026 \(execution 4711\)$/,
		/^It was not sent again\. .*Payment: Resolve.*run again/,
	],
	[
		'is being sent',
		payment,
		{ is: 'unknown', row: { ...row, runningUntil: later } },
		/^payout-0001 is being sent by execution 4711$/,
		/^It was not sent again\. Wait until .* \d\d:\d\d:\d\d GMT\+3\.$/,
	],
	[
		'has no log row',
		payment,
		{ is: 'unknown' },
		/^payout-0001 was already sent, result not recorded$/,
		/^It was not sent again\. If the payment log was renamed or emptied, give .* its old name again, .* Otherwise check/,
	],
	[
		'has no log',
		payment,
		{ is: 'unknown' },
		/^payout-0001 was already sent, result not recorded$/,
		/Without a log it cannot be resolved\. .* under another sequence\.$/,
	],
	[
		'has a log that failed',
		payment,
		{ is: 'unknown' },
		/^payout-0001 was already sent, and the payment log could not be read or written$/,
		/^It was not sent again\. The log may hold its result: .*, then run again\.$/,
	],
	[
		'has no sequence and no log row',
		unnamed,
		{ is: 'unknown' },
		/^The payment to \+\*+0001 was already sent, result not recorded$/,
		/pay it under another payment run\.$/,
	],
	[
		'has got a sequence, and another amount',
		payment,
		{ is: 'conflict', row: { ...row, key: '' }, changed: ['amount'] },
		/this row says 1,100\.50$/,
		/Give this row another payment run only if it is to be paid in addition\.$/,
	],
	[
		'is a debit with another content',
		{ ...payment, field: 'transactionId' },
		{ is: 'conflict', row, changed: ['body'] },
		/^Debit payout-0001 was sent on 24 Nov 2026 with another request$/,
		/Give this row another transaction ID only if it is to be paid in addition\.$/,
	],
	[
		'has lost its sequence, with the name of its row',
		{ ...unnamed, rowName: 'Ivanov'.padEnd(40, '.') },
		{ is: 'unknown', why: 'modeChanged' },
		/^The payment to Ivanov\.+ \(\+\*+0001\) has no sequence, but this payment run was sent with sequences before$/,
		/Map Sequence/,
	],
	[
		'has another amount, and was accepted, with the name of its row',
		{ ...payment, rowName: 'Anna Sample' },
		{ is: 'conflict', row: { ...row, outcome: 'accepted' }, changed: ['amount'] },
		/^Anna Sample \(payout-0001\) was sent with 1,000\.50 on 24 Nov 2026; this row says 1,100\.50$/,
		/^The bank accepted it then\. This row was not sent\./,
	],
	[
		'has another phone and description, and may have been paid',
		{ ...payment, rowName: 'Ivan' },
		{ is: 'conflict', row, changed: ['phone', 'paymentDescription'] },
		/^Sequence payout-0001 \(now Ivan\) was sent on 24 Nov 2026 with another phone, description$/,
		/^It may have been paid then\. This row was not sent\./,
	],
	[
		'has a log that somebody has edited',
		payment,
		{ is: 'conflict', row: { ...row, at: 'yesterday', amount: 'much' }, changed: ['amount'] },
		/^payout-0001 was sent with much on yesterday; this row says 1,100\.50$/,
		/./,
	],
])('A payment that %s', (what, held, verdict, message, description) => {
	const log = what === 'has no log' ? 'off' : what.endsWith('failed') ? 'failed' : 'on';
	const { details } = heldBackError(run, held, verdict, log);
	expect(details.outcome).toBe(verdict.is);
	expect(details.message).toMatch(message);
	expect(descriptionOf(details)).toMatch(description);
	expect(`${details.message}. ${descriptionOf(details)}`.length).toBeLessThanOrEqual(300);
});

it('A debit that may have been made is read with an operation of its own', () => {
	const debit = runOf(operationById('directDebit.debit'));
	const { details } = heldBackError(debit, { ...payment, field: 'transactionId' }, { is: 'unknown', row }, 'on');
	expect(descriptionOf(details)).toContain('Look for it with Get Payment Order or ask the bank');
});

it('A request that the bank allows once can be repeated with an option', () => {
	const once = runOf(operationById('printForm.generate'));
	const { details } = heldBackError(once, { ...payment, field: 'appId', name: '1' }, { is: 'unknown' }, 'on');
	expect(descriptionOf(details)).toContain('To send it again anyway, turn on the option Ask Again.');
});
