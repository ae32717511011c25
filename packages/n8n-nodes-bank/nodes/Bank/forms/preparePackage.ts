import { exactTotal, hundredthsText, isRecord, prepare, preparePackage as operation, withoutField } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { type BankAccess, bindHooks } from '../../shared/pipeline/operationHooks.ts';
import { resolveConnection } from '../../shared/http/connection.ts';
import type { LookedUp } from '../../shared/idempotency/protect.ts';
import { recipientStatuses } from '../../shared/idempotency/recipientStatus.ts';
import { joinNames, moneyText } from '../../shared/base/messages.ts';
import { type Payment, shownName } from '../../shared/base/payment.ts';
import { acceptedEarlier, earlierDetails, resultError, unreadableLog } from '../../shared/pipeline/paymentErrors.ts';
import { maxNames } from '../../shared/pipeline/outcomeHints.ts';
import { type Run, showHint } from '../../shared/form/run.ts';
import { logNameOf } from '../../shared/form/settings.ts';
import { narrowJob, type PackageBody, type PackageJob, paymentsOf } from './package.ts';
import { packageJobs } from './packages.ts';
import { destinationOf, rowsOf, withoutPackage } from './rows.ts';
import { signableText } from './signature.ts';

/** Returns the package that *Send Package* would send, one item for each recipient. Sends nothing and needs no token. */
export const preparePackage = bindHooks<typeof operation, PackageJob>(operation, {
	jobs: (run) => packageJobs(run),
	payments: (_run, job, { body }) => paymentsOf(job, body),
	async previewItems(run, job, { input: { body } }, bank, payments) {
		const looked = await bank.lookedUp();
		if (looked.problem !== undefined) throw unreadableLog(run, 'Nothing was prepared.', looked.problem);
		const destination = await destinationOf(run);
		const open = payments.filter((payment) => looked.found.get(payment)?.is === 'free');
		const part = packageOf(run, job, body, open);
		const prepared = part === undefined ? [] : rowsOf(part.job, part.body, destination);
		const all = [...rowsOf(job, body, destination), ...prepared];
		const bySequence = new Map(all.map((row) => [String(row.sequence), row]));
		const [first] = prepared;
		const isChecked = run.parameters.options().checkRecipients === true;
		const statuses = isChecked ? await statusesOf(run, bank, payments) : undefined;
		hintAtSameName(run, looked, open);
		const left = await (await bank.limits()).leftToday();
		return payments.map((payment) => {
			const row = shownRow(run, payment, bySequence.get(payment.name) ?? {}, looked);
			const limit = left === undefined ? {} : { leftToday: Number(hundredthsText(left)) };
			const status = statuses && { recipientStatus: statuses.get(payment) };
			// The most important fields come first. If an input column has the same name as a package field, the package
			// field is kept.
			const shown = {
				outcome: row.outcome,
				total: first?.total ?? 0,
				...limit,
				...columnsOf(payment),
				...status,
			};
			const json = { ...shown, ...destination, ...row, ...limit, ...status };
			// Only one item carries the whole package; 500 copies would be too large. It is the last one, because n8n's table
			// shows the first item at the top.
			const isLast = part !== undefined && row === prepared.at(-1);
			return {
				json: isLast ? { ...json, toSign: signableText(part.body).toSign } : json,
				pairedItem: { item: payment.item },
			};
		});
	},

	async summarize(run, items) {
		const rows = items.flatMap(({ json }) => (json.outcome === undefined ? [] : [json]));
		const prepared = rows.filter(({ outcome }) => outcome === 'prepared');
		if (rows.length === 0) return;
		const total = moneyText(exactTotal(prepared.map(({ amount }) => Number(amount))) ?? 0);
		const payments = prepared.length === 1 ? '1 payment' : `${prepared.length} payments`;
		const counted = (outcome: string, words: string) => {
			const count = rows.filter((row) => row.outcome === outcome).length;
			return count === 0 ? '' : `, ${count} ${words}`;
		};
		const open = counted('conflict', 'in conflict') + counted('unknown', 'unknown') + counted('notSent', 'refused');
		const others = counted('alreadyAccepted', 'already sent') + open;
		const left = rows[0]?.leftToday;
		const rest = typeof left === 'number' ? ` Daily limit: ${moneyText(left)} left today.` : '';
		const next = open === '' ? '' : ' The message of each payment that is left out says why.';
		showHint(run, open === '' ? 'info' : 'warning', `${payments}, ${total}${others}, nothing sent now.${next}${rest}`);
	},
});

/** The package of the payments that are not sent yet; undefined if there are none. */
function packageOf(run: Run, job: PackageJob, body: PackageBody, open: readonly Payment[]) {
	if (open.length === 0) return undefined;
	if (open.length === body.payments.length) return { job, body };
	const part = narrowJob(job, body, open);
	const { input } = prepare(operation, part.input, { timeZone: run.context.getTimezone() });
	return { job: part, body: input.body };
}

async function statusesOf(run: Run, { context, credentialType }: BankAccess, payments: readonly Payment[]) {
	const destination = await resolveConnection(run.context, credentialType);
	return await recipientStatuses(context, { operation, destination, logName: logNameOf(run) }, payments);
}

/** A payment that was already sent is listed with its result, and left out of the package. */
function shownRow(run: Run, payment: Payment, row: IDataObject, { found, ids }: LookedUp): IDataObject {
	const result = found.get(payment);
	if (result === undefined || result.is === 'free') return row;
	const shown = withoutPackage(row);
	if (result.is === 'alreadyAccepted') return { ...shown, ...acceptedEarlier(result.row) };
	const { message, details } = resultError(run, payment, result);
	const { outcome, words = '' } = details;
	return { ...shown, outcome, message, description: words, payment: ids.get(payment), ...earlierDetails(result) };
}

/**
 * Warns of payments without a sequence to a name that was already paid: a corrected phone number makes a new payment.
 */
function hintAtSameName(run: Run, { sameName }: LookedUp, open: readonly Payment[]): void {
	const found = open.flatMap((payment) => {
		const row = sameName.get(payment);
		return row === undefined ? [] : [`${shownName(payment)}, paid at ${row.phone}`];
	});
	if (found.length === 0) return;
	showHint(
		run,
		'warning',
		`Somebody of the same name was paid in this payment run: ${joinNames(found, maxNames, '; ')}. If it is the same person with a ` +
			'corrected number, remove the row: it would be paid again.',
	);
}

/**
 * The columns of the input, so that a reviewer can recognize the recipients. Columns that Send Package would read as
 * part of the package are left out.
 */
function columnsOf({ columns = {} }: Payment): IDataObject {
	const own = withoutField(columns, 'nameCheck') as IDataObject;
	return isRecord(own.name) ? (withoutField(own, 'name') as IDataObject) : own;
}
