import { isRecord } from '../../json.ts';
import { keysOf } from '../../keys.ts';
import { messageOf } from './messages.ts';
import { type CheckName, checkNames, isCheckName } from './names.ts';

export type CheckResult = 'passed' | 'failed' | 'notRun' | 'unclear';

/** Result codes of 4.14. */
const results: Readonly<Record<string, CheckResult>> = { E: 'notRun', N: 'passed', Y: 'failed' };

export interface CheckMessage {
	code: string;
	/** What 7.3 says of the code; absent where it does not list it. */
	meaning?: string;
}

export interface CheckVerdict {
	/**
	 * `failed`: at least one check did. `passed`: every check asked for did. `incomplete`: one was not run, or gave nothing
	 * that can be read.
	 */
	verdict: 'passed' | 'failed' | 'incomplete';
	/** By check, those asked for and those the bank answered. */
	results: Partial<Record<CheckName, CheckResult>>;
	/** Message codes by check. */
	messages: Partial<Record<CheckName, CheckMessage[]>>;
}

/**
 * The answer of the unified checks service as verdict and results.
 * Only the place of a result code is shown, `checks/<check name>/result`; answers nested below another key have been seen, and
 * a list of checks would be as good a reading: the check is looked for by its name, wherever it stands.
 */
export function readChecks(answer: unknown, asked: readonly CheckName[]): CheckVerdict {
	const found = checksIn(answer);
	const names = keysOf(checkNames).filter((name) => asked.includes(name) || found.has(name));
	const read: CheckVerdict['results'] = Object.fromEntries(names.map((name) => [name, resultIn(found.get(name))]));
	const messages = Object.fromEntries(
		names.map((name) => [name, messagesIn(found.get(name), name)] as const).filter(([, list]) => list.length > 0),
	);
	const outcomes = names.map((name) => read[name]);
	const verdict = outcomes.includes('failed')
		? 'failed'
		: asked.length > 0 && asked.every((name) => read[name] === 'passed')
			? 'passed'
			: 'incomplete';
	return { verdict, results: read, messages };
}

function checksIn(answer: unknown): Map<CheckName, unknown> {
	const found = new Map<CheckName, unknown>();
	// A result of an outer place counts before one further in; a place without result, such as an echo of the request, before none.
	const add = (name: unknown, check: unknown) => {
		if (
			isCheckName(name) &&
			(!found.has(name) || (codeOf(found.get(name)) === undefined && codeOf(check) !== undefined))
		)
			found.set(name, check);
	};
	const places = [answer];
	// It grows while it is walked: one level after the other.
	for (const place of places) {
		if (isRecord(place)) add(place.checkName, place);
		if (typeof place !== 'object' || place === null) continue;
		for (const [key, inner] of Object.entries(place)) {
			add(key, inner);
			places.push(inner);
		}
	}
	return found;
}

function codeOf(check: unknown): string | undefined {
	return typeof check === 'string' ? check : findText(check, /^result$/i);
}

function resultIn(check: unknown): CheckResult {
	if (check === undefined) return 'notRun';
	return results[(codeOf(check) ?? '').trim().toUpperCase()] ?? 'unclear';
}

/** The first text whose key matches, outer places first. */
function findText(value: unknown, key: RegExp): string | undefined {
	if (typeof value !== 'object' || value === null) return undefined;
	const entries = Object.entries(value);
	const [own] = entries.flatMap(([name, inner]) => (key.test(name) && typeof inner === 'string' ? [inner] : []));
	if (own !== undefined) return own;
	for (const [, inner] of entries) {
		const found = findText(inner, key);
		if (found !== undefined) return found;
	}
	return undefined;
}

/** Where message codes stand is not shown: any value that looks like one, or stands under a key that says `code`. */
function messagesIn(check: unknown, name: CheckName): CheckMessage[] {
	const codes = new Set<string>();
	const look = (value: unknown, key: string) => {
		if (typeof value === 'object' && value !== null)
			for (const [inner, field] of Object.entries(value)) look(field, Array.isArray(value) ? key : inner);
		else if (
			(typeof value === 'string' && /^(?:KSM|PBC|PBS|WSE)\d{4}$/.test(value.trim())) ||
			(/code/i.test(key) && messageOf(name, String(value).trim()) !== undefined)
		)
			codes.add(String(value).trim());
	};
	look(check, '');
	return [...codes].map((code) => {
		const meaning = messageOf(name, code);
		return { code, ...(meaning === undefined ? {} : { meaning }) };
	});
}
