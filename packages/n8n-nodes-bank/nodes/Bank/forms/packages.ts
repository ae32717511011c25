import {
	collectIssues,
	type ValidationIssue,
	InputError,
	isBlank,
	prepare,
	readRecipients,
	textOrNumber,
	wholeNumbers,
} from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { refuseUnstable } from '../../shared/form/unstableValues.ts';
import { joinNames } from '../../shared/base/messages.ts';
import { type Run, showHint } from '../../shared/form/run.ts';
import { recipientOf, recipientsByName, type RecipientTable } from './columns.ts';
import { rowDefaultsOf, type Sender, senderFields, senderOf } from './defaults.ts';
import { checkPaymentRun, checkSequences } from './identifiers.ts';
import {
	type PackageGroup,
	hasOwnSequence,
	type PackageHeader,
	itemsOf,
	jobOf,
	ownSequence,
	type PackageJob,
	type Recipient,
	type PackageRow,
	rowNameOf,
	rowOf,
} from './package.ts';
import { preparedGroups } from './preparedRows.ts';
import { signatureIssues } from './signature.ts';

/**
 * The packages of a run: one by default, built from items, from a list, or from prepared rows.
 * @param signedBody placeholder for the signature of an item's package; absent if there is none
 * @returns a single job with all issues if one of them is invalid
 * @throws InputError if the recipients do not form a package
 */
export async function packageJobs(run: Run, signedBody?: (item: number) => unknown): Promise<PackageJob[]> {
	const isWhole = isPrepared(run);
	const { groups, issues, missing } = isWhole
		? { groups: await preparedGroups(run), issues: [], missing: [] }
		: await groupsOf(run);
	const jobs = groups.map(({ header, rows }) =>
		jobOf({ header: { ...header, signedBody: signedBody?.(rows[0]?.item ?? 0) }, rows }, isWhole),
	);
	const all = [...issues, ...mixedSequences(groups), ...(signedBody === undefined ? [] : await signatureIssues(run))];
	if (all.length === 0) return jobs;
	for (const { input, locate } of jobs) {
		const found: ValidationIssue[] = [];
		await collectIssues(found, () => prepare(run.operation, input, { timeZone: run.context.getTimezone() }));
		const located = found.flatMap((issue) => locate?.(issue) ?? []);
		// A missing column is reported once for the whole table.
		all.push(...located.filter(({ path, message }) => message !== 'is required' || !missing.includes(path)));
	}
	const [first] = jobs;
	if (first === undefined) throw new InputError(all);
	return [{ ...first, items: jobs.flatMap(({ items }) => items), issues: all, groups }];
}

export const isPrepared = ({ parameters }: Run): boolean => parameters.value('recipientsFrom', 0) === 'prepared';

/** All payments of a payout must be identified in the same way: by sequence, or by recipient. */
function mixedSequences(groups: readonly PackageGroup[]): ValidationIssue[] {
	const rows = groups.flatMap((group) => group.rows);
	const empty = rows.filter(({ isOwnSequence }) => !isOwnSequence);
	if (empty.length === rows.length) return [];
	const message = 'is empty, but other rows have one. Give every row a sequence, or none';
	return empty.map((row) => ({ path: 'sequence', message, item: row.item, row: rowNameOf(row) }));
}

/** Each group becomes a package. The issues concern a whole package; fields are validated later. */
interface Groups {
	groups: PackageGroup[];
	issues: ValidationIssue[];
	/** Required fields that have neither a column nor a value in the credential. Each also has an issue. */
	missing: readonly string[];
}

async function groupsOf(run: Run): Promise<Groups> {
	const { parameters } = run;
	const issues: ValidationIssue[] = [];
	const attempt = <Value>(read: () => Value | Promise<Value>) => collectIssues(issues, read);
	await attempt(() => checkPaymentRun(run));
	const ignored = issues.length > 0 ? ['total', 'paymentRun'] : ['total'];
	await attempt(() => checkSequences(run));
	const sender = await senderOf(run);
	const defaults = await rowDefaultsOf(run);
	issues.push(...sender.issues, ...defaults.issues);
	const from = parameters.value('recipientsFrom', 0);
	if (from === 'columns' && run.context.getInputData().some(({ json }) => isPreparedRow(json))) {
		const message = 'must be "Prepared Package": the input is a package that was prepared';
		return { groups: [], issues: [...issues, { path: 'recipientsFrom', message }], missing: [] };
	}
	const table = from === 'columns' ? recipientsByName(run, defaults.fields) : undefined;
	issues.push(...(table?.issues ?? []).filter(({ path }) => !(isEntered(run) && path === 'sequence')));
	const rows: PackageRow[] = [];
	for (let item = 0; item < run.itemCount; item++) {
		const found = await attempt(() => (from === 'list' ? rowsOfList(run, item) : [rowOfItem(run, item, table)]));
		for (const row of found ?? []) rows.push(row);
	}
	for (const { recipient, item } of rows)
		await attempt(() => refuseUnstable(run, 'sequence', ownSequence(recipient), item));
	// Without a sequence, the position in the input identifies the row. It is the same whenever the same input is run
	// again.
	const used = (from === 'list' ? rows : withoutTotals(run, withoutEmptyRows(run, rows), issues)).map((row, index) =>
		row.isOwnSequence ? row : { ...row, recipient: { ...row.recipient, sequence: String(index + 1) } },
	);
	const missing = [...sender.missing, ...(table?.missing ?? [])];
	const whole = used.map((row) => {
		const completed = defaults.complete(row);
		issues.push(...completed.issues);
		return completed.row;
	});
	const isPerItem = from === 'list' || parameters.options(0).packagePerItem === true;
	const groups: PackageGroup[] = [];
	for (const own of isPerItem ? Map.groupBy(whole, ({ item }) => item).values() : [whole]) {
		const items = itemsOf(own);
		const header = await attempt(() => headerOf(run, sender, items[0] ?? 0));
		if (header === undefined) continue;
		await attempt(() => refuseMixedPackage(run, sender, items, header, ignored));
		const numbers = await attempt(() =>
			wholeNumbers({ maxPayments: { value: parameters.options(items[0]).maxPayments ?? 0, min: 0 } }),
		);
		// 0 means that there is no maximum.
		const most = numbers?.maxPayments || own.length || 1;
		for (let at = 0; at === 0 || at < own.length; at += most) groups.push({ header, rows: own.slice(at, at + most) });
	}
	return { groups, issues, missing };
}

/** Leaves out empty rows, which Excel often has below a table. If every row is empty, all are kept and reported later. */
function withoutEmptyRows(run: Run, rows: readonly PackageRow[]): readonly PackageRow[] {
	const input = run.context.getInputData();
	// A row counts as empty if these three fields are empty. The form may give all other fields one value for all rows.
	const isEmpty = ({ item, recipient: { amount, phone, nspkBankId } }: PackageRow) =>
		isBlank(input[item]?.json) && [amount, phone, nspkBankId].every(isBlank);
	const empty = rows.filter(isEmpty);
	if (empty.length === 0 || empty.length === rows.length) return rows;
	const count = empty.length === 1 ? '1 empty row' : `${empty.length} empty rows`;
	showHint(run, 'info', `${count} skipped: item ${joinNames(empty.map(({ item }) => String(item)))}.`);
	return rows.filter((row) => !isEmpty(row));
}

/** Removes rows that look like a total, and reports them. Their other issues would mislead. */
function withoutTotals(
	{ context }: Run,
	rows: readonly PackageRow[],
	issues: ValidationIssue[],
): readonly PackageRow[] {
	const input = context.getInputData();
	return rows.filter(({ item, recipient: { amount, phone } }) => {
		if (isBlank(amount) || /\d/.test(textOrNumber(phone))) return true;
		const texts = Object.values(input[item]?.json ?? {})
			.map((value) => textOrNumber(value).trim())
			.filter((text) => text !== '');
		const isTotal = (text: string) => texts.length === 1 || /^(?:grand )?(?:итого|всего|total)(?!\p{L})/iu.test(text);
		const total = texts.find(isTotal);
		if (total === undefined) return true;
		const message =
			`is missing in a row that looks like a total: ${JSON.stringify(total.slice(0, 40))}. ` +
			'If it is one, remove the row before this node';
		issues.push({ path: 'phone', message, item });
		return false;
	});
}

const isPreparedRow = ({ outcome, fingerprint, check }: IDataObject): boolean =>
	outcome === 'prepared' && fingerprint !== undefined && check !== undefined;

/** Whether the form has a sequence, which replaces the column for it. */
const isEntered = ({ context }: Run): boolean => textOrNumber(context.getNode().parameters.sequence) !== '';

function rowOfItem(run: Run, item: number, table: RecipientTable | undefined): PackageRow {
	const input = run.context.getInputData()[item]?.json ?? {};
	const { parameters } = run;
	const recipient =
		table === undefined
			? recipientOf((field) => parameters.value(field, item, ''), parameters.value('name', item, {}))
			: // A column for it is ignored then.
				{ ...table.recipientOf(item), ...(isEntered(run) && { sequence: parameters.value('sequence', item, '') }) };
	return rowOf(withoutPosition(recipient, input), item, nameIn(input), input);
}

/** The recipient's name, from a column that is not part of the payment. */
function nameIn(row: object): string | undefined {
	const name = Object.entries(row).find(([column]) =>
		/^(?:full.?)?name$|^recipient$|^(?:фио|получатель)$/i.test(column.trim()),
	);
	const text = textOrNumber(name?.[1]);
	return text === '' ? undefined : text.slice(0, 40);
}

/**
 * If the user entered no sequence, rows in the output of this package have their position in the column. As a sequence
 * of the user it would identify another payment, so it is removed.
 */
function withoutPosition(recipient: Recipient, row: Recipient): Recipient {
	const isPosition = !hasOwnSequence(row) && ownSequence(recipient) === ownSequence(row);
	return isPosition ? { ...recipient, sequence: '' } : recipient;
}

function rowsOfList({ parameters }: Run, item: number): PackageRow[] {
	const list = readRecipients(parameters.value('payments', item, ''));
	if (list !== undefined && list.length > 0) return list.map((recipient) => rowOf(recipient, item));
	const message =
		list === undefined
			? 'must be a list of recipients: an expression that gives an array, or JSON'
			: 'must contain at least one payment';
	throw new InputError([{ path: 'payments', message, item }]);
}

function headerOf({ parameters }: Run, sender: Sender, item: number): PackageHeader {
	const { nameCheck, b2cClientId, total } = parameters.options(item);
	return {
		paymentRun: parameters.text('paymentRun', item),
		partnerId: sender.valueOf('partnerId', item),
		inn: sender.valueOf('inn', item),
		account: sender.valueOf('account', item),
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
	first: PackageHeader,
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
