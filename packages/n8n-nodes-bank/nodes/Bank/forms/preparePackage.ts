import {
	exactTotal,
	hundredthsText,
	isBankFailure,
	isRecord,
	prepare,
	preparePackage as operation,
	withoutField,
} from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { bindHooks } from '../../shared/form/operationHooks.ts';
import { acceptedEarlier, heldBackError, resolvableBy } from '../../shared/idempotency/heldBackPayment.ts';
import type { Protection } from '../../shared/idempotency/protection.ts';
import { moneyText } from '../../shared/messages.ts';
import { type Job, type Payment, type Run, showHint } from '../../shared/pipeline/run.ts';
import { narrowJob, type PackageBody, type PackageJob, paymentsOf } from './package.ts';
import { packageJobs } from './packages.ts';
import { destinationOf, rowsOf, withoutPackage } from './rows.ts';
import { signableText } from './signature.ts';

/** Returns the package that *Send Package* would send, one item for each recipient. Sends nothing and needs no token. */
export const preparePackage = bindHooks<typeof operation, PackageJob>(operation, {
	jobs: (run) => packageJobs(run),
	payments: (_run, job, { body }) => paymentsOf(job, body),
	async previewItems(run, job, { input: { body } }, bank, payments) {
		const protection = await bank.protection();
		const destination = await destinationOf(run);
		const open = payments.filter((payment) => protection.verdictOf(payment) === undefined);
		const part = packageOf(run, job, body, open);
		const prepared = part === undefined ? [] : rowsOf(part.job, part.body, destination);
		const all = [...rowsOf(job, body, destination), ...prepared];
		const bySequence = new Map(all.map((row) => [String(row.sequence), row]));
		const [first] = prepared;
		const isChecked = run.parameters.options().checkRecipients === true;
		const statuses = isChecked ? await protection.recipientStatuses(payments) : undefined;
		const left = await (await bank.limits()).leftToday();
		return payments.map((payment) => {
			const row = shownRow(run, payment, bySequence.get(payment.name) ?? {}, protection);
			const limit = left === undefined ? {} : { leftToday: Number(hundredthsText(left)) };
			const status = statuses && { recipientStatus: statuses.get(payment) };
			// The most important fields come first. If an input column has the same name as a package field, the package
			// field is kept.
			const shown = {
				outcome: row.outcome,
				total: first?.total ?? 0,
				...limit,
				...columnsOf(run, job, payment),
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

	async summarize(run, items, bank) {
		const rows = items.flatMap(({ json }) => (json.outcome === undefined ? [] : [json]));
		const prepared = rows.filter(({ outcome }) => outcome === 'prepared');
		if (rows.length === 0) return;
		const total = moneyText(exactTotal(prepared.map(({ amount }) => Number(amount))) ?? 0);
		const payments = prepared.length === 1 ? '1 payment' : `${prepared.length} payments`;
		const counted = (outcome: string, words: string) => {
			const count = rows.filter((row) => row.outcome === outcome).length;
			return count === 0 ? '' : `, ${count} ${words}`;
		};
		const open = counted('conflict', 'in conflict') + counted('unknown', 'unknown');
		const others = counted('alreadyAccepted', 'already sent') + open;
		const left = rows[0]?.leftToday;
		const rest = typeof left === 'number' ? ` Daily limit: ${moneyText(left)} left today.` : '';
		const next = open === '' ? '' : ' Payments in conflict and unknown ones are left out: see their message.';
		showHint(run, open === '' ? 'info' : 'warning', `${payments}, ${total}${others}, nothing sent now.${next}${rest}`);
		const { logState, logProblem = '' } = await bank.protection();
		if (logState === 'on') return;
		const problem = logState === 'off' ? 'is off' : `could not be read or written (${logProblem.slice(0, 120)})`;
		showHint(
			run,
			'warning',
			`The payment log ${problem}, so payments that were already sent are not left out. They are not sent again, but a package ` +
				'with one of them is refused.',
		);
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

/** A payment that was already sent is listed with its result, and left out of the package. */
function shownRow(run: Run, payment: Payment, row: IDataObject, protection: Protection): IDataObject {
	const verdict = protection.verdictOf(payment);
	if (verdict === undefined) return row;
	const shown = withoutPackage(row);
	if (verdict.is === 'alreadyAccepted') return { ...shown, ...acceptedEarlier(verdict.row) };
	const failure = heldBackError(run, payment, verdict, protection.logState);
	const words = isBankFailure(failure) ? (failure.details.words ?? '') : '';
	const found = verdict.row === undefined ? {} : resolvableBy(payment, verdict.row);
	return { ...shown, outcome: verdict.is, message: failure.message, description: words, ...found };
}

/**
 * The columns of the input, so that a reviewer can recognize the recipients. Columns that Send Package would read as
 * part of the package are left out.
 */
function columnsOf({ context }: Run, { items }: Job, { item }: Payment): IDataObject {
	if (items.length === 1) return {};
	const columns = withoutField(context.getInputData()[item]?.json ?? {}, 'nameCheck') as IDataObject;
	return isRecord(columns.name) ? (withoutField(columns, 'name') as IDataObject) : columns;
}
