import {
	definitions,
	omitUndefined,
	paymentObjection,
	phoneDigits,
	prepare,
	type Shortfall,
	splitList,
	textOrNumber,
	createUnconfirmedError,
	wordOf,
} from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { errorItem } from '../../shared/base/failures.ts';
import {
	bindHooks,
	type CompletedRequest,
	type ResponseResults,
	type SettledPayment,
} from '../../shared/pipeline/operationHooks.ts';
import { isItemJson } from '../../shared/form/itemJson.ts';
import type { Run } from '../../shared/form/run.ts';
import { preparingOf } from '../../shared/form/settings.ts';
import {
	type Group,
	identifiedPayments,
	inputOf,
	narrowJob,
	type PackageBody,
	type PackageJob,
	paymentsOf,
} from './package.ts';
import { isPrepared, packageJobs } from './packages.ts';
import { sentBeforePrepared } from './prepared.ts';
import { destinationOf, rowsOf, withoutPackage } from './rows.ts';
import { addSignature, signedBodyOf } from './signature.ts';

type SendPackage = typeof definitions.payment.sendPackage;

export const sendPackage = bindHooks<SendPackage, PackageJob>(definitions.payment.sendPackage, {
	jobs: async (run) => await packageJobs(run, await signedBodyOf(run)),
	payments: (_run, job, { body }) => paymentsOf(job, body),
	identify: identifiedIn,
	amend: async (run, _job, prepared) => ({ prepared: await addSignature(run, prepared) }),
	narrow: (job, { body }, payments) => narrowJob(job, body, payments),
	results: resultsOf,
	earlierItems: async (run, job, { body }) => {
		const rows = rowsOf(job, body, await destinationOf(run));
		return new Map(rows.map((row) => [String(row.sequence), withoutPackage(row)]));
	},
	passThrough: (run) => (isPrepared(run) ? sentBeforePrepared(run) : []),
	receiptFields: ['sequence', 'transactionId', 'payPackage'],
});

function identifiedIn(run: Run, { groups, ...job }: PackageJob) {
	const read = (group: Group) => prepare(run.operation, inputOf(group), preparingOf(run, 0)).input.body as PackageBody;
	// Without rows, the recipients could not be read.
	const known = groups ?? ('rows' in job ? [job] : []);
	return known.flatMap((group) => identifiedPayments(group, read));
}

async function resultsOf(
	run: Run,
	{ job, sent, result }: CompletedRequest<SendPackage, PackageJob>,
): Promise<ResponseResults> {
	const { payments: given, ...rest } = isItemJson(result.data) ? result.data : {};
	const receivedRows = Array.isArray(given) ? given.filter(isItemJson) : [];
	// Of repeated rows, the first one counts.
	const bySequence = new Map(receivedRows.toReversed().map((row) => [String(row.sequence), row] as const));
	const rows = rowsOf(job, sent.body, await destinationOf(run));
	const statuses = acceptedStatuses(run);
	const shared = repeatedIdsIn(rows.map(({ sequence }) => bySequence.get(String(sequence))?.transactionId));
	const ofPackage = packageShortfall(sent.body, rest, statuses);
	const found = new Set<string>();
	const results = rows.map((row, index): [name: string, Partial<SettledPayment>] => {
		const name = String(row.sequence);
		const received = bySequence.get(name);
		const item = job.rows[index]?.item ?? 0;
		if (received !== undefined) found.add(rowKeyOf(received));
		const shortfall = ofPackage ?? shortfallOf(row, received, shared, statuses);
		const ids = { payPackage: textOrNumber(rest.payPackage), transactionId: textOrNumber(received?.transactionId) };
		if (shortfall === undefined) {
			const json = { ...row, ...received, ...rest, outcome: 'accepted' };
			return [name, { ids, items: [{ json, pairedItem: { item } }] }];
		}
		const details = omitUndefined({ ...rest, response: received });
		return [name, { ids, failure: createUnconfirmedError(run.operation, name, shortfall), details }];
	});
	const others = receivedRows.flatMap((received) => {
		if (found.has(rowKeyOf(received))) return [];
		const index = rows.findIndex(({ sequence }) => String(sequence) === String(received.sequence));
		const failure = createUnconfirmedError(run.operation, String(received.sequence), 'notAsked');
		const json = { ...rest, sequence: textOrNumber(received.sequence), response: received };
		const { item = 0 } = job.rows[Math.max(index, 0)] ?? {};
		return [errorItem(run.operation.id, failure, item, [], json)];
	});
	return { payments: new Map(results), others };
}

/** Identifies a row of the response, so that repeated rows count once. */
const rowKeyOf = ({ sequence, transactionId }: IDataObject) => JSON.stringify([String(sequence), transactionId]);

/** Transaction IDs of several payments. An ID belongs to one payment (2.2.1), so these prove nothing. */
function repeatedIdsIn(given: readonly unknown[]): ReadonlySet<string> {
	const ids = given.map(textOrNumber);
	const once = new Set<string>();
	return new Set(ids.filter((id) => once.size === once.add(id).size));
}

/** Why a row of the response does not prove that this payment was accepted. A masked phone number is ignored. */
function shortfallOf(
	row: IDataObject,
	received: IDataObject | undefined,
	shared: ReadonlySet<string>,
	statuses: ReadonlySet<string>,
): Shortfall | undefined {
	if (received === undefined) return 'missing';
	if (paymentObjection(received, statuses, new Set(Object.values(row))) !== undefined) return 'otherStatus';
	const { transactionId, amount, phone, nspkBankId } = received;
	const id = textOrNumber(transactionId);
	if (noTransaction.test(id.trim())) return 'noTransaction';
	if (shared.has(id)) return 'sameTransaction';
	if (differs(amount, row.amount, Number)) return 'otherAmount';
	if (differs(nspkBankId, row.nspkBankId, (value) => textOrNumber(value).trim())) return 'otherBank';
	const digits = phoneDigits(phone);
	return digits.length === 10 && digits !== phoneDigits(row.phone) ? 'otherPhone' : undefined;
}

/** Why the response does not prove that the package was accepted. */
function packageShortfall(sent: PackageBody, rest: IDataObject, statuses: ReadonlySet<string>): Shortfall | undefined {
	if (paymentObjection(rest, statuses) !== undefined) return 'otherStatus';
	const { partnerId } = isItemJson(rest.client) ? rest.client : {};
	const text = (value: unknown) => textOrNumber(value).trim();
	const isOtherSender =
		differs(rest.account, sent.account, text) ||
		differs(rest.inn, sent.inn, text) ||
		differs(partnerId, sent.client.partnerId, Number);
	return isOtherSender ? 'otherSender' : undefined;
}

/** Whether the response repeats a field of the request with another value. */
const differs = (received: unknown, sent: unknown, read: (value: unknown) => unknown): boolean =>
	textOrNumber(received).trim() !== '' && !textOrNumber(received).includes('*') && read(received) !== read(sent);

/** Values that mean there is no transaction. */
const noTransaction = /^(?:|null|undefined|none|nil|0+|-+|n\/?a|0{8}-0{4}-0{4}-0{4}-0{12})$/i;

/** Further good values, as the user lists them. */
function acceptedStatuses({ parameters }: Run): ReadonlySet<string> {
	return new Set(splitList(parameters.options(0).acceptedStatuses ?? '', 'name').map(wordOf));
}
