import { InputError, isRecord, resolvePayment as operation, textOrNumber, type ValidationIssue } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { errorItem, failureOf } from '../../shared/base/failures.ts';
import { bindHooks } from '../../shared/pipeline/operationHooks.ts';
import { type Resolution, type ResolveResult, resolvePayments } from '../../shared/idempotency/resolve.ts';
import { timeOf, unreadableLog } from '../../shared/pipeline/paymentErrors.ts';
import type { Items, Job, Run } from '../../shared/form/run.ts';
import { logNameOf } from '../../shared/form/settings.ts';

interface OfItem extends Resolution {
	item: number;
}

interface ResolveJob extends Job {
	resolutions: readonly OfItem[];
}

/** Records a person's answer about payments with an unknown outcome. */
export const resolve = bindHooks<typeof operation, ResolveJob>(operation, {
	jobs(run) {
		const read = Array.from({ length: run.itemCount }, (_, item) => resolutionOf(run, item));
		const valid = read.flatMap((one) => ('issues' in one ? [] : [one]));
		const invalid = read.flatMap((one) => ('issues' in one ? [one] : []));
		return [
			...(valid.length === 0 ? [] : [{ items: valid.map(({ item }) => item), input: {}, resolutions: valid }]),
			...invalid.map(({ item, issues }) => ({ items: [item], input: {}, resolutions: [], issues })),
		];
	},

	async previewItems(run, { resolutions }, _prepared, bank) {
		const { context } = run;
		const resolved = await resolvePayments(bank.context, logNameOf(run), resolutions).catch((error: unknown) => {
			throw unreadableLog(run, 'The answers may not be recorded.', (error as Error).message);
		});
		const issues = [...resolved].flatMap(([{ item }, one]) => refusalOf(one, item, context.getTimezone()));
		if (issues.length > 0 && !context.continueOnFail()) throw new InputError(issues);
		return resolutions.map((resolution): Items[number] => {
			const { item } = resolution;
			const issue = issues.find((one) => one.item === item);
			if (issue !== undefined) return errorItem(operation.id, failureOf(context, new InputError([issue]), item), item);
			return { json: shownOf(resolution, resolved.get(resolution)), pairedItem: { item } };
		});
	},
});

function resolutionOf(run: Run, item: number): OfItem | { item: number; issues: ValidationIssue[] } {
	const { parameters } = run;
	const issues: ValidationIssue[] = [];
	const refuse = (path: string, message: string, value?: string) =>
		void issues.push({ path, message, item, ...(value === undefined ? {} : { value }) });
	const payment = parameters.text('payment', item);
	if (payment === '')
		refuse('payment', 'is required: it is in the error of the payment, and in the column payment of the payment log');
	const answer = parameters.text('bankAnswer', item);
	// Any other value would have the payment sent again.
	if (answer !== 'has' && answer !== 'hasNot') {
		refuse(
			'bankAnswer',
			'is required: choose "Has It" or "Does Not Have It"',
			answer === '' ? undefined : answer.slice(0, 40),
		);
		return { item, issues };
	}
	const unasked = unaskedProblem(run, item, answer);
	if (unasked !== undefined) refuse('bankAnswer', unasked);
	if (issues.length > 0) return { item, issues };
	return { item, payment, answer, transactionId: textOrNumber(parameters.options(item).transactionId) };
}

/**
 * The issue if nobody can have asked the bank yet, because the payment became unknown in this same execution; otherwise
 * undefined.
 */
function unaskedProblem({ context }: Run, item: number, answer: 'has' | 'hasNot'): string | undefined {
	const { json = {} } = context.getInputData()[item] ?? {};
	const { execution } = isRecord(json.details) ? json.details : json;
	if (textOrNumber(execution) !== context.getExecutionId()) return undefined;
	if (answer === 'has' && json.result === 'found') return undefined;
	return (
		'cannot be known yet: the payment became unknown in this execution. Look for it with "Find in Operations", or ask the bank and ' +
		'resolve it in another execution'
	);
}

/** The issue for an answer that was not recorded. */
function refusalOf(resolved: ResolveResult, item: number, timeZone: string): ValidationIssue[] {
	const refuse = (message: string): ValidationIssue[] => [{ path: '', message, item }];
	switch (resolved.is) {
		case 'notFound':
			return refuse(
				'The payment log has no payment with this ID that was sent. Check the ID, or run the payout again: unknown payments come ' +
					'back with their IDs',
			);
		case 'running': {
			const { execution, until } = resolved.row;
			return refuse(
				`Execution ${execution} may still be sending this payment. Wait until ${timeOf(until, timeZone)}, then run again`,
			);
		}
		case 'outdated': {
			const { execution } = resolved.row;
			const sender = execution === '' ? 'A later run' : `Execution ${execution}`;
			return refuse(
				`${sender} reported this payment after the bank was asked. Run the payout again, ask the bank about payments that are unknown then, ` +
					'and use the ID from that error',
			);
		}
		case 'accepted':
			return refuse(`The payment is recorded as accepted (execution ${resolved.row.execution}), so the bank has it`);
		default:
			return [];
	}
}

function shownOf({ payment, answer, transactionId }: Resolution, resolved: ResolveResult | undefined): IDataObject {
	const row = resolved?.is === 'known' ? resolved.row : resolved?.is === 'recorded' ? resolved.rows[0] : undefined;
	const { paymentRun, sequence, recipient, amount, phone } = row ?? {};
	const decided = answer === 'has' ? 'accepted' : 'notSent';
	const isRecorded = resolved?.is === 'recorded' || resolved?.is === 'known';
	return {
		outcome: isRecorded ? decided : 'unknown',
		message: isRecorded ? (resolved.is === 'known' ? knownTexts : recordedTexts)[answer] : unwrittenText,
		...{ paymentRun, sequence, recipient, amount, phone },
		transactionId: transactionId || row?.transactionId,
		payment,
	};
}

const recordedTexts = {
	has: 'Recorded: the bank has it. The next run returns it as already accepted.',
	hasNot: 'Recorded: the bank does not have it. Run the payout again to send it.',
};
const knownTexts = {
	has: 'Nothing to record: it is accepted already. It is not sent again.',
	hasNot: 'Nothing to record: the log already says that it was not paid. Run the payout again to send it.',
};
const unwrittenText =
	'The answer may not be recorded: n8n did not confirm that it was written to the payment log. Run again.';
