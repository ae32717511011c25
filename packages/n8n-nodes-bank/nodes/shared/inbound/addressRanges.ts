import { splitList } from '@bank/core';

/**
 * IP addresses and ranges. Parsed by our own code, because n8n does not allow nodes to use Node's `net` module, and a
 * library adds 25 kB.
 */

export interface Address {
	/** Length of the address in bits. */
	length: 32 | 128;
	value: bigint;
}

export interface AddressRange {
	base: Address;
	/** Length of the prefix in bits. */
	bits: number;
}

/** Parses an IP address, ignoring the port that some proxies add. An IPv4-mapped IPv6 address becomes IPv4. */
export function parseAddress(text: string | undefined): Address | undefined {
	const bare = (text ?? '')
		.trim()
		.replace(/^\[(.+)\](?::\d+)?$/, '$1')
		.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
	const short = ipv4(bare);
	if (short !== undefined) return { length: 32, value: short };
	// The zone after % names a network interface.
	const long = ipv6(bare.replace(/%[\w.-]+$/, ''));
	if (long === undefined) return undefined;
	// ::ffff:192.0.2.1
	return long >> 32n === 0xffffn ? { length: 32, value: long & 0xffffffffn } : { length: 128, value: long };
}

export function parseAddressRange(text: string): AddressRange | undefined {
	const [address = '', length, ...others] = text.split('/');
	const base = parseAddress(address);
	if (base === undefined || others.length > 0) return undefined;
	if (length === undefined) return { base, bits: base.length };
	if (!/^\d{1,3}$/.test(length)) return undefined;
	// ::ffff:192.0.2.0/120 is the IPv4 range 192.0.2.0/24.
	const bits = Number(length) - (base.length === 32 && address.includes(':') ? 96 : 0);
	return bits >= 0 && bits <= base.length ? { base, bits } : undefined;
}

export function parseAddressRanges(list: unknown): AddressRange[] {
	return splitList(list, 'identifier')
		.map(parseAddressRange)
		.filter((range) => range !== undefined);
}

export function isInRanges({ length, value }: Address, ranges: readonly AddressRange[]): boolean {
	return ranges.some(({ base, bits }) => {
		const rest = BigInt(length - bits);
		return length === base.length && value >> rest === base.value >> rest;
	});
}

/** Four decimal parts only: parsers disagree on 127.1 and on octal numbers. */
function ipv4(text: string): bigint | undefined {
	const parts = text.split('.');
	const isPart = (part: string) => /^(?:0|[1-9]\d{0,2})$/.test(part) && Number(part) < 256;
	return parts.length === 4 && parts.every(isPart)
		? parts.reduce((sum, part) => (sum << 8n) | BigInt(part), 0n)
		: undefined;
}

/** The URL parser writes each address in one way: hexadecimal groups, with at most one `::`. */
function ipv6(text: string): bigint | undefined {
	const url = `http://[${text}]`;
	if (!/^[\da-f:.]+$/i.test(text) || !URL.canParse(url)) return undefined;
	const [head = [], tail = []] = new URL(url).hostname
		.slice(1, -1)
		.split('::')
		.map((part) => (part === '' ? [] : part.split(':')));
	const zeros = Array.from({ length: 8 - head.length - tail.length }, () => '0');
	return [...head, ...zeros, ...tail].reduce((sum, group) => (sum << 16n) | BigInt(`0x${group}`), 0n);
}
