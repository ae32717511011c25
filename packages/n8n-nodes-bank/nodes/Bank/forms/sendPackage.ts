import { type definitions, denied, phoneDigits, type Shortfall, textOrNumber, unconfirmed } from '@bank/core';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { errorItem } from '../../shared/failures.ts';
import type { Done, Form } from '../../shared/form.ts';
import { isItemJson } from '../../shared/itemJson.ts';
import type { JournalRow } from '../../shared/journal.ts';
import type { Items, Job, Run } from '../../shared/run/run.ts';
import { groupOf, isPackage, itemAt } from './package.ts';
import { packageJobs } from './packages.ts';
import { destinationOf, rowsOf } from './rows.ts';
import { signingOf } from './signature.ts';

type SendPackage = typeof definitions.payment.sendPackage;

/** P1: a package of payments is sent, and each recipient learns what became of it. */
export const sendPackage: Form<SendPackage> = {
	jobs: async (run) => await packageJobs(run, (await signingOf(run)).signedBody),
	amend: async (run, _job, prepared) => ({ prepared: (await signingOf(run)).signed(prepared) }),
	output: paymentsOf,
	receipt: ['sequence', 'transactionId', 'payPackage'],
	journal: journalRows,
};

/** By sequence: what failed is told of by the names that it is about. */
function journalRows(job: Job, items: Items): JournalRow[] {
	const { body } = job.input;
	if (!isPackage(body)) return [];
	const { paymentRun } = groupOf(job).header;
	const told = items.map(({ json }) => ({ ...json, ...(isItemJson(json.details) ? json.details : {}) }));
	return body.payments.map(({ sequence, amount, phone }) => {
		const own =
			told.find((one) => one.sequence === sequence || listIn(one.sequences).includes(sequence)) ?? told[0] ?? {};
		const { outcome, payPackage, transactionId } = own;
		return {
			paymentRun,
			sequence,
			amount: textOrNumber(amount),
			phone: masked(textOrNumber(phone)),
			outcome: textOrNumber(outcome),
			payPackage: textOrNumber(payPackage),
			transactionId: textOrNumber(transactionId),
		};
	});
}

const masked = (phone: string): string => phone.slice(0, -4).replace(/\d/g, '*') + phone.slice(-4);

/**
 * One item for each payment that was sent, then what the answer holds besides, which is nobody's payment.
 * The package was accepted: whatever its answer looks like, it must not end in an error that says nothing was sent.
 */
async function paymentsOf(run: Run, { job, sent, result }: Done<SendPackage>): Promise<Items> {
	const { payments, ...rest } = isItemJson(result.data) ? result.data : {};
	const answers: IDataObject[] = listIn(payments).filter(isItemJson);
	const bySequence = new Map(answers.toReversed().map((answered) => [String(answered.sequence), answered] as const));
	const rows = rowsOf(job, sent.body, await destinationOf(run));
	const shared = sharedIn(rows.map(({ sequence }) => bySequence.get(String(sequence))?.transactionId));
	const found = new Set<string>();
	const results = rows.map((row, index) => {
		const answered = bySequence.get(String(row.sequence));
		const item = itemAt(job.items, index);
		if (answered !== undefined) found.add(nameOf(answered));
		const shortfall = shortfallOf(row, answered, shared);
		if (shortfall !== undefined) return unknownItem(run, shortfall, row, { ...rest, answered }, item);
		return { json: { ...row, ...answered, ...rest, outcome: 'accepted' }, pairedItem: { item } };
	});
	const others = answers.filter((answered) => !found.has(nameOf(answered)));
	return [
		...results,
		...others.map((answered) => {
			const index = rows.findIndex(({ sequence }) => String(sequence) === String(answered.sequence));
			return unknownItem(run, 'notAsked', answered, { ...rest, answered }, itemAt(job.items, Math.max(index, 0)));
		}),
	];
}

/** Which payment a row of the answer is: the same row twice is one. */
const nameOf = ({ sequence, transactionId }: IDataObject) => JSON.stringify([String(sequence), transactionId]);

/** A transaction ID is of one payment (2.2.1): those that several payments have say of none of them that it was made. */
function sharedIn(given: readonly unknown[]): ReadonlySet<string> {
	const ids = given.map(textOrNumber);
	const once = new Set<string>();
	return new Set(ids.filter((id) => once.size === once.add(id).size));
}

/** What keeps a row of the answer from saying that this payment, and no other, was taken. A phone that is masked says nothing. */
function shortfallOf(
	row: IDataObject,
	answered: IDataObject | undefined,
	shared: ReadonlySet<string>,
): Shortfall | undefined {
	if (answered === undefined) return 'missing';
	if (denied(answered)) return 'speaksOfError';
	const { transactionId, amount, phone } = answered;
	if (textOrNumber(transactionId) === '') return 'noTransaction';
	if (shared.has(textOrNumber(transactionId))) return 'sameTransaction';
	if (textOrNumber(amount) !== '' && Number(amount) !== row.amount) return 'otherAmount';
	const digits = phoneDigits(phone);
	return digits.length === 10 && digits !== phoneDigits(row.phone) ? 'otherPhone' : undefined;
}

/** The package was accepted, but the bank does not say this of the payment: neither paid nor not. */
function unknownItem(
	{ context, operation }: Run,
	shortfall: Shortfall,
	row: IDataObject,
	rest: IDataObject,
	item: number,
): INodeExecutionData {
	const name = String(row.sequence);
	const { json } = errorItem(operation.id, unconfirmed(operation, name, shortfall), item, [
		{ field: 'sequence', name, value: name, item },
	]);
	if (!context.continueOnFail())
		return {
			json: { ...row, ...rest, outcome: 'unknown', note: `${String(json.error)}. ${String(json.message)}` },
			pairedItem: { item },
		};
	// In an error output there is room for nothing beside the details.
	return {
		json: { ...json, details: { ...(isItemJson(json.details) ? json.details : {}), ...rest } },
		pairedItem: { item },
	};
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);
