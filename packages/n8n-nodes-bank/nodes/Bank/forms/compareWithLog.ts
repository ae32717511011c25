import {
	accountNumber,
	type BankOperation,
	dayIn,
	decimalValue,
	findPayments,
	hundredths,
	InputError,
	instantOf,
	paymentProtocol,
	type PaymentQuery,
	simplifyOperation,
	unmatchedExpenses,
	type ValidationIssue,
	wholeNumbers,
} from '@bank/core';

import { itemJson } from '../../shared/form/itemJson.ts';
import type { BankAccess } from '../../shared/pipeline/operationHooks.ts';
import { unreadableLog } from '../../shared/pipeline/paymentErrors.ts';
import type { Parameters } from '../../shared/form/parameters.ts';
import { resolveConnection } from '../../shared/http/connection.ts';
import { partyDigest } from '../../shared/idempotency/keys.ts';
import { paymentIdOf } from '../../shared/idempotency/logRows.ts';
import { type LogRow, PaymentLog } from '../../shared/idempotency/paymentLog.ts';
import { outputFieldsOf } from '../../shared/form/outputFields.ts';
import type { Items, Job, Run } from '../../shared/form/run.ts';
import { logNameOf } from '../../shared/form/settings.ts';

/**
 * A period of one account. All its payments in the log are compared with all outgoing operations in P6. Times are in
 * milliseconds since 1970.
 */
interface Period {
	account: string;
	from: number;
	to: number;
	before: number;
	after: number;
}

/** Reads the operations of one account, to look for payments or to compare a period with the log. */
export interface HistoryJob extends Job {
	lookups?: readonly Lookup[];
	period?: Period;
}

export interface Lookup extends PaymentQuery {
	item: number;
	account: string;
	/** When the payment was sent, in milliseconds since 1970. */
	sentAt: number;
}

const day = 24 * 3_600_000;

export const isFromLog = ({ parameters }: Run): boolean => parameters.value('paymentsFrom', 0, 'fields') === 'log';

/** One job for each different period. Often all input items name the same one. */
export function periodJobs(run: Run): HistoryJob[] {
	const issues: ValidationIssue[] = [];
	const periods = Array.from({ length: run.itemCount }, (_, item) => periodOf(run, item, issues));
	// The log is read later. A wrong name fails here, before any request.
	logNameOf(run);
	if (issues.length > 0) throw new InputError(issues);
	return [...Map.groupBy(periods.keys(), (item) => JSON.stringify(periods[item]))].map(([key, items]) => {
		const period = JSON.parse(key) as Period;
		const { account, from, to, before, after } = period;
		return { ...historyJob(account, from - before, to + after, items), period };
	});
}

function periodOf({ context, parameters }: Run, item: number, issues: ValidationIssue[]): Period {
	const timeZone = context.getTimezone();
	const account = accountOf(parameters, item, issues);
	const startOf = (field: string, days = 0): number => {
		const given = instantOf(parameters.value(field, item, ''), timeZone);
		if (given === undefined) issues.push({ path: field, message: 'must be a day, such as 2026-11-22', item });
		const start = instantOf(dayIn(given ?? 0, timeZone), timeZone) ?? 0;
		// A day has 23 to 25 hours, so 1.5 days after the start of a day is always within the next day.
		return days === 0 ? start : (instantOf(dayIn(start + 1.5 * day, timeZone), timeZone) ?? 0);
	};
	const from = startOf('dateFrom');
	const to = startOf('dateTo', 1) - 1;
	if (to < from) issues.push({ path: 'dateTo', message: 'must not be before the first day', item });
	return { account, from, to, ...windowOf(parameters, item) };
}

/**
 * The account that the payments were sent from. For a wrong account the bank may return an empty list, as if nothing
 * had been paid.
 */
export function accountOf(parameters: Parameters, item: number, issues: ValidationIssue[]): string {
	const account = accountNumber(parameters.text('account', item));
	if (!/^\d{20}$/.test(account))
		issues.push({ path: 'account', message: 'must be an account number of 20 digits', item });
	return account;
}

/** Time before and after a payment within which its operation is looked for, in milliseconds. */
export function windowOf(parameters: Parameters, item: number): { before: number; after: number } {
	const { minutesBefore = 15, hoursAfter = 24 } = parameters.options(item);
	const window = wholeNumbers({
		minutesBefore: { value: minutesBefore, min: 0 },
		hoursAfter: { value: hoursAfter, min: 1 },
	});
	return { before: window.minutesBefore * 60_000, after: window.hoursAfter * 3_600_000 };
}

/** Reads the outgoing operations of an account, and one more day on either side: P6 uses the bank's time zone. */
export function historyJob(account: string, from: number, to: number, items: number[]): Job {
	const [dateFrom, dateTo] = [from - day, to + day].map((instant) => new Date(instant).toISOString().slice(0, 10));
	return { items, input: { query: { dateFrom, dateTo, accounts: [account], operationDirection: 'EXPENSE' } } };
}

/**
 * @param shown output fields of the payment, or of an operation that no payment explains
 * @param show turns an operation into output
 */
export function resultItem(
	item: number,
	{ result, operations }: { result: string; operations: readonly BankOperation[] },
	shown: object,
	show: (operation: BankOperation) => object,
): Items[number] {
	const own = result === 'found' || result === 'unexplained' ? operations[0] : undefined;
	const operation = own === undefined ? null : show(own);
	const candidates = own === undefined ? operations.map(show) : [];
	const json = { result, status: own?.status ?? null, ...shown, operation, candidates };
	return { json: itemJson(json), pairedItem: { item } };
}

/** Returns the payments of the period with their operations, then the outgoing operations without a payment. */
export async function compareWithLog(
	run: Run,
	item: number,
	period: Period,
	operations: readonly BankOperation[],
	bank: BankAccess,
): Promise<Items> {
	const { account, from, to, before, after } = period;
	const { environment } = await resolveConnection(run.context, bank.credentialType);
	const log = new PaymentLog(bank.context, logNameOf(run));
	// Payments from before the period may explain an operation in it.
	const rows = await log.rowsOfSender(partyDigest(environment, 'sender', account), new Date(from - after));
	if (rows === undefined) throw unreadableLog(run, 'Nothing was compared.', log.problem);
	const payments = paymentProtocol.rowsPossiblyMade(rows).map((row) => {
		const [sentAt, amount] = [Date.parse(row.at), hundredths(row.amount)];
		if (amount === undefined || row.phoneDigest === '')
			throw unreadableLog(
				run,
				'Nothing was compared.',
				`its row ${row.sequence} of ${row.paymentRun} has no amount or no recipient`,
			);
		return { row, sentAt, amount, phone: row.phoneDigest, from: sentAt - before, to: sentAt + after };
	});
	const matches = findPayments(payments, operations, (digits) => partyDigest(environment, 'recipient', digits));
	const isOutside = ({ payment: { sentAt } }: (typeof matches)[number]) => sentAt < from || sentAt > to;
	const show = outputFieldsOf(run, item, simplifyOperation);
	const items = matches.flatMap((match) => {
		if (isOutside(match)) return [];
		const { row, amount } = match.payment;
		const { phone, at: sentAt, paymentRun, sequence, transactionId } = row;
		const logged = { paymentRun, sequence, outcome: outcomeOf(row), transactionId, payment: paymentIdOf(row) };
		return [resultItem(item, match, { amount: Number(amount) / 100, phone, account, sentAt, ...logged }, show)];
	});
	// Candidates of a payment of another day are not in this output, so they must not hide operations of this period.
	const explained = matches.filter((match) => !isOutside(match) || match.result === 'found');
	const unexplained = unmatchedExpenses(explained, operations, period).map((operation) => {
		const [amount, sentAt] = [decimalValue(operation?.amount), operation?.dateTime];
		const logged = { paymentRun: '', sequence: '', outcome: '', transactionId: '', payment: '' };
		const match = { result: 'unexplained', operations: [operation] };
		return resultItem(item, match, { amount, phone: '', account, sentAt, ...logged }, show);
	});
	return [...items, ...unexplained];
}

const outcomeOf = (row: LogRow): string => (paymentProtocol.isMade(row) ? 'accepted' : 'unknown');
