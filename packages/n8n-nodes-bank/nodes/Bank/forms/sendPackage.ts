import {
	type definitions,
	exactTotal,
	type Fault,
	InputError,
	type OperationInput,
	readRecipients,
	wholeNumbers,
} from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { type Done, type Form, isPreview } from '../../shared/form.ts';
import { isItemJson } from '../../shared/itemJson.ts';
import { firstItem, type Items, type Job, type Run } from '../../shared/run/run.ts';
import { signable, type Signing, signingOf } from './signature.ts';

type SendPackage = typeof definitions.payment.sendPackage;
type Recipient = Record<string, unknown>;

/** P1: recipients from items or from a list -> packages (one package by default, exact totals, stable sequences). */
export const sendPackage: Form<SendPackage> = {
	preview: true,

	async jobs(run) {
		const { parameters, itemCount } = run;
		const signing = await signingOf(run);
		const all = Array.from({ length: itemCount }, (_, item) => item);
		if (parameters.value('recipientsFrom', 0) === 'list')
			return all.flatMap((item) => split(run, signing, [item], recipientsOfList(run, item)));
		const groups = parameters.options(0).packagePerItem === true ? all.map((item) => [item]) : [all];
		return groups.flatMap((items) =>
			split(
				run,
				signing,
				items,
				items.map((item) => recipientOfItem(run, item)),
			),
		);
	},

	async amend(run, job, prepared) {
		if (isPreview(run, firstItem(job))) return { added: signable(prepared) };
		const { signed } = await signingOf(run);
		return { prepared: signed(prepared) };
	},

	output: (_run, done) => paymentsOf(done),
};

/**
 * One item for each payment that was sent, then what the answer holds besides. The package was accepted: whatever its answer looks
 * like, it must not end in an error that says nothing was sent.
 */
function paymentsOf({ job: { items }, sent, result }: Done<SendPackage>): Items {
	const { payments, ...rest } = isItemJson(result.data) ? result.data : {};
	const answers: IDataObject[] = listIn(payments).filter(isItemJson);
	const bySequence = new Map(answers.toReversed().map((answered) => [String(answered.sequence), answered]));
	const sequences = sent.body.payments.map(({ sequence }) => sequence);
	const itemOf = (index: number) => items[Math.min(index, items.length - 1)] ?? 0;
	const results = sequences.map((sequence, index) => {
		const answered = bySequence.get(sequence);
		const pairedItem = { item: itemOf(index) };
		if (answered !== undefined) return { json: { ...answered, ...rest, outcome: 'accepted' }, pairedItem };
		// The package was accepted, but the bank says nothing of this payment: neither paid nor not.
		const note =
			'The bank accepted the package, but its answer does not name this payment: check with the bank before sending it again';
		return { json: { sequence, ...rest, outcome: 'unknown', note }, pairedItem };
	});
	const others = answers.filter((answered) => {
		const sequence = String(answered.sequence);
		return !sequences.includes(sequence) || bySequence.get(sequence) !== answered;
	});
	const pairedItem = { item: itemOf(0) };
	return [
		...results,
		...others.map((answered) => ({ json: { ...answered, ...rest, outcome: 'accepted' }, pairedItem })),
	];
}

const listIn = (value: unknown): unknown[] => (Array.isArray(value) ? value : []);

function recipientOfItem({ parameters }: Run, item: number): Recipient {
	const names = ['amount', 'phone', 'nspkBankId', 'paymentDescription', 'ric', 'sequence'];
	return {
		...Object.fromEntries(names.map((name) => [name, parameters.value(name, item, '')])),
		name: parameters.value('name', item, {}),
	};
}

function recipientsOfList({ parameters }: Run, item: number): Recipient[] {
	const list = readRecipients(parameters.value('payments', item, ''));
	if (list !== undefined) return list;
	const message = 'must be a list of recipients: an expression that gives an array, or JSON';
	throw new InputError([{ path: 'payments', message, item }]);
}

/** Recipients -> one package, or several of at most `maxPayments`. */
function split(run: Run, signing: Signing, items: number[], recipients: Recipient[]): Job[] {
	const { maxPayments: given = 0 } = run.parameters.options(items[0] ?? 0);
	const { maxPayments } = wholeNumbers({ maxPayments: { value: given, min: 0 } });
	// 0 for no maximum.
	const size = maxPayments > 0 ? maxPayments : Math.max(recipients.length, 1);
	const oneItemEach = items.length === recipients.length;
	const jobs: Job[] = [];
	for (let start = 0; start < Math.max(recipients.length, 1); start += size) {
		const part = recipients.slice(start, start + size);
		jobs.push(packageJob(run, signing, oneItemEach ? items.slice(start, start + size) : items, part, start));
	}
	return jobs;
}

function packageJob(run: Run, signing: Signing, items: number[], recipients: Recipient[], offset: number): Job {
	const { parameters } = run;
	const [first = 0] = items;
	const { nameCheck, b2cClientId, total } = parameters.group('additionalFields', first);
	const preview = isPreview(run, first);
	const partnerId = parameters.value('partnerId', first);
	const header = { inn: parameters.value('inn', first), account: parameters.value('account', first) };
	refuseMixedPackage(run, items, { ...header, partnerId, b2cClientId, nameCheck, preview });
	const payments = recipients.map((recipient, index) => ({
		...recipient,
		sequence: sequenceOf(recipient.sequence, offset + index),
	}));
	const amounts = recipients.map(({ amount }) =>
		typeof amount === 'number' || typeof amount === 'string' ? amount : '',
	);
	const body = {
		client: { partnerId, b2cClientId },
		...header,
		// An amount that cannot be added up, is nothing or is not there has a fault of its own; any number does for the total then.
		total: total === undefined || total === '' ? exactTotal(amounts) || 1 : total,
		nameCheck,
		payments,
		signedBody: signing.signedBody(first),
	};
	return { items, input: { body } satisfies OperationInput, locate: locateIn(items, recipients.length) };
}

/** The same input gives the same sequence on every run: the user's own, else the position. */
function sequenceOf(given: unknown, position: number): string {
	const text = String(given ?? '').trim();
	return text === '' ? String(position + 1) : text;
}

/** `payments[3].phone` of items 0-9 is `phone` of item 3. */
function locateIn(items: number[], count: number): (fault: Fault) => Fault {
	const [first = 0] = items;
	return (fault) => {
		const match = /^payments\[(\d+)\]\.?(.*)$/.exec(fault.path);
		if (match === null || items.length !== count || count === 0) return { ...fault, item: first };
		const [, index, field = ''] = match;
		const message = fault.message.replace(
			/payments\[(\d+)\]/g,
			(_, other: string) => `item ${items[Number(other)] ?? other}`,
		);
		return { ...fault, path: field, message, item: items[Number(index)] ?? first };
	};
}

/** What a package has only once is read from its first item; that another item says otherwise must not pass unseen. */
function refuseMixedPackage(run: Run, items: number[], first: Record<string, unknown>): void {
	const { parameters } = run;
	const faults: Fault[] = [];
	for (const item of items) {
		const { nameCheck, b2cClientId } = parameters.group('additionalFields', item);
		const own: Record<string, unknown> = { b2cClientId, nameCheck, preview: isPreview(run, item) };
		for (const [name, value] of Object.entries(first)) {
			const here = name in own ? own[name] : parameters.value(name, item);
			if (String(here ?? '') === String(value ?? '')) continue;
			const message =
				`differs from that of item ${items[0]}, but a package has only one. Switch ` +
				`on "One Package per Item", or split the items before this node`;
			faults.push({ path: name, message, item });
		}
	}
	if (faults.length > 0) throw new InputError(faults);
}
