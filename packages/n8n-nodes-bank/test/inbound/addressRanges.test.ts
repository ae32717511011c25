/** IP addresses and ranges are parsed like Node's `net` module does, which n8n does not allow. */
import { BlockList, isIP } from 'node:net';

import fc from 'fast-check';

import { type Address, isInRanges, parseAddress, parseAddressRange } from '../../nodes/shared/inbound/addressRanges.ts';

const byte = fc.integer({ min: 0, max: 255 });
const group = fc.oneof(fc.constant(0), fc.integer({ min: 0, max: 0xffff }));
const ipv4 = fc.tuple(byte, byte, byte, byte).map((parts) => parts.join('.'));
const groups = fc.array(group, { minLength: 8, maxLength: 8 });

/** An IPv6 address in any notation: long or short, upper or lower case, ending in IPv4. */
const ipv6 = fc
	.record({
		groups,
		from: fc.nat(7),
		count: fc.nat(8),
		capitals: fc.boolean(),
		padded: fc.boolean(),
		dotted: fc.boolean(),
	})
	.map(({ groups: all, from, count, capitals, padded, dotted }) => {
		const kept = all.map((value, index) => (index >= from && index < from + count ? 0 : value));
		const written = (part: number[]) => part.map((value) => value.toString(16).padStart(padded ? 4 : 1, '0'));
		const end = dotted && from + count <= 6 ? kept.slice(6) : [];
		const last = end.flatMap((value) => [value >> 8, value & 255]).join('.');
		const whole = [...written(kept.slice(0, 8 - end.length)), ...(last === '' ? [] : [last])];
		const text =
			count === 0 ? whole.join(':') : `${whole.slice(0, from).join(':')}::${whole.slice(from + count).join(':')}`;
		return capitals ? text.toUpperCase() : text;
	});
const address = fc.oneof(ipv4, ipv6);

/** Invalid addresses that look almost valid. */
const rubbish = fc
	.tuple(address, fc.nat(40), fc.constantFrom('', ':', '::', '.', '0', 'g', '%', ' ', '-', '256', 'ffff'), fc.nat(2))
	.map(([text, at, inserted, removed]) => text.slice(0, at) + inserted + text.slice(at + removed));

/** `%` names an interface, for which Node allows more characters. */
const isPlain = (text: string) => text === text.trim() && !/[%[\]]/.test(text) && !/^\d+\.\d+\.\d+\.\d+:/.test(text);

it.each([
	['::', 0n],
	['::1', 1n],
	['1::', 1n << 112n],
	['2001:db8::ff00:42:8329', 0x20010db8000000000000ff0000428329n],
	['::192.0.2.1', 0xc0000201n],
	['fe80::1%eth0.1', (0xfe80n << 112n) | 1n],
	['[2001:db8::1]:8080', (0x20010db8n << 96n) | 1n],
])('%s is read as IPv6', (text, value) => {
	expect(parseAddress(text)).toEqual({ length: 128, value } satisfies Address);
});

it.each(['192.0.2.1', ' 192.0.2.1 ', '192.0.2.1:80', '[192.0.2.1]:80', '::ffff:192.0.2.1', '::FFFF:c000:201'])(
	'%s is read as IPv4',
	(text) => {
		expect(parseAddress(text)).toEqual({ length: 32, value: 0xc0000201n } satisfies Address);
	},
);

it.each([
	'1:2:3:4:5:6:7',
	'1:2:3:4:5:6:7:8:9',
	'1::2::3',
	':1',
	'1:',
	':::',
	'1:2:3:4:5:6:7:8::',
	'12345::',
	'::1.2.3',
	'1.2.3.4::',
	'%eth0',
	'::1%',
])('%s is no address', (text) => expect(parseAddress(text)).toBeUndefined());

it('an address is one for Node as well, and the other way round', () => {
	fc.assert(
		fc.property(fc.oneof(address, rubbish).filter(isPlain), (text) => {
			expect([text, parseAddress(text) !== undefined]).toEqual([text, isIP(text) !== 0]);
		}),
	);
});

it.each([
	['IPv4', 'ipv4', 32, ipv4],
	['IPv6', 'ipv6', 128, ipv6],
] as const)('an address of %s is in a network where Node says so', (_name, kind, longest, any) => {
	const near = fc.tuple(any, fc.nat(longest), fc.option(any, { nil: undefined }), fc.nat(9));
	fc.assert(
		fc.property(near, ([base, bits, other, digit]) => {
			const text = other ?? neighbour(base, digit);
			const [network, read] = [parseAddressRange(`${base}/${bits}`), parseAddress(text)];
			// IPv4 in IPv6 notation is tested separately.
			fc.pre(network?.base.length === longest && read?.length === longest);
			const list = new BlockList();
			list.addSubnet(base, bits, kind);
			const isWithin = network !== undefined && read !== undefined && isInRanges(read, [network]);
			expect([text, isWithin]).toEqual([text, list.check(text, kind)]);
		}),
	);
});

it('no address of the one kind is in a network of the other', () => {
	for (const [address, network] of [
		['0.0.0.0', '::/0'],
		['::', '0.0.0.0/0'],
	] as const) {
		const [read, within] = [parseAddress(address), parseAddressRange(network)];
		expect([address, read && within && isInRanges(read, [within])]).toEqual([address, false]);
	}
});

/** An address that differs only in the last bits. */
function neighbour(text: string, digit: number): string {
	const changed = text.replace(/\d(?=\D*$)/, String(digit));
	return isIP(changed) === 0 ? text : changed;
}
