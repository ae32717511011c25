/** Payments that the log recognizes, although rows were moved, changed or removed. */
import fc from 'fast-check';

import {
	activeRows,
	changedFields,
	contentOf,
	matchPayments,
	wasAbandoned,
} from '../../nodes/shared/idempotency/matchPayments.ts';
import type { LogRow } from '../../nodes/shared/idempotency/paymentLog.ts';
import { logRow as row } from '../support/logRow.ts';

const lookup = (change: object = {}) => ({ key: '', recipientKey: 'anna', content: 'amount:1', ...change });
const verdicts = (payments: ReturnType<typeof lookup>[], rows: LogRow[]) => {
	const found = matchPayments(payments, rows);
	return payments.map((payment) => found.get(payment)?.is);
};

describe('A payment', () => {
	it.each([
		['was accepted', {}, 'alreadyAccepted'],
		['has other content', { content: 'amount:2' }, 'conflict'],
		['is unknown', { outcome: 'unknown' }, 'unknown'],
		['is about to be sent', { outcome: 'preparing', runningUntil: '2999-01-01T00:00:00Z' }, 'unknown'],
		['is being sent', { outcome: 'sending', runningUntil: '2020-01-01T00:00:00Z' }, 'unknown'],
		['was rejected', { outcome: 'rejected' }, undefined],
		['was not sent', { outcome: 'notSent' }, undefined],
	])('that %s', (_what, change, verdict) => {
		expect(verdicts([lookup()], [row(change)])).toEqual([verdict]);
		expect(verdicts([lookup({ key: 'k' })], [row({ key: 'k', recipientKey: 'other', ...change })])).toEqual([verdict]);
	});

	it('is not another one with another identifier, even to the same recipient', () => {
		expect(verdicts([lookup({ key: 'k2' })], [row({ key: 'k1' })])).toEqual([undefined]);
	});

	it('with a new identifier is held back if another one was sent with another phone and this recipient was paid', () => {
		const phone = (text: string) => ({ content: `amount:1 phone:${text}`, recipientKey: text });
		const rows = [row({ key: 'k1', ...phone('anna') }), row({ key: 'k2', claims: 'c2', ...phone('boris') })];
		const paying = (key: string, who: string) => lookup({ key, ...phone(who) });
		const moved = [paying('k1', 'clara'), paying('k2', 'anna')];
		expect(verdicts([...moved, paying('k3', 'boris')], rows)).toEqual(Array(3).fill('conflict'));
		const dora = [...moved, paying('k3', 'dora')];
		expect(verdicts(dora, rows)[2]).toBeUndefined();
		expect(verdicts(dora, [...rows, row({ claims: 'c3', ...phone('dora') })])[2]).toBe('alreadyAccepted');
		// A new payment to Boris, whose earlier one is also in the run, unchanged; the phone of Anna was corrected.
		const second = [paying('k1', 'clara'), paying('k2', 'boris'), paying('k3', 'boris')];
		expect(verdicts(second, rows)).toEqual(['conflict', 'alreadyAccepted', undefined]);
		const third = row({ key: 'k4', claims: 'c4', ...phone('boris') });
		expect(verdicts(second, [...rows, third])).toEqual(['conflict', 'alreadyAccepted', 'conflict']);
		expect(verdicts([paying('k1', 'anna'), paying('k3', 'anna')], rows)).toEqual(['alreadyAccepted', undefined]);
	});

	it('with a new identifier is held back if rejected rows above it were removed, so that numbers moved', () => {
		const rejected = { outcome: 'rejected', at: '2026-11-23T10:00:00.000Z' };
		const rows = [row({ key: 'k1', ...rejected }), row({ key: 'k2', claims: 'c2', recipientKey: 'boris' })];
		expect(verdicts([lookup({ key: 'k1', recipientKey: 'boris' })], rows)).toEqual(['conflict']);
		expect(verdicts([lookup({ key: 'k1', recipientKey: 'clara' })], rows)).toEqual([undefined]);
		// The rejected phone was corrected and accepted, so nothing has moved.
		const corrected = row({ key: 'k1', recipientKey: 'clara', claims: 'c1', at: '2026-11-24T10:00:00.000Z' });
		const payments = [lookup({ key: 'k1', recipientKey: 'clara' }), lookup({ key: 'k3', recipientKey: 'boris' })];
		for (const log of [
			[corrected, ...rows],
			[...rows, corrected],
		])
			expect(verdicts(payments, log)).toEqual(['alreadyAccepted', undefined]);
	});

	it('without an identifier, in the log or in the row, is recognized by its recipient', () => {
		expect(verdicts([lookup({ key: 'k' })], [row()])).toEqual(['alreadyAccepted']);
		expect(verdicts([lookup()], [row({ key: 'k' })])).toEqual(['alreadyAccepted']);
		const log = [row(), row({ key: 'k2', claims: 'c2' })];
		expect(verdicts([lookup({ key: 'k2' }), lookup({ key: 'k' })], log)).toEqual([
			'alreadyAccepted',
			'alreadyAccepted',
		]);
	});

	it('to a recipient with several payments is recognized by content, then by position', () => {
		const rows = [row({ claims: 'c1', content: 'amount:1' }), row({ claims: 'c2', content: 'amount:2' })];
		const payments = ['amount:3', 'amount:2', 'amount:1'].map((content) => lookup({ content }));
		expect(verdicts(payments, rows)).toEqual([undefined, 'alreadyAccepted', 'alreadyAccepted']);
		expect(verdicts(payments.slice(0, 2), rows)).toEqual(['conflict', 'alreadyAccepted']);
	});
});

describe('Of several rows of one payment', () => {
	it('the accepted one counts, otherwise the last', () => {
		const at = (hour: number) => `2026-11-23T1${hour}:00:00.000Z`;
		const found = (...rows: LogRow[]) => activeRows(rows).map(({ attempt }) => attempt);
		const rejected = row({ outcome: 'rejected', attempt: '1', at: at(1) });
		const accepted = row({ attempt: '2', at: at(2) });
		const unknown = row({ outcome: 'unknown', attempt: '3', at: at(3) });
		expect(found(rejected, accepted, unknown)).toEqual(['2']);
		expect(found(unknown, accepted, rejected)).toEqual(['2']);
		expect(found(rejected, unknown)).toEqual(['3']);
		expect(found({ ...rejected, at: at(4) }, unknown)).toEqual([]);
	});

	it('the result counts, not the row written before it', () => {
		const left = row({ outcome: 'sending', runningUntil: '2999-01-01T00:00:00Z', at: '2026-11-23T23:00:00.000Z' });
		expect(activeRows([left, row({ outcome: 'rejected' })])).toEqual([]);
	});

	it('an attempt that ended while it was preparing sent nothing', () => {
		const preparing = row({ outcome: 'preparing', runningUntil: '2026-01-01T00:00:00Z' });
		expect(wasAbandoned(preparing)).toBe(true);
		expect(wasAbandoned({ ...preparing, runningUntil: '2999-01-01T00:00:00Z' })).toBe(false);
		expect(wasAbandoned({ ...preparing, outcome: 'sending' })).toBe(false);
	});
});

it('A content digest shows which fields changed, but not their values', () => {
	const content = (amount: string) => contentOf({ amount, phone: '9000000001' });
	expect(changedFields(content('10'), content('11'))).toEqual(['amount']);
	expect(changedFields(content('10'), content('10'))).toEqual([]);
	expect(content('10')).not.toMatch(/9000000001|:10\b/);
});

/** An earlier payout, and its rows after a user removed, corrected, added or reordered some. */
const payouts = fc
	.record({
		isNamed: fc.boolean(),
		wasNamed: fc.boolean(),
		sent: fc.array(
			fc.record({
				recipient: fc.constantFrom('anna', 'boris', 'vera'),
				amount: fc.integer({ min: 1, max: 3 }),
				outcome: fc.constantFrom('accepted', 'unknown', 'sending', 'preparing', 'rejected', 'notSent'),
			}),
			{ minLength: 1, maxLength: 8 },
		),
	})
	.chain(({ isNamed, wasNamed, sent }) =>
		fc.record({
			isNamed: fc.constant(isNamed),
			wasNamed: fc.constant(wasNamed),
			sent: fc.constant(sent),
			order: fc.shuffledSubarray(
				sent.map((_, index) => index),
				{ minLength: 0 },
			),
			corrected: fc.array(fc.boolean(), { minLength: sent.length, maxLength: sent.length }),
		}),
	);

it('Every payment that the log shows as active is recognized, however rows are moved, corrected or removed', () => {
	fc.assert(
		fc.property(payouts, ({ isNamed, wasNamed, sent, order, corrected }) => {
			const rows = sent.map(({ recipient, amount, outcome }, index) =>
				row({
					outcome,
					recipientKey: recipient,
					key: wasNamed ? `k${index}` : '',
					claims: `c${index}`,
					content: `amount:${amount}`,
					runningUntil: outcome === 'sending' || outcome === 'preparing' ? '2999-01-01T00:00:00Z' : '',
				}),
			);
			const now = order.map((index) => {
				const { recipient, amount } = sent[index] ?? { recipient: '', amount: 0 };
				const content = `amount:${corrected[index] === true ? amount + 10 : amount}`;
				return lookup({ recipientKey: recipient, key: isNamed ? `k${index}` : '', content, index });
			}) as Array<ReturnType<typeof lookup> & { index: number }>;
			const found = matchPayments(now, rows);
			const isActive = ({ outcome }: { outcome: string }) => !['rejected', 'notSent'].includes(outcome);
			const taken = [...found.values()].map((verdict) => ('row' in verdict ? verdict.row : undefined));
			expect(new Set(taken).size).toBe(taken.length);
			for (const recipient of ['anna', 'boris', 'vera']) {
				const own = now.filter((payment) => payment.recipientKey === recipient);
				const active = rows.filter((one) => isActive(one) && one.recipientKey === recipient).length;
				const held = own.filter((payment) => found.has(payment)).length;
				// With identifiers on both sides, payments match by identifier; otherwise by recipient and count.
				if (isNamed && wasNamed)
					for (const payment of own) expect(found.has(payment)).toBe(isActive(rows[payment.index] ?? row()));
				else expect(held).toBe(Math.min(active, own.length));
			}
		}),
		{ numRuns: 300, seed: 20261123 },
	);
});
