import { type BankFailure, createHeldBackError, type HeldBackCode, paymentProtocol } from '@bank/core';
import { type IDataObject, NodeOperationError } from 'n8n-workflow';

import { changedFields } from '../idempotency/keys.ts';
import type { LogRow } from '../idempotency/paymentLog.ts';
import type { PaymentResult, ProtectionResult } from '../idempotency/protect.ts';
import { joinNames, verifyingOperation, moneyText } from '../base/messages.ts';
import { isByPhone, type Payment, shownName } from '../base/payment.ts';
import { maxNames } from './outcomeHints.ts';
import { nodeForErrors } from '../base/failures.ts';
import type { Run } from '../form/run.ts';

/** Errors for payments that duplicate protection held back. */

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

type HeldBack = Exclude<PaymentResult, { is: 'alreadyAccepted' | 'answered' }>;

/** The error for a payment that this run did not send. */
export function resultError(
	run: Pick<Run, 'operation' | 'context'>,
	payment: Payment,
	result: PaymentResult,
	about: Partial<Pick<ProtectionResult, 'problem' | 'claimError'>> = {},
): BankFailure {
	const timeZone = run.context.getTimezone();
	const name = nameOf(payment);
	const error = (outcome: 'unknown' | 'conflict' | 'notSent', code: HeldBackCode, what: string, next: string) =>
		createHeldBackError(run.operation, outcome, code, what, next);
	switch (result.is) {
		case 'conflict':
			return error('conflict', 'sent_with_other_content', ...conflictTexts(payment, result.row, timeZone));
		case 'beingSent': {
			const { execution, until } = result.row;
			return error(
				'unknown',
				'being_sent',
				`${name} is being sent by execution ${execution}`,
				`It was not sent again. Wait until that execution has ended, then run again. If it was stopped, wait until ` +
					`${timeOf(until, timeZone)}.`,
			);
		}
		case 'notSent':
			return error('notSent', ...notSentTexts(payment, result, about));
		case 'unknown':
		case 'alreadyAccepted':
		case 'answered': {
			const row = result.is === 'answered' ? undefined : result.row;
			if (row === undefined && about.claimError !== undefined)
				return error(
					'unknown',
					'no_record',
					`${name} was not sent now, and it is uncertain whether it was sent before`,
					`n8n's database did not respond while it was claimed. Run again. If it is still unknown, ask the bank about this payment, ` +
						'record the answer with "Payment: Resolve", then run again.',
				);
			return row === undefined || row.execution === ''
				? error(
						'unknown',
						'no_record',
						`${name} may have been paid, and the payment log does not show when`,
						'It was not sent again. Its rows may have been deleted, or a run ended before it wrote them. Ask the bank about this ' +
							'payment at any date, record the answer with "Payment: Resolve", then run again.',
					)
				: error(
						'unknown',
						'already_sent',
						`${name} may have been paid on ${dateOf(row.at, timeZone)} (execution ${row.execution})`,
						`It was not sent again. Look for it with ${verifyingOperation(run.operation)} or ask the bank, record the result with ` +
							'"Payment: Resolve", then run again.',
					);
		}
	}
}

function notSentTexts(
	payment: Payment,
	{ why, row }: Extract<HeldBack, { is: 'notSent' }>,
	{ problem, claimError }: Partial<Pick<ProtectionResult, 'problem' | 'claimError'>>,
): [HeldBackCode, string, string] {
	const name = nameOf(payment);
	const run = payment.payout?.paymentRun ?? '';
	switch (why) {
		case 'logFailed':
			return [
				'log_unavailable',
				`${name} was not sent: the payment log could not be read or written`,
				logText(problem),
			];
		case 'claimFailed':
			return [
				'not_claimed',
				`${name} was not sent: duplicate protection did not work`,
				`No money moved. ${claimError instanceof Error ? claimError.message : ''}`,
			];
		case 'otherIdentification': {
			const isBySequence = row?.content === 'sequence';
			return [
				'other_identification',
				`Payment run "${run}" was sent ${isBySequence ? 'with' : 'without'} sequences before`,
				`${name} was not sent: it could be paid twice. ` +
					(isBySequence
						? 'Map "Sequence" to the same column as in that run, and run again.'
						: 'Leave "Sequence" empty, as in that run, or use another payment run, and run again.'),
			];
		}
		case 'runBeginning':
			return [
				'being_sent',
				`${name} was not sent: execution ${row?.execution} is just beginning payment run "${run}"`,
				'No money moved. Run again.',
			];
		// Payments with `refused` or `stopped` do not arrive here: the error of the whole run reports them.
		case 'justEnded':
		case 'refused':
		case 'stopped':
			return [
				'being_sent',
				`${name} was not sent: another execution had claimed it and has just ended`,
				'No money moved. Run again.',
			];
	}
}

/** n8n limits the size of all Data Tables together. */
const logText = (problem = 'no reason is known'): string =>
	`No money moved. n8n says: ${problem.slice(0, 120)}. ` +
	(/size limit/i.test(problem)
		? 'Delete rows of finished payouts from the Data Table, or raise N8N_DATA_TABLES_MAX_SIZE_BYTES, then run again.'
		: 'Check the Data Table in "Log to Data Table", then run again.');

/** Fields of the output for a payment that an earlier run made. The package ID is a number, as from the bank. */
export function acceptedEarlier({ payPackage, transactionId, execution, at }: LogRow): IDataObject {
	const fields = { outcome: 'alreadyAccepted', payPackage, transactionId, acceptedIn: execution, acceptedAt: at };
	const known = Object.entries(fields).filter(([, value]) => value !== '');
	return { ...Object.fromEntries(known), ...(/^\d{1,15}$/.test(payPackage) ? { payPackage: Number(payPackage) } : {}) };
}

/** Fields of a payment from the log, for a run that cannot build the row itself. */
export function recordedFields({ field, name }: Payment, row: LogRow): IDataObject {
	const { paymentRun, recipient, phone } = row;
	const amount = Number(row.amount);
	const fields = { [field]: name, paymentRun, recipient, phone };
	const known = Object.entries(fields).filter(([, value]) => value !== '');
	return { ...Object.fromEntries(known), ...(row.amount === '' || Number.isNaN(amount) ? {} : { amount }) };
}

/** Time and execution of an earlier attempt: for *Find in Operations* and for people. */
export function earlierDetails(result: PaymentResult): IDataObject {
	if (!('row' in result) || result.row === undefined || result.row.execution === '') return {};
	const { execution, at } = result.row;
	return { execution, at };
}

function conflictTexts(payment: Payment, row: LogRow, timeZone: string): [message: string, words: string] {
	const { content = {}, name, rowName } = payment;
	const changed = changedFields(row.content, content);
	const others = changed.filter((field) => field !== 'amount').map((field) => fieldNames[field] ?? field);
	const isOtherAmount = changed.includes('amount');
	const sent = isOtherAmount
		? `was sent with ${money(row.amount)} on ${dateOf(row.at, timeZone)}; this row says ${money(content.amount ?? '')}`
		: `was sent on ${dateOf(row.at, timeZone)}`;
	const also = others.length === 0 ? '' : `${isOtherAmount ? ' and' : ' with'} another ${others.join(', ')}`;
	// With another phone, the earlier payment may have been to somebody else.
	const now = rowName === undefined ? '' : ` (now ${rowName})`;
	const subject = changed.includes('phone') ? `Sequence ${name}${now}` : nameOf(payment);
	const result = paymentProtocol.isMade(row) ? 'The bank accepted it then.' : 'It may have been paid then.';
	const advice = changed.length === 0 ? 'The log does not show whether the row has changed since.' : 'Undo the change.';
	const difference = isOtherAmount ? ' To pay a difference, add a row for it.' : '';
	return [
		`${subject} ${sent}${also}`,
		`${result} This row was not sent. ${advice}${difference} Give this row ${otherName(payment)} only to pay it in addition.`,
	];
}

/** The fields with which the row would be a different payment. */
function otherName(payment: Payment): string {
	if (payment.field === 'transactionId') return 'another transaction ID';
	return isByPhone(payment) ? 'another payment run' : 'another sequence';
}

function nameOf(payment: Payment): string {
	if (payment.field === 'transactionId') return `Debit ${payment.name}`;
	return isByPhone(payment) ? `The payment to ${shownName(payment)}` : shownName(payment);
}

const namesOf = (payments: readonly Payment[]): string => joinNames(payments.map(shownName), maxNames);

const notSent = ({ operation }: Pick<Run, 'operation'>, code: HeldBackCode, message: string, next: string) =>
	createHeldBackError(operation, 'notSent', code, message, next);

/** A new sequence for a person who was paid under a sequence that now names somebody else. */
export const movedError = ({ operation, context }: Pick<Run, 'operation' | 'context'>, payment: Payment, row: LogRow) =>
	createHeldBackError(
		operation,
		'conflict',
		'sent_with_other_content',
		`${nameOf(payment)} was sent on ${dateOf(row.at, context.getTimezone())} with the sequence ${row.sequence}`,
		'This row was not sent. Other sequences were sent with another phone, so the rows seem to be numbered anew: give each row the ' +
			'sequence that it was sent with, then run again.',
	);

export const packageOutdatedError = (run: Run, sent: readonly Payment[]): BankFailure =>
	notSent(
		run,
		'prepared_package_outdated',
		`The prepared package was not sent because of payments that were already sent: ${namesOf(sent)}`,
		'No payment was sent. Run "Prepare Package" again: it leaves out payments that were already sent.',
	);

export const runRefusedError = (run: Run, sent: readonly Payment[]): BankFailure =>
	notSent(
		run,
		'run_refused',
		`The run was refused because of payments that were already sent: ${namesOf(sent)}`,
		'No payment was sent: "If Already Sent" refuses the whole run. Remove the rows that were already sent, then run again.',
	);

export const tooLateError = (run: Run): BankFailure =>
	notSent(
		run,
		'too_late',
		'The payments were not sent: preparing them took more than two minutes',
		'No money moved. Run again.',
	);

/** @param consequence in a whole sentence */
export const unreadableLog = ({ context }: Pick<Run, 'context'>, consequence: string, problem = 'no reason is known') =>
	new NodeOperationError(nodeForErrors(context), `The payment log cannot be read: ${problem}`, {
		description: `${consequence} Check the Data Table in "Log to Data Table", then run again.`,
	});

/** The result on the screen is true, but a later run cannot know it. */
export const unrecordedText = (payments: readonly Payment[], problem = 'no reason is known'): string =>
	`The result of ${namesOf(payments)} could not be written to the payment log (${problem.slice(0, 120)}). The next run shows it as ` +
	'unknown: then record the outcome shown here with "Payment: Resolve".';

const money = (amount: string): string => {
	const value = Number(amount);
	return Number.isFinite(value) && amount !== '' ? moneyText(value) : amount;
};

const dateOf = (at: string, timeZone: string): string =>
	formatted(Date.parse(at), { day: 'numeric', month: 'short', year: 'numeric', timeZone }, at);

/** A time with its time zone, such as `14:22:12 GMT+3`. */
export const timeOf = (at: number, timeZone: string): string =>
	formatted(at, { hour: '2-digit', minute: '2-digit', second: '2-digit', timeZoneName: 'short', timeZone }, String(at));

/** Users can edit the log, so values that are not a time are returned unchanged. */
const formatted = (time: number, options: Intl.DateTimeFormatOptions, otherwise: string): string =>
	Number.isNaN(time) ? otherwise : new Intl.DateTimeFormat('en-GB', options).format(time);
