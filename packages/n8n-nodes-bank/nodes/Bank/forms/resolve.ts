import { type ValidationIssue, InputError, isRecord, resolvePayment as operation, textOrNumber } from '@bank/core';
import { NodeOperationError } from 'n8n-workflow';

import { errorItem, failureOf, nodeForErrors } from '../../shared/failures.ts';
import { bindHooks } from '../../shared/form/operationHooks.ts';
import { PaymentLog, pendingOutcomes } from '../../shared/idempotency/paymentLog.ts';
import { checkResolutions, type Resolution, resolvePayment } from '../../shared/idempotency/resolvePayment.ts';
import type { Items, Job, Run } from '../../shared/pipeline/run.ts';
import { logNameOf } from '../../shared/pipeline/settings.ts';

interface ResolveJob extends Job {
	resolutions: readonly Resolution[];
}

export const resolve = bindHooks<typeof operation, ResolveJob>(operation, {
	jobs(run) {
		const { resolutions, issues: all } = resolutionsOf(run);
		const items = resolutions.map(({ item }) => item);
		const invalid = [...Map.groupBy(all, ({ item = 0 }) => item)];
		return [
			...(items.length === 0 ? [] : [{ items, input: {}, resolutions }]),
			...invalid.map(([item, issues]) => ({ items: [item], input: {}, resolutions: [], issues })),
		];
	},
	async previewItems(run, { resolutions }, _prepared, bank) {
		const logName = logNameOf(run);
		if (logName === '') throw unresolvable(run, 'Without the payment log no payment can be resolved');
		const log = new PaymentLog(bank.context, logName);
		const checked = await checkResolutions(log, resolutions, run.context.getTimezone()).catch((error: unknown) => {
			throw unresolvable(run, String(isRecord(error) ? error.message : error));
		});
		const issues = checked.flatMap((one): ValidationIssue[] =>
			'refusal' in one ? [{ path: '', message: one.refusal, item: one.resolution.item }] : [],
		);
		if (issues.length > 0 && !run.context.continueOnFail()) throw new InputError(issues);
		const items: Items = [];
		for (const { resolution, ...one } of checked) {
			const { item, name, attempt, isPaid } = resolution;
			if ('refusal' in one) {
				const failure = failureOf(run.context, new InputError([{ path: '', message: one.refusal, item }]), item);
				items.push(errorItem(run.operation.id, failure, item));
				continue;
			}
			const isOurs = !one.isDone && (await resolvePayment(bank.context, log, one.row, resolution));
			const { paymentRun, amount, phone, transactionId } = one.row;
			const decided = isPaid ? 'accepted' : 'notSent';
			const isRecorded = isOurs && log.problem === undefined;
			const recorded = isRecorded ? decided : await recordedOutcome(log, resolution);
			const outcome = recorded ?? 'unknown';
			const ownText = isPaid ? paidText : freeText;
			const doneText = isOurs ? ownText : one.isDone ? alreadyText : closedText;
			const message = outcome === 'unknown' ? unwrittenText(decided) : doneText;
			const id = isOurs && resolution.transactionId !== '' ? resolution.transactionId : transactionId;
			items.push({
				json: { outcome, message, paymentRun, sequence: name, amount, phone, transactionId: id, attempt },
				pairedItem: { item },
			});
		}
		return items;
	},
});

const paidText = 'Recorded: the bank has it. The next run returns it as already accepted.';
const freeText = 'Recorded: the bank does not have it. Run the payout again to send it.';
const unwrittenText = (outcome: string) =>
	`Not recorded: the payment log could not be written. Set outcome to ${outcome} in the row of this attempt in the Data Table.`;
const closedText = 'Already resolved by somebody else, or ended by its own run: see outcome.';
const alreadyText = 'Already resolved: nothing was changed.';

/** Another run may have resolved the payment at the same moment, with the opposite result. */
async function recordedOutcome(log: PaymentLog, { attempt, name }: Resolution): Promise<string | undefined> {
	const rows = await log.having('attempt', [attempt]);
	const outcome = rows?.find(({ sequence }) => sequence === name)?.outcome;
	return outcome !== undefined && pendingOutcomes.includes(outcome) ? 'unknown' : outcome;
}

const unresolvable = ({ context }: Run, message: string) =>
	new NodeOperationError(nodeForErrors(context), message, { description: 'Nothing was changed.' });

function resolutionsOf({ parameters, itemCount }: Run): { resolutions: Resolution[]; issues: ValidationIssue[] } {
	const issues: ValidationIssue[] = [];
	const resolutions = Array.from({ length: itemCount }, (_, item): Resolution => {
		// See `resolvableBy`.
		const [attempt = '', ...parts] = parameters.text('attempt', item).split('/');
		const name = parts.length > 0 ? parts.join('/') : parameters.text('sequence', item);
		if (name === '') issues.push({ path: 'sequence', message: 'is required: one payment', item });
		if (attempt === '')
			issues.push({ path: 'attempt', message: 'is required: it is in the error of the payment', item });
		const decision = parameters.text('bankAnswer', item);
		// Any other value would release the claim, and the payment would be sent again.
		if (decision !== 'has' && decision !== 'hasNot')
			issues.push({ path: 'bankAnswer', message: 'must be has or hasNot', value: decision.slice(0, 40), item });
		const transactionId = textOrNumber(parameters.options(item).transactionId);
		return { item, name, attempt, isPaid: decision === 'has', transactionId };
	});
	const invalid = new Set(issues.map(({ item }) => item));
	return { resolutions: resolutions.filter(({ item }) => !invalid.has(item)), issues };
}
