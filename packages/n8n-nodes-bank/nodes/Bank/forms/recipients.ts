import { type ValidationIssue, InputError, readRecipients, wholeNumbers } from '@bank/core';

import { refuseUnstable } from '../../shared/idempotency/stableNames.ts';
import type { Run } from '../../shared/pipeline/run.ts';
import { recipientsOfColumns } from './columns.ts';
import { type Group, type Header, itemAt, ownSequence, type Recipient } from './package.ts';
import { checkPaymentRun } from './paymentRun.ts';
import { checkSequences } from './sequence.ts';
import { type Sender, senderOf } from './sender.ts';

/** What the form says of recipients and sender -> groups that become a package each. */

/** @throws InputError where the form names no recipients, or no payment run */
export async function groupsOf(run: Run): Promise<Group[]> {
	await checkPaymentRun(run);
	await checkSequences(run);
	const sender = await senderOf(run);
	const { parameters, itemCount } = run;
	const all = Array.from({ length: itemCount }, (_, item) => item);
	const from = parameters.value('recipientsFrom', 0);
	if (from === 'list') return all.flatMap((item) => split(run, sender, [item], recipientsOfList(run, item)));
	const read = from === 'columns' ? recipientsOfColumns(run) : (item: number) => recipientOfItem(run, item);
	const rows = run.context.getInputData();
	const recipientOf = (item: number) => {
		const recipient = withoutPosition(read(item), rows[item]?.json ?? {});
		refuseUnstable(run, 'sequence', ownSequence(recipient), item);
		return recipient;
	};
	const together = parameters.options(0).packagePerItem === true ? all.map((item) => [item]) : [all];
	return together.flatMap((items) => split(run, sender, items, items.map(recipientOf)));
}

/**
 * What an earlier node of ours has put out names a payment by its position where the user has given no sequence. That is none here
 * either: the payment would be taken for another one.
 */
function withoutPosition(recipient: Recipient, { sequence, sequenceGiven }: Recipient): Recipient {
	const isPosition = sequenceGiven === false && ownSequence(recipient) === ownSequence({ sequence });
	return isPosition ? { ...recipient, sequence: '' } : recipient;
}

function recipientOfItem({ parameters }: Run, item: number): Recipient {
	const names = ['amount', 'phone', 'nspkBankId', 'paymentDescription', 'ric', 'sequence'];
	return {
		...Object.fromEntries(names.map((name) => [name, parameters.value(name, item, '')])),
		name: parameters.value('name', item, {}),
	};
}

function recipientsOfList(run: Run, item: number): Recipient[] {
	const list = readRecipients(run.parameters.value('payments', item, ''));
	if (list !== undefined) {
		for (const recipient of list) refuseUnstable(run, 'sequence', ownSequence(recipient), item);
		return list;
	}
	const message = 'must be a list of recipients: an expression that gives an array, or JSON';
	throw new InputError([{ path: 'payments', message, item }]);
}

/** One package, or several of at most `maxPayments`. */
function split(run: Run, sender: Sender, items: number[], recipients: Recipient[]): Group[] {
	const first = itemAt(items, 0);
	const header = headerOf(run, sender, first);
	refuseMixedPackage(run, sender, items, header);
	const { maxPayments: given = 0 } = run.parameters.options(first);
	const { maxPayments } = wholeNumbers({ maxPayments: { value: given, min: 0 } });
	// 0 for no maximum.
	const size = maxPayments > 0 ? maxPayments : Math.max(recipients.length, 1);
	const oneItemEach = items.length === recipients.length;
	const parts: Group[] = [];
	for (let start = 0; start < Math.max(recipients.length, 1); start += size)
		parts.push({
			items: oneItemEach ? items.slice(start, start + size) : items,
			header,
			recipients: recipients.slice(start, start + size),
		});
	return parts;
}

function headerOf({ context, parameters }: Run, sender: Sender, item: number): Header {
	const written = context.getNode().parameters;
	// An expression that gives nothing is a fault: nobody has said that the money may come from another account.
	const own = (name: keyof Sender): unknown =>
		(written[name] ?? '') === '' ? sender[name] : parameters.value(name, item);
	const { nameCheck, b2cClientId, total } = parameters.group('additionalFields', item);
	return {
		paymentRun: parameters.text('paymentRun', item),
		partnerId: own('partnerId'),
		inn: own('inn'),
		account: own('account'),
		b2cClientId,
		nameCheck,
		total,
	};
}

/** It is read from the first item; that another item says otherwise must not pass unseen. */
function refuseMixedPackage(run: Run, sender: Sender, items: readonly number[], first: Header): void {
	const faults: ValidationIssue[] = [];
	for (const item of items.slice(1)) {
		const here = new Map<string, unknown>(Object.entries(headerOf(run, sender, item)));
		for (const [path, value] of Object.entries(first)) {
			if (path === 'total' || String(here.get(path) ?? '') === String(value ?? '')) continue;
			const whose = path in sender ? ', that of the sender, not of the recipients' : '';
			const message =
				`differs from that of item ${items[0]}, but a package has only one${whose}. Where there are several, switch ` +
				`on "One Package per Item", or split the items before this node`;
			faults.push({ path, message, item });
		}
	}
	if (faults.length > 0) throw new InputError(faults);
}
