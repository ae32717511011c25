import { definitions, hostIssues, InputError, isRecord, type OperationInput, splitList } from '@bank/core';
import type { IDataObject } from 'n8n-workflow';

import { itemJson } from '../../shared/form/itemJson.ts';
import { bindHooks } from '../../shared/pipeline/operationHooks.ts';
import { noAccountsIssue } from '../../shared/base/messages.ts';
import { firstItem } from '../../shared/form/run.ts';

/** P10 replaces the whole subscription, so the node first reads it (P9) if possible, and lists the changes. */
export const updateWebhook = bindHooks(definitions.webhook.update, {
	preview: true,

	read({ parameters }, item): OperationInput {
		const object = parameters.text('object', item);
		const given = Object.entries(parameters.group('additionalFields', item));
		const fields = Object.fromEntries(given.filter(([name]) => name !== 'registeredCallbackUri'));
		const accounts = () => accountsOf(parameters.value('accountsMode', item), parameters.value('accounts', item, []));
		const data = object === 'ul_transaction_default' ? { data: { accounts: accounts() } } : {};
		return { path: { id: parameters.value('id', item) }, body: { object, ...data, ...fields } };
	},

	async amend({ parameters }, job, { input: { path, body } }, read) {
		const item = firstItem(job);
		const isReadable = body.object === 'ul_transaction_default' && parameters.options(item).readBefore !== false;
		const query = { object: body.object };
		const present = isReadable ? (await read(definitions.webhook.get, { path, query }, 'skipReading')).data : undefined;
		const { registeredCallbackUri } = parameters.group('additionalFields', item);
		const registered = (isRecord(present) ? present.callbackUri : undefined) ?? registeredCallbackUri;
		const [known, wanted] = [addressIn(registered), addressIn(body.callbackUri)];
		const issues = hostIssues(known, wanted);
		if (issues.length > 0) throw new InputError(issues);
		// Without the registered URL nothing could be compared, so the item must not look like a passed check.
		const notChecked = known === undefined && wanted !== undefined ? { notChecked: hostNotChecked } : {};
		return { added: { ...(isRecord(present) ? { replaces: changes(present, body) } : {}), ...notChecked } };
	},
});

const hostNotChecked =
	'callbackUri: only its path may change, and the node could not check its host, because it does not know the registered URL. ' +
	'Enter that under "Registered Callback URI".';

const addressIn = (value: unknown): string | undefined =>
	typeof value === 'string' && value !== '' ? value : undefined;

/** An empty list means all accounts, so an accidentally empty list must not be sent. */
function accountsOf(mode: unknown, accounts: unknown): unknown {
	if (mode === 'all') return [];
	if (splitList(accounts, 'identifier').length > 0) return accounts;
	throw new InputError([noAccountsIssue]);
}

type Json = Record<string, unknown>;

/** The fields that the PUT changes, with old and new value. */
function changes(present: Json, body: Json): IDataObject[] {
	const flat = ({ data, ...rest }: Json): Json =>
		isRecord(data) && data.accounts !== undefined ? { ...rest, 'data.accounts': data.accounts } : rest;
	const before = flat(present);
	return Object.entries(flat(body))
		.filter(([field, value]) => JSON.stringify(before[field]) !== JSON.stringify(value))
		.map(([field, to]) => itemJson({ field, from: before[field] ?? null, to }));
}
