import {
	type HttpResponse,
	cardIssuance,
	connectionCodes,
	courier,
	type Dialect,
	entryScore,
	explainRest,
	messageTables,
	type NextStep,
	type Operation,
	operations,
	profile,
	type TransportError,
	unifiedChecks,
} from '@bank/core';

import { descriptionOf, stepTexts } from '../../nodes/shared/messages.ts';
import { isRest, restOperations } from '../operationKinds.ts';
import { answeredWith, endOf, failureOf } from './exampleFailures.ts';
import { code, sentence, table, tableOfFilled } from './markdown.ts';
import { byPart, bySpec, numberOf } from '../names.ts';

/** The tables of docs/errors.md, by the name of their markers. */
export async function errorTables(): Promise<Record<string, string>> {
	return {
		'rest-errors': restErrorTable(),
		'connection-faults': await connectionFaultTable(),
		outcomes: await outcomeTable(),
		'open-outcomes': await openOutcomeTable(),
		'courier-errors': dialectTable(courier),
		'unified-check-errors': dialectTable(unifiedChecks),
		'unified-check-messages': messageTable(),
		'entry-score-errors': dialectTable(entryScore),
		'card-issuance-errors': dialectTable(cardIssuance),
		'profile-errors': dialectTable(profile),
		'unlisted-errors': unlistedTable(),
	};
}

// ---- Outcomes ----------------------------------------------------------------------------------------------------------

/** The first operation of a kind. Outcomes depend on effect, service and response, not on the single operation. */
function findOperation(is: (operation: Operation) => boolean): Operation {
	const found = operations.find(is);
	if (found === undefined) throw new Error('docs/errors.md has a column without operations');
	return found;
}

const ofRest = (effect: Operation['effect']) =>
	findOperation((operation) => isRest(operation) && operation.effect === effect);
const payment = ofRest('money');
const change = ofRest('change');
const read = ofRest('read');

type Case = readonly [what: string, answered: HttpResponse | TransportError];

const refusals: readonly Case[] = [
	['400, 401, 403, 404, 429 and other 4xx', answeredWith(400)],
	['408', answeredWith(408)],
	['409', answeredWith(409)],
	['3xx (never followed)', answeredWith(307)],
	['5xx', answeredWith(500)],
];

const faults: readonly Case[] = [
	['no connection, wrong certificate, no token', { code: 'ECONNREFUSED' }],
	['timeout, connection broken, execution stopped', { code: 'ECONNRESET' }],
];

async function outcomeTable(): Promise<string> {
	const cases = [
		...refusals,
		['2xx whose body is empty, cut off, HTML or not JSON', answeredWith(200, '<html>')] as const,
		...faults,
	];
	const rows: string[][] = [];
	for (const [name, answered] of cases) {
		const details = await Promise.all([payment, change, read].map((operation) => failureOf(operation, answered)));
		rows.push([name, ...details.map(({ outcome }) => code(outcome))]);
	}
	return table(['Response', 'Payment', 'Order, change, delete', 'Read'], rows);
}

/** Outcomes of operations whose response is not shown, or whose service has errors of its own. */
async function openOutcomeTable(): Promise<string> {
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
		...refusals.filter(([what]) => ['409', '5xx'].includes(what)),
	];
	const rows: string[][] = [];
	for (const [name, answered] of cases) {
		const ends = await Promise.all(Object.values(columns).map((operation) => endOf(operation, answered)));
		rows.push([name, ...ends.map((failure) => (failure === undefined ? 'a result' : code(failure.outcome)))]);
	}
	return table(['Response', ...Object.keys(columns)], rows);
}

// ---- P1 to P11 ---------------------------------------------------------------------------------------------------------

function restErrorTable(): string {
	const listed = new Map(
		restOperations.flatMap((operation) =>
			operation.errors.map((error) => [`${error.status} ${error.code}`, error] as const),
		),
	);
	const users = (wanted: string) =>
		restOperations.filter(({ errors }) => errors.some(({ code: name }) => name === wanted));
	const sameWithoutCode = (status: number, name: string) =>
		explainRest(status, undefined).what === explainRest(status, name).what;
	const rows = [...listed.values()]
		.sort((a, b) => a.status - b.status)
		.map(({ status, code: name }) => {
			const { what, next } = explainRest(status, name);
			return [
				String(status),
				sameWithoutCode(status, name) ? `${code(name)}, or one not listed` : code(name),
				sentence(what),
				inSentences(next),
				inOrder(users(name)),
			];
		});
	const explained = [...listed.values()]
		.filter(({ status, code: name }) => sameWithoutCode(status, name))
		.map(({ status }) => status);
	const others = (hundred: number) => {
		const general = explainRest(hundred + 99, undefined);
		const own = Array.from({ length: 99 }, (_, index) => hundred + index).filter(
			(status) => explainRest(status, undefined).what !== general.what,
		);
		const more = own
			.filter((status) => !explained.includes(status))
			.map((status) => [String(status), explainRest(status, undefined)] as const);
		return [...more, [`${own.length > 0 ? 'other ' : ''}${hundred / 100}xx`, general] as const];
	};
	for (const [status, { what, next }] of [300, 400, 500].flatMap(others))
		rows.push([status, 'none, or not listed', sentence(what), inSentences(next), '']);
	return table(['HTTP', 'Code', 'Meaning', 'Next step', 'Listed for'], rows);
}

function inOrder(found: readonly Operation[]): string {
	return found.length === restOperations.length ? 'all' : [...found].sort(bySpec).map(numberOf).join(', ');
}

// ---- Partner services --------------------------------------------------------------------------------------------------

const inSentences = (steps: readonly NextStep[]): string => steps.map((step) => stepTexts[step]).join(' ');

/** The errors that part 7 lists for a service. */
function dialectTable({ listed }: Dialect): string {
	const rows = listed.map(({ status, code: name, what, next }) => [
		status === undefined ? '' : String(status),
		name === undefined ? '' : code(name),
		sentence(what),
		inSentences(next),
	]);
	return tableOfFilled(['HTTP', 'Code', 'Meaning', 'Next step'], rows);
}

function messageTable(): string {
	const rows = Object.entries(messageTables).flatMap(([name, weights]) =>
		Object.entries(weights)
			.flatMap(([weight, codes]) =>
				Object.entries(codes).map(([message, meaning]) => [
					name === 'shared' ? 'all others' : code(name),
					code(message),
					sentence(meaning),
					weight,
				]),
			)
			.sort(([, a = ''], [, b = '']) => (a < b ? -1 : 1)),
	);
	return table(['Check', 'Code', 'Meaning', 'Weight'], rows);
}

function unlistedTable(): string {
	const found = operations.filter(({ dialect }) => dialect?.listed.length === 0);
	return table(
		['API', 'Operations'],
		byPart(found).map(([part, members]) => [part, members.map(({ id }) => code(id)).join(', ')]),
	);
}

// ---- Connection --------------------------------------------------------------------------------------------------------

async function connectionFaultTable(): Promise<string> {
	const groups = new Map<string, { codes: string[]; row: string[] }>();
	for (const name of connectionCodes) {
		const [paying, reading] = [await failureOf(payment, { code: name }), await failureOf(read, { code: name })];
		const what = sentence(reading.what);
		const known = groups.get(what) ?? {
			codes: [],
			row: [
				what,
				code(paying.outcome),
				paying.outcome === 'unknown' ? '[Unknown results](payments.md#unknown-results)' : descriptionOf(reading),
			],
		};
		groups.set(what, { ...known, codes: [...known.codes, code(name)] });
	}
	return table(
		['Code', 'Meaning', 'Outcome of a payment', 'Next step'],
		[...groups.values()].map(({ codes, row }) => [codes.join(', '), ...row]),
	);
}
