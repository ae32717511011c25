import {
	alreadyClaimed,
	type Answer,
	callUntil,
	connectionCodes,
	type Dialect,
	type FailureDetails,
	type FailureKind,
	heldBackWith,
	type Operation,
	rest,
	type SendFault,
	type ServiceError,
	otherAnswer,
	unconfirmed,
} from '@bank/core';

import { descriptionOf } from '../nodes/shared/words.ts';
import { isRest, operations } from './current.ts';
import { answeredWith, endOf, failureIn, requestOf } from './made.ts';
import { code, sentence } from './markdown.ts';
import { bySpec, grouped, numberOf, partOf } from './names.ts';

/**
 * Operation x fault -> what a person sees. Every failure is really made, by core's own calls and in the words of n8n, and then rows that
 * say the same become one. Nothing here knows what comes out, so that a new operation, code or step is in the matrix by itself.
 */

// ---- Who fails ---------------------------------------------------------------------------------------------------------

/** Operations that one chapter of the matrix is about: what they do at the bank decides about the outcome. */
export interface Kind {
	title: string;
	members: readonly Operation[];
}

/** By title. An effect that is none of these does not compile. */
const kindOf: Readonly<Record<Operation['effect'], string>> = {
	money: 'Payments and debits',
	order: 'Orders, changes and deletions',
	change: 'Orders, changes and deletions',
	delete: 'Orders, changes and deletions',
	read: 'Reads',
	none: 'What asks nothing of the bank',
};

export const kinds: readonly Kind[] = [...new Set(Object.values(kindOf))]
	.map((title) => ({ title, members: operations.filter(({ effect }) => kindOf[effect] === title) }))
	.filter(({ members }) => members.length > 0);

/** Operations of a kind that have the service, its way to word errors and the credential in common. */
export interface Group {
	/** What the tables call it. */
	name: string;
	members: readonly Operation[];
}

const nameOf = (members: readonly Operation[]): string => {
	const [first] = members;
	return first === undefined || !isRest(first) ? members.slice(0, 1).map(partOf).join('') : namesOf(members);
};

const namesOf = (members: readonly Operation[]): string =>
	[...members]
		.sort(bySpec)
		.map((operation) => (isRest(operation) ? numberOf(operation) : code(operation.id)))
		.join(', ');

export function groupsOf({ members }: Kind): Group[] {
	const parts = grouped([...members].sort(bySpec), (operation) => (isRest(operation) ? '' : partOf(operation)));
	return [...parts.values()].map((found) => ({ name: nameOf(found), members: found }));
}

// ---- What comes back ---------------------------------------------------------------------------------------------------

/** One fault, and how an operation ends that meets it. */
export interface Case {
	/** As the table calls it, beside the status. Empty where the status is all. */
	name: string;
	status?: number;
	meets: (operation: Operation) => boolean;
	end: (operation: Operation) => Promise<FailureDetails | undefined>;
}

/** Whether an operation can meet any of these. */
export const mayMeet = (cases: readonly Case[], operation: Operation): boolean =>
	cases.some(({ meets }) => meets(operation));

export const dialectOf = ({ dialect = rest }: Operation): Dialect => dialect;

const always = () => true;
export const answered = (name: string, answer: Answer | SendFault): Case => ({
	name,
	meets: always,
	end: (operation) => endOf(operation, answer),
});

/** Shapes in which a service may word a refusal. Which one is its own shows when it is read. */
const wordings: readonly ((errorCode: string) => unknown)[] = [
	(error) => ({ error }),
	(errorCode) => ({ errorInfo: { errorCode } }),
	(ErrorString) => ({ Error: { ErrorString } }),
	(errorCode) => ({ code: errorCode }),
];

/** Where the status of an error is not shown, it may come with either. */
const statusesOf = ({ status }: ServiceError): readonly number[] => (status === undefined ? [200, 400] : [status]);

/** @throws where core does not read what the dialect lists */
async function refusedWith(
	operation: Operation,
	status: number,
	{ code: wanted, what = '' }: Partial<ServiceError>,
): Promise<FailureDetails> {
	const texts = wanted === undefined ? [''] : wordings.map((wording) => JSON.stringify(wording(wanted)));
	for (const text of texts) {
		const failure = await endOf(operation, answeredWith(status, text));
		if (failure?.code === wanted && failure?.what.startsWith(what) === true) return failure;
	}
	throw new Error(`${operation.id} does not read ${status} ${wanted ?? ''} as its service words it: add a wording`);
}

/** A code that nobody lists, of the same form. */
const unlisted = (known: string): string => known.replace(/\d/g, '9');

/** What the description lists for a service. A code that comes with any status has neighbours that are not listed. */
export function listedCases(dialect: Dialect): Case[] {
	const ofDialect = (operation: Operation) => dialectOf(operation) === dialect;
	const cases = dialect.listed.flatMap((listed) =>
		statusesOf(listed).map((status) => ({
			name: listed.code === undefined ? '' : code(listed.code),
			status,
			meets: ofDialect,
			end: (operation: Operation) => refusedWith(operation, status, listed),
		})),
	);
	const model = dialect.listed.find((listed) => listed.status === undefined);
	if (model?.code === undefined) return cases;
	const other = { code: unlisted(model.code) };
	const others = statusesOf(model).map((status) => ({
		name: 'any other code',
		status,
		meets: ofDialect,
		end: (operation: Operation) => refusedWith(operation, status, other),
	}));
	return [...cases, ...others];
}

/** Every status of a refusal, without a code. Those that a service lists so are among its own. */
export const statusCases: readonly Case[] = Array.from({ length: 300 }, (_, index) => index + 300).map((status) => ({
	name: '',
	status,
	meets: (operation) =>
		!dialectOf(operation).listed.some((listed) => listed.status === status && listed.code === undefined),
	end: (operation) => endOf(operation, answeredWith(status, '{}')),
}));

const deep = 250;

/** Answers with a status of success that may be none. */
export const answerCases: readonly Case[] = [
	answered('nothing', answeredWith(200)),
	answered('`{}`', answeredWith(200, '{}')),
	answered('an empty list', answeredWith(200, '[]')),
	answered('JSON with none of the described fields', answeredWith(200, '{"x":1}')),
	answered('JSON with a field `error…`', answeredWith(200, '{"error":"text"}')),
	answered('JSON that is cut off', answeredWith(200, '{"x":')),
	answered(`JSON nested ${deep} deep`, answeredWith(200, '[{"x":'.repeat(deep) + '1' + '}]'.repeat(deep))),
	answered('a web page', answeredWith(200, '<html>')),
	answered('text that is no JSON', answeredWith(200, 'OK')),
	{
		name: 'an answer for another identifier than the one that was sent',
		meets: ({ echoes }) => echoes !== undefined,
		end: async (operation) => {
			const [field = ''] = operation.echoes ?? [];
			return await failureIn(Promise.reject(otherAnswer(operation, answeredWith(200), field, anyName, anyName)));
		},
	},
	{
		name: 'an accepted package without this payment',
		meets: (operation) => isPackage(operation),
		end: async (operation) => await failureIn(Promise.reject(unconfirmed(operation, anyName))),
	},
];

export const connectionCases: readonly Case[] = [
	...connectionCodes.map((name) => answered(code(name), { code: name })),
	answered('any other code', { code: 'EOTHER' }),
	answered('none', {}),
];

const waiting = (name: string, atMost: number): Case => ({
	name,
	meets: ({ asynchronous }) => asynchronous === true,
	end: async (operation) => {
		const notYet = () => Promise.resolve(answeredWith(202));
		const stopped = () => Promise.resolve(false);
		const options = { ready: { when: 'answered' }, every: 1, atMost, wait: stopped } as const;
		const failure = await failureIn(callUntil(operation, requestOf(operation), notYet, options));
		// How long is the user's choice.
		return failure && { ...failure, what: failure.what.replace(`${atMost} seconds`, '… seconds') };
	},
});

/** *Wait for Result* without one. */
export const waitingCases: readonly Case[] = [
	waiting('the result is not there in time', 0),
	waiting('the execution is stopped', 60),
];

/** A sequence, a transaction ID: what a failure is about. */
const anyName = '…';

const thrown = (name: string, meets: Case['meets'], failure: (operation: Operation) => Error): Case => ({
	name,
	meets,
	end: async (operation) => await failureIn(Promise.reject(failure(operation))),
});

/** What moves money for several at once: its shape is shown. */
const isPackage = ({ effect, body }: Operation): boolean => effect === 'money' && body !== undefined;

/** Failures of what is not sent because of what was sent before. One that an answer leads to stands in `answerCases`. */
export const heldBackCases: readonly Case[] = [
	thrown(
		'it was sent before',
		({ effect, once }) => effect === 'money' || once === true,
		(operation) => alreadyClaimed(operation, [anyName]),
	),
	thrown('others of its package were sent before', isPackage, (operation) => heldBackWith(operation, [anyName])),
];

// ---- The rows ----------------------------------------------------------------------------------------------------------

/** What a person sees of it. */
export interface Seen {
	class: string;
	outcome: string;
	retryable: boolean;
	message: string;
	next: string;
}

/** A kind of failure that has no name here does not compile. */
export const classes: Readonly<Record<FailureKind, string>> = {
	refused: 'refused',
	unreadable: 'unreadable',
	noAnswer: 'no answer',
	notReady: 'not ready',
	heldBack: 'held back',
	unconfirmed: 'unconfirmed',
};

export const anAnswer: Seen = { class: 'an answer', outcome: '', retryable: false, message: '', next: '' };

/** Faults that end alike, and the operations for which they do. */
export interface Row extends Seen {
	cases: readonly Case[];
	members: readonly Operation[];
	/** The groups, and operations of groups, that it is about; empty where all of the table are that can meet the fault. */
	whose: string;
}

/** What differs from operation to operation by a word only. */
function withoutOwnWords(operation: Operation): Operation {
	const { scope, order } = operation;
	return {
		...operation,
		...(scope === undefined ? {} : { scope: '…' }),
		...(order === undefined ? {} : { order: '…' }),
	};
}

/** What a description says of a failure of which no more is known than this. */
function described(
	{ operation, effect, what, message, retryable }: FailureDetails,
	known: Pick<FailureDetails, 'kind' | 'outcome'> & Partial<FailureDetails>,
): string {
	return descriptionOf({ operation, effect, what, message, retryable, next: [], ...known });
}

/** The sentence that a description begins with, which says what became of the request. */
export function outcomeSentence(failure: FailureDetails): string {
	const { outcome, ifUnclear } = failure;
	return described(failure, { kind: 'noAnswer', outcome, ...(ifUnclear === undefined ? {} : { ifUnclear }) });
}

/** Without what is the same for every failure of its outcome, or of its kind. */
function seenOf(failure: FailureDetails): Seen {
	const { kind, outcome, retryable, what, httpStatus, code: name } = failure;
	const { words: _, ifUnclear: __, ...told } = failure;
	// With no words at all a refusal would be told as one without explanation.
	const words = kind === 'refused' ? { words: '…' } : {};
	const next = descriptionOf({ ...told, ...words, outcome: 'nothingChanged' });
	const ofKind = described(failure, { kind, ...words, outcome: 'nothingChanged' });
	const known = ` (${[httpStatus, name].filter((part) => part !== undefined).join(' ')})`;
	return {
		class: classes[kind],
		outcome,
		retryable,
		message: sentence(what.endsWith(known) ? what.slice(0, -known.length) : what),
		next: next.startsWith(ofKind) ? next.slice(ofKind.length).trim() : next,
	};
}

async function rowsOfCase(one: Case, groups: readonly Group[]): Promise<Row[]> {
	const able = groups.flatMap(({ members }) => members).filter((operation) => mayMeet([one], operation));
	const ends = await Promise.all(
		able.map(async (operation) => {
			const failure = await one.end(withoutOwnWords(operation));
			return { operation, seen: failure === undefined ? anAnswer : seenOf(failure) };
		}),
	);
	return [...grouped(ends, ({ seen }) => JSON.stringify(seen)).values()].map((alike) => {
		const members = alike.map(({ operation }) => operation);
		const [{ seen } = { seen: anAnswer }] = alike;
		return {
			...seen,
			cases: [one],
			members,
			whose: members.length === able.length ? '' : whoseOf(members, groups, able),
		};
	});
}

/** Groups by their name where all of it is meant that can meet the fault, else operations. */
function whoseOf(members: readonly Operation[], groups: readonly Group[], able: readonly Operation[]): string {
	const parts = groups.map((group) => {
		const [meant, possible] = [members, able].map((some) => group.members.filter((one) => some.includes(one)));
		if (meant === undefined || possible === undefined || meant.length === 0) return '';
		return meant.length === possible.length ? group.name : namesOf(meant);
	});
	return parts.filter((part) => part !== '').join(', ');
}

/** One row for all that say the same of the same operations. */
export async function rowsOf(cases: readonly Case[], groups: readonly Group[]): Promise<Row[]> {
	const single = (await Promise.all(cases.map((one) => rowsOfCase(one, groups)))).flat();
	const alike = grouped(single, ({ cases: _, members: __, ...said }) => JSON.stringify(said));
	return [...alike.values()].flatMap((rows) => {
		const [first] = rows;
		if (first === undefined) return [];
		const members = [...new Set(rows.flatMap((row) => row.members))];
		return [{ ...first, members, cases: rows.flatMap((row) => row.cases) }];
	});
}
