import { wordOf } from '../errors/errorSigns.ts';
import { headerOf } from '../errors/httpResponse.ts';
import { hasContent, isRecord } from '../json.ts';
import type { Operation } from '../operation.ts';
import { valuesAt } from '../path.ts';
import type { Condition } from '../serviceDetails/details.ts';
import { textOrNumber } from '../text.ts';

/** The part of a result that the service details describe. */
interface Received {
	data: unknown;
	status: number;
	headers?: Readonly<Record<string, unknown>> | undefined;
	file?: unknown;
}

function valuesOf({ field, header = '' }: Condition, { data, headers = {} }: Received): unknown[] {
	return field === undefined ? [headerOf(headers, header.toLowerCase())] : valuesAt(data, field);
}

/** A value in lower case without outer spaces, for comparisons. Undefined for an object. */
const plain = (value: unknown): string | undefined =>
	typeof value === 'object' ? undefined : String(value).trim().toLowerCase();

function isListed(value: unknown, { values, not, min, max }: Condition): boolean {
	if (!hasContent(value)) return false;
	const isAmong = (list: readonly unknown[]) => list.some((listed) => plain(listed) === plain(value));
	const number = min === undefined && max === undefined ? 0 : Number(textOrNumber(value) || NaN);
	return (
		(values === undefined || isAmong(values)) &&
		(not === undefined || !isAmong(not)) &&
		number >= (min ?? -Infinity) &&
		number <= (max ?? Infinity)
	);
}

/** Whether a response meets a condition. A missing field meets none; a list meets one if all of its elements do. */
function isMet(condition: Condition | undefined, received: Received): boolean {
	if (condition === undefined) return false;
	const values = valuesOf(condition, received);
	return values.length > 0 && values.every((value) => isListed(value, condition));
}

/** Whether a response meets a condition. Unlike `isMet`, one matching element of a list is enough. */
const isMetOnce = (condition: Condition | undefined, received: Received): boolean =>
	condition !== undefined && valuesOf(condition, received).some((value) => isListed(value, condition));

/** The verdicts that responses of an operation can have, and the output field that holds the verdict. */
export const verdictsOf = ({ verdicts }: Pick<Operation, 'verdicts'>): NonNullable<Operation['verdicts']> =>
	verdicts ?? { field: 'verdict', names: ['yes', 'no'] };

/**
 * Values that the service details list, as `wordOf` returns them. They are expected, so they are no sign of an error.
 */
export function listedWords({ details: { responses = {} } = {} }: Operation): ReadonlySet<string> {
	const conditions = Object.values(responses).filter((one): one is Condition => isRecord(one));
	return new Set(conditions.flatMap(({ values = [] }) => values.map(wordOf)));
}

/**
 * What a response means according to the service details: one of the verdicts of the operation, `notReady`, `ready` if they list no
 * verdict, or `unclear` if they do not list the value. Undefined if they say nothing.
 */
export function verdictOf(operation: Operation, received: Received): string | undefined {
	const { responses = {} } = operation.details ?? {};
	const conditions = responses as Readonly<Record<string, Condition | undefined>>;
	const { ready, notReady, no } = conditions;
	const names = verdictsOf(operation).names.filter((name) => conditions[name] !== undefined);
	if (names.length === 0 && ready === undefined && notReady === undefined) return undefined;
	if (isMetOnce(no, received)) return 'no';
	// 202: accepted, but not completed (RFC 9110, 15.3.3).
	const isPending = operation.effect === 'read' && received.status === 202;
	if (isMetOnce(notReady, received) || (isPending && operation.asynchronous === true)) return 'notReady';
	const met = names.filter((name) => isMet(conditions[name], received));
	if (isPending || met.length > 1) return 'unclear';
	return met[0] ?? (names.length === 0 && isMet(ready, received) ? 'ready' : 'unclear');
}

/** Whether the service details say which response is a success, or nothing at all. If not, waiting for a success would never end. */
export function namesSuccess({ details: { responses = {} } = {}, ...operation }: Operation): boolean {
	const has = (name: string) => Object.hasOwn(responses, name);
	return (
		['ready', ...verdictsOf(operation).names].some((name) => name !== 'no' && has(name)) ||
		!(has('no') || has('notReady'))
	);
}

/**
 * Whether a response is the final result: as the service details list it or, if they say nothing, with content and a status other
 * than 202.
 */
export function isFinal(operation: Operation, received: Received): boolean {
	const verdict = verdictOf(operation, received);
	if (verdict === undefined)
		return received.status !== 202 && (received.file !== undefined || hasContent(received.data));
	if (verdict === 'notReady') return false;
	// A file has no fields: it is the result itself, or an error that the user must see.
	if (received.file !== undefined) return received.status !== 202;
	return verdict !== 'unclear' || (received.status !== 202 && isMet(operation.details?.responses?.ready, received));
}
