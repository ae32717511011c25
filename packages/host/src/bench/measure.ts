import { loadavg } from 'node:os';

import type { Beds } from './bed.ts';

/** One side of a comparison: does its work once and returns the figure, such as milliseconds. */
export type Side = () => Promise<number>;

/** A row of the table. */
export interface Row {
	/** Which rows belong together: `--only` takes it, as well as any part of the name. */
	group: string;
	name: string;
	/** What it is compared with; empty for absolute figures. */
	against: string;
	/** Where it shall be. */
	target: string;
	/** How the figure comes from both sides. Default: ours, divided by the other. */
	figure?: 'ratio' | 'difference';
	/** Of the figure, where it is no ratio. */
	unit?: string;
	/** Pairs that count. Default 5. A figure that is the same each time needs one. */
	pairs?: number;
	/** Whether a first pair warms up and does not count. Default: it does. */
	warmUp?: boolean;
	sides(beds: Beds): Promise<{ ours: Side; other?: Side }>;
}

export interface Result {
	name: string;
	against: string;
	/** The median; `min` and `max` are the extremes of single pairs. */
	ratio: number;
	min: number;
	max: number;
	target: string;
	unit: string;
	/** The medians of both sides. */
	ours: number;
	other: number | null;
	pairs: number;
	/** System load at the start. */
	load: number;
	versions: Record<string, string>;
}

/** Measures both sides in turn, so that other load on the machine affects both. */
export async function measured(row: Row, beds: Beds, versions: Record<string, string>): Promise<Result> {
	const { name, against, target, figure = 'ratio', unit = '', pairs = 5, warmUp = true } = row;
	const [load = 0] = loadavg();
	const { ours, other } = await row.sides(beds);
	const figureOf = (one: number, against_: number | undefined) =>
		against_ === undefined ? one : figure === 'ratio' ? one / against_ : one - against_;
	if (warmUp) {
		await ours();
		await other?.();
	}
	const all: [number, number | undefined][] = [];
	for (let count = 0; count < pairs; count++) all.push([await ours(), await other?.()]);
	const figures = all.map(([one, another]) => figureOf(one, another));
	const mine = median(all.map(([one]) => one));
	const theirs = other === undefined ? undefined : median(all.flatMap(([, another]) => another ?? []));
	const rounded = (value: number) => Number(value.toPrecision(value > 1000 ? 6 : 3));
	return {
		name,
		against,
		ratio: rounded(figureOf(mine, theirs)),
		min: rounded(Math.min(...figures)),
		max: rounded(Math.max(...figures)),
		target,
		unit,
		ours: rounded(mine),
		other: theirs === undefined ? null : rounded(theirs),
		pairs,
		load: rounded(load),
		versions,
	};
}

export function median(numbers: readonly number[]): number {
	const sorted = numbers.toSorted((a, b) => a - b);
	const middle = sorted.length / 2;
	return ((sorted[Math.ceil(middle) - 1] ?? Number.NaN) + (sorted[Math.floor(middle)] ?? Number.NaN)) / 2;
}
