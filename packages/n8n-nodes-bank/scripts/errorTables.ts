import {
	type Answer,
	call,
	cardIssuance,
	connectionCodes,
	courier,
	type Dialect,
	entryScore,
	explainRest,
	isBankFailure,
	type FailureDetails,
	likelyMethod,
	messageTables,
	type NextStep,
	type Operation,
	operationById,
	operations,
	type PreparedRequest,
	profile,
	restOperations,
	type SendFault,
	unifiedChecks,
} from '@bank/core';

import { descriptionOf, stepTexts } from '../nodes/shared/words.ts';
import { code, sentence, table, tableOfFilled } from './markdown.ts';
import { byPart, bySpec, numberOf } from './names.ts';

/** The tables of docs/errors.md. */

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

/** How a call ends that is answered so, and the failure where it is one. Made by core's own `call`, so that the docs cannot say something else. */
async function endOf(id: string, answered: Answer | SendFault): Promise<FailureDetails | undefined> {
	const operation = operationById(id);
	const prepared: PreparedRequest = {
		method: likelyMethod(operation),
		url: '',
		headers: {},
		input: { path: {}, query: {}, body: {} },
	};
	try {
		await call(operation, prepared, () => Promise.resolve(answered));
		return undefined;
	} catch (error) {
		if (isBankFailure(error)) return error.details;
		throw error;
	}
}

async function failureOf(id: string, answered: Answer | SendFault): Promise<FailureDetails> {
	const failure = await endOf(id, answered);
	if (failure === undefined) throw new Error(`${id} did not fail`);
	return failure;
}

const answeredWith = (status: number, text = ''): Answer => ({ status, headers: {}, text });
const payment = 'payment.sendPackage';
const read = 'accountOperation.getMany';

type Case = readonly [what: string, answered: Answer | SendFault];

const refusals: readonly Case[] = [
	['400, 401, 403, 404, 429 and other 4xx', answeredWith(400)],
	['408', answeredWith(408)],
	['409', answeredWith(409)],
	['3xx (never followed)', answeredWith(307)],
	['5xx', answeredWith(500)],
];

const faults: readonly Case[] = [
	['no connection, wrong certificate, no token', { code: 'ECONNREFUSED' }],
	['time-out, connection broken, execution stopped', { code: 'ECONNRESET' }],
];

async function outcomeTable(): Promise<string> {
	const cases = [
		...refusals,
		['2xx whose body is empty, cut off, HTML or not JSON', answeredWith(200, '<html>')] as const,
		...faults,
	];
	const rows: string[][] = [];
	for (const [name, answered] of cases) {
		const details = await Promise.all([payment, 'loanApplication.create', read].map((id) => failureOf(id, answered)));
		rows.push([name, ...details.map(({ outcome }) => code(outcome))]);
	}
	return table(['What came back', 'Payment', 'Order, change, delete', 'Read'], rows);
}

/** Where the shape of the answer is not shown, more is an answer; and a service may list what P1 to P11 do not. */
async function openOutcomeTable(): Promise<string> {
	const columns = ['directDebit.debit', 'courier.authorize', 'offer.select', 'trip.send', 'file.getMany'];
	const cases: readonly Case[] = [
		['2xx with JSON', answeredWith(200, '{"id":1}')],
		['2xx without a body, or with `{}`', answeredWith(204)],
		['2xx with text that is no JSON', answeredWith(200, 'OK')],
		['2xx with JSON that is cut off, or HTML', answeredWith(200, '{"id":')],
		['2xx with a field `error…`, `fault…` or `exception…`', answeredWith(200, '{"error":"text"}')],
		['2xx with `errorInfo`', answeredWith(200, '{"errorInfo":{"errorCode":"008","errorString":"text"}}')],
		...refusals.filter(([what]) => ['409', '5xx'].includes(what)),
	];
	const rows: string[][] = [];
	for (const [name, answered] of cases) {
		const ends = await Promise.all(columns.map((id) => endOf(id, answered)));
		rows.push([name, ...ends.map((failure) => (failure === undefined ? 'an answer' : code(failure.outcome)))]);
	}
	return table(
		['What came back', 'Direct debit', 'Courier: change', 'First card flow: change', 'Other change', 'Courier: read'],
		rows,
	);
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

/** What part 7 lists for a service. */
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
	const checks: Record<keyof typeof messageTables, string> = {
		shared: 'all others',
		WSGlobalSearch: '`WSGlobalSearch`',
		WSResultSOZSalaryProject: '`WSResultSOZSalaryProject`',
	};
	const rows = Object.entries(checks).flatMap(([name, check]) =>
		Object.entries(messageTables[name as keyof typeof messageTables]).map(([message, meaning]) => [
			check,
			code(message),
			sentence(meaning),
		]),
	);
	return table(['Check', 'Code', 'Meaning'], rows);
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
			row: [what, code(paying.outcome), descriptionOf(paying.outcome === 'unknown' ? paying : reading)],
		};
		groups.set(what, { ...known, codes: [...known.codes, code(name)] });
	}
	return table(
		['Code', 'Meaning', 'Outcome of a payment', 'Next step'],
		[...groups.values()].map(({ codes, row }) => [codes.join(', '), ...row]),
	);
}
