import {
	type definitions,
	exactTotal,
	type Fault,
	type InputOf,
	InputError,
	type OperationInput,
	readRecipients,
	wholeNumbers,
} from '@bank/core';

import type { Identity, Job, Run } from '../../shared/run/run.ts';

/** Recipients from items or from a list -> packages (one by default), with exact totals, sequences and identities. */

export type SendPackage = typeof definitions.payment.sendPackage;
export type PackageBody = InputOf<SendPackage>['body'];
export type PackageJob = Job<InputOf<SendPackage>>;

type Recipient = Record<string, unknown>;

/** Recipients that belong together, with the items they come from. */
interface Group {
	items: number[];
	recipients: Recipient[];
}

/** @throws InputError where the recipients make no package */
export function packageJobs(run: Run, signedBody: (item: number) => unknown): PackageJob[] {
	checkPaymentRun(run);
	const groups = groupsOf(run);
	refuseRepeats(groups);
	let position = 0;
	return groups.map((group) => {
		const job = packageJob(run, group, position, signedBody);
		position += group.recipients.length;
		return job;
	});
}

/** Expressions that give something else each time: they identify nothing. */
const everNew =
	/\$execution\b|\$runIndex\b|\$itemIndex\b|Math\.random|Date\.now|new Date\(\s*\)|\$now\s*\}\}|\$now\.(?:to\w+|ts|valueOf)\b/;

/** @throws InputError where it does not say which payout this is */
function checkPaymentRun({ context, itemCount, parameters }: Run): void {
	const { paymentRun } = context.getNode().parameters;
	if (typeof paymentRun === 'string' && everNew.test(paymentRun)) {
		const message =
			'must not come from a clock, a random number, a position or the execution: it would be another one each time, and ' +
			'nobody would be kept from being paid twice. Use what stays the same when this payout is run again, such as salary-2026-11';
		throw new InputError([{ path: 'paymentRun', message, item: 0 }]);
	}
	const message = 'is required: what you call this payout, such as salary-2026-11 or the number of an invoice';
	const faults: Fault[] = [];
	for (let item = 0; item < itemCount; item++)
		if (parameters.text('paymentRun', item) === '') faults.push({ path: 'paymentRun', message, item });
	if (faults.length > 0) throw new InputError(faults);
}

function groupsOf(run: Run): Group[] {
	const { parameters, itemCount } = run;
	const all = Array.from({ length: itemCount }, (_, item) => item);
	if (parameters.value('recipientsFrom', 0) === 'list')
		return all.flatMap((item) => split(run, { items: [item], recipients: recipientsOfList(run, item) }));
	const groups = parameters.options(0).packagePerItem === true ? all.map((item) => [item]) : [all];
	return groups.flatMap((items) => split(run, { items, recipients: items.map((item) => recipientOfItem(run, item)) }));
}

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

/** One package, or several of at most `maxPayments`. */
function split(run: Run, { items, recipients }: Group): Group[] {
	const { maxPayments: given = 0 } = run.parameters.options(items[0] ?? 0);
	const { maxPayments } = wholeNumbers({ maxPayments: { value: given, min: 0 } });
	// 0 for no maximum.
	const size = maxPayments > 0 ? maxPayments : Math.max(recipients.length, 1);
	const oneItemEach = items.length === recipients.length;
	const groups: Group[] = [];
	for (let start = 0; start < Math.max(recipients.length, 1); start += size)
		groups.push({
			items: oneItemEach ? items.slice(start, start + size) : items,
			recipients: recipients.slice(start, start + size),
		});
	return groups;
}

const ownSequence = ({ sequence }: Recipient): string => String(sequence ?? '').trim();

const itemAt = (items: readonly number[], index: number): number => items[Math.min(index, items.length - 1)] ?? 0;

/** A sequence of the user's own means one payment, in whatever package of the run it stands. Within one the rules say so. */
function refuseRepeats(groups: readonly Group[]): void {
	const first = new Map<string, Group>();
	const faults: Fault[] = [];
	for (const group of groups) {
		for (const [index, recipient] of group.recipients.entries()) {
			const sequence = ownSequence(recipient);
			const earlier = first.get(sequence);
			if (sequence === '') continue;
			first.set(sequence, earlier ?? group);
			const message = 'stands in two packages of this run, and a sequence means one payment';
			if (earlier !== undefined && earlier !== group)
				faults.push({ path: 'sequence', message, item: itemAt(group.items, index) });
		}
	}
	if (faults.length > 0) throw new InputError(faults);
}

function packageJob(run: Run, group: Group, position: number, signedBody: (item: number) => unknown): PackageJob {
	const { parameters } = run;
	const { items, recipients } = group;
	const first = itemAt(items, 0);
	const once = onlyOnce(run, first);
	refuseMixedPackage(run, items, once);
	const { total } = parameters.group('additionalFields', first);
	const amounts = recipients.map(({ amount }) =>
		typeof amount === 'number' || typeof amount === 'string' ? amount : '',
	);
	const body = {
		client: { partnerId: once.partnerId, b2cClientId: once.b2cClientId },
		inn: once.inn,
		account: once.account,
		// An amount that cannot be added up, is nothing or is not there has a fault of its own; any number does for the total then.
		total: total === undefined || total === '' ? exactTotal(amounts) || 1 : total,
		nameCheck: once.nameCheck,
		// The same input gives the same sequence on every run: the user's own, else the position.
		payments: recipients.map((recipient, index) => ({
			...recipient,
			sequence: ownSequence(recipient) || String(position + index + 1),
		})),
		signedBody: signedBody(first),
	};
	return {
		items,
		input: { body } satisfies OperationInput,
		locate: locateIn(items, recipients.length),
		identities: ({ body: sent }) => identitiesIn(sent, group, parameters.text('paymentRun', first)),
	};
}

/**
 * What makes a payment the same as one of an earlier run: who pays whom how much, for which payment run, under which sequence. A
 * sequence that was only its position says nothing, because rows move: equal payments are then counted instead.
 */
function identitiesIn(
	{ account, payments }: PackageBody,
	{ items, recipients }: Group,
	paymentRun: string,
): Identity[] {
	return payments.map(({ phone, nspkBankId, amount, sequence }, index) => {
		const own = ownSequence(recipients[index] ?? {});
		return {
			field: 'sequence',
			name: sequence,
			value: ['payment', paymentRun, account, phone, nspkBankId, amount, own],
			item: itemAt(items, index),
			countsEquals: own === '',
		};
	});
}

/** What a package has only once. */
function onlyOnce({ parameters }: Run, item: number): Record<string, unknown> {
	const { nameCheck, b2cClientId } = parameters.group('additionalFields', item);
	return {
		paymentRun: parameters.text('paymentRun', item),
		partnerId: parameters.value('partnerId', item),
		inn: parameters.value('inn', item),
		account: parameters.value('account', item),
		b2cClientId,
		nameCheck,
	};
}

/** It is read from the first item; that another item says otherwise must not pass unseen. */
function refuseMixedPackage(run: Run, items: readonly number[], first: Record<string, unknown>): void {
	const faults: Fault[] = [];
	for (const item of items.slice(1)) {
		const here = onlyOnce(run, item);
		for (const [path, value] of Object.entries(first)) {
			if (String(here[path] ?? '') === String(value ?? '')) continue;
			const message =
				`differs from that of item ${items[0]}, but a package has only one. Switch ` +
				`on "One Package per Item", or split the items before this node`;
			faults.push({ path, message, item });
		}
	}
	if (faults.length > 0) throw new InputError(faults);
}

/** `payments[3].phone` of items 0-9 is `phone` of item 3. */
function locateIn(items: readonly number[], count: number): (fault: Fault) => Fault {
	const first = itemAt(items, 0);
	return (fault) => {
		const match = /^payments\[(\d+)\]\.?(.*)$/.exec(fault.path);
		if (match === null || items.length !== count || count === 0) return { ...fault, item: fault.item ?? first };
		const [, index, field = ''] = match;
		const message = fault.message.replace(
			/payments\[(\d+)\]/g,
			(_, other: string) => `item ${items[Number(other)] ?? other}`,
		);
		return { ...fault, path: field, message, item: items[Number(index)] ?? first };
	};
}
