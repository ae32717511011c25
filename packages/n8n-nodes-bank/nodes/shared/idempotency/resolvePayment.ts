import { ClaimStore, type ClaimContext } from './claimStore.ts';
import { timeOf } from './heldBackPayment.ts';
import { activeRows } from './matchPayments.ts';
import type { LogRow, PaymentLog } from './paymentLog.ts';

/**
 * Resolving payments with an unknown outcome: a person records whether the bank has them. A payment that the bank does
 * not have loses its claim, so the next run sends it. Each attempt can be resolved once; later decisions are ignored.
 */

export interface Resolution {
	item: number;
	/** Sequence or transaction ID of the payment. */
	name: string;
	attempt: string;
	/** Whether the bank has the payment. */
	isPaid: boolean;
	/** The bank's transaction ID, if known. */
	transactionId: string;
}

/** A resolution with its log row, or the reason why it is refused. */
type Checked = { resolution: Resolution } & ({ row: LogRow; isDone: boolean } | { refusal: string });

/** @throws Error if the log cannot be read */
export async function checkResolutions(
	log: PaymentLog,
	resolutions: readonly Resolution[],
	timeZone: string,
): Promise<Checked[]> {
	const attempts = resolutions.map(({ attempt }) => attempt);
	const own = await log.having('attempt', attempts);
	const claims = own?.map((row) => row.claims);
	const others = claims && (await log.having('claims', claims));
	if (own === undefined || others === undefined)
		throw new Error(`The payment log cannot be read: ${log.problem ?? 'no reason is known'}`);
	const byClaims = Map.groupBy(others, ({ claims }) => claims);
	return resolutions.map((resolution): Checked => {
		const { name, attempt, isPaid } = resolution;
		const rows = own.filter((row) => row.attempt === attempt && row.sequence === name);
		const row = rows.find(({ runningUntil }) => runningUntil === '') ?? rows[0];
		const refuse = (refusal: string): Checked => ({ resolution, refusal });
		if (row === undefined)
			return refuse(
				`The payment log has no payment "${name}" with the attempt "${attempt}". Copy both from a row of the log`,
			);
		const done: Checked = { resolution, row, isDone: true };
		if (row.outcome === 'rejected' || row.outcome === 'notSent')
			return isPaid ? refuse(`${name} is recorded as ${row.outcome}`) : done;
		if (row.outcome === 'accepted')
			return isPaid ? done : refuse(`${name} is recorded as accepted, so the bank has it`);
		// Another attempt may have the claim, if this one lost it and was killed before its row was removed.
		const ofPayment = byClaims.get(row.claims) ?? [];
		const [latest] = activeRows(ofPayment);
		if (latest?.outcome === 'accepted') return refuse(`${name} was accepted in execution ${latest.execution}`);
		if (latest !== undefined && latest.attempt !== attempt)
			return refuse(`${name} was sent again in execution ${latest.execution}. Use the attempt of that`);
		const running = ofPayment.find(({ runningUntil }) => Date.parse(runningUntil) > Date.now());
		if (running !== undefined)
			return refuse(
				`execution ${running.execution} may still be sending ${name}. Wait until ${timeOf(running.runningUntil, timeZone)}, then run again`,
			);
		return { resolution, row, isDone: false };
	});
}

/**
 * @returns whether this call resolved the attempt; false if another call did
 * @throws ClaimError | Error if the payment may still count as sent
 */
export async function resolvePayment(
	context: ClaimContext,
	log: PaymentLog,
	row: LogRow,
	{ attempt, isPaid, transactionId }: Resolution,
): Promise<boolean> {
	const workflowIds = row.workflow.split(' ');
	const store = new ClaimStore(context, workflowIds);
	const keys = row.claims.split(' ');
	let isOurs = true;
	for (const [index, workflowId] of workflowIds.entries()) {
		const closed = isPaid
			? await store.close(attempt, workflowId, keys)
			: await store.release(attempt, new Map([[workflowId, keys]]));
		// The claim in the first workflow decides, so that two people never resolve parts of the same payment.
		isOurs = index > 0 || closed.length > 0;
		if (!isOurs) break;
	}
	// A run or another Resolve may have closed the attempt, and then stopped before it wrote the log. In that case its row is ended here,
	// unless it has changed since it was read.
	const where = { attempt, claims: row.claims, ...(isOurs ? {} : { outcome: row.outcome }) };
	const outcome = isPaid ? 'accepted' : 'notSent';
	await log.update(where, { outcome, runningUntil: '', ...(transactionId === '' ? {} : { transactionId }) });
	return isOurs;
}
