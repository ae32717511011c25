import { keysOf } from '../../keys.ts';
import { messageTables, type MessageWeight } from './messages.ts';

/**
 * Classifies the fields next to a pass. They are not described (4.14), so this is an allowlist: a pass counts only next
 * to fields that are known to be harmless.
 */

/** Splits `messageCode`, `message_code` and `Message-Code` into the same words. */
function wordsOf(key: string): string[] {
	return key
		.replace(/([a-z\d])([A-Z])/g, '$1 $2')
		.replace(/([A-Z])(?=[A-Z][a-z])/g, '$1 ')
		.toLowerCase()
		.split(/[^a-z\d]+/)
		.filter((word) => word !== '');
}

const setOf = (words: string): ReadonlySet<string> => new Set(words.split(/\s+/));

/** Wrapper keys. Results have been seen nested below another key. */
const envelopeWords = setOf(
	'answer body check checks data envelope get list message out outcome output payload reply response result results return root run ' +
		'service soap unified ws',
);

export const isEnvelope = (key: string): boolean => wordsOf(key).every((word) => envelopeWords.has(word));

/** Keys under which the response repeats the request. */
export const isEcho = (key: string): boolean =>
	/^(?:echo|in|in_?(?:put|par(?:a?ms|ameters))|par(?:a?ms|ameters)|request)$/i.test(key);

export const isOutParams = (key: string): boolean => /^out_?par(?:a?ms|ameters)$/i.test(key);

/** Topics of keys; the first with a matching word applies. */
const topics = {
	error: setOf('err error errors exception fault'),
	status: setOf('phase stage state status'),
	success: setOf('complete completed done executed final finished ok ready success successful'),
	result: setOf('outcome result results'),
	code: setOf('code codes'),
	message: setOf('desc description explanation meaning message messages msg text title'),
	remark: setOf('comment comments detail details info information note reason'),
	// Fields about the subject of the check, and about the request.
	data: setOf(
		'address answer birth birthdate block blocks body cban check checklist checks chklst client cod company ' +
			'correlation created crf cus customer data date datetime day document dopn dtbr ecs edt email exs family fior ' +
			'first fnm1 fnm2 fnm3 given guid http id idg identifier identity individual inn issue issued items kpp last legal ' +
			'list middle month name names num number numo ogrn oper operation organization organisation party passport ' +
			'patronymic person persons phone request response rq rqtm rquid rs ser series sero service session snils source ' +
			'subject surname system tax time timestamp tm trace traceid transaction type ucd ucdo uid unified updated uuid ' +
			'value version year',
	),
} as const satisfies Record<string, ReadonlySet<string>>;
type Topic = keyof typeof topics;

const fillerWords = setOf('a as at by for has is of on return the to with x');

/** Undefined if the key contains an unknown word. */
export function topicOf(key: string): Topic | undefined {
	const words = wordsOf(key).filter((word) => !fillerWords.has(word));
	const found = keysOf(topics).filter((topic) => words.some((word) => topics[topic].has(word)));
	return words.every((word) => found.some((topic) => topics[topic].has(word))) ? found[0] : undefined;
}

/** Values that report success. */
const successValue =
	/^(?:0+|200|ok|okay|success(?:ful(?:ly)?)?|done|completed?|finished|executed|processed|passed|true)$/i;
const harmlessValues: Readonly<Partial<Record<Topic, RegExp>>> = {
	error: /^(?:0+|false|no|none|ok|no errors?)$/i,
	status: successValue,
	success: /^(?:1|true|yes|ok)$/i,
	result: new RegExp(`${successValue.source}|^n$`, 'i'),
	code: successValue,
	remark: successValue,
};

/** Words that contradict a pass, unless they are part of a harmless text of 7.3. */
const doubtful = new RegExp(
	'\\b(?:' +
		'(?:abort|block|cach|cancel|confirm|declin|denie|doubt|error|exceed|exception|expir|fail|incomplet|invalid|match|outdat|partial|pend|' +
		'postpon|prelim|previous|process|progress|queu|refus|reject|retr[iy]|skip|suspect|suspici|time ?d? ?out|unable|unauthori|unavail|' +
		'unclear|undetermin|unknown|unreach|unresolv|wait|warn)[a-z]*|' +
		'deny|draft|e|err|fault|forbidden|found|history|hits?|in work|later|missing|mock|no answer|not|old|sample|stale|stub|tests?|wrong|y|yes' +
		')\\b',
);

/** The same in Russian, by their stems. */
const doubtfulInRussian = new RegExp(
	'(?<!\\p{L})(?:' +
		'(?:не ?(?:выполн|действ|доступ|извест|определ|отвеч|подтвер|провер)|заблок|ист[её]к|найд|нашл|ожида|отказ|отклон|ошиб|' +
		'прерв|просроч|сбо[йя]|совпа|частич)\\p{L}*|в обработке|в очереди|в работе|да|нет ответа' +
		')(?!\\p{L})',
	'u',
);

const plain = (text: string): string =>
	text
		.toLowerCase()
		.replace(/[\s\p{P}]+/gu, ' ')
		.trim();

const tables = Object.values(messageTables);
const meaningsOf = (weights: readonly MessageWeight[]): readonly string[] => [
	...new Set(tables.flatMap((table) => weights.flatMap((weight) => Object.values(table[weight]).map(plain)))),
];
const harmlessMeanings = meaningsOf(['harmless']);
const otherMeanings = meaningsOf(['match', 'undetermined', 'error']);

/**
 * Whether a plain value is compatible with a pass.
 * @param isCode whether it is or contains a harmless code of 7.3
 * @param isBesideCode whether it is next to such a code, so that a message is the text of that code
 */
export function isCompatibleWithPass(
	key: string,
	value: unknown,
	{ isCode, isBesideCode }: { isCode: boolean; isBesideCode: boolean },
): boolean {
	const text = String(value ?? '').trim();
	if (text === '') return true;
	const topic = topicOf(key);
	if (topic !== undefined && harmlessValues[topic]?.test(text) === true) return true;
	const words = ` ${plain(text)} `;
	const rest = harmlessMeanings.reduce((left, meaning) => left.replaceAll(` ${meaning} `, ' '), words);
	const isAlarming = otherMeanings.some((meaning) => words.includes(` ${meaning} `));
	if (isAlarming || doubtful.test(rest) || doubtfulInRussian.test(rest)) return false;
	const isHarmlessText = rest !== words && rest.trim() === '';
	if (typeof value === 'string' && (isCode || isHarmlessText)) return true;
	if (topic === 'message') return typeof value === 'string' && (isBesideCode || successValue.test(text));
	return topic === 'data' && typeof value !== 'boolean';
}
