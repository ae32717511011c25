/** DER encoding and decoding. */
import fc from 'fast-check';

import { Der, der, DerError, derSet, tags } from '../src/der.ts';

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

describe('encoding', () => {
	it('sorts the members of a set by their bytes', () => {
		const members = [bytes('04 01 02'), bytes('02 01 ff'), bytes('04 01 01')];
		expect(derSet(tags.set, members)).toEqual(bytes('31 09 02 01 ff 04 01 01 04 01 02'));
		expect(members[0]).toEqual(bytes('04 01 02'));
	});

	it('decodes to the same value', () => {
		fc.assert(
			fc.property(fc.array(fc.uint8Array({ maxLength: 300 })), (contents) => {
				const written = der(tags.sequence, ...contents.map((content) => der(tags.octetString, content)));
				const { parts, whole } = Der.read(written);
				expect(parts.map(({ octets }) => octets)).toEqual(contents.map((content) => Buffer.from(content)));
				expect(whole).toEqual(written);
			}),
		);
	});
});

describe('decoding', () => {
	it('supports nested indefinite lengths and split octet strings', () => {
		const ber = bytes('30 80 24 80 04 01 61 24 80 04 01 62 04 00 00 00 00 00 02 01 05 00 00');
		const { parts, whole } = Der.read(ber);
		expect(whole).toEqual(ber);
		expect(parts.map(({ tag }) => tag)).toEqual([0x24, tags.integer]);
		expect(parts[0]?.octets.toString()).toBe('ab');
		expect(parts[1]?.integer).toBe(5);
	});

	it.each([
		['a length in more bytes than need be', '04 84 00 00 00 01 61', 'a'],
		['no bytes, with a length in more', '04 81 00', ''],
		['nothing in a value without a length', '24 80 04 00 00 00', ''],
	])('accepts %s', (_name, hex, text) => expect(Der.read(bytes(hex)).octets.toString()).toBe(text));

	it('accepts a number of up to six bytes', () => {
		expect(Der.read(bytes('02 06 01 00 00 00 00 00')).integer).toBe(2 ** 40);
	});

	it.each([
		['nothing', ''],
		['a tag alone', '30'],
		['less than the length says', '04 05 01'],
		['a length that is cut off', '04 82 01'],
		['more than one value', '04 00 04 00'],
		['a tag of several bytes', '1f 81 01 00'],
		['no end', '30 80 04 00'],
		['octets without a length', '04 80 00 00'],
		['a length beyond measure', '04 85 01 00 00 00 00'],
	])('refuses %s', (_name, hex) => expect(() => Der.read(bytes(hex))).toThrow(DerError));

	it('reports missing parts', () => {
		const value = Der.read(bytes('30 03 02 01 05'));
		expect(value.part(0).integer).toBe(5);
		for (const read of [
			() => value.part(1),
			() => value.part(0).part(0),
			() => value.part(0).is('1.2.3'),
			() => value.integer,
			// A primitive value whose bytes look like a nested one.
			() => Der.read(bytes('04 03 02 01 05')).parts,
			() => Der.read(bytes('02 00')).integer,
			() => Der.read(bytes('02 07 01 01 01 01 01 01 01')).integer,
		])
			expect(read).toThrow(DerError);
	});
});
