import {
	definitions,
	omitUndefined,
	unconfirmedFieldIn,
	phoneDigits,
	phoneNumber,
	prepare,
	type Shortfall,
	splitList,
	textOrNumber,
	createUnconfirmedError,
	hasContent,
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
import { oncePerRun, type Run } from '../../shared/form/run.ts';
import { preparingOf } from '../../shared/form/settings.ts';
import {
	type PackageGroup,
	identifiedPayments,
	inputOf,
	narrowJob,
	type PackageBody,
	type PackageJob,
	paymentsOf,
} from './package.ts';
import { isPrepared, packageJobs } from './packages.ts';
import { sentBeforePrepared } from './preparedRows.ts';
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
	const read = (group: PackageGroup) =>
		prepare(run.operation, inputOf(group), preparingOf(run, 0)).input.body as PackageBody;
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
	const bySequence = Map.groupBy(receivedRows, ({ sequence }) => textOrNumber(sequence));
	const rows = rowsOf(job, sent.body, await destinationOf(run));
	const statuses = acceptedStatuses(run);
	const owners = ownersOf(run);
	for (const { sequence, transactionId } of receivedRows) {
		const id = idOf(transactionId);
		owners.set(id, (owners.get(id) ?? new Set()).add(textOrNumber(sequence)));
	}
	const isShared = (id: string) => (owners.get(id)?.size ?? 0) > 1;
	const ofPackage = packageShortfall(sent.body, rest, statuses);
	const found = new Set<string>();
	const results = rows.map((row, index): [name: string, Partial<SettledPayment>] => {
		const name = String(row.sequence);
		const [received, ...repeated] = bySequence.get(name) ?? [];
		const item = job.rows[index]?.item ?? 0;
		if (received !== undefined) found.add(rowKeyOf(received));
		const doubts = [received, ...repeated].map((one) => shortfallOf(row, one, isShared, statuses));
		const shortfall = ofPackage ?? doubts.find((one) => one !== undefined);
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
		const index = rows.findIndex(({ sequence }) => sequence === textOrNumber(received.sequence));
		const failure = createUnconfirmedError(run.operation, String(received.sequence), 'notAsked');
		const json = { ...rest, sequence: textOrNumber(received.sequence), response: received };
		const { item = 0 } = job.rows[Math.max(index, 0)] ?? {};
		return [errorItem(run.operation.id, failure, item, [], json)];
	});
	return { payments: new Map(results), others };
}

/** Identifies a row of the response, so that repeated rows count once. */
const rowKeyOf = ({ sequence, transactionId }: IDataObject) => JSON.stringify([String(sequence), transactionId]);

/**
 * The payments for which the bank returned each transaction ID in this run. An ID belongs to one payment (2.2.1), so an
 * ID of several payments confirms none.
 */
const ownersOf = oncePerRun(() => new Map<string, Set<string>>());

const idOf = (transactionId: unknown): string => textOrNumber(transactionId).trim().toLowerCase();

/** Why a row of the response does not prove that this payment was accepted. */
function shortfallOf(
	row: IDataObject,
	received: IDataObject | undefined,
	isShared: (id: string) => boolean,
	statuses: ReadonlySet<string>,
): Shortfall | undefined {
	if (received === undefined) return 'missing';
	if (unconfirmedFieldIn(received, statuses, new Set(Object.values(row))) !== undefined) return 'otherStatus';
	const { transactionId, amount, phone, nspkBankId } = received;
	const id = idOf(transactionId);
	if (noTransaction.test(id)) return 'noTransaction';
	if (isShared(id)) return 'sameTransaction';
	if (differs(amount, row.amount, Number)) return 'otherAmount';
	if (differs(nspkBankId, row.nspkBankId, (value) => textOrNumber(value).trim())) return 'otherBank';
	return isOtherPhone(phone, row.phone) ? 'otherPhone' : undefined;
}

/**
 * Whether a received phone differs from the one sent. Of a masked number, only the digits after the mask are compared.
 */
function isOtherPhone(received: unknown, sent: unknown): boolean {
	const end = textOrNumber(received).split('*').slice(1).pop();
	return end === undefined ? differs(received, sent, phoneNumber) : !phoneDigits(sent).endsWith(phoneDigits(end));
}

/** Why the response does not prove that the package was accepted. */
function packageShortfall(sent: PackageBody, rest: IDataObject, statuses: ReadonlySet<string>): Shortfall | undefined {
	if (unconfirmedFieldIn(rest, statuses) !== undefined) return 'otherStatus';
	if (hasContent(rest.payPackage) && !/^\d*[1-9]\d*$/.test(textOrNumber(rest.payPackage))) return 'noPackage';
	const client = isItemJson(rest.client) ? rest.client : undefined;
	const text = (value: unknown) => textOrNumber(value).trim();
	const isOtherSender =
		(client === undefined && hasContent(rest.client)) ||
		differs(rest.account, sent.account, text) ||
		differs(rest.inn, sent.inn, text) ||
		differs(client?.partnerId, sent.client.partnerId, Number) ||
		(sent.client.b2cClientId !== undefined && differs(client?.b2cClientId, sent.client.b2cClientId, text));
	return isOtherSender ? 'otherSender' : undefined;
}

/** Whether the response repeats a field of the request with another value, or one of another type. */
function differs(received: unknown, sent: unknown, read: (value: unknown) => unknown): boolean {
	const text = textOrNumber(received);
	return hasContent(received) && (text === '' || (!text.includes('*') && read(received) !== read(sent)));
}

/**
 * Values that mean that there is no transaction: some words, negative numbers, and texts that have neither a letter nor
 * a digit other than 0.
 */
const noTransaction = /^(?:null|undefined|none|nil|n\/?a|-\d*|[^1-9\p{L}]*)$/iu;

/** Good values of status fields that the user lists, in addition to the usual ones. */
function acceptedStatuses({ parameters }: Run): ReadonlySet<string> {
	return new Set(splitList(parameters.options(0).acceptedStatuses ?? '', 'name').map(wordOf));
}
