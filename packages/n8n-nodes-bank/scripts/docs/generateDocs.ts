import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

import { type Operation, operations, resourcesOf } from '@bank/core';
import { docsOf } from '@bank/core/docs';
import { completedServiceDetails, serviceDetailsFile } from '@bank/fixtures/serviceDetails';

import { errorTables } from './errorTables.ts';
import { formatted } from '../format.ts';
import { filledIn, list, table } from './markdown.ts';
import { byCallIndex, byPart, nodeNames, nodeTitle, referenceOf, titleOf } from '../names.ts';
import { openApi } from './openapi.ts';
import { overview, reference } from './reference.ts';
import { serviceDetailsFiles, templateTable } from './serviceDetails.ts';

// Generates `docs/reference/` and `docs/openapi.json`, and in other files the tables between `<!-- name:start -->` and
// `<!-- name:end -->`.

const here = (path: string) => fileURLToPath(new URL(path, import.meta.url));
const repository = '../../../..';

/** Text of each file, by path. Write the forms first: the docs are generated from them. */
export async function generatedDocs(): Promise<Map<string, string>> {
	const files = new Map([
		[here(`${repository}/docs/openapi.json`), await formatted('json', JSON.stringify(openApi()))],
		...(await Promise.all(
			[...serviceDetailsFiles()].map(
				async ([file, content]) =>
					[
						here(`${repository}/docs/service-details/${file}`),
						await formatted('json', JSON.stringify(content)),
					] as const,
			),
		)),
		[serviceDetailsFile, await formatted('json', JSON.stringify(completedServiceDetails, null, '\t'))],
		...[...(await reference())].map(([page, text]) => [here(`${repository}/docs/${page}`), text] as const),
	]);
	const filled: Record<string, Record<string, string>> = {
		'../../README.md': { operations: nodeTable() },
		[`${repository}/docs/reference/index.md`]: { operations: overview() },
		[`${repository}/bench/README.md`]: { results: benchTable() },
		[`${repository}/docs/service-details.md`]: { templates: templateTable() },
		[`${repository}/docs/errors.md`]: await errorTables(),
		[`${repository}/docs/partner-services.md`]: orderTables(),
		[`${repository}/docs/payment-protocol.md`]: protocolTables(),
	};
	for (const [path, parts] of Object.entries(filled)) files.set(here(path), filledIn(here(path), parts));
	return files;
}

/** The tables in the comment at the top of the payment protocol. */
function protocolTables(): Record<string, string> {
	const source = readFileSync(here(`${repository}/packages/core/src/payments/protocol.ts`), 'utf8');
	const tables = source.split(/^(?! \* \|).*\n/m).filter((text) => text !== '');
	const [verdicts = '', steps = '', answers = ''] = tables.map((text) => {
		const rows: string[][] = [];
		for (const line of text.trim().split('\n')) {
			const [first = '', ...others] = line
				.split('|')
				.slice(1, -1)
				.map((cell) => cell.trim());
			const last = rows.at(-1);
			// The continuation of a long cell.
			if (last !== undefined && others.every((cell) => cell === '')) last[0] += ` ${first}`;
			else if (!first.startsWith('---')) rows.push([first, ...others]);
		}
		return table(rows[0] ?? [], rows.slice(1));
	});
	return { verdicts, steps, answers };
}

/** A table for the README: the resources of each node, with their operations. */
function nodeTable(): string {
	const rows = nodeNames.map((node) => {
		const own = resourcesOf(node);
		const named = own.map((resource) => `${resource.name}: ${resource.operations.map(({ name }) => name).join(', ')}`);
		return [`**${nodeTitle(node)}**`, named.join('. ')];
	});
	return table(['Node', 'Resources and operations'], rows);
}

/** A row of bench/results.json. */
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
		['Work', 'Against', 'Median', 'Extremes', 'Target', 'Load'],
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

/** A table of the operations of each service, by its part of the API description. */
function orderTables(): Record<string, string> {
	// The `spec` of a new operation may still be TODO.
	const ofServices = operations.filter((one) => one.dialect !== undefined && /^\d/.test(docsOf(one).spec));
	return Object.fromEntries(
		byPart(ofServices).map(([part, members]) => [part, callingOrder(members.sort(byCallIndex))]),
	);
}

function callingOrder(members: readonly Operation[]): string {
	const link = (operation: Operation) => `[${titleOf(operation)}](${referenceOf(operation)})`;
	if (members.every(({ callOrder }) => callOrder === undefined)) return list(members.map(link));
	return table(
		['Operation', 'When'],
		members.map((operation) => [link(operation), operation.callOrder ?? '']),
	);
}
