import { isRecord } from '../json.ts';
import { textOrNumber } from '../text.ts';
import type { NextStep } from './nextSteps.ts';

export interface Explanation {
	/** Completes the sentence "<Operation>: …". */
	what: string;
	/** Advice, in this order. */
	next: readonly NextStep[];
}

export interface ErrorBody {
	code?: string;
	/** The bank's own text. */
	text?: string;
}

/** An error that the description lists for a service. */
export interface ServiceError extends Explanation {
	/** Absent if not described. */
	status?: number;
	/** Absent if only the status identifies it. */
	code?: string;
}

/** The error format of a service: one for each section of part 7. */
export interface Dialect {
	spec: string;
	/** All errors of the section; empty if it lists none. */
	listed: readonly ServiceError[];
	read: (body: unknown) => ErrorBody;
	/** Finds the listed error. Default: by its code. If no listed error fits, the status explains it. */
	find?: (body: ErrorBody) => ServiceError | undefined;
	/** Whether the body is a rejection although the status is a success. */
	isRejection?: (body: unknown) => boolean;
	/** The service is documented to reject with a success status (7.2). For others this leaves the outcome open. */
	rejectsWithSuccessStatus?: true;
}

/** The first of these keys whose value is text or a number, as text. */
export function firstText(body: unknown, keys: readonly string[]): string | undefined {
	if (!isRecord(body)) return undefined;
	for (const key of keys) {
		const text = textOrNumber(body[key]);
		if (text !== '') return text;
	}
	return undefined;
}

/** Text in a body whose shape is not described. */
export const commonText = (body: unknown): string | undefined =>
	firstText(body, [
		...['message', 'error_description', 'errorMessage', 'errorString', 'httpMessage', 'description'],
		...['moreInformation', 'detail', 'text', 'error'],
	]);
