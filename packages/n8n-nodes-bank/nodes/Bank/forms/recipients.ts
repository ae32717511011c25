import {
	collectIssues,
	type ValidationIssue,
	InputError,
	isBlank,
	readRecipients,
	textOrNumber,
	wholeNumbers,
} from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { refuseUnstable } from '../../shared/idempotency/unstableValues.ts';
import { listed } from '../../shared/messages.ts';
import { type Run, showHint } from '../../shared/pipeline/run.ts';
import { recipientsOfColumns } from './columns.ts';
import { checkPaymentRun, checkSequences } from './identifiers.ts';
import { type Group, hasNoPersonalField, type Header, ownSequence, type Recipient, rowOf } from './package.ts';
import { type Sender, type SenderField, senderFields, senderOf } from './sender.ts';

/** Each group becomes a package. The issues concern a whole package; fields are validated later. */
export interface Groups {
	groups: Group[];
	issues: ValidationIssue[];
}

export async function groupsOf(run: Run): Promise<Groups> {
	const issues: ValidationIssue[] = [];
	const attempt = <Value>(read: () => Value | Promise<Value>) => collectIssues(issues, read);
	await attempt(() => checkPaymentRun(run));
	const isRunRefused = issues.length > 0;
	await attempt(() => checkSequences(run));
	const sender = await senderOf(run);
	issues.push(...sender.issues);
	const { parameters, itemCount } = run;
	const all = Array.from({ length: itemCount }, (_, item) => item);
	const groups: Group[] = [];
	const add = async (items: readonly number[], own: Pick<Group, 'rows' | 'listItem' | 'missing'>) => {
		const missing = [...sender.missing, ...(own.missing ?? [])];
		const [first = 0] = items;
		const header = await attempt(() => headerOf(run, sender, first));
		if (header === undefined) return;
		const ignored = isRunRefused ? ['total', 'paymentRun'] : ['total'];
		await attempt(() => refuseMixedPackage(run, sender, items, header, ignored));
		const most = await attempt(() => maxPaymentsOf(run, first));
		groups.push(...split({ ...own, header, missing }, most ?? 0));
	};
	if (parameters.value('recipientsFrom', 0) === 'list') {
		for (const item of all) {
			const list = await attempt(() => recipientsOfList(run, item));
			const rows = list?.map((recipient) => rowOf(recipient, item));
			if (rows !== undefined) await add([item], { rows, listItem: item });
		}
		return { groups, issues };
	}
	const rows = run.context.getInputData().map(({ json }) => json);
	if (isFromColumns(run) && rows.some(isPreparedRow)) {
		const message = 'must be Prepared Package: the input is a package that was prepared';
		issues.push({ path: 'recipientsFrom', message });
		return { groups, issues };
	}
	const table = isFromColumns(run) ? recipientsOfColumns(run) : undefined;
	issues.push(...(table?.issues ?? []));
	const read = table?.recipientOf ?? ((item: number) => recipientOfItem(run, item));
	const recipients = all.map((item): Recipient => withoutPosition(read(item), rows[item] ?? {}));
	for (const [item, recipient] of recipients.entries())
		await attempt(() => refuseUnstable(run, 'sequence', ownSequence(recipient), item));
	const used = withoutEmptyRows(run, rows, recipients);
	const packages = parameters.options(0).packagePerItem === true ? used.map((item) => [item]) : [used];
	for (const items of packages) {
		const own = items.map((item) => rowOf(recipients[item] ?? {}, item, nameIn(rows[item] ?? {})));
		await add(items, { rows: own, missing: table?.missing ?? [] });
	}
	return { groups, issues };
}

/** Leaves out empty rows, which Excel often has below a table. If every row is empty, all are kept and reported later. */
function withoutEmptyRows(run: Run, rows: readonly IDataObject[], recipients: readonly Recipient[]): number[] {
	const all = [...recipients.keys()];
	const empty = new Set(all.filter((item) => isBlank(rows[item]) && hasNoPersonalField(recipients[item] ?? {})));
	if (empty.size === 0 || empty.size === all.length) return all;
	const count = empty.size === 1 ? '1 empty row' : `${empty.size} empty rows`;
	showHint(run, 'info', `${count} skipped: item ${listed([...empty].map(String))}.`);
	return all.filter((item) => !empty.has(item));
}

/** Whether *Prepare Package* returned this row. */
const isPreparedRow = ({ outcome, fingerprint, check }: IDataObject): boolean =>
	outcome === 'prepared' && fingerprint !== undefined && check !== undefined;

const isFromColumns = ({ parameters }: Run): boolean => parameters.value('recipientsFrom', 0) === 'columns';

/** The recipient's name, from a column that is not part of the payment. */
function nameIn(row: object): string | undefined {
	const name = Object.entries(row).find(([column]) =>
		/^(?:full.?)?name$|^recipient$|^(?:фио|получатель)$/i.test(column.trim()),
	);
	const text = textOrNumber(name?.[1]);
	return text === '' ? undefined : text.slice(0, 40);
}

/**
 * Output of a node of this package contains the position as sequence if the user entered none. As an own sequence it
 * would identify a different payment, so it is removed.
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

/** 0 means no maximum. */
function maxPaymentsOf({ parameters }: Run, item: number): number {
	const { maxPayments = 0 } = parameters.options(item);
	return wholeNumbers({ maxPayments: { value: maxPayments, min: 0 } }).maxPayments;
}

/** One package, or several of at most `most` payments. */
function split(whole: Group, most: number): Group[] {
	const { rows } = whole;
	if (most === 0 || rows.length === 0) return [whole];
	const count = Math.ceil(rows.length / most);
	return Array.from({ length: count }, (_, part) => ({
		...whole,
		rows: rows.slice(part * most, (part + 1) * most),
	}));
}

function headerOf({ parameters }: Run, sender: Sender, item: number): Header {
	const own = (name: SenderField): unknown =>
		sender.fields === undefined ? parameters.value(name, item) : sender.fields[name];
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

/** Package fields are read from the first item. If other items have different values, the run is rejected. */
function refuseMixedPackage(
	run: Run,
	sender: Sender,
	items: readonly number[],
	first: Header,
	ignored: readonly string[],
): void {
	const issues: ValidationIssue[] = [];
	for (const item of items.slice(1)) {
		const here = new Map<string, unknown>(Object.entries(headerOf(run, sender, item)));
		for (const [path, value] of Object.entries(first)) {
			if (ignored.includes(path) || String(here.get(path) ?? '') === String(value ?? '')) continue;
			const whose = path in senderFields ? ', that of the sender, not of the recipients' : '';
			const message =
				`differs from item ${items[0]}, but a package has only one${whose}. Turn on "One Package per Item", or split the items ` +
				'before this node';
			issues.push({ path, message, item });
		}
	}
	if (issues.length > 0) throw new InputError(issues);
}
