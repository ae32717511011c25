import { isRecord } from '../../json.ts';
import { keysOf } from '../../keys.ts';
import { splitList } from '../../list.ts';
import { omitUndefined } from '../../omitUndefined.ts';
import { textOrNumber } from '../../text.ts';
import { isOutParams, isCompatibleWithPass, topicOf } from './responseFields.ts';
import { digitIn, familyCodesIn, isCode, isDigit, isFamilyCode, isHarmlessCode, mayBeDigit } from './codes.ts';
import { checkMessageOf } from './messages.ts';
import { type CheckName, checkNames } from './names.ts';
import { type Place, zoneIn } from './places.ts';

export type CheckResult = 'passed' | 'failed' | 'notRun' | 'unclear';

/** Result codes of 4.14. */
const resultCodes: ReadonlyMap<string, CheckResult> = new Map([
	['E', 'notRun'],
	['N', 'passed'],
	['Y', 'failed'],
]);

/** If a check has several results, the worst one counts. */
const worstFirst: readonly CheckResult[] = ['failed', 'unclear', 'notRun', 'passed'];

export interface CheckMessage {
	code: string;
	/** Meaning of the code in 7.3; absent if not listed. */
	meaning?: string;
}

export interface CheckVerdict {
	/**
	 * `failed`: at least one check failed. `passed`: all requested checks passed. `incomplete`: a check was not run, its
	 * result is unreadable, or a message contradicts a pass.
	 */
	verdict: 'passed' | 'failed' | 'incomplete';
	/** By check: those requested, and others in the response. */
	results: Partial<Record<CheckName, CheckResult>>;
	messages: Partial<Record<CheckName, CheckMessage[]>>;
}

/**
 * Reads the response of the unified checks service. The description shows only the path `checks/<check name>/result`.
 * Rows with `checkName` and `result` or `checkResult`, `outParms`, and envelopes around them have been seen in
 * practice. N (passed) counts only at these paths and if everything next to it is known to be harmless; Y (failed)
 * counts anywhere.
 * @param request the body that was sent, which the response may repeat
 */
export function readChecks(
	response: unknown,
	asked: readonly CheckName[],
	request: Readonly<Record<string, unknown>> = {},
): CheckVerdict {
	const byCheck = findingsIn(response, request);
	const unattributed = byCheck.get(undefined) ?? noFindings();
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
		// Codes outside the checks may apply to any of them.
		const ofAny = isAsked ? [...unattributed.codes].filter((code) => isDoubtful(name, code, isFamilyCode(code))) : [];
		const codes = [...new Set([...(own?.codes ?? []), ...ofAny])];
		if (codes.some((code) => isDoubtful(name, code, true))) found.add('unclear');
		if (isAsked && (unattributed.results.has('failed') || unattributed.results.has('notRun'))) found.add('unclear');
		if (own !== undefined && own.blocks.size > 0 && codesOfBlocks.some((code) => !own.blocks.has(code)))
			found.add('unclear');
		const isDoubted =
			own === undefined || own.hasDoubt || (isAsked && unattributed.hasDoubt) || own.passes < subjectsIn(request);
		if (found.has('passed') && isDoubted) found.add('unclear');
		results[name] = worstFirst.find((result) => found.has(result));
		hasMatch ||= codes.some((code) => checkMessageOf(name, code)?.weight === 'match');
		if (codes.length > 0)
			messages[name] = codes.map((code) => omitUndefined({ code, meaning: checkMessageOf(name, code)?.meaning }));
	}
	const isPassed = asked.length > 0 && !hasMatch && asked.every((name) => results[name] === 'passed');
	const verdict = Object.values(results).includes('failed') ? 'failed' : isPassed ? 'passed' : 'incomplete';
	return { verdict, results, messages };
}

/** Whether a code contradicts a pass. Codes that 7.3 does not list may have any meaning. */
function isDoubtful(name: CheckName, code: string, ifUnlisted: boolean): boolean {
	const known = checkMessageOf(name, code);
	return known === undefined ? ifUnlisted : known.weight !== 'harmless';
}

/** The number of persons or companies in the request. */
const subjectsIn = (request: Readonly<Record<string, unknown>>): number =>
	Math.max(1, ...['crf', 'cus', 'fior', 'fnm1', 'num'].map((name) => splitList(request[name], 'name').length));

/** What the response says about one check. */
const noFindings = () => ({
	results: new Set<CheckResult>(),
	codes: new Set<string>(),
	/** Requested codes (`chklst`) that occur in the check. */
	blocks: new Set<string>(),
	/** The number of passes at known paths. */
	passes: 0,
	/** Something contradicts a pass. */
	hasDoubt: false,
});
type Findings = ReturnType<typeof noFindings>;

/** By check; `undefined` for messages that belong to no check. */
function findingsIn(
	response: unknown,
	request: Readonly<Record<string, unknown>>,
): ReadonlyMap<CheckName | undefined, Findings> {
	const byCheck = new Map<CheckName | undefined, Findings>();
	const blocks = splitList(request.chklst, 'identifier');
	const findingsOf = (name: CheckName | undefined): Findings => {
		const known = byCheck.get(name) ?? noFindings();
		byCheck.set(name, known);
		return known;
	};
	const isNameOfBlock = ([key, field]: [string, unknown]) => key !== 'chklst' && blocks.includes(textOrNumber(field));
	const visit = (place: Place): void => {
		const { value, key } = place;
		if (typeof value !== 'object' || value === null) return readValue(place, request, blocks, findingsOf(place.check));
		const name = nameIn(value) ?? place.check;
		const zone = zoneIn(place, name);
		const findings = findingsOf(name);
		if (isUnread(place)) findings.results.add('unclear');
		const isKnown =
			place.isNamed === true ||
			zone !== 'elsewhere' ||
			blocks.includes(key) ||
			isCode(key) ||
			topicOf(key) !== undefined;
		findings.hasDoubt ||= !isKnown && hasText(value, true);
		const namesBlock = Object.entries(value).some(isNameOfBlock);
		const isOfBlock = blocks.includes(key) || namesBlock;
		const isBesideCode = Object.values(value).some((field) => isHarmlessCode(name, field));
		// Every row of a check, and every row about a requested code, needs its own result.
		const isRow = place.isListed === true && !isEchoed(value) && hasText(value);
		findings.hasDoubt ||= isRow && (zone === 'check' || namesBlock) && !hasResult(value);
		for (const [inner, field] of Object.entries(value)) {
			if (Array.isArray(value)) {
				visit({ ...place, value: field, zone, check: name, isListed: true, isOfBlock });
				continue;
			}
			const named = checkNameOf(inner);
			findingsOf(named);
			for (const code of familyCodesIn(inner)) findings.codes.add(code);
			const mayBeMessage = place.isMessage === true || typeof field === 'string';
			if (mayBeMessage && isDigit(inner) && mayBeDigit(name)) findings.codes.add(inner);
			if (blocks.includes(inner)) {
				findings.blocks.add(inner);
				if (!hasResult(field) && !isResult(field)) findings.results.add('unclear');
			}
			visit({
				value: field,
				key: inner,
				zone,
				check: named ?? name,
				isNamed: named !== undefined,
				isOfBlock: isOfBlock || blocks.includes(inner),
				isMessage: place.isMessage === true || (named === undefined && /code|mess|msg|err|fault/i.test(inner)),
				isBesideCode,
			});
		}
	};
	visit({ value: response, key: '', zone: 'envelope' });
	return byCheck;
}

const namesInLowerCase = new Map(keysOf(checkNames).map((name) => [name.toLowerCase(), name]));

function checkNameOf(value: unknown): CheckName | undefined {
	return typeof value === 'string' ? namesInLowerCase.get(value.trim().toLowerCase()) : undefined;
}

/** The check named by an object; undefined if it names two. */
function nameIn(value: object): CheckName | undefined {
	const named = Object.entries(value).map(([key, field]) =>
		/name$|^(?:check|service)$/i.test(key) ? checkNameOf(field) : undefined,
	);
	const [name, ...others] = new Set(named.filter((found) => found !== undefined));
	return others.length === 0 ? name : undefined;
}

const isResultKey = (key: string): boolean => /^(?:check)?result$/i.test(key);

const isResult = (value: unknown): boolean => resultCodes.has(textOrNumber(value).toUpperCase());

const hasResult = (value: unknown): boolean =>
	isRecord(value) &&
	Object.entries(value).some(([key, field]) => isResultKey(key) || (isOutParams(key) && hasResult(field)));

/** A result key whose value is not a known result. */
const isUnread = ({ value, key }: Place): boolean =>
	isResultKey(key) && !hasResult(value) && !(Array.isArray(value) && value.length > 0);

const hasText = (value: unknown, orFlag = false): boolean =>
	typeof value === 'object' && value !== null
		? Object.values(value).some((field) => hasText(field, orFlag))
		: textOrNumber(value) !== '' || (orFlag && typeof value === 'boolean');

/** Whether a row repeats the request: it has a flag to run the check. */
const isEchoed = (value: object): boolean => Object.keys(value).some((key) => /^is_?to_?call$/i.test(key));

const isCodeKey = (key: string): boolean =>
	/^(?:message|msg|err(?:or)?|ret(?:urn)?|result|reason)?_?codes?$/i.test(key);

/** Whether a value differs from the one requested. Dates and names may be formatted differently. */
function differs(key: string, sent: unknown, received: unknown): boolean {
	const [one, other] = [sent, received].map((value) =>
		textOrNumber(value)
			.toLowerCase()
			.replace(/[^\p{L}\p{N}]+/gu, ''),
	);
	return other !== '' && one !== other && !/^(?:dtbr|dopn|edt)$/.test(key);
}

/** Reads a plain value: a result, a code, or text that contains one. */
function readValue(
	place: Place,
	request: Readonly<Record<string, unknown>>,
	blocks: readonly string[],
	findings: Findings,
): void {
	const { value, key, check: name, zone, isNamed = false, isListed = false } = place;
	const { isMessage = false, isOfBlock = false, isBesideCode = false } = place;
	const { results, codes } = findings;
	if (/^is_?to_?call$/i.test(key)) {
		findings.hasDoubt ||= !/^(?:true|1|y(?:es)?)$/i.test(String(value).trim());
		return;
	}
	if (Object.hasOwn(request, key)) {
		findings.hasDoubt ||= differs(key, request[key], value);
		if (String(request[key]) === String(value)) return;
	}
	const text = textOrNumber(value);
	const result = resultCodes.get(text.toUpperCase());
	const found = familyCodesIn(text);
	for (const code of found) codes.add(code);
	if (isResultKey(key) || (isNamed && !isMessage && found.length === 0)) {
		const isItsOwn = isResultKey(key) && zone === 'check' && !isListed;
		if (result === 'passed' && isItsOwn) findings.passes++;
		// A pass outside the checks belongs to no check, and the pass of a block is not that of the check. A single letter
		// in a list does not show which check it belongs to.
		if (result === 'passed' && !isItsOwn && (name === undefined || isOfBlock)) return;
		results.add(
			isItsOwn || (result !== 'passed' && !isListed) || result === 'failed' ? (result ?? 'unclear') : 'unclear',
		);
		return;
	}
	if (result !== undefined && (isNamed || isOfBlock || /result/i.test(key))) {
		// A pass at an unknown path does not count.
		if (result !== 'passed') results.add(result);
		else if (!isOfBlock && topicOf(key) === undefined) findings.hasDoubt = true;
		return;
	}
	if (blocks.includes(text)) findings.blocks.add(text);
	if (checkNameOf(text) !== undefined || blocks.includes(text)) return;
	const digit = isMessage || (name !== undefined && typeof value === 'string') ? digitIn(text) : undefined;
	const ownCode = digit !== undefined && mayBeDigit(name) ? digit : undefined;
	if (text !== '' && found.length === 0) {
		if (ownCode !== undefined) codes.add(ownCode);
		// Zeros mean "no error".
		else if (isCodeKey(key) ? !/^0+$/.test(text) : isMessage && /^[a-z]{2,5}[-_ ]?\d{2,6}$/i.test(text))
			codes.add(text);
	}
	const holdsCode = found.length > 0 || ownCode !== undefined || isCode(key);
	const context = { isCode: holdsCode, isBesideCode: isBesideCode || isCode(key) };
	findings.hasDoubt ||= !isCompatibleWithPass(key, value, context);
}
