import { STATUS_CODES } from 'node:http';

import {
	call,
	cardIssuance,
	connectionCodes,
	courier,
	type Dialect,
	entryScore,
	explainError,
	type FailureDetails,
	type HttpResponse,
	isBankFailure,
	keysOf,
	messageTables as messageCodes,
	type NextStep,
	nothingFound,
	type Operation,
	operations,
	profile,
	rest,
	restOperations,
	type TransportError,
	unifiedChecks,
} from '@bank/core';
import { likelyMethod } from '@bank/core/docs';

import { stepTexts } from '../../nodes/shared/base/messages.ts';
import { code, list, sentence, table, tableWithoutEmptyColumns } from './markdown.ts';
import { byPart, bySpec, numberOf } from '../names.ts';

/** The tables of docs/errors.md, by the name of their markers. */
export async function errorTables(): Promise<Record<string, string>> {
	return {
		'rest-errors': restErrorTable(),
		...(await connectionLists()),
		outcomes: await outcomeTable(),
		'open-outcomes': await openOutcomeTable(),
		'courier-errors': dialectTable(courier),
		'unified-check-errors': dialectTable(unifiedChecks),
		'unified-check-messages': messageTables(),
		'entry-score-errors': dialectTable(entryScore),
		'card-issuance-errors': dialectTable(cardIssuance),
		'profile-errors': dialectTable(profile),
		'unlisted-errors': unlistedTable(),
	};
}

// ---- Outcomes ----------------------------------------------------------------------------------------------------------

const answeredWith = (status: number, text = ''): HttpResponse => ({ status, headers: {}, text });

/** How core ends a call with this response or transport error; undefined if the call succeeds. */
async function endOf(
	operation: Operation,
	answered: HttpResponse | TransportError,
): Promise<FailureDetails | undefined> {
	const request = { method: likelyMethod(operation), url: '', headers: {}, input: { path: {}, query: {}, body: {} } };
	try {
		await call(operation, request, () => Promise.resolve(answered));
		return undefined;
	} catch (error) {
		if (isBankFailure(error)) return error.details;
		throw error;
	}
}

/** The first operation of a kind. Outcomes depend on effect, service and response, not on the single operation. */
function findOperation(is: (operation: Operation) => boolean): Operation {
	const found = operations.find(is);
	if (found === undefined) throw new Error('docs/errors.md has a column without operations');
	return found;
}

const ofRest = (effect: Operation['effect']) =>
	findOperation((operation) => operation.dialect === undefined && operation.effect === effect);
const payment = ofRest('money');
const change = ofRest('change');
const read = ofRest('read');

type Case = readonly [what: string, answered: HttpResponse | TransportError];

/** A row for each case. Cases with the same outcomes share a row. */
async function tableOfOutcomes(columns: Readonly<Record<string, Operation>>, cases: readonly Case[]): Promise<string> {
	const rows = await Promise.all(
		cases.map(async ([what, answered]) => {
			const ends = await Promise.all(Object.values(columns).map((operation) => endOf(operation, answered)));
			return { what, cells: ends.map((failure) => (failure === undefined ? 'a result' : code(failure.outcome))) };
		}),
	);
	const same = [...Map.groupBy(rows, ({ cells }) => cells.join()).values()];
	return table(
		['Response', ...Object.keys(columns)],
		same.map((found) => [found.map(({ what }) => what).join('; '), ...(found[0]?.cells ?? [])]),
	);
}

const outcomeTable = () =>
	tableOfOutcomes({ Payment: payment, 'Order, change, delete': change, Read: read }, [
		...Object.keys(STATUS_CODES).flatMap((status): Case[] =>
			status.startsWith('4') ? [[status, answeredWith(Number(status))]] : [],
		),
		['other 4xx without an error code', answeredWith(499)],
		['3xx (never followed)', answeredWith(307)],
		['5xx', answeredWith(500)],
		['2xx whose body is empty, cut off, HTML or not JSON', answeredWith(200, '<html>')],
		['no connection, wrong certificate, no token', { code: 'ECONNREFUSED' }],
		['timeout, connection broken, execution stopped', { code: 'ECONNRESET' }],
	]);

/** Outcomes of operations whose response is not shown, or whose service has errors of its own. */
function openOutcomeTable(): Promise<string> {
	const changesOf = (is: (dialect: Dialect) => boolean) =>
		findOperation(({ effect, dialect }) => effect === 'change' && dialect !== undefined && is(dialect));
	const columns: Readonly<Record<string, Operation>> = {
		'Direct debit': findOperation(({ effect, response }) => effect === 'money' && response === undefined),
		'Courier: change': changesOf((dialect) => dialect === courier),
		'First card flow: change': changesOf((dialect) => dialect === cardIssuance),
		'Other change': changesOf(({ listed }) => listed.length === 0),
		'Courier: read': findOperation(({ effect, dialect }) => effect === 'read' && dialect === courier),
	};
	const cases: readonly Case[] = [
		['2xx with JSON', answeredWith(200, '{"id":1}')],
		['2xx without a body, or with `{}`', answeredWith(204)],
		['2xx with text that is not JSON', answeredWith(200, 'OK')],
		['2xx with JSON that is cut off, or HTML', answeredWith(200, '{"id":')],
		['2xx with a field `error…`, `fault…` or `exception…`', answeredWith(200, '{"error":"text"}')],
		['2xx with `errorInfo`', answeredWith(200, '{"errorInfo":{"errorCode":"008","errorString":"text"}}')],
		['409', answeredWith(409)],
		['5xx', answeredWith(500)],
	];
	return tableOfOutcomes(columns, cases);
}

// ---- P1 to P11 ---------------------------------------------------------------------------------------------------------

function restErrorTable(): string {
	const restOf = (status: number) => Math.floor(status / 100) * 100 + 99;
	const whatOf = (status: number, code?: string) => explainError(rest, status, { code }).what;
	const explained = Array.from({ length: 300 }, (_, index) => 300 + index).filter(
		(status) => status === restOf(status) || whatOf(status) !== whatOf(restOf(status)),
	);
	const listed = restOperations.flatMap(({ errors }) => errors);
	const all = [...listed, ...explained.map((status) => ({ status, code: undefined }))];
	const rows = [...Map.groupBy(all, (error) => `${error.status} ${whatOf(error.status, error.code)}`).values()].map(
		(same) => {
			const [{ status, code } = { status: 0 }] = same;
			const { what, next } = explainError(rest, status, { code });
			const codes = new Set(same.flatMap((error) => error.code ?? []));
			const shown = status === restOf(status) ? `${Math.floor(status / 100)}xx` : String(status);
			return [shown, [...codes].map(listedFor).join(', '), sentence(what), inSentences(next)];
		},
	);
	return table(
		['HTTP', 'Code', 'Meaning', 'Next step'],
		rows.sort(([a = ''], [b = '']) => (a < b ? -1 : a > b ? 1 : 0)),
	);
}

/** An error code with the operations that list it, unless all operations do. */
function listedFor(name: string): string {
	const found = restOperations.filter(({ errors }) => errors.some((error) => error.code === name));
	if (found.length === restOperations.length) return code(name);
	return `${code(name)} (${[...found].sort(bySpec).map(numberOf).join(', ')})`;
}

// ---- Partner services --------------------------------------------------------------------------------------------------

const inSentences = (steps: readonly NextStep[]): string => steps.map((step) => stepTexts()[step]).join(' ');

/** The errors that part 7 lists for a service. */
function dialectTable({ listed }: Dialect): string {
	const rows = listed.map(({ status, code: name, what, next }) => [
		status === undefined ? '' : String(status),
		name === undefined ? '' : code(name),
		sentence(what),
		inSentences(next),
	]);
	return tableWithoutEmptyColumns(['HTTP', 'Code', 'Meaning', 'Next step'], rows);
}

/** A table for each check that has message codes of its own, and one for all other checks. */
function messageTables(): string {
	return Object.entries(messageCodes)
		.map(([name, codes]) => {
			const rows = Object.entries(codes).map(([message, meaning]) => [
				code(message),
				sentence(meaning),
				keysOf(nothingFound)
					.filter((check) => nothingFound[check].includes(message) && (name === 'shared' || name === check))
					.map(code)
					.join(', '),
			]);
			const title = name === 'shared' ? 'All other checks' : code(name);
			return `${title}:\n\n${table(['Code', 'Meaning', 'Means "nothing found" for'], rows)}`;
		})
		.join('\n\n');
}

function unlistedTable(): string {
	const found = operations.filter(({ dialect }) => dialect?.listed.length === 0);
	return table(
		['API', 'Operations'],
		byPart(found).map(([part, members]) => [part, members.map(({ id }) => code(id)).join(', ')]),
	);
}

// ---- Connection --------------------------------------------------------------------------------------------------------

/** The texts of connection errors are advice, so the lists have no next steps. */
async function connectionLists(): Promise<Record<string, string>> {
	const failures = await Promise.all(
		connectionCodes.map(async (name) => {
			const failure = await endOf(payment, { code: name });
			return { name, outcome: failure?.outcome ?? '', what: failure?.what ?? '' };
		}),
	);
	const { notSent = [], unknown = [] } = Object.groupBy(failures, ({ outcome }) => outcome);
	const explained = (found: typeof failures) =>
		list(
			[...Map.groupBy(found, ({ what }) => what)].map(
				([what, same]) => `${same.map(({ name }) => code(name)).join(', ')}: ${what}`,
			),
		);
	return { 'connection-not-sent': explained(notSent), 'connection-unknown': explained(unknown) };
}
