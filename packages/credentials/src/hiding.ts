import type { Hide } from '@bank/core';

/** What words of others must not repeat, by its value. */
export interface Known {
	/** Tokens, keys, passwords: go in every encoding, and also where only a part of them is left. */
	secrets: readonly string[];
	/** Identifiers, names of people and the like: go where they stand by themselves. */
	names: readonly string[];
	/** Accounts, cards, phones, tax numbers: their last four digits stay. */
	numbers: readonly string[];
}

const removed = '[removed]';

/** A character as it is meant, and from where to where it is written. */
interface Unit {
	character: string;
	start: number;
	end: number;
	/** Whether something that was left out stands before it. */
	apart: boolean;
}

/** A way to write characters: what to look for, and what it means. */
interface Writing {
	written: RegExp;
	meant: (written: string) => string;
	/** As deep as a value gets that stands in an address inside of JSON inside of JSON. */
	depth: number;
}

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };
const bytesOf = (hex: string): string => Buffer.from(hex, 'hex').toString('utf8');
const characterOf = (digits: string, base: number): string => {
	const code = Number.parseInt(digits, base);
	return code <= 0x10ffff ? String.fromCodePoint(code) : '';
};

/** The ways of addresses, JSON, programs and HTML. */
const escapes: Writing = {
	written: new RegExp(
		[
			String.raw`(?:%|\\x)[0-7][\da-f]|(?:(?:%|\\x)[89a-f][\da-f])+|(?:[%\\]u|u\+)[\da-f]{4}|\\u\{[\da-f]{1,6}\}`,
			String.raw`|\\[01][0-7]{2}|\\[nrtbf]|\\[^\w\s]|&#\d{1,7};?|&#x[\da-f]{1,8};?|&[a-z]{2,8};`,
		].join(''),
		'gi',
	),
	meant(written) {
		const digits = /[\da-f]+/i.exec(written.slice(2))?.[0] ?? '';
		if (/^(?:[%\\]u|u\+)/i.test(written)) return characterOf(digits, 16);
		if (/^(?:%|\\x)/i.test(written)) return bytesOf(written.replace(/%|\\x/gi, ''));
		if (written.startsWith('&#')) return characterOf(digits, /^&#x/i.test(written) ? 16 : 10);
		if (written.startsWith('&')) return entities[written.slice(1, -1).toLowerCase()] ?? ' ';
		if (/^\\\d/.test(written)) return characterOf(written.slice(1), 8);
		return /[nrtbf]/i.test(written) ? ' ' : written.slice(1);
	},
	depth: 6,
};

/** Ways that plain text may be mistaken for, so that each is a reading of its own. */
const readings: readonly (Writing | undefined)[] = [
	undefined,
	escapes,
	// Of mails: `=3D`.
	{
		written: /=[0-7][\da-f]|(?:=[89a-f][\da-f])+/gi,
		meant: (written) => bytesOf(written.replaceAll('=', '')),
		depth: 1,
	},
	// Of letters of two code units, such as the bold ones of mathematics.
	{ written: /[\u{10000}-\u{10ffff}]/gu, meant: (written) => written.normalize('NFKD'), depth: 1 },
	// Of lists of bytes: `[115, 101]`, `0x73, 0x65`.
	{
		written: /\b(?:0x[\da-f]{1,2}|\d{2,3})\b(?:[\s,;]+(?=\d))?/gi,
		meant: (written) => characterOf(String(Number.parseInt(written)), 10),
		depth: 1,
	},
];

function decoded(units: readonly Unit[], { written, meant }: Writing): readonly Unit[] {
	const text = textOf(units);
	let done = 0;
	const plain: Unit[] = [];
	for (const { 0: found, index } of text.matchAll(written)) {
		for (const unit of units.slice(done, index)) plain.push(unit);
		done = index + found.length;
		const [start, end] = [units[index]?.start ?? 0, units[done - 1]?.end ?? 0];
		for (const character of meant(found).split('')) plain.push({ character, start, end, apart: false });
	}
	return done === 0 ? units : [...plain, ...units.slice(done)];
}

/** What a text says in one reading. */
function readAs(text: string, writing: Writing | undefined): readonly Unit[] {
	const units = text.split('').map((character, start): Unit => ({ character, start, end: start + 1, apart: false }));
	return writing === undefined ? units : undone(units, writing, writing.depth);
}

function undone(units: readonly Unit[], writing: Writing, depth: number): readonly Unit[] {
	const plain = decoded(units, writing);
	return plain === units || depth === 1 ? plain : undone(plain, writing, depth - 1);
}

const textOf = (units: readonly Unit[]): string => units.map(({ character }) => character).join('');

/** What is left of a character for comparing. */
type Reduce = (character: string) => string;

/** Without spaces, line breaks and what nobody sees, in small letters. */
const solidly: Reduce = (character) => {
	if (/[\x21-\x7e]/.test(character)) return character.toLowerCase();
	const lower = character.toLowerCase();
	return /[\s\p{Cf}\p{Cc}]/u.test(character) ? '' : lower.length === character.length ? lower : character;
};

/** Letters and digits alone, in their plainest form: whatever is put between them or hung on them does not count. */
const barely: Reduce = (character) => {
	if (character < '\x80') return /[a-z\d]/i.test(character) ? character.toLowerCase() : '';
	const plain = character.normalize('NFKD').toLowerCase();
	return plain.replace(/[^\p{L}\p{N}]+/gu, '');
};

const reduced = (text: string, reduce: Reduce): string => text.split('').map(reduce).join('');

function reducedUnits(units: readonly Unit[], reduce: Reduce): Unit[] {
	let apart = true;
	return units.flatMap((unit) => {
		const left = reduce(unit.character)
			.split('')
			.map((character, index): Unit => ({ ...unit, character, apart: apart && index === 0 }));
		apart = left.length === 0;
		return left;
	});
}

/** A part of a text to be replaced, by places among its units; `Found` in the end by those in the text. */
interface Found {
	from: number;
	to: number;
	by: string;
}

/** A secret that is shorter is not looked for by its parts, and one that is shorter than this not at all. */
const shortest = 4;

/** How a text looks in base64 wherever in the encoded text it begins, and in hex. */
function encodedForms(secret: string): string[] {
	const bytes = Buffer.from(secret, 'utf8');
	const base64 = [0, 1, 2].map((before) =>
		Buffer.concat([Buffer.alloc(before), bytes])
			.toString('base64')
			// The first and the last characters hold bits of whatever stands beside the secret.
			.slice(before === 0 ? 0 : before + 1)
			.replace(/.?=+$/, ''),
	);
	return [...base64, bytes.toString('hex')];
}

/** How much of a secret in a row gives it away: a half, and of a long one sixteen characters. */
const telling = (length: number): number => Math.min(16, Math.max(8, Math.floor(length / 2)));

/** The same without its signs, where words of others come closer to it by chance. */
const tellingBare = (length: number): number => Math.min(16, Math.max(8, Math.ceil(length * 0.75)));

/** All parts of the same length that some texts have, by the length. */
class Parts {
	readonly #bySize = new Map<number, Set<string>>();

	add(text: string, size: number): void {
		const parts = this.#bySize.get(size) ?? new Set<string>();
		for (let index = 0; index + size <= text.length; index++) parts.add(text.slice(index, index + size));
		this.#bySize.set(size, parts);
	}

	/** Where a text has any of them, what overlaps in one. */
	in(text: string): { from: number; to: number }[] {
		const found: { from: number; to: number }[] = [];
		for (const [size, parts] of this.#bySize)
			for (let from = 0; from + size <= text.length; from++) {
				if (!parts.has(text.slice(from, from + size))) continue;
				const last = found.at(-1);
				if (last !== undefined && last.to > from && last.from <= from) last.to = Math.max(last.to, from + size);
				else found.push({ from, to: from + size });
			}
		return found;
	}
}

const isWord = (character: string | undefined): boolean => character !== undefined && /[\p{L}\p{N}_]/u.test(character);

/** Where a value stands by itself, and not inside of a longer word. */
function wholesIn(units: readonly Unit[], text: string, value: string): Found[] {
	const found: Found[] = [];
	for (let from = text.indexOf(value); from >= 0; from = text.indexOf(value, from + 1)) {
		const to = from + value.length;
		const [before, after, next] = [text[from - 1], text[to], units[to]];
		const begins = !isWord(value[0]) || !isWord(before) || units[from]?.apart === true;
		const ends = !isWord(value.at(-1)) || !isWord(after) || next?.apart === true;
		if (begins && ends) found.push({ from, to, by: removed });
	}
	return found;
}

/** How many digits in a row are those of a number and of no other. */
const tellingDigits = 8;

/** What is looked for among units that are reduced in one way. */
class Sought {
	readonly #reduce: Reduce;
	readonly #parts = new Parts();
	readonly #wholes = new Set<string>();
	readonly #digits = new Parts();
	readonly #endings = new Set<string>();

	constructor(reduce: Reduce) {
		this.#reduce = reduce;
	}

	addParts(text: string, size: (length: number) => number): void {
		const form = reduced(text, this.#reduce);
		if (form.length >= 8) this.#parts.add(form, Math.min(form.length, size(form.length)));
	}

	addWhole(text: string, least: number): void {
		const form = reduced(text, this.#reduce);
		if (form.length >= least) this.#wholes.add(form);
	}

	addDigits(digits: string): void {
		if (digits.length < tellingDigits) return;
		this.#digits.add(digits, tellingDigits);
		this.#endings.add(digits.slice(-tellingDigits));
	}

	in(given: readonly Unit[]): Found[] {
		const units = reducedUnits(given, this.#reduce);
		const text = textOf(units);
		return [
			...this.#parts.in(text).map((part) => ({ ...part, by: removed })),
			...[...this.#wholes].flatMap((value) => wholesIn(units, text, value)),
			...this.#digits.in(text).map(({ from, to }) => {
				const ending = text.slice(to - tellingDigits, to);
				return { from, to, by: this.#endings.has(ending) ? `****${ending.slice(-4)}` : '****' };
			}),
		].map(({ from, to, by }) => ({ from: units[from]?.start ?? 0, to: units[to - 1]?.end ?? 0, by }));
	}
}

/** Runs that may be base64 or hex. */
const packed = /[\w+/-]{6,}={0,2}/g;

/** What such a run says, where it is text. */
function unpacked(run: string): string[] {
	const bytes = [Buffer.from(run, 'base64'), ...(/^(?:[\da-f]{2})+$/i.test(run) ? [Buffer.from(run, 'hex')] : [])];
	return bytes
		.map((given) => {
			if (!given.includes(0)) return given.toString();
			return (given[0] === 0 && given.length % 2 === 0 ? given.swap16() : given).toString('utf16le');
		})
		.filter((text) => !text.includes('\ufffd'));
}

function replaced(text: string, found: readonly Found[]): string {
	let done = 0;
	let result = '';
	for (const { from, to, by } of [...found].sort((a, b) => a.from - b.from || b.to - a.to)) {
		if (from >= done) result += text.slice(done, from) + by;
		done = Math.max(done, to);
	}
	return result + text.slice(done);
}

/** What takes known values out of words of others, whatever these words are. */
export function hiding({ secrets, names, numbers }: Known): Hide {
	const solid = new Sought(solidly);
	const bare = new Sought(barely);
	const addForms = (value: string) => {
		for (const form of encodedForms(value)) bare.addParts(form, telling);
	};
	for (const secret of new Set(secrets)) {
		const length = reduced(secret, solidly).length;
		if (length < shortest) continue;
		// A secret may itself hold what looks like a way to write a character.
		for (const plain of [secret, textOf(readAs(secret, escapes))]) {
			if (length < 8) solid.addWhole(plain, shortest);
			// 47.11 is an amount, and not the secret 4711.
			if (length < 8 && /\p{L}/u.test(plain)) bare.addWhole(plain, shortest);
			solid.addParts(plain, telling);
			bare.addParts(plain, tellingBare);
		}
		addForms(secret);
	}
	for (const personal of new Set([...names, ...numbers])) if (personal.length >= 8) addForms(personal);
	for (const name of new Set(names)) {
		(/\p{L}/u.test(name) ? bare : solid).addWhole(name, 2);
		// Of a long text a half tells as much. A short one would take the words of others with it.
		if (name.length >= 12) solid.addParts(name, telling);
	}
	for (const number of new Set(numbers)) bare.addDigits(number.replace(/\D/g, ''));

	const foundIn = (text: string, depth: number): Found[] => [
		...readings.flatMap((reading) => {
			if (reading !== undefined && text.search(reading.written) < 0) return [];
			const units = readAs(text, reading);
			return [...solid.in(units), ...bare.in(units)];
		}),
		...(depth === 0 ? [] : [...text.matchAll(packed)]).flatMap(({ 0: run, index }) =>
			unpacked(run).some((inner) => foundIn(inner, depth - 1).length > 0)
				? [{ from: index, to: index + run.length, by: removed }]
				: [],
		),
	];
	return (text) => replaced(text, foundIn(text, 2));
}

/**
 * What takes secrets out of data: whole, as they are or in the usual encodings, and nothing that only looks like one. A short one, or one
 * of digits alone, may well be something else there.
 */
export function clearing(secrets: readonly string[]): Hide {
	const all = [...new Set(secrets)].filter((secret) => secret.length >= 12 && /\D/.test(secret));
	const formsOf = (secret: string) => {
		const inAddress = new URLSearchParams({ '': secret }).toString().slice(1);
		const encoded = encodedForms(secret);
		const ofAddresses = encoded.map((form) => form.replaceAll('+', '-').replaceAll('/', '_'));
		return [
			JSON.stringify(secret).slice(1, -1),
			inAddress,
			inAddress.replaceAll('+', '%20'),
			...encoded,
			...ofAddresses,
		];
	};
	const forms = [...new Set(all.flatMap(formsOf))];
	return (text) => forms.reduce((rest, form) => (rest.includes(form) ? rest.replaceAll(form, removed) : rest), text);
}

/** The same with everything of both. */
export function together(...known: readonly Known[]): Known {
	return {
		secrets: known.flatMap(({ secrets }) => secrets),
		names: known.flatMap(({ names }) => names),
		numbers: known.flatMap(({ numbers }) => numbers),
	};
}
