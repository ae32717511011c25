import {
	canonicalJson,
	parseLossless,
	parsePath,
	parseServiceDetails,
	readDelivery,
	redact,
	scanJson,
	splitList,
} from '@bank/core';

import type { Row, Side } from './measure.ts';

/**
 * Processor time of functions that read outside text, for twice the text. Not tests, because on a busy machine the
 * ratio of two short times is sometimes far from the truth.
 */

/** Texts that some pattern took long to read, or nearly. Other texts follow each of them. */
const pieces = [
	...['a', '1', ' ', '-', '<', '"', '\\', '[', '{', '=', '@', '1 ', '1.', 'a.', '<a ', '<style', '\\"', '":', '{"a":'],
	...['[1,', 'e+', 'Bearer ', 'token="', 'code=', '-----BEGIN PRIVATE KEY-----', '//a:', ':\\\\', '%3a%2f%2f', '4111,'],
	...['\u200b', '\ufdfa', 'key=[', 'aaaaaaaa.', '****1', '(1) ', '{"a":1},', '"a",', '[[],'],
];

const readJson = (text: string): unknown => {
	const scan = scanJson(text);
	return scan.excess === undefined ? parseLossless(text, scan).value : undefined;
};

const refused = (read: (text: string) => unknown) => (text: string) => {
	try {
		read(text);
	} catch {
		// Most of these texts are invalid, and finding that out must not take long.
	}
};

/** Lists inside as many records as a reader accepts. */
const nested = (text: string): string => `${'{"data":'.repeat(150)}{"events":[${text}0]}${'}'.repeat(150)}`;

const readers: Record<string, (text: string) => unknown> = {
	redaction: redact,
	responses: (text) => readJson(`{"operations":[${text}0]}`),
	deliveries: (text) => {
		const value = readJson(nested(text));
		return value === undefined ? undefined : [readDelivery(value), canonicalJson(value)];
	},
	'lists and paths': (text) => [splitList(text, 'account'), splitList(text, 'name'), refused(parsePath)(text)],
	'service details': refused(parseServiceDetails),
};

const timeOf = (read: (text: string) => unknown, text: string): number => {
	const before = process.cpuUsage();
	read(text);
	const { user, system } = process.cpuUsage(before);
	return (user + system) / 1000;
};

/** Each text is read five times, and the shortest time counts: garbage collection distorts single ones. */
const processorTime =
	(read: (text: string) => unknown, size: number): Side =>
	async () =>
		pieces
			.map((piece) => piece.repeat(size / piece.length))
			.reduce((sum, text) => sum + Math.min(...[1, 2, 3, 4, 5].map(() => timeOf(read, text))), 0);

const size = 100_000;

export const growthRows: Row[] = Object.entries(readers).map(([name, read]) => ({
	name: `Processor time for texts of ${(2 * size) / 1000} kB, ${name}`,
	against: `texts of ${size / 1000} kB`,
	target: '<= 2.5',
	sides: async () => ({ ours: processorTime(read, 2 * size), other: processorTime(read, size) }),
}));
