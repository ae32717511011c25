import { type Fault, InputError, readRecipients, wholeNumbers } from '@bank/core';
import { sleep } from 'n8n-workflow';

import type { Run } from '../../shared/run/run.ts';
import { type Group, type Header, itemAt, type Recipient } from './package.ts';

/** What the form says of recipients and sender -> groups that become a package each. */

/** @throws InputError where the form names no recipients, or no payment run */
export async function groupsOf(run: Run): Promise<Group[]> {
	await checkPaymentRun(run);
	const { parameters, itemCount } = run;
	const all = Array.from({ length: itemCount }, (_, item) => item);
	if (parameters.value('recipientsFrom', 0) === 'list')
		return all.flatMap((item) => split(run, [item], recipientsOfList(run, item)));
	const together = parameters.options(0).packagePerItem === true ? all.map((item) => [item]) : [all];
	return together.flatMap((items) =>
		split(
			run,
			items,
			items.map((item) => recipientOfItem(run, item)),
		),
	);
}

/** Expressions that give something else each time: they identify nothing. */
const everNew =
	/\$execution\b|\$runIndex\b|\$itemIndex\b|Math\.random|Date\.now|new Date\(\s*\)|\$now\s*\}\}|\$now\.(?:to\w+|ts|valueOf)\b/;

/** @throws InputError where it does not say which payout this is */
async function checkPaymentRun(run: Run): Promise<void> {
	const { itemCount, parameters } = run;
	if (await isEverNew(run)) {
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

/** Asked twice, a moment apart: a clock that is not in the list, such as `DateTime.now()`, has gone on. */
async function isEverNew({ context, parameters }: Run): Promise<boolean> {
	const { paymentRun } = context.getNode().parameters;
	if (typeof paymentRun === 'string') {
		if (everNew.test(paymentRun)) return true;
		if (!paymentRun.startsWith('=')) return false;
	}
	const first = parameters.text('paymentRun');
	await sleep(5);
	return parameters.text('paymentRun') !== first;
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
function split(run: Run, items: number[], recipients: Recipient[]): Group[] {
	const first = itemAt(items, 0);
	const header = headerOf(run, first);
	refuseMixedPackage(run, items, header);
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

function headerOf({ parameters }: Run, item: number): Header {
	const { nameCheck, b2cClientId, total } = parameters.group('additionalFields', item);
	return {
		paymentRun: parameters.text('paymentRun', item),
		partnerId: parameters.value('partnerId', item),
		inn: parameters.value('inn', item),
		account: parameters.value('account', item),
		b2cClientId,
		nameCheck,
		total,
	};
}

/** It is read from the first item; that another item says otherwise must not pass unseen. */
function refuseMixedPackage(run: Run, items: readonly number[], first: Header): void {
	const faults: Fault[] = [];
	for (const item of items.slice(1)) {
		const here = new Map<string, unknown>(Object.entries(headerOf(run, item)));
		for (const [path, value] of Object.entries(first)) {
			if (path === 'total' || String(here.get(path) ?? '') === String(value ?? '')) continue;
			const message =
				`differs from that of item ${items[0]}, but a package has only one. Switch ` +
				`on "One Package per Item", or split the items before this node`;
			faults.push({ path, message, item });
		}
	}
	if (faults.length > 0) throw new InputError(faults);
}
