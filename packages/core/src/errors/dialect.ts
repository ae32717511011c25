import { isRecord } from '../json.ts';
import { textOrNumber } from '../text.ts';
import type { NextStep } from './nextSteps.ts';

/** Meaning and next steps of an error. */
export interface Explanation {
	/** What happened, as the end of the sentence "<Operation>: …". */
	what: string;
	/** What to do, in this order. */
	next: readonly NextStep[];
}

/** What a body says of an error. */
export interface ErrorBody {
	code?: string;
	/** The bank's own words. */
	text?: string;
}

/** One error that the description lists for a service, whatever it is known by. */
export interface ServiceError extends Explanation {
	/** Absent where the description does not show it. */
	status?: number;
	/** Absent where it is known by its status alone. */
	code?: string;
}

/** How a service words its errors: one for each section of part 7. */
export interface Dialect {
	/** The section of part 7. */
	spec: string;
	/** Every error that the section lists. Empty where it lists none for the service. */
	listed: readonly ServiceError[];
	read: (body: unknown) => ErrorBody;
	explain: (error: { status: number } & ErrorBody) => Explanation;
	/** Whether a body refuses although its status says success. */
	refuses?: (body: unknown) => boolean;
	/** That is how the service refuses (7.2); elsewhere it leaves open what became of the request. */
	refusesInSuccess?: true;
}

/** The first of these keys that holds text or a number, as text. */
export function firstText(body: unknown, keys: readonly string[]): string | undefined {
	if (!isRecord(body)) return undefined;
	for (const key of keys) {
		const text = textOrNumber(body[key]);
		if (text !== '') return text;
	}
	return undefined;
}

export function errorBody(code: string | undefined, text: string | undefined): ErrorBody {
	return { ...(code === undefined ? {} : { code }), ...(text === undefined ? {} : { text }) };
}
