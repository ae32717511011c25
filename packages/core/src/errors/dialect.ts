import { isRecord } from '../json.ts';
import { textOrNumber } from '../text.ts';
import { errorObjectIn } from './errorSigns.ts';
import type { NextStep } from './nextSteps.ts';

export interface Explanation {
	/** Completes the sentence "<Operation>: …". */
	what: string;
	/** Advice, in the order of the list. */
	next: readonly NextStep[];
}

export interface ErrorBody {
	code?: string;
	/** The bank's own text. */
	text?: string;
}

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
	/** Whether the body has an error code of the service that `errorSignIn` does not find. */
	isRejection?: (body: unknown) => boolean;
	/** The service is documented to reject with a success status and a listed code (7.2). For others this leaves the outcome open. */
	rejectsWithSuccessStatus?: true;
}

/** The value of the first of these keys that has text or a number, as text. */
export function firstText(body: unknown, keys: readonly string[]): string | undefined {
	if (!isRecord(body)) return undefined;
	for (const key of keys) {
		const text = textOrNumber(body[key]);
		if (text !== '') return text;
	}
	return undefined;
}

const textNames = [
	...['message', 'error_description', 'errorMessage', 'errorString', 'httpMessage', 'description'],
	...['moreInformation', 'detail', 'text', 'error'],
];

/** Reads a body whose shape is not described: the object in it that reports an error, by common field names. */
export function readCommon(body: unknown): ErrorBody {
	const found = errorObjectIn(body);
	const fields = new Map(
		Object.entries(found ?? {}).map(([key, value]) => [key.replace(/[-_ ]/g, '').toLowerCase(), value]),
	);
	const first = (...names: string[]) =>
		names.map((name) => textOrNumber(fields.get(name.replace('_', '').toLowerCase()))).find((text) => text !== '');
	return { code: first('errorCode', 'code', 'errCode', 'statusCode', 'resultCode'), text: first(...textNames) };
}
