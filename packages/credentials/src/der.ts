/**
 * Minimal ASN.1 DER (X.690) for certificates, PFX files and signatures. Hand-written, because n8n's scan allows only node:crypto, which
 * does not export its own parser.
 */

export const tags = {
	integer: 0x02,
	octetString: 0x04,
	null: 0x05,
	objectIdentifier: 0x06,
	utcTime: 0x17,
	sequence: 0x30,
	set: 0x31,
	/** Tag of a constructed value with the context-specific number `[number]`. */
	context: (number: number): number => 0xa0 + number,
} as const;

/** The bytes are not the expected DER. */
export class DerError extends Error {}

/** One DER value. Its members throw DerError if the value has another shape. */
export class Der {
	readonly tag: number;
	readonly content: Buffer;
	/** The bytes of the whole value, with tag and length. */
	readonly whole: Buffer;

	constructor(tag: number, content: Buffer, whole: Buffer) {
		this.tag = tag;
		this.content = content;
		this.whole = whole;
	}

	/** @throws DerError unless the bytes are exactly one value */
	static read(bytes: Buffer): Der {
		const [value, next] = readValue(bytes);
		if (next.length > 0) throw new DerError('More than one value');
		return value;
	}

	get isConstructed(): boolean {
		return (this.tag & 0x20) !== 0;
	}

	get parts(): Der[] {
		if (!this.isConstructed) throw new DerError('No parts inside');
		const parts: Der[] = [];
		for (let rest = this.content; rest.length > 0;) {
			const [part, next] = readValue(rest);
			parts.push(part);
			rest = next;
		}
		return parts;
	}

	part(index: number): Der {
		const part = this.parts[index];
		if (part === undefined) throw new DerError(`No part ${index}`);
		return part;
	}

	/** Whether this is the object identifier, such as `1.2.840.113549.1.7.1`. */
	is(dotted: string): boolean {
		if (this.tag !== tags.objectIdentifier) throw new DerError('No object identifier');
		return this.whole.equals(objectIdentifier(dotted));
	}

	/** Integers of up to 48 bits. */
	get integer(): number {
		if (this.tag !== tags.integer || this.content.length === 0 || this.content.length > 6)
			throw new DerError('No whole number');
		return this.content.readIntBE(0, this.content.length);
	}

	/** Content of an octet string. BER may split it into several, also under an implicit tag. */
	get octets(): Buffer {
		return this.isConstructed ? Buffer.concat(this.parts.map(({ octets }) => octets)) : this.content;
	}
}

function readValue(bytes: Buffer): [value: Der, next: Buffer] {
	const [tag, short] = bytes;
	if (tag === undefined || short === undefined) throw new DerError('Cut off');
	if ((tag & 0x1f) === 0x1f) throw new DerError('A tag of several bytes');
	if (short === 0x80) return readUntilEnd(tag, bytes);
	const longer = short < 0x80 ? 0 : short - 0x80;
	if (longer > 4 || bytes.length < 2 + longer) throw new DerError('No length');
	const length = longer === 0 ? short : bytes.readUIntBE(2, longer);
	const [start, end] = [2 + longer, 2 + longer + length];
	if (bytes.length < end) throw new DerError('Cut off');
	return [new Der(tag, bytes.subarray(start, end), bytes.subarray(0, end)), bytes.subarray(end)];
}

/** Indefinite length (BER), which some programs write in PFX files. Endless nesting exceeds the stack: a RangeError. */
function readUntilEnd(tag: number, bytes: Buffer): [value: Der, next: Buffer] {
	if ((tag & 0x20) === 0) throw new DerError('No length');
	let rest = bytes.subarray(2);
	while (rest[0] !== 0 || rest[1] !== 0) [, rest] = readValue(rest);
	const end = bytes.length - rest.length;
	return [new Der(tag, bytes.subarray(2, end), bytes.subarray(0, end + 2)), bytes.subarray(end + 2)];
}

export function der(tag: number, ...parts: Uint8Array[]): Buffer {
	const content = Buffer.concat(parts);
	if (content.length < 0x80) return Buffer.concat([Buffer.from([tag, content.length]), content]);
	const length = Buffer.alloc(4);
	length.writeUInt32BE(content.length);
	const digits = length.subarray(length.findIndex((byte) => byte !== 0));
	return Buffer.concat([Buffer.from([tag, 0x80 + digits.length]), digits, content]);
}

/** DER sorts the members of a set by their bytes. */
export function derSet(tag: number, members: readonly Buffer[]): Buffer {
	return der(tag, ...[...members].sort(Buffer.compare));
}

export function objectIdentifier(dotted: string): Buffer {
	const [first = 0, second = 0, ...rest] = dotted.split('.').map(Number);
	return der(tags.objectIdentifier, Buffer.from([40 * first + second, ...rest].flatMap(base128)));
}

/** Encodes seven bits per byte; the eighth marks that another byte follows. */
function base128(number: number): number[] {
	const digits = [number % 128];
	for (let rest = Math.floor(number / 128); rest > 0; rest = Math.floor(rest / 128))
		digits.unshift(0x80 + (rest % 128));
	return digits;
}
