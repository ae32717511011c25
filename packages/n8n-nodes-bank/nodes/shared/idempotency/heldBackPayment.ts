import {
	createAlreadySentError,
	createHeldBackError,
	type HeldBackCode,
	type BankFailure,
	type Operation,
} from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { lookUpIn, moneyText } from '../messages.ts';
import type { Payment, Run } from '../pipeline/run.ts';
import type { Verdict } from './matchPayments.ts';
import type { LogRow } from './paymentLog.ts';
import type { LogState } from './protection.ts';

/** Form labels of the fields in which a payment can differ from the one that was sent. */
const fieldNames: Readonly<Record<string, string>> = {
	account: 'sender account',
	amount: 'amount',
	body: 'request',
	client: 'partner or client',
	inn: 'tax number',
	name: 'recipient name',
	nspkBankId: 'recipient bank',
	paymentDescription: 'description',
	phone: 'phone',
	ric: 'income kind code',
};

/** The error for a payment that was not sent because of an earlier attempt. */
export function heldBackError(
	{ operation, context }: Run,
	payment: Payment,
	verdict: Exclude<Verdict, { is: 'alreadyAccepted' }>,
	log: LogState,
): BankFailure {
	const timeZone = context.getTimezone();
	// An operation that the bank allows only once, not a payment; its result can be read.
	if (operation.oncePerPath === true) return createAlreadySentError(operation, [payment.name]);
	const { row } = verdict;
	if (verdict.is === 'conflict') return conflict(operation, payment, verdict, timeZone);
	const unknown = (code: HeldBackCode, what: string, next: string) =>
		createHeldBackError(operation, 'unknown', code, `${nameOf(payment)} ${what}`, next);
	if (verdict.why === 'modeChanged')
		return unknown(
			'mode_changed',
			'has no sequence, but this payment run was sent with sequences before',
			'It was not sent, because it may have been paid already. Map Sequence to the column that identifies each payment, then run again.',
		);
	if (row === undefined && log === 'failed')
		return unknown(
			'already_sent',
			'was already sent, and the payment log could not be read or written',
			'It was not sent again. The log may hold its result: correct the Data Table of Log to Data Table, then run again.',
		);
	if (row === undefined) {
		const logText =
			log === 'off'
				? 'If Log to Data Table had a name before (the default is Bank Payment Log), enter it and run again. ' +
					'Without a log it cannot be resolved. Check'
				: 'If the payment log was renamed or emptied, give the earlier Data Table its old name again, then run again. ' +
					'Otherwise check';
		return unknown(
			'already_sent',
			'was already sent, result not recorded',
			`It was not sent again. ${logText} with the bank. Only if it was not paid, pay it under ${otherName(payment)}.`,
		);
	}
	const { execution, runningUntil } = row;
	if (Date.parse(runningUntil) > Date.now())
		return unknown(
			'being_sent',
			`is being sent by execution ${execution}`,
			`It was not sent again. Wait until that execution has ended, then run again. If it was stopped, wait until ` +
				`${timeOf(runningUntil, timeZone)}.`,
		);
	return unknown(
		'already_sent',
		`may have been paid on ${dateOf(row.at, timeZone)} (execution ${execution})`,
		`It was not sent again. Look for it with ${lookUpIn(operation)} or ask the bank, record the result with Payment: Resolve, ` +
			'then run again.',
	);
}

/** Fields of the output for a payment that an earlier run made. The package ID is a number, as from the bank. */
export function acceptedEarlier({ payPackage, transactionId, execution, at }: LogRow): IDataObject {
	const fields = { outcome: 'alreadyAccepted', payPackage, transactionId, acceptedIn: execution, acceptedAt: at };
	const known = Object.entries(fields).filter(([, value]) => value !== '');
	return { ...Object.fromEntries(known), ...(/^\d{1,15}$/.test(payPackage) ? { payPackage: Number(payPackage) } : {}) };
}

/**
 * What *Resolve* needs to find the payment in the log. Without a sequence of its own, a payment is sent under its position,
 * which may be the position of somebody else in the run of today. Then the sequence of that attempt follows the attempt.
 */
export const resolvableBy = (
	{ name }: Payment,
	{ sequence, attempt, execution, at }: LogRow,
): Record<string, string> => ({
	attempt: sequence === name ? attempt : `${attempt}/${sequence}`,
	execution,
	at,
});

function conflict(
	operation: Operation,
	payment: Payment,
	{ row, changed }: Extract<Verdict, { is: 'conflict' }>,
	timeZone: string,
): BankFailure {
	const { amount } = payment.content;
	const others = changed.filter((field) => field !== 'amount').map((field) => fieldNames[field] ?? field);
	const sent = changed.includes('amount')
		? `was sent with ${money(row.amount)} on ${dateOf(row.at, timeZone)}; this row says ${money(amount ?? '')}`
		: `was sent on ${dateOf(row.at, timeZone)}`;
	const also =
		others.length === 0 ? '' : `${changed.includes('amount') ? ' and' : ' with'} another ${others.join(', ')}`;
	const isRenumbered = changed.includes('sequence');
	// With another phone, the earlier payment may have been to somebody else.
	const { name, rowName } = payment;
	const now = rowName === undefined ? '' : ` (now ${rowName})`;
	const subject = changed.includes('phone') ? `Sequence ${name}${now}` : nameOf(payment);
	const result = row.outcome === 'accepted' ? 'The bank accepted it then.' : 'It may have been paid then.';
	const advice = changed.length === 0 ? 'The log does not show whether the row has changed since.' : 'Undo the change.';
	const next = isRenumbered
		? 'Other sequences were sent with another phone, so the rows seem to be numbered anew: give each row the sequence that it ' +
			'was sent with, then run again.'
		: `${advice}${changed.includes('amount') ? ' To pay a difference, add a row for it.' : ''} ` +
			`Give this row ${otherName(payment, row)} only if it is to be paid in addition.`;
	return createHeldBackError(
		operation,
		'conflict',
		'sent_with_other_content',
		`${subject} ${sent}${isRenumbered ? ` with the sequence ${row.sequence}` : also}`,
		`${result} This row was not sent. ${next}`,
	);
}

/** What makes a payment another one. A recipient that was paid without a sequence is recognized under any sequence. */
function otherName({ field, own }: Payment, row?: LogRow): string {
	if (field === 'transactionId') return 'another transaction ID';
	return own === undefined || row?.key === '' ? 'another payment run' : 'another sequence';
}

/** The recipient, if a column has it, and the payment's own identifier or else the phone. */
export function shownName({ own, name, phone, rowName }: Payment): string {
	const identifier = own === undefined ? (phone ?? name) : name;
	return rowName === undefined ? identifier : `${rowName} (${identifier})`;
}

function nameOf(payment: Payment): string {
	if (payment.own === undefined) return `The payment to ${shownName(payment)}`;
	return payment.field === 'transactionId' ? `Debit ${payment.name}` : shownName(payment);
}

const money = (amount: string): string => {
	const value = Number(amount);
	return Number.isFinite(value) && amount !== '' ? moneyText(value) : amount;
};

const dateOf = (at: string, timeZone: string): string =>
	formatted(at, { day: 'numeric', month: 'short', year: 'numeric', timeZone });

/** With the time zone, such as `14:22:12 GMT+3`. */
export const timeOf = (at: string, timeZone: string): string =>
	formatted(at, { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short', timeZone });

/** Users can edit the log, so values that are not a time are returned unchanged. */
function formatted(at: string, options: Intl.DateTimeFormatOptions): string {
	const time = Date.parse(at);
	return Number.isNaN(time) ? at : new Intl.DateTimeFormat('en-GB', options).format(time);
}
