import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type NodeName, type Operation, operations, resources } from '@bank/core';

import { errorTables } from './errorTables.ts';
import { formatted } from './format.ts';
import { gapTable } from './gaps.ts';
import { code, filledIn, table, tableOfFilled } from './markdown.ts';
import {
	anchorOf,
	bySpec,
	callingOrders,
	credentialOf,
	grouped,
	nodeNames,
	nodeTitle,
	numberOf,
	pageOf,
	resourceWith,
	scopeOf,
	titleOf,
} from './names.ts';
import { openApi } from './openapi.ts';
import { offered, restOperations } from './operationKinds.ts';
import { reference } from './reference.ts';

/**
 * Operation definitions and forms -> docs. `docs/reference.md` and `docs/openapi.json` are generated whole; in the other files only what stands between `<!-- name:start -->` and `<!-- name:end -->` is.
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
		'../README.md': { operations: nodeTable() },
		[`${repository}/docs/operations.md`]: { operations: operationTable() },
		[`${repository}/docs/glossary.md`]: { numbers: numberTable() },
		...Object.fromEntries(
			nodeNames.map((node) => [`${repository}/${pageOf(node)}`, { operations: operationsOf(node) }]),
		),
		[`${repository}/docs/bench.md`]: { results: benchTable() },
		[`${repository}/docs/credentials.md`]: { scopes: scopeTable() },
		[`${repository}/docs/errors.md`]: await errorTables(),
		[`${repository}/docs/partner-services.md`]: { ...orderTables(), gaps: gapTable() },
	};
	for (const [path, parts] of Object.entries(filled)) files.set(here(path), filledIn(here(path), parts));
	return files;
}

function operationTable(): string {
	const rows = resources.flatMap((resource) =>
		offered(resource).map((operation) => [
			nodeTitle(resource.node),
			resource.name,
			operation.name,
			operation.description,
			numberOf(operation),
			credentialOf(operation),
			scopeOf(operation),
		]),
	);
	return table(['Node', 'Resource', 'Operation', 'What it does', 'API', 'Credential', 'Scope'], rows);
}

/** What a reader of the package's page gets: each resource with the names of its operations. */
function nodeTable(): string {
	const rows = nodeNames.map((node) => {
		const own = resources.filter((resource) => resource.node === node);
		const named = own.map(
			(resource) =>
				`${resource.name}: ${offered(resource)
					.map(({ name }) => name)
					.join(', ')}`,
		);
		return [`**${nodeTitle(node)}**`, named.join('. ')];
	});
	return table(['Node', 'Resources and operations'], rows);
}

/** P1 to P11, as they are called in n8n. */
function numberTable(): string {
	const rows = [...restOperations].sort(bySpec).map((operation) => {
		const name = `${nodeTitle(resourceWith(operation).node)}, ${titleOf(operation)}`;
		return [numberOf(operation), `[${name}](reference.md#${anchorOf(operation)})`, operation.description];
	});
	return table(['Number', 'Operation', 'What it does'], rows);
}

/** As `npm run bench` writes them. */
interface Measured {
	name: string;
	against: string;
	ratio: number;
	min: number;
	max: number;
	target: string;
	unit: string;
	load: number;
}

function benchTable(): string {
	const { rows } = JSON.parse(readFileSync(here(`${repository}/bench/results.json`), 'utf8')) as { rows: Measured[] };
	const shown = (value: number, unit: string) => `${value.toLocaleString('en')}${unit === '' ? '' : ` ${unit}`}`;
	return table(
		['Work', 'Against', 'Median', 'Extremes', 'Reach', 'Load'],
		rows.map(({ name, against, ratio, min, max, target, unit, load }) => [
			name,
			against,
			shown(ratio, unit),
			min === max ? '' : `${shown(min, unit)} to ${shown(max, unit)}`,
			target,
			shown(load, ''),
		]),
	);
}

function operationsOf(node: NodeName): string {
	const own = resources.filter((resource) => resource.node === node).flatMap(offered);
	const rows = own.map((operation) => [
		`[${titleOf(operation)}](../reference.md#${anchorOf(operation)})`,
		operation.description,
	]);
	return table(['Operation', 'What it does'], rows);
}

function scopeTable(): string {
	const named = (operation: Operation) => `${numberOf(operation)} ${titleOf(operation)}`;
	const rows = [...grouped(restOperations, scopeOf)].map(([scope, found]) => {
		const [credential = ''] = found.map(credentialOf);
		return [scope, credential, found.map(named).join(', ')];
	});
	return table(['Scope', 'Credential', 'Operations'], rows);
}

/** By the part of the description that a service has. */
function orderTables(): Record<string, string> {
	return Object.fromEntries([...callingOrders(operations)].map(([part, members]) => [part, callingOrder(members)]));
}

function callingOrder(members: readonly Operation[]): string {
	const rows = members.map((operation) => {
		const { method, path, description, order = '' } = operation;
		const address = path === undefined ? '' : code([method, path].filter((part) => part !== undefined).join(' '));
		return [`[${titleOf(operation)}](reference.md#${anchorOf(operation)})`, address, description, order];
	});
	return tableOfFilled(['Operation', 'Path', 'What it does', 'When'], rows);
}
