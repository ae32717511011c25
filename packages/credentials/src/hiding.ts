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
	/** Whether a space or a line break stands before it. */
	apart: boolean;
}

/** The ways of addresses, JSON and HTML to write a character. */
const escapes =
	/%[0-7][\da-f]|(?:%[89a-f][\da-f])+|\\u[\da-f]{4}|\\[nrtbf"'\\/]|&#\d{1,7};|&#x[\da-f]{1,6};|&(?:amp|lt|gt|quot|apos);/gi;

const entities: Readonly<Record<string, string>> = { amp: '&', lt: '<', gt: '>', quot: '"', apos: "'" };

function meant(written: string): string {
	if (written.startsWith('%')) return Buffer.from(written.replaceAll('%', ''), 'hex').toString('utf8');
	if (/^\\u/i.test(written)) return String.fromCharCode(Number.parseInt(written.slice(2), 16));
	if (written.startsWith('\\')) return /[nrtbf]/i.test(written) ? ' ' : written.slice(1);
	const [, hex, number = ''] = /^&#(x?)([\da-f]+);$/i.exec(written) ?? [];
	if (hex === undefined) return entities[written.slice(1, -1).toLowerCase()] ?? '';
	return String.fromCharCode(Number.parseInt(number, hex === '' ? 10 : 16));
}

function decoded(units: readonly Unit[]): Unit[] {
	const text = units.map(({ character }) => character).join('');
	let done = 0;
	const plain: Unit[] = [];
	for (const { 0: written, index } of text.matchAll(escapes)) {
		plain.push(...units.slice(done, index));
		done = index + written.length;
		const [start, end] = [units[index]?.start ?? 0, units[done - 1]?.end ?? 0];
		for (const character of meant(written).split('')) plain.push({ character, start, end, apart: false });
	}
	plain.push(...units.slice(done));
	return plain;
}

const small = (text: string): string => {
	const lower = text.toLowerCase();
	return lower.length === text.length ? lower : text;
};

/** A text without the ways to write it: encodings undone, spaces and line breaks left out, in small letters. */
function unitsOf(text: string): Unit[] {
	let units = text.split('').map((character, start): Unit => ({ character, start, end: start + 1, apart: false }));
	// As deep as a value gets that stands in an address inside of JSON inside of JSON.
	for (let depth = 0; depth < 3; depth++) units = decoded(units);
	let apart = true;
	return units.flatMap((unit) => {
		const isSpace = /[\s\u00ad\u200b-\u200d\u2060\ufeff]/.test(unit.character);
		const solid = { ...unit, character: small(unit.character), apart };
		apart = isSpace;
		return isSpace ? [] : [solid];
	});
}

const solid = (text: string): string => small(text.replace(/[\s\u00ad\u200b-\u200d\u2060\ufeff]+/g, ''));

/** A part of a text to be replaced, by places among its units. */
interface Found {
	from: number;
	to: number;
	by: string;
}

/** A secret that is shorter is not looked for by its parts, and one that is shorter than this not at all. */
const shortest = 4;

/** How a text looks in base64 wherever in the encoded text it begins, in both alphabets, and in hex. */
function encodedForms(secret: string): string[] {
	const bytes = Buffer.from(secret, 'utf8');
	const base64 = [0, 1, 2].map((before) =>
		Buffer.concat([Buffer.alloc(before), bytes])
			.toString('base64')
			// The first and the last characters hold bits of whatever stands beside the secret.
			.slice(before === 0 ? 0 : before + 1)
			.replace(/.?=+$/, ''),
	);
	return [...base64, ...base64.map((form) => form.replaceAll('+', '-').replaceAll('/', '_')), bytes.toString('hex')];
}

/** How much of a secret in a row gives it away: a half, and of a long one sixteen characters. */
const telling = (length: number): number => Math.min(16, Math.max(8, Math.floor(length / 2)));

/** All parts of the same length that some texts have, by the length. */
class Parts {
	readonly #bySize = new Map<number, Set<string>>();

	add(text: string, size: number): void {
		const parts = this.#bySize.get(size) ?? new Set<string>();
		for (let index = 0; index + size <= text.length; index++) parts.add(text.slice(index, index + size));
		this.#bySize.set(size, parts);
	}

	/** Where a text has any of them, what lies together in one. */
	in(text: string): { from: number; to: number }[] {
		const found: { from: number; to: number }[] = [];
		for (const [size, parts] of this.#bySize)
			for (let from = 0; from + size <= text.length; from++) {
				if (!parts.has(text.slice(from, from + size))) continue;
				const last = found.at(-1);
				if (last !== undefined && last.to >= from && last.from <= from) last.to = Math.max(last.to, from + size);
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

/** Runs of digits with what people write between them, as places among the units. */
function digitRuns(text: string): number[][] {
	return [...text.matchAll(/\d(?:[.\-()/+_·]{0,2}\d)+/g)].map(({ 0: run, index }) =>
		run.split('').flatMap((character, place) => (/\d/.test(character) ? [index + place] : [])),
	);
}

function numbersIn(text: string, parts: Parts, endings: ReadonlySet<string>): Found[] {
	return digitRuns(text).flatMap((places) => {
		const digits = places.map((place) => text[place]).join('');
		return parts.in(digits).map(({ from, to }) => {
			const ending = digits.slice(to - tellingDigits, to);
			return {
				from: places[from] ?? 0,
				to: (places[to - 1] ?? 0) + 1,
				by: endings.has(ending) ? `****${ending.slice(-4)}` : '****',
			};
		});
	});
}

function replaced(text: string, units: readonly Unit[], found: readonly Found[]): string {
	let done = 0;
	let result = '';
	for (const { from, to, by } of [...found].sort((a, b) => a.from - b.from || b.to - a.to)) {
		const [start, end] = [units[from]?.start ?? 0, units[to - 1]?.end ?? 0];
		if (start >= done) result += text.slice(done, start) + by;
		done = Math.max(done, end);
	}
	return result + text.slice(done);
}

/** What takes known values out of words of others, whatever these words are. */
export function hiding({ secrets, names, numbers }: Known): Hide {
	const secretParts = new Parts();
	const wholes = new Set(names.map(solid).filter((name) => name.length > 1));
	const addForms = (forms: readonly string[]) => {
		for (const form of forms.map(solid))
			if (form.length >= 8) secretParts.add(form, Math.min(form.length, telling(form.length)));
	};
	for (const secret of new Set(secrets)) {
		const plain = solid(secret);
		if (plain.length < shortest) continue;
		if (plain.length < 8) wholes.add(plain);
		addForms([plain, ...encodedForms(secret)]);
	}
	for (const personal of new Set([...names, ...numbers])) if (personal.length >= 8) addForms(encodedForms(personal));
	// Of a long text a half tells as much. A short one would take the words of others with it.
	for (const name of wholes) if (name.length >= 12) addForms([name]);
	const numberParts = new Parts();
	const endings = new Set<string>();
	for (const number of new Set(numbers)) {
		const digits = number.replace(/\D/g, '');
		if (digits.length < tellingDigits) continue;
		numberParts.add(digits, tellingDigits);
		endings.add(digits.slice(-tellingDigits));
	}
	return (text) => {
		const units = unitsOf(text);
		const plain = units.map(({ character }) => character).join('');
		return replaced(text, units, [
			...secretParts.in(plain).map((part) => ({ ...part, by: removed })),
			...[...wholes].flatMap((value) => wholesIn(units, plain, value)),
			...numbersIn(plain, numberParts, endings),
		]);
	};
}

/** The same with everything of both. */
export function together(...known: readonly Known[]): Known {
	return {
		secrets: known.flatMap(({ secrets }) => secrets),
		names: known.flatMap(({ names }) => names),
		numbers: known.flatMap(({ numbers }) => numbers),
	};
}
