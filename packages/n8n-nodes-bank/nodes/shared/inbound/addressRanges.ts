import { splitList } from '@bank/core';

/**
 * Parses IP addresses and ranges. Written by hand because n8n does not allow nodes to use Node's `net` module, and a
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
	return parts.length === 4 && parts.every(isPart) ? joined(parts.map(Number), 8n) : undefined;
}

function ipv6(text: string): bigint | undefined {
	const [head, tail, ...more] = inGroups(text)
		.split('::')
		.map((part) => (part === '' ? [] : part.split(':')));
	if (head === undefined || more.length > 0) return undefined;
	// :: stands for at least one group.
	const missing = tail === undefined ? 0 : Math.max(1, 8 - head.length - tail.length);
	const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])];
	if (groups.length !== 8 || !groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
	const numbers = groups.map((group) => Number.parseInt(group, 16));
	return joined(numbers, 16n);
}

/** Replaces a last part in IPv4 notation by two IPv6 groups. */
function inGroups(text: string): string {
	const end = text.lastIndexOf(':') + 1;
	const last = ipv4(text.slice(end));
	return last === undefined
		? text
		: `${text.slice(0, end)}${(last >> 16n).toString(16)}:${(last & 0xffffn).toString(16)}`;
}

function joined(parts: readonly number[], bits: bigint): bigint {
	return parts.reduce((sum, part) => (sum << bits) | BigInt(part), 0n);
}
