import { isEmpty, isRecord } from '../../json.ts';
import { keysOf } from '../../keys.ts';
import { omitUndefined } from '../../omitUndefined.ts';
import { valuesAt } from '../../path.ts';
import type { ChecksDetails } from '../../serviceDetails/details.ts';
import { textOrNumber } from '../../text.ts';
import { meaningOf, nothingFound } from './messages.ts';
import { type CheckName, checkNames } from './names.ts';

export type CheckResult = 'passed' | 'failed' | 'notRun' | 'unclear';

export interface CheckMessage {
	code: string;
	/** Meaning of the code in 7.3; absent if not listed. */
	meaning?: string;
}

export interface CheckVerdict {
	/** `failed`: at least one check failed. `passed`: all requested checks passed. `incomplete`: neither. */
	verdict: 'passed' | 'failed' | 'incomplete';
	/** The result of each check that was requested or that the response contains. */
	results: Partial<Record<CheckName, CheckResult>>;
	messages: Partial<Record<CheckName, CheckMessage[]>>;
	/** Why a check is unclear. If the cause is harmless: what to add to the service details. */
	reasons: Partial<Record<CheckName, string[]>>;
}

/** A value that is not an object, its path (`messages[*].text`), and the keys of that path. */
interface Leaf {
	path: string;
	keys: readonly string[];
	value: unknown;
}

/**
 * Whether a text is a message code: codes of 7.3 that six checks share have this form, and any text of this form counts
 * as a code.
 */
const isCode = (text: string): boolean => /^[A-Z]{3}\d{4}$/.test(text);

const word = (value: unknown): string => textOrNumber(value).toUpperCase();

/**
 * Reads the response of the unified checks. A check is passed only if nothing is unknown: its row is at `checks/<check name>` (4.14) or
 * where the service details say, has the result N and codes that mean "nothing found", and there are no other fields than those that the
 * service details list as harmless. Texts are never read.
 */
export function readChecks(
	response: unknown,
	asked: readonly CheckName[],
	{ status = 200, details = {} }: { status?: number; details?: ChecksDetails | undefined } = {},
): CheckVerdict {
	const { row = 'checks.{check}', name: nameField, result: resultField = 'result', codes = '', ignore = [] } = details;
	const rows = keysOf(checkNames).flatMap((name) =>
		valuesAt(response, row.replace('{check}', name))
			.filter((found) => nameField === undefined || (isRecord(found) && word(found[nameField]) === word(name)))
			.filter((found) => found !== undefined)
			.map((found) => ({ name, found })),
	);
	const isHarmless = ({ path, keys, value }: Leaf) =>
		isEmpty(value) || ignore.includes(path) || keys.some((key) => ignore.includes(key));
	const outside = leavesIn(response, new Set(rows.map(({ found }) => found))).filter((leaf) => !isHarmless(leaf));
	const shared = [
		...(status === 200 ? [] : [`the HTTP status is ${status}, not 200`]),
		...outside.map(({ path }) => unknownField(path)),
	];
	const verdict: CheckVerdict = { verdict: 'incomplete', results: {}, messages: {}, reasons: {} };
	for (const name of keysOf(checkNames)) {
		const isAsked = asked.includes(name);
		const own = rows.filter((one) => one.name === name).map(({ found }) => found);
		if (own.length === 0 && !isAsked) continue;
		const place = row.replace('{check}', name);
		const reasons = own.length === 0 ? [`the response has no row at ${place}`] : [...shared];
		const found = own.map((one) => (isRecord(one) ? word(one[resultField]) : ''));
		const leaves = own.flatMap((one) => leavesIn(one));
		const messages = leaves.filter(({ path, value }) => !isEmpty(value) && (path === codes || isCode(word(value))));
		for (const result of found)
			if (!['E', 'N', 'Y'].includes(result))
				reasons.push(`${resultField} of ${place} is ${quoted(result)}, not E, N or Y`);
		for (const code of messages.map(({ value }) => word(value)))
			if (!nothingFound[name].includes(code) && !ignore.includes(code)) reasons.push(unknownCode(code));
		for (const leaf of leaves)
			if (leaf.path !== resultField && leaf.path !== nameField && !messages.includes(leaf) && !isHarmless(leaf))
				reasons.push(unknownField(leaf.path));
		const isNotRun = found.length > 0 && found.every((result) => result === 'E');
		verdict.results[name] = found.includes('Y')
			? 'failed'
			: isNotRun
				? 'notRun'
				: found.every((result) => result === 'N') && reasons.length === 0
					? 'passed'
					: 'unclear';
		if (verdict.results[name] === 'unclear') verdict.reasons[name] = [...new Set(reasons)];
		if (messages.length > 0)
			verdict.messages[name] = [...new Set(messages.map(({ value }) => word(value)))].map((code) =>
				omitUndefined({ code, meaning: meaningOf(name, code) }),
			);
	}
	const isPassed = asked.length > 0 && asked.every((name) => verdict.results[name] === 'passed');
	if (isPassed) verdict.verdict = 'passed';
	if (Object.values(verdict.results).includes('failed')) verdict.verdict = 'failed';
	return verdict;
}

/**
 * The values that are not objects, at any depth.
 * @param without objects to leave out
 */
function leavesIn(
	value: unknown,
	without: ReadonlySet<unknown> = new Set(),
	path = '',
	keys: readonly string[] = [],
): Leaf[] {
	if (without.has(value)) return [];
	if (typeof value !== 'object' || value === null) return [{ path, keys, value }];
	if (Array.isArray(value)) return value.flatMap((element) => leavesIn(element, without, `${path}[*]`, keys));
	return Object.entries(value).flatMap(([key, field]) =>
		leavesIn(field, without, path === '' ? key : `${path}.${key}`, [...keys, key]),
	);
}

const quoted = (text: string): string => JSON.stringify(text.slice(0, 60));

const unknownField = (path: string): string =>
	`the field ${quoted(path)} is not described. If it is harmless, add it to checks.ignore in the Service Details`;

const unknownCode = (code: string): string =>
	`the code ${quoted(code)} is not known to mean "nothing found" for this check`;
