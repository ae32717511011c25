import { hostFaults, InputError, noAccounts, type OperationInput } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import type { Form } from '../../shared/form.ts';

/** P10: the whole subscription is replaced, so the node reads it first where it can (P9), checks the host and lists the changes. */
export const updateWebhook: Form = {
	preview: true,

	read({ parameter }, item): OperationInput {
		const object = parameter('object', item) as string;
		const { registeredCallbackUri: _, ...fields } = parameter('additionalFields', item, {}) as IDataObject;
		const data =
			object === 'ul_transaction_default'
				? { data: { accounts: accountsOf(parameter('accountsMode', item), parameter('accounts', item, [])) } }
				: {};
		return { path: { id: parameter('id', item) }, body: { object, ...data, ...fields } };
	},

	async before({ parameter }, { items: [item = 0] }, prepared, read) {
		const body = prepared.input.body as IDataObject;
		const readable =
			body.object === 'ul_transaction_default' && (parameter('options', item, {}) as IDataObject).readBefore !== false;
		const present = readable
			? ((await read('webhook.get', { path: prepared.input.path, query: { object: body.object } }, 'skipReading'))
					.data as IDataObject)
			: undefined;
		const { registeredCallbackUri } = parameter('additionalFields', item, {}) as IDataObject;
		const registered = present?.callbackUri ?? (registeredCallbackUri === '' ? undefined : registeredCallbackUri);
		const faults = hostFaults(registered as string | undefined, body.callbackUri as string | undefined);
		if (faults.length > 0) throw new InputError(faults);
		return present === undefined ? {} : { replaces: changes(present, body) };
	},

	more: (_job, _result, extra) => extra,
};

/** An empty list means all accounts, so a list left empty by accident must not pass for one. */
function accountsOf(mode: unknown, accounts: unknown): unknown {
	if (mode === 'all') return [];
	// Separators, brackets and quotes alone are an empty list as well: `[]` as text.
	const listed = (Array.isArray(accounts) ? accounts.flat() : [accounts]).filter((account) =>
		/[^\s,;"[\]]/.test(String(account ?? '')),
	);
	if (listed.length > 0) return listed;
	throw new InputError([noAccounts]);
}

interface Change extends IDataObject {
	field: string;
	from: IDataObject[string];
	to: IDataObject[string];
}

/** What the PUT replaces: each field whose value would be another one, with both values. */
function changes(present: IDataObject, body: IDataObject): Change[] {
	const flat = (webhook: IDataObject): IDataObject => {
		const { data, ...rest } = webhook;
		const accounts = (data as IDataObject | undefined)?.accounts;
		return accounts === undefined ? rest : { ...rest, 'data.accounts': accounts };
	};
	const before = flat(present);
	return Object.entries(flat(body))
		.filter(([field, value]) => JSON.stringify(before[field]) !== JSON.stringify(value))
		.map(([field, to]) => ({ field, from: before[field] ?? null, to }));
}
