import {
	type ValidationIssue,
	findInOperations as operation,
	findPayments,
	hundredths,
	instantOf,
	isRecord,
	plainPhone,
	simplifyOperation,
	textOrNumber,
} from '@bank/core';
import { NodeOperationError } from 'n8n-workflow';

import { nodeForErrors } from '../../shared/base/failures.ts';
import { bindHooks } from '../../shared/pipeline/operationHooks.ts';
import { unsettledText } from '../../shared/base/messages.ts';
import { outputFieldsOf } from '../../shared/form/outputFields.ts';
import { firstItem, type Items, type Run, showHint } from '../../shared/form/run.ts';
import {
	accountOf,
	compareWithLog,
	historyJob,
	type HistoryJob,
	isFromLog,
	periodJobs,
	type Lookup,
	resultItem,
	windowOf,
} from './compareWithLog.ts';

/**
 * Finds payments in the operation history (P6), which is read once per account. Only reports what the history shows:
 * sends no payment and releases no claim.
 */
export const findInOperations = bindHooks<typeof operation, HistoryJob>(operation, {
	jobs(run) {
		if (isFromLog(run)) return periodJobs(run);
		const read = Array.from({ length: run.itemCount }, (_, item) => {
			const issues: ValidationIssue[] = [];
			return { lookup: lookupOf(run, item, issues), issues };
		});
		const invalid = read.filter(({ issues }) => issues.length > 0);
		const valid = read.flatMap(({ lookup, issues }) => (issues.length > 0 ? [] : [lookup]));
		return [
			...[...Map.groupBy(valid, ({ account }) => account)].map(([account, lookups]) => jobOf(account, lookups)),
			...invalid.map(({ lookup, issues }) => ({ items: [lookup.item], input: {}, issues })),
		];
	},
	summarize: hintAtResults,
	async output(run, { job, result }, bank) {
		const { lookups = [], period } = job;
		if (result.isUnsettled === true) throw incomplete(run);
		const rows = Array.isArray(result.data) ? result.data : [];
		if (period !== undefined) return await compareWithLog(run, firstItem(job), period, rows, bank);
		return findPayments(lookups, rows).map((match) => {
			const { item, account, amount, phone, ...times } = match.payment;
			const [sentAt, from, to] = [times.sentAt, times.from, times.to].map((time) => new Date(time).toISOString());
			const { json = {} } = run.context.getInputData()[item] ?? {};
			// With these fields, Resolve can be the next node.
			const { paymentRun, sequence, payment } = isRecord(json.details) ? json.details : json;
			const shown = { amount: Number(amount) / 100, phone, account, sentAt, from, to, paymentRun, sequence, payment };
			return resultItem(item, match, shown, outputFieldsOf(run, item, simplifyOperation));
		});
	},
});

/** The error if a page could not be read: a payment on it would look as if it had not been made. */
const incomplete = ({ context }: Run) =>
	new NodeOperationError(nodeForErrors(context), 'The operations of the account cannot be read completely', {
		description: `Nothing was compared. ${unsettledText}`,
	});

/** Order and words of the results in the hint above the output. */
const resultTexts: Readonly<Record<string, string>> = {
	found: 'found',
	notFound: 'not found',
	several: 'with several candidates',
	unclear: 'unclear',
	unexplained: 'outgoing operations that no payment explains',
};

async function hintAtResults(run: Run, items: Items): Promise<void> {
	const counts = Map.groupBy(items, ({ json }) => textOrNumber(json.result));
	const texts = Object.entries(resultTexts).flatMap(([result, text]) =>
		counts.has(result) ? [`${counts.get(result)?.length} ${text}`] : [],
	);
	if (texts.length === 0) return;
	const isOpen = ['notFound', 'several', 'unclear'].some((result) => counts.has(result));
	const others = counts.has('found') ? 'the other' : 'these';
	const ask = isOpen ? ` Ask the bank about ${others} payments before you resolve them.` : '';
	const next = counts.has('unexplained') ? `${ask} Check what these operations are for.` : ask;
	showHint(run, next === '' ? 'info' : 'warning', `${texts.join(', ')}.${next}`);
}

function lookupOf({ context, parameters }: Run, item: number, issues: ValidationIssue[]): Lookup {
	const refuse = (path: string, message: string): void => void issues.push({ path, message, item });
	const account = accountOf(parameters, item, issues);
	const phone = parameters.text('phone', item);
	const amount = hundredths(parameters.text('amount', item));
	const given = instantOf(parameters.value('sentAt', item, ''), context.getTimezone());
	if (!/^\+?\d{10,15}$/.test(plainPhone(phone))) refuse('phone', 'must be the complete phone number that was paid');
	if (amount === undefined) refuse('amount', 'must be the amount that was paid, such as 1500.50');
	if (given === undefined) refuse('sentAt', 'must be the time when the payment was sent, such as 2026-11-22T09:00:00Z');
	const { before, after } = windowOf(parameters, item);
	const sentAt = given ?? 0;
	return { item, account, sentAt, amount: amount ?? 0n, phone, from: sentAt - before, to: sentAt + after };
}

function jobOf(account: string, lookups: readonly Lookup[]): HistoryJob {
	const from = Math.min(...lookups.map((lookup) => lookup.from));
	const to = Math.max(...lookups.map((lookup) => lookup.to));
	const items = lookups.map(({ item }) => item);
	return { ...historyJob(account, from, to, items), lookups };
}
