import { splitList } from '@bank/core';

/** IP addresses and networks. By hand: n8n lets nodes import nothing of Node that reads them, and a library fills 25 kB of the package. */

export interface Address {
	/** How many bits such an address has. */
	length: 32 | 128;
	value: bigint;
}

export interface Network {
	base: Address;
	/** How many of its first bits all its addresses share. */
	bits: number;
}

/** The address, IPv4 also where it is written as IPv6; undefined for anything else. Ports stand there behind some proxies. */
export function addressOf(text: string | undefined): Address | undefined {
	const bare = (text ?? '')
		.trim()
		.replace(/^\[(.+)\](?::\d+)?$/, '$1')
		.replace(/^(\d+\.\d+\.\d+\.\d+):\d+$/, '$1');
	const short = ipv4(bare);
	if (short !== undefined) return { length: 32, value: short };
	// Behind % stands the interface of the machine that saw it.
	const long = ipv6(bare.replace(/%[\w.-]+$/, ''));
	if (long === undefined) return undefined;
	// ::ffff:192.0.2.1
	return long >> 32n === 0xffffn ? { length: 32, value: long & 0xffffffffn } : { length: 128, value: long };
}

export function networkOf(text: string): Network | undefined {
	const [address = '', length, ...others] = text.split('/');
	const base = addressOf(address);
	if (base === undefined || others.length > 0) return undefined;
	if (length === undefined) return { base, bits: base.length };
	if (!/^\d{1,3}$/.test(length)) return undefined;
	// ::ffff:192.0.2.0/120 is the IPv4 network 192.0.2.0/24.
	const bits = Number(length) - (base.length === 32 && address.includes(':') ? 96 : 0);
	return bits >= 0 && bits <= base.length ? { base, bits } : undefined;
}

export function networksOf(list: unknown): Network[] {
	return splitList(list, 'identifier')
		.map(networkOf)
		.filter((network) => network !== undefined);
}

export function isIn({ length, value }: Address, networks: readonly Network[]): boolean {
	return networks.some(({ base, bits }) => {
		const rest = BigInt(length - bits);
		return length === base.length && value >> rest === base.value >> rest;
	});
}

/** Only four decimal parts: neither 127.1 nor octal numbers, which others read in other ways. */
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
	// Where :: stands, at least one group is left out.
	const missing = tail === undefined ? 0 : Math.max(1, 8 - head.length - tail.length);
	const groups = [...head, ...Array.from({ length: missing }, () => '0'), ...(tail ?? [])];
	if (groups.length !== 8 || !groups.every((group) => /^[\da-f]{1,4}$/i.test(group))) return undefined;
	const numbers = groups.map((group) => Number.parseInt(group, 16));
	return joined(numbers, 16n);
}

/** The last 32 bits may be written as IPv4. */
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
