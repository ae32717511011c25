import { exactTotal, type Fault, InputError, type OperationInput, readRecipients } from '@bank/core';
import type { IDataObject, INodeExecutionData } from 'n8n-workflow';

import { type Form, type FormContext, isPreview, type Job, type Parameter } from '../../shared/form.ts';

/** Stands for the signature in a preview, where there is none yet; never sent. */
const unsigned = '(signature)';

/** P1: recipients from items or from a list -> packages (product rules: one package by default, exact totals, stable sequences). */
export const sendPackage: Form = {
	preview: true,

	jobs(form) {
		const { parameter, itemCount } = form;
		const all = Array.from({ length: itemCount }, (_, item) => item);
		if (parameter('recipientsFrom', 0) === 'list')
			return all.flatMap((item) => split(form, [item], recipientsOfList(parameter, item)));
		const packagePerItem = (parameter('options', 0, {}) as IDataObject).packagePerItem === true;
		const groups = packagePerItem ? all.map((item) => [item]) : [all];
		return groups.flatMap((items) =>
			split(
				form,
				items,
				items.map((item) => recipientOfItem(parameter, item)),
			),
		);
	},

	output(_form, { items, input }, { data }, _extra) {
		const { payments, ...rest } = data as IDataObject;
		// The package was accepted: whatever its answer looks like, it must not end in an error that says nothing was sent.
		const answers = (Array.isArray(payments) ? payments : []).filter(
			(answered): answered is IDataObject => typeof answered === 'object' && answered !== null,
		);
		const bySequence = new Map(answers.toReversed().map((answered) => [String(answered.sequence), answered]));
		const sent = (input.body as { payments: Recipient[] }).payments;
		const itemOf = (index: number) => items[Math.min(index, items.length - 1)] ?? 0;
		const results: INodeExecutionData[] = sent.map((recipient, index) => {
			const answered = bySequence.get(recipient.sequence);
			const pairedItem = { item: itemOf(index) };
			if (answered !== undefined) return { json: { ...answered, ...rest, outcome: 'accepted' }, pairedItem };
			// The package was accepted, but the bank says nothing of this payment: neither paid nor not.
			const note =
				'The bank accepted the package, but its answer does not name this payment: check with the bank before sending it again';
			return { json: { sequence: recipient.sequence, ...rest, outcome: 'unknown', note }, pairedItem };
		});
		const known = new Set(sent.map(({ sequence }) => sequence));
		const others = answers.filter(
			(answered) => !known.has(String(answered.sequence)) || bySequence.get(String(answered.sequence)) !== answered,
		);
		return [
			...results,
			...others.map((answered) => ({
				json: { ...answered, ...rest, outcome: 'accepted' },
				pairedItem: { item: itemOf(0) },
			})),
		];
	},
};

interface Recipient extends Record<string, unknown> {
	sequence: string;
}

function recipientOfItem(parameter: Parameter, item: number): Record<string, unknown> {
	const names = ['amount', 'phone', 'nspkBankId', 'paymentDescription', 'ric', 'sequence'];
	return {
		...Object.fromEntries(names.map((name) => [name, parameter(name, item, '')])),
		name: parameter('name', item, {}),
	};
}

function recipientsOfList(parameter: Parameter, item: number): Record<string, unknown>[] {
	const given = parameter('payments', item, '');
	const list = readRecipients(given);
	if (list === undefined)
		throw new InputError([
			{ path: 'payments', message: 'must be a list of recipients: an expression that gives an array, or JSON', item },
		]);
	return list;
}

/** Recipients -> one package, or several of at most `maxPayments`. */
function split(form: FormContext, items: number[], recipients: Record<string, unknown>[]): Job[] {
	const { maxPayments } = form.parameter('options', items[0] ?? 0, {}) as IDataObject;
	const most = Number(maxPayments ?? 0);
	if (!Number.isSafeInteger(most) || most < 0)
		throw new InputError([{ path: 'maxPayments', message: 'must be a whole number, 0 for no maximum' }]);
	const size = most > 0 ? most : Math.max(recipients.length, 1);
	const oneItemEach = items.length === recipients.length;
	const jobs: Job[] = [];
	for (let start = 0; start < Math.max(recipients.length, 1); start += size) {
		const part = recipients.slice(start, start + size);
		jobs.push(packageJob(form, oneItemEach ? items.slice(start, start + size) : items, part, start));
	}
	return jobs;
}

function packageJob(
	{ parameter }: FormContext,
	items: number[],
	recipients: Record<string, unknown>[],
	offset: number,
): Job {
	const [first = 0] = items;
	const { nameCheck, b2cClientId, total } = parameter('additionalFields', first, {}) as IDataObject;
	const preview = isPreview(parameter, first);
	const client = { partnerId: parameter('partnerId', first), b2cClientId };
	const header = { inn: parameter('inn', first), account: parameter('account', first) };
	refuseMixedPackage(parameter, items, { ...header, partnerId: client.partnerId, b2cClientId, nameCheck, preview });
	const payments = recipients.map((recipient, index) => ({
		...recipient,
		sequence: sequenceOf(recipient.sequence, offset + index),
	}));
	const amounts = recipients.map(({ amount }) =>
		typeof amount === 'number' || typeof amount === 'string' ? amount : '',
	);
	const body = {
		client,
		...header,
		// An amount that cannot be added up, is nothing or is not there has a fault of its own; any number does for the total then.
		total: total === undefined || total === '' ? exactTotal(amounts) || 1 : total,
		nameCheck,
		payments,
		signedBody: preview ? unsigned : parameter('signedBody', first, ''),
	};
	return { items, input: { body } satisfies OperationInput, locate: locateIn(items, recipients.length) };
}

/** The same input gives the same sequence on every run: the user's own, else the position. */
function sequenceOf(given: unknown, position: number): string {
	const text = given === undefined || given === null ? '' : String(given).trim();
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
		return { path: field, message, item: items[Number(index)] ?? first };
	};
}

/** What a package has only once is read from its first item; that another item says otherwise must not pass unseen. */
function refuseMixedPackage(parameter: Parameter, items: number[], first: Record<string, unknown>): void {
	const faults: Fault[] = [];
	for (const item of items) {
		const { nameCheck, b2cClientId } = parameter('additionalFields', item, {}) as IDataObject;
		const own: Record<string, unknown> = { b2cClientId, nameCheck, preview: isPreview(parameter, item) };
		for (const [name, value] of Object.entries(first)) {
			if (String((name in own ? own[name] : parameter(name, item)) ?? '') !== String(value ?? '')) {
				faults.push({
					path: name,
					message: `differs from that of item ${items[0]}, but a package has only one. Switch on "One Package per Item", or split the items before this node`,
					item,
				});
			}
		}
	}
	if (faults.length > 0) throw new InputError(faults);
}
