import { type Failure, failureOf } from '../base/failures.ts';
import type { Payment } from '../base/payment.ts';
import type { Run } from '../form/run.ts';
import type { LookedUp } from '../idempotency/protect.ts';
import type { BankSession } from './bankSession.ts';
import type { OperationHooks } from './operationHooks.ts';
import { movedError, packageOutdatedError, runRefusedError } from './paymentErrors.ts';
import type { Planned } from './plan.ts';

/**
 * The payments that must not be sent, with the reason: the whole run is refused, a prepared package is outdated, rows
 * were numbered anew, or a limit is exceeded.
 */
export async function refusalsOf(
	run: Run,
	hooks: OperationHooks,
	planned: readonly Planned[],
	bank: BankSession,
	looked: LookedUp,
): Promise<Map<Payment, Failure>> {
	const isFree = (payment: Payment) => looked.found.get(payment)?.is === 'free';
	const all = planned.flatMap(({ payments }) => payments);
	const refuse = (payments: readonly Payment[], failure: Failure) =>
		payments.map((payment) => [payment, failure] as const);
	const passed = (hooks.passThrough?.(run) ?? []).map(({ payment }) => payment);
	const earlier = [...passed, ...all.filter((payment) => !isFree(payment))];
	if (refusesAlreadySent(run) && earlier.length > 0) return new Map(refuse(all, runRefusedError(run, earlier)));
	const refused = new Map(
		all.flatMap((payment): [Payment, Failure][] => {
			const row = looked.moved.get(payment);
			return row === undefined ? [] : [[payment, movedError(run, payment, row)]];
		}),
	);
	const open = planned.flatMap((entry) => {
		const { job } = entry;
		const sent = job.isWhole === true ? entry.payments.filter((payment) => !isFree(payment)) : [];
		for (const [payment, failure] of sent.length > 0 ? refuse(entry.payments, packageOutdatedError(run, sent)) : [])
			refused.set(payment, failure);
		const payments = entry.payments.filter((payment) => isFree(payment) && !refused.has(payment));
		return payments.length === 0 ? [] : [{ ...entry, payments }];
	});
	for (const [{ payments }, error] of await (await bank.limits()).check(open))
		for (const payment of payments) refused.set(payment, failureOf(run.context, error));
	const [first] = refused.values();
	// If the node stops at the first failure, a known failure refuses all payments.
	return first === undefined || run.context.continueOnFail() ? refused : new Map([...refuse(all, first), ...refused]);
}

/** Whether the run is refused if one of its payments was already sent. Any value except "skip" means yes. */
const refusesAlreadySent = ({ parameters }: Run): boolean => (parameters.options().ifAlreadySent ?? 'skip') !== 'skip';
