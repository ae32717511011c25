import { isRecord } from '../../json.ts';
import { keysOf } from '../../keys.ts';
import { splitList } from '../../list.ts';
import { textOrNumber } from '../../text.ts';
import { isOutParams, saysNothingAgainst, topicOf } from './answerFields.ts';
import { digitIn, familyCodesIn, isCode, isDigit, isFamilyCode, isHarmlessCode, mayBeDigit } from './codes.ts';
import { messageOf } from './messages.ts';
import { type CheckName, checkNames } from './names.ts';
import { isKnownKey, type Place, zoneBelow, zoneOf } from './places.ts';

export type CheckResult = 'passed' | 'failed' | 'notRun' | 'unclear';

/** Result codes of 4.14. */
const resultCodes: ReadonlyMap<string, CheckResult> = new Map([
	['E', 'notRun'],
	['N', 'passed'],
	['Y', 'failed'],
]);

/** Of several results of one check the worst counts. */
const worstFirst: readonly CheckResult[] = ['failed', 'unclear', 'notRun', 'passed'];

export interface CheckMessage {
	code: string;
	/** What 7.3 says of the code; absent where it does not list it. */
	meaning?: string;
}

export interface CheckVerdict {
	/**
	 * `failed`: at least one check did. `passed`: every check asked for did. `incomplete`: one was not run, gave nothing that can be
	 * read, or says something that does not go with a pass.
	 */
	verdict: 'passed' | 'failed' | 'incomplete';
	/** By check, those asked for and those the bank answered. */
	results: Partial<Record<CheckName, CheckResult>>;
	/** Message codes by check. */
	messages: Partial<Record<CheckName, CheckMessage[]>>;
}

/**
 * The answer of the unified checks service as verdict and results. Only the place of a result code is shown,
 * `checks/<check name>/result`; rows with `checkName` and `result` or `checkResult`, `outParms`, and envelopes around them have been seen.
 * An N counts at these places alone, and only where everything that is said with it is known to go with a pass. A Y counts anywhere.
 * `request` is the body that was sent, which an answer may repeat.
 */
export function readChecks(
	answer: unknown,
	asked: readonly CheckName[],
	request: Readonly<Record<string, unknown>> = {},
): CheckVerdict {
	const { byCheck, nobodys } = findingsIn(answer, request);
	const codesOfBlocks = splitList(request.chklst, 'identifier');
	const results: CheckVerdict['results'] = {};
	const messages: CheckVerdict['messages'] = {};
	let hasMatch = false;
	for (const name of keysOf(checkNames)) {
		const own = byCheck.get(name);
		const isAsked = asked.includes(name);
		if (!isAsked && (own === undefined || own.results.size + own.codes.size === 0)) continue;
		const found = new Set(own?.results);
		if (found.size === 0) found.add(own === undefined ? 'notRun' : 'unclear');
		// What stands beside the checks may be about each of them, and does no good to any.
		const besides = isAsked ? [...nobodys.codes].filter((code) => weighs(name, code, isFamilyCode(code))) : [];
		const codes = [...new Set([...(own?.codes ?? []), ...besides])];
		if (codes.some((code) => weighs(name, code, true))) found.add('unclear');
		if (isAsked && (nobodys.results.has('failed') || nobodys.results.has('notRun'))) found.add('unclear');
		if (own !== undefined && own.blocks.size > 0 && codesOfBlocks.some((code) => !own.blocks.has(code)))
			found.add('unclear');
		const isDoubted =
			own === undefined || own.isDoubted || (isAsked && nobodys.isDoubted) || own.passes < subjectsIn(request);
		if (found.has('passed') && isDoubted) found.add('unclear');
		results[name] = worstFirst.find((result) => found.has(result));
		hasMatch ||= codes.some((code) => messageOf(name, code)?.weight === 'match');
		if (codes.length > 0)
			messages[name] = codes.map((code) => {
				const meaning = messageOf(name, code)?.meaning;
				return { code, ...(meaning === undefined ? {} : { meaning }) };
			});
	}
	const isPassed = asked.length > 0 && !hasMatch && asked.every((name) => results[name] === 'passed');
	const verdict = Object.values(results).includes('failed') ? 'failed' : isPassed ? 'passed' : 'incomplete';
	return { verdict, results, messages };
}

/** Whether a code makes a result N doubtful. One that 7.3 does not list may mean anything. */
function weighs(name: CheckName, code: string, ifUnlisted: boolean): boolean {
	const known = messageOf(name, code);
	return known === undefined ? ifUnlisted : known.weight !== 'harmless';
}

/** How many persons or companies a request is about, where a field that names them holds several. */
const subjectsIn = (request: Readonly<Record<string, unknown>>): number =>
	Math.max(1, ...['crf', 'cus', 'fior', 'fnm1', 'num'].map((name) => splitList(request[name], 'name').length));

/** What an answer says of one check. */
interface Findings {
	results: Set<CheckResult>;
	codes: Set<string>;
	/** Those of the codes that were asked for (`chklst`) that it names. */
	blocks: Set<string>;
	/** How many results at their places are N. */
	passes: number;
	/** Something was said with which no N can be trusted. */
	isDoubted: boolean;
}

const noFindings = (): Findings => ({
	results: new Set(),
	codes: new Set(),
	blocks: new Set(),
	passes: 0,
	isDoubted: false,
});

function findingsIn(
	answer: unknown,
	request: Readonly<Record<string, unknown>>,
): { byCheck: Map<CheckName, Findings>; nobodys: Findings } {
	const byCheck = new Map<CheckName, Findings>();
	const nobodys = noFindings();
	const blocks = splitList(request.chklst, 'identifier');
	const of = (name: CheckName | undefined): Findings => {
		if (name === undefined) return nobodys;
		const known = byCheck.get(name) ?? noFindings();
		byCheck.set(name, known);
		return known;
	};
	const namesBlock = ([key, field]: [string, unknown]) => key !== 'chklst' && blocks.includes(textOrNumber(field));
	const places: Place[] = [{ value: answer, key: '', zone: 'envelope' }];
	// It grows while it is walked: no answer is too deep for it.
	for (const place of places) {
		const { value, key } = place;
		if (typeof value !== 'object' || value === null) {
			readValue(place, request, blocks, of(place.of));
			continue;
		}
		const name = nameIn(value) ?? place.of;
		const zone = zoneOf(place, name);
		const findings = of(name);
		if (isUnread(place)) findings.results.add('unclear');
		if (place.isListed === true && zone === 'check' && says(value) && !hasResult(value) && !isEchoed(value))
			findings.isDoubted = true;
		for (const check of withoutResult(value, name, blocks)) of(check).results.add('unclear');
		const isOfBlock = blocks.includes(key) || Object.entries(value).some(namesBlock);
		const isBesideCode =
			place.isBesideCode === true || Object.values(value).some((field) => isHarmlessCode(name, field));
		for (const [inner, field] of Object.entries(value)) {
			if (Array.isArray(value)) {
				places.push({ ...place, value: field, zone, of: name, isListed: true, isOfBlock });
				continue;
			}
			const named = checkNameOf(inner);
			of(named);
			const inKey = familyCodesIn(inner);
			for (const code of inKey) findings.codes.add(code);
			if (place.speaks === true && isDigit(inner) && mayBeDigit(name)) findings.codes.add(inner);
			if (blocks.includes(inner)) {
				findings.blocks.add(inner);
				if (!says(field)) findings.results.add('unclear');
			}
			const below: Place = {
				value: field,
				key: inner,
				zone: zoneBelow(zone, inner, named),
				isInCheck: zone === 'check',
				of: named ?? name,
				isNamed: named !== undefined,
				isOfBlock: isOfBlock || blocks.includes(inner),
				speaks: place.speaks === true || (named === undefined && /code|mess|msg|err|fault/i.test(inner)),
				isBesideCode,
			};
			places.push({
				...below,
				isUnknown:
					place.isUnknown === true || ((isRecord(field) || Array.isArray(field)) && !isKnownKey(below, blocks)),
			});
		}
	}
	return { byCheck, nobodys };
}

const namesInLowerCase = new Map(keysOf(checkNames).map((name) => [name.toLowerCase(), name]));

function checkNameOf(value: unknown): CheckName | undefined {
	return typeof value === 'string' ? namesInLowerCase.get(value.trim().toLowerCase()) : undefined;
}

/** The check that an object says it is about; none where it names two. */
function nameIn(value: object): CheckName | undefined {
	const named = Object.entries(value).map(([key, field]) =>
		/name$|^(?:check|service)$/i.test(key) ? checkNameOf(field) : undefined,
	);
	const [name, ...others] = new Set(named.filter((found) => found !== undefined));
	return others.length === 0 ? name : undefined;
}

const isResultKey = (key: string): boolean => /^(?:check)?result$/i.test(key);

const hasResult = (value: unknown): boolean =>
	isRecord(value) &&
	Object.entries(value).some(([key, field]) => isResultKey(key) || (isOutParams(key) && hasResult(field)));

/** Whether a result must be missing: it is an object without one in it. */
const isUnread = ({ value, key }: Place): boolean =>
	isResultKey(key) && !hasResult(value) && !(Array.isArray(value) && value.length > 0);

const says = (value: unknown): boolean =>
	typeof value === 'object' && value !== null ? Object.values(value).some(says) : textOrNumber(value) !== '';

/** Whether a row is one of the request: it says whether a check is to run. */
const isEchoed = (value: object): boolean => Object.keys(value).some((key) => /^is_?to_?call$/i.test(key));

/** The checks of which rows in a list, or blocks that were asked for, say something and have no result, while others beside them have. */
function withoutResult(value: object, of: CheckName | undefined, blocks: readonly string[]): CheckName[] {
	const rows = Object.entries(value).flatMap(([inner, field]: [string, unknown]) =>
		(Array.isArray(value) || blocks.includes(inner)) && isRecord(field) && says(field)
			? [{ check: nameIn(field) ?? of, isRead: hasResult(field) }]
			: [],
	);
	const read = new Set(rows.flatMap(({ check, isRead }) => (isRead ? [check] : [])));
	return rows.flatMap(({ check, isRead }) => (isRead || check === undefined || !read.has(check) ? [] : [check]));
}

const isCodeKey = (key: string): boolean =>
	/^(?:message|msg|err(?:or)?|ret(?:urn)?|result|reason)?_?codes?$/i.test(key);

/** Whether an answer names somebody else than the request. Dates and names may be written in another way. */
function isOther(key: string, sent: unknown, told: unknown): boolean {
	const [one, other] = [sent, told].map((value) =>
		textOrNumber(value)
			.toLowerCase()
			.replace(/[^\p{L}\p{N}]+/gu, ''),
	);
	return other !== '' && one !== other && !/^(?:dtbr|dopn|edt)$/.test(key);
}

/** A value that is no object: a result, a code, or text in which one stands. */
function readValue(
	place: Place,
	request: Readonly<Record<string, unknown>>,
	blocks: readonly string[],
	findings: Findings,
): void {
	const { value, key, of: name, isInCheck = false, isNamed = false, isListed = false } = place;
	const { speaks = false, isOfBlock = false, isBesideCode = false, isUnknown = false } = place;
	const { results, codes } = findings;
	if (/^is_?to_?call$/i.test(key)) {
		findings.isDoubted ||= !/^(?:true|1|y(?:es)?)$/i.test(String(value).trim());
		return;
	}
	if (Object.hasOwn(request, key)) {
		findings.isDoubted ||= isOther(key, request[key], value);
		if (String(request[key]) === String(value)) return;
	}
	const text = textOrNumber(value);
	findings.isDoubted ||= isUnknown && (text !== '' || typeof value === 'boolean');
	const result = resultCodes.get(text.toUpperCase());
	const found = familyCodesIn(text);
	for (const code of found) codes.add(code);
	if (isResultKey(key) || (isNamed && !speaks && found.length === 0)) {
		const isItsOwn = isResultKey(key) && isInCheck && !isListed;
		if (result === 'passed' && isItsOwn) findings.passes++;
		// Beside the checks an N belongs to none, and that of a block is not that of the check. A bare letter in a list does not say of
		// what it is the result.
		if (result === 'passed' && !isItsOwn && (name === undefined || isOfBlock)) return;
		results.add(
			isItsOwn || (result !== 'passed' && !isListed) || result === 'failed' ? (result ?? 'unclear') : 'unclear',
		);
		return;
	}
	if (blocks.includes(key) && result === undefined) results.add('unclear');
	if (result !== undefined && (isNamed || isOfBlock || /result/i.test(key))) {
		// Elsewhere than where it is known to stand, a result does not make a check pass.
		if (result !== 'passed') results.add(result);
		else if (!isOfBlock && topicOf(key) === undefined) findings.isDoubted = true;
		return;
	}
	if (blocks.includes(text)) findings.blocks.add(text);
	if (checkNameOf(text) !== undefined || blocks.includes(text)) return;
	const digit = speaks || (name !== undefined && typeof value === 'string') ? digitIn(text) : undefined;
	const ownCode = digit !== undefined && mayBeDigit(name) ? digit : undefined;
	if (text !== '' && found.length === 0) {
		if (ownCode !== undefined) codes.add(ownCode);
		// Zeros are no errors, whatever else the code may say.
		else if (isCodeKey(key) ? !/^0+$/.test(text) : speaks && /^[a-z]{2,5}[-_ ]?\d{2,6}$/i.test(text)) codes.add(text);
	}
	const holdsCode = found.length > 0 || ownCode !== undefined || isCode(key);
	findings.isDoubted ||= !saysNothingAgainst(key, value, {
		isCode: holdsCode,
		isBesideCode: isBesideCode || isCode(key),
	});
}
