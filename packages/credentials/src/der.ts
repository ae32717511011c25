/**
 * ASN.1 in DER (X.690), as far as certificates, PFX files and signatures need it. The form is written by hand because n8n's scan lets
 * nothing in but node:crypto, which keeps its own reader to itself.
 */

export const tags = {
	integer: 0x02,
	octetString: 0x04,
	null: 0x05,
	objectIdentifier: 0x06,
	utcTime: 0x17,
	generalizedTime: 0x18,
	sequence: 0x30,
	set: 0x31,
	/** `[number]`: explicit, or implicit of something that consists of parts. */
	context: (number: number): number => 0xa0 + number,
} as const;

/** The bytes are not what they should be. */
export class DerFault extends Error {}

const isConstructed = (tag: number): boolean => (tag & 0x20) !== 0;

/** Values in values. Reading takes the size of the bytes times the depth, and no certificate or PFX file is nested a third as deep. */
const deepest = 64;

/** One value, with a way into its parts that fails where they are not there. */
export class Der {
	readonly tag: number;
	readonly content: Buffer;
	/** With tag and length. */
	readonly whole: Buffer;
	readonly #depth: number;

	constructor(tag: number, content: Buffer, whole: Buffer, depth = 0) {
		this.tag = tag;
		this.content = content;
		this.whole = whole;
		this.#depth = depth;
	}

	/** The one value that the bytes are. */
	static read(bytes: Buffer): Der {
		const [value, next] = readValue(bytes, 0);
		if (next.length > 0) throw new DerFault('More than one value');
		return value;
	}

	/** The values inside. */
	get parts(): Der[] {
		if (!isConstructed(this.tag)) throw new DerFault('No parts inside');
		return readAll(this.content, this.#depth + 1);
	}

	part(index: number): Der {
		const part = this.parts[index];
		if (part === undefined) throw new DerFault(`No part ${index}`);
		return part;
	}

	/** `1.2.840.113549.1.7.1` */
	get objectIdentifier(): string {
		if (this.tag !== tags.objectIdentifier) throw new DerFault('No object identifier');
		const numbers: number[] = [];
		let number = 0;
		for (const byte of this.content) {
			number = number * 128 + (byte & 0x7f);
			if (byte < 0x80) {
				numbers.push(number);
				number = 0;
			}
		}
		const [first = 0, ...rest] = numbers;
		const top = Math.min(Math.floor(first / 40), 2);
		return [top, first - 40 * top, ...rest].join('.');
	}

	/** Of a number of our own size, such as a count. */
	get integer(): number {
		if (this.tag !== tags.integer || this.content.length === 0 || this.content.length > 6)
			throw new DerFault('No whole number');
		return this.content.readIntBE(0, this.content.length);
	}

	/** Of an octet string, which may consist of several, and of the same under another tag. */
	get octets(): Buffer {
		return isConstructed(this.tag) ? Buffer.concat(this.parts.map(({ octets }) => octets)) : this.content;
	}
}

function readAll(bytes: Buffer, depth: number): Der[] {
	const values: Der[] = [];
	for (let rest = bytes; rest.length > 0;) {
		const [value, next] = readValue(rest, depth);
		values.push(value);
		rest = next;
	}
	return values;
}

/** The first value of the bytes, and what follows it. */
function readValue(bytes: Buffer, depth: number): [value: Der, next: Buffer] {
	if (depth > deepest) throw new DerFault('Nested too deep');
	const [tag, short] = bytes;
	if (tag === undefined || short === undefined) throw new DerFault('Cut off');
	if ((tag & 0x1f) === 0x1f) throw new DerFault('A tag of several bytes');
	if (short === 0x80) return readUntilEnd(tag, bytes, depth);
	const longer = short < 0x80 ? 0 : short - 0x80;
	if (longer > 4 || bytes.length < 2 + longer) throw new DerFault('No length');
	const length = longer === 0 ? short : bytes.readUIntBE(2, longer);
	const [start, end] = [2 + longer, 2 + longer + length];
	if (bytes.length < end) throw new DerFault('Cut off');
	return [new Der(tag, bytes.subarray(start, end), bytes.subarray(0, end), depth), bytes.subarray(end)];
}

/** A length that is not told beforehand: BER allows it, and some programs write PFX files so. */
function readUntilEnd(tag: number, bytes: Buffer, depth: number): [value: Der, next: Buffer] {
	if (!isConstructed(tag)) throw new DerFault('No length');
	let rest = bytes.subarray(2);
	while (rest[0] !== 0 || rest[1] !== 0) [, rest] = readValue(rest, depth + 1);
	const end = bytes.length - rest.length;
	return [new Der(tag, bytes.subarray(2, end), bytes.subarray(0, end + 2), depth), bytes.subarray(end + 2)];
}

/** One value from its parts. */
export function der(tag: number, ...parts: Uint8Array[]): Buffer {
	const content = Buffer.concat(parts);
	if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(content.length);
	const digits = length.subarray(length.findIndex((byte) => byte !== 0));
	return Buffer.concat([Buffer.from([tag, 0x80 + digits.length]), digits, content]);
}

/** In the order of their bytes, as DER wants it. */
export function derSet(tag: number, members: readonly Buffer[]): Buffer {
	return der(tag, ...[...members].sort(Buffer.compare));
}

export function objectIdentifier(dotted: string): Buffer {
	const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
	return der(tags.objectIdentifier, Buffer.from([40 * first + second, ...rest].flatMap(base128)));
}

/** Seven bits in each byte, and the eighth where another one follows. */
function base128(number: number): number[] {
	const digits = [number % 128];
	for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128))
		digits.unshift(0x80 + (rest % 128));
	return digits;
}
