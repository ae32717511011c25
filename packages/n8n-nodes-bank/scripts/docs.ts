import { fileURLToPath } from 'node:url';

import { type Operation, operationById, operations, resources, restOperations } from '@bank/core';

import { errorTables } from './errorTables.ts';
import { formatted } from './format.ts';
import { gapTable } from './gaps.ts';
import { code, filledIn, table, tableOfFilled } from './markdown.ts';
import { anchorOf, bySpec, credentialOf, grouped, nodeTitle, numberOf, scopeOf, titleOf } from './names.ts';
import { openApi } from './openapi.ts';
import { reference } from './reference.ts';

/**
 * Operation definitions and forms -> docs. `docs/reference.md` and `docs/openapi.json` are generated whole; in the other
 * files only what stands between `<!-- name:start -->` and `<!-- name:end -->` is.
 */

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const repository = '../../..';

/** Path -> text, as `write` in generate.ts takes it. The forms must have been written before: the docs are read from them. */
export async function generatedDocs(): Promise<Map<string, string>> {
	const files = new Map([
		[here(`${repository}/docs/openapi.json`), await formatted('json', JSON.stringify(openApi()))],
		[here(`${repository}/docs/reference.md`), await reference()],
	]);
	const filled: Record<string, Record<string, string>> = {
		[`${repository}/README.md`]: { operations: operationTable() },
		'../README.md': { operations: operationTable() },
		[`${repository}/docs/credentials.md`]: { scopes: scopeTable() },
		[`${repository}/docs/errors.md`]: await errorTables(),
		[`${repository}/docs/partner-services.md`]: { ...callingOrders(), gaps: gapTable() },
	};
	for (const [path, parts] of Object.entries(filled)) files.set(here(path), filledIn(here(path), parts));
	return files;
}

function operationTable(): string {
	const rows = resources.flatMap(({ node, name, operations: members }) =>
		members.map((operation) => [
			nodeTitle(node),
			name,
			operation.name,
			operation.description,
			numberOf(operation),
			credentialOf(operation),
			scopeOf(operation),
		]),
	);
	return table(['Node', 'Resource', 'Operation', 'What it does', 'API', 'Credential', 'Scope'], rows);
}

function scopeTable(): string {
	const byScope = grouped<Operation>(restOperations, scopeOf);
	const named = (operation: Operation) => `${numberOf(operation)} ${titleOf(operation)}`;
	return table(
		['Scope', 'Credential', 'Operations'],
		[...byScope].map(([scope, found]) => [scope, credentialOf(found[0] as Operation), found.map(named).join(', ')]),
	);
}

/** The services of docs/partner-services.md, each in the order of its calls. docs.test.ts checks that no operation is missing. */
export const services: Readonly<Record<string, readonly string[]>> = {
	'unified-checks': ['unifiedCheck.run'],
	'entry-score': ['entryScore.scoreSoleProprietor', 'entryScore.scoreCompany'],
	'card-issuance': operations
		.filter(({ spec }) => spec.startsWith('4.15'))
		.sort(bySpec)
		.map(({ id }) => id),
	'last-mile': ['preApproved.search', 'preApproved.activate'],
	'first-mile': ['create', 'getResults', 'uploadDocuments', 'update', 'getPrintForms', 'sendSignLink', 'setStatus'].map(
		(name) => `channelApplication.${name}`,
	),
	courier: [
		'file.getMany',
		'file.getContent',
		'courier.authorize',
		'courier.checkCode',
		'file.attach',
		'application.changeStatus',
		'application.addNote',
	],
	'direct-debit': ['createConsent', 'getOffer', 'debit', 'getPaymentOrder'].map((name) => `directDebit.${name}`),
	trips: ['trip.send'],
	profile: ['profile.exchangeCode', 'profile.get'],
};

function callingOrders(): Record<string, string> {
	return Object.fromEntries(
		Object.entries(services).map(([name, ids]) => [name, callingOrder(ids.map(operationById))]),
	);
}

function callingOrder(members: readonly Operation[]): string {
	const rows = members.map((operation) => {
		const { method, path, description, order = '' } = operation;
		const address = path === undefined ? '' : code([method, path].filter((part) => part !== undefined).join(' '));
		return [`[${titleOf(operation)}](reference.md#${anchorOf(operation)})`, address, description, order];
	});
	return tableOfFilled(['Operation', 'Path', 'What it does', 'When'], rows);
}
